// SPDX-License-Identifier: Apache-2.0

import CLibsqlite3
import SecItemSealing
import SecItemStore

/// One run of a prepared statement: bind, step, and read columns without copying them.
struct PreparedQuery {
    private let database: Database
    private let owner: AnyObject
    private let statement: OpaquePointer

    init(_ database: Database, _ sql: String) throws(StoreError) {
        self.database = database
        (statement, owner) = try database.prepared(sql)
        sqlite3_reset(statement)
    }

    // MARK: Arguments, numbered from 1

    func bind(_ number: Int64, at index: Int32) throws(StoreError) {
        try check(sqlite3_bind_int64(statement, index, number))
    }

    func bind(_ text: String, at index: Int32) throws(StoreError) {
        try check(sqlite3_bind_text(statement, index, text, -1, Self.copied))
    }

    func bind(_ blind: Blind, at index: Int32) throws(StoreError) {
        try blind.withUnsafeBytes { (bytes) throws(StoreError) in
            try bind(bytes.baseAddress, bytes.count, at: index, Self.copied)
        }
    }

    /// Binds bytes, which must stay where they are until ``finish()``.
    func bind(borrowing bytes: UnsafeRawBufferPointer, at index: Int32) throws(StoreError) {
        try bind(bytes.baseAddress, bytes.count, at: index, nil)
    }

    func bind(copying bytes: [UInt8], at index: Int32) throws(StoreError) {
        try bind(bytes, bytes.count, at: index, Self.copied)
    }

    private func bind(
        _ start: UnsafeRawPointer?, _ count: Int, at index: Int32, _ destructor: sqlite3_destructor_type?
    ) throws(StoreError) {
        guard let count = Int32(exactly: count) else {
            throw StoreError(.tooLarge, "a value is larger than SQLite can hold")
        }
        // A null pointer would mean NULL, not an empty value.
        guard count > 0 else { return try check(sqlite3_bind_zeroblob(statement, index, 0)) }
        try check(sqlite3_bind_blob(statement, index, start, count, destructor))
    }

    private static var copied: sqlite3_destructor_type {
        unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    }

    // MARK: Running

    /// Goes to the next row. Returns false if there is none.
    func step() throws(StoreError) -> Bool {
        switch sqlite3_step(statement) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw database.failure(code)
        }
    }

    /// Runs a statement that returns no rows.
    func run() throws(StoreError) {
        while try step() {}
        finish()
    }

    /// Releases the row and the arguments.
    func finish() {
        // The connection may have let go of the statement.
        withExtendedLifetime(owner) {
            _ = sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
    }

    private func check(_ code: Int32) throws(StoreError) {
        if code != SQLITE_OK { throw database.failure(code) }
    }

    // MARK: Columns, numbered from 0

    func isNull(_ column: Int32) -> Bool {
        sqlite3_column_type(statement, column) == SQLITE_NULL
    }

    func integer(_ column: Int32) -> Int64 {
        sqlite3_column_int64(statement, column)
    }

    /// The bytes of a text or blob, valid until the next step; empty for NULL.
    func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
        // The pointer first: asking for it can change the length.
        let start = sqlite3_column_blob(statement, column)
        return UnsafeRawBufferPointer(
            start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(statement, column)))
    }

    func text(_ column: Int32) -> String? {
        String(validating: bytes(column), as: UTF8.self)
    }
}
