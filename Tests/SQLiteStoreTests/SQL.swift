// SPDX-License-Identifier: Apache-2.0

import CLibsqlite3
import Foundation

@testable import SecItemSQLite

/// A value in a column of any type.
enum SQLValue: Hashable, Sendable, ExpressibleByIntegerLiteral {
    case null
    case integer(Int64)
    case text(String)
    case bytes(Data)

    init(integerLiteral value: Int64) { self = .integer(value) }

    var data: Data {
        switch self {
        case .null, .integer: Data()
        case .text(let text): Data(text.utf8)
        case .bytes(let bytes): bytes
        }
    }
}

/// SQL that no store runs: of somebody who changes the file, or looks at its bytes.
extension Database {
    func run(_ sql: String, _ arguments: [SQLValue]) throws {
        let query = try PreparedQuery(self, sql)
        defer { query.finish() }
        for (index, argument) in arguments.enumerated() {
            switch argument {
            case .null: break
            case .integer(let number): try query.bind(number, at: Int32(index + 1))
            case .text(let text): try query.bind(text, at: Int32(index + 1))
            case .bytes(let bytes): try query.bind(copying: Array(bytes), at: Int32(index + 1))
            }
        }
        try query.run()
    }

    /// All rows, with the values by the names of their columns.
    func rows(_ sql: String) throws -> [[String: SQLValue]] {
        let (statement, owner) = try prepared(sql)
        defer {
            sqlite3_reset(statement)
            withExtendedLifetime(owner) {}
        }
        sqlite3_reset(statement)
        var rows: [[String: SQLValue]] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            var row: [String: SQLValue] = [:]
            for column in 0..<sqlite3_column_count(statement) {
                row[String(cString: sqlite3_column_name(statement, column))] = value(statement, column)
            }
            rows.append(row)
        }
        return rows
    }

    private func value(_ statement: OpaquePointer, _ column: Int32) -> SQLValue {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_NULL: return .null
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, column))
        case let type:
            let start = sqlite3_column_blob(statement, column)
            let bytes = Data(
                UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))))
            return type == SQLITE_TEXT ? .text(String(decoding: bytes, as: UTF8.self)) : .bytes(bytes)
        }
    }

    /// The first column of each row.
    func values(_ sql: String) throws -> [SQLValue] {
        try rows(sql).compactMap(\.values.first)
    }

    /// The first value of the first row.
    func value(_ sql: String) throws -> SQLValue? { try values(sql).first }
}
