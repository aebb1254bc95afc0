// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore
import Testing

/// The table of attributes, compared with a list of Apple's (`Resources/attributes.csv`). The cases take their
/// expectations from the table, so the table must be right.
@Suite struct AttributeTableTests {
    /// One line of the list.
    struct Line: Sendable, CustomTestStringConvertible {
        let itemClass: ItemClass
        let columns: [String]

        var testDescription: String { columns.joined(separator: ",") }
    }

    @Test(arguments: try lines())
    func attribute_isAsListed(_ line: Line) throws {
        let columns = line.columns
        let attribute = try #require(ItemAttribute(code: columns[1]))
        let row = try #require(ItemSchema.schema(of: line.itemClass)[attribute], "no such attribute")
        let isSecret = row.roles.contains(.secret)
        // The digest is computed, so its row does not say which calls return it.
        let isDigest = attribute == .sha1
        #expect("\(row.kind)" == columns[2], "type")
        #expect(row.roles.contains(.primaryKey) == (columns[3] == "y"), "primary key")
        #expect(row.roles.contains(.settable) == (columns[4] == "y"), "kept")
        #expect(isSecret == (columns[5] == "data"), "sealed with the data")
        #expect(isDigest || row.roles.contains(.addResult) == (columns[5] == "y"), "returned by add")
        #expect(isDigest || row.roles.contains(.copyResult) == (columns[6] == "y"), "returned by look-up")
    }

    @Test func noOtherAttribute_isThere() throws {
        let listed = Set(try Self.lines().map { $0.columns.prefix(2).joined(separator: ".") })
        for itemClass in ItemClass.stored {
            for row in ItemSchema.schema(of: itemClass).rows {
                #expect(listed.contains("\(itemClass.rawValue).\(row.attribute.code)"))
            }
        }
    }

    private static func lines() throws -> [Line] {
        let url = try #require(
            Bundle.module.url(forResource: "attributes", withExtension: "csv", subdirectory: "Resources"))
        return try String(contentsOf: url, encoding: .utf8).split(separator: "\n").dropFirst().map { line in
            let columns = line.split(separator: ",").map(String.init)
            return Line(itemClass: try #require(ItemClass(rawValue: columns[0])), columns: columns)
        }
    }
}
