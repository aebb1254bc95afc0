// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore
import TestSupport
import Testing

@testable import SecItemSQLite

/// What every connection asks of SQLite, and what that does to the bytes in the file.
@Suite struct ConnectionTests {
    private let folder: TemporaryFolder
    private var location: StoreLocation { folder.location }

    init() throws { folder = try TemporaryFolder() }

    // MARK: Damaged and forged files

    /// Nothing in a file is believed: neither functions in a schema nor the sizes of cells. Nothing of a keychain gets into
    /// temporary files.
    @Test func everyConnection_believesNothing() throws {
        func check(_ database: Database, _ name: String) throws {
            #expect(try database.number("PRAGMA trusted_schema") == 0, "\(name)")
            #expect(try database.number("PRAGMA cell_size_check") == 1, "\(name)")
            #expect(try database.number("PRAGMA temp_store") == 2, "\(name)")
        }
        let store = try openStore(location)
        try store.insert(.password())
        try store.connection.write { try check($0, "writer") }
        try store.connection.read { first in
            try check(first, "first reader")
            try store.connection.read { try check($0, "second reader") }
        }
        try store.connection.close()
        try check(Database(location.databasePath, .readingUnchanged), "reader of a medium")
    }

    /// Readers write nothing, whatever a statement says.
    @Test func reader_cannotWrite() throws {
        let store = try openStore(location)
        try store.insert(.password())
        expect(.readOnly) { try store.connection.read { try $0.execute("DELETE FROM item") } }
        #expect(try store.find(.password()).count == 1)
    }

    // MARK: Other programs

    /// A program that this one starts, at any moment, inherits no file of a keychain.
    @Test func otherPrograms_inheritNothing() throws {
        func check() throws { #expect(try inheritedFiles(below: folder.path) == []) }
        let store = try openStore(location, passphrase: "passphrase")
        #expect(try store.find(.password()).isEmpty)
        try check()
        try store.insert(.password())
        try store.connection.write { _ in try check() }
        try store.connection.read { _ in try store.connection.read { _ in try check() } }
        #expect(try store.rekey(passphrase: Secret(Data("passphrase".utf8))) == 1)
        try check()
        withExtendedLifetime(store) {}
    }

    // MARK: Deleted items

    /// A part of an encrypted value, short enough to be on one page.
    private typealias Piece = Data

    private func pieces(_ path: String) throws -> [Piece] {
        let values = try Database(path, .reading)
            .values("SELECT attributes FROM item UNION ALL SELECT secrets FROM item")
        return values.map(\.data).flatMap { value in
            stride(from: 0, to: value.count - 16, by: 64).map { value.dropFirst($0).prefix(16) }
        }
    }

    /// Whoever gets hold of the files, and later of their keys, finds nothing in them that was deleted or replaced before
    /// the last program that used them ended.
    @Test(arguments: ["delete", "replace"]) func oldValues_areOverwritten(how: String) throws {
        let store = try openStore(location)
        for size in [0, 30, 700, 5_000, 30_000] {
            try store.insert(.password(account: "\(size)", secret: Data((0..<size).map { _ in .random(in: 0...255) })))
        }
        try store.connection.close()
        let before = try Data(contentsOf: URL(fileURLWithPath: location.databasePath))
        // A few pieces cross the end of a page.
        let old = try pieces(location.databasePath).filter { before.range(of: $0) != nil }
        #expect(old.count > 400)
        if how == "delete" {
            #expect(try store.delete(.password()) == 5)
        } else {
            #expect(try store.update(.password(), [.label: .string("label")], secret: Data("other".utf8)) == 5)
        }
        try store.connection.close()
        for after in try location.contents().values {
            #expect(old.filter { after.range(of: $0) != nil }.isEmpty)
        }
    }
}
