// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDBSQLite

/// Baseline (a): the same statements through SQLite's C interface, prepared once, and equally durable.
final class RawDatabase {
    struct Failure: Error {
        let code: Int32
    }

    private final class Prepared {
        let pointer: OpaquePointer?

        init(_ database: OpaquePointer?, _ sql: String) throws {
            var pointer: OpaquePointer?
            let code = sqlite3_prepare_v3(database, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &pointer, nil)
            guard code == SQLITE_OK else { throw Failure(code: code) }
            self.pointer = pointer
        }

        deinit { sqlite3_finalize(pointer) }

        func bind(_ data: Data, _ index: Int32) {
            data.withUnsafeBytes { bytes in
                _ = sqlite3_bind_blob(
                    pointer, index, bytes.baseAddress, Int32(bytes.count),
                    unsafeBitCast(-1, to: sqlite3_destructor_type.self))
            }
        }

        func bind(_ number: Int64, _ index: Int32) { sqlite3_bind_int64(pointer, index, number) }

        func step() throws -> Bool {
            switch sqlite3_step(pointer) {
            case SQLITE_ROW: return true
            case SQLITE_DONE: return false
            case let code: throw Failure(code: code)
            }
        }

        func run() throws {
            while try step() {}
            sqlite3_reset(pointer)
        }
    }

    private var database: OpaquePointer?
    private let begin, commit, last, twin, insert, insertLookup, find, findWhole, update, delete, deleteLookup: Prepared

    init(path: String) throws {
        var database: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        guard sqlite3_open_v2(path, &database, flags, nil) == SQLITE_OK else { throw Failure(code: SQLITE_CANTOPEN) }
        self.database = database
        sqlite3_exec(database, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL", nil, nil, nil)
        sqlite3_exec(database, "PRAGMA secure_delete = ON", nil, nil, nil)
        // Fails if the tables exist.
        sqlite3_exec(database, Statements.tables, nil, nil, nil)
        func prepare(_ sql: String) throws -> Prepared { try Prepared(database, sql) }
        begin = try prepare("BEGIN IMMEDIATE")
        commit = try prepare("COMMIT")
        last = try prepare(Statements.last)
        twin = try prepare(Statements.twin)
        insert = try prepare(Statements.insert)
        insertLookup = try prepare(Statements.insertLookup)
        find = try prepare(Statements.find)
        findWhole = try prepare(Statements.findWhole)
        update = try prepare(Statements.update)
        delete = try prepare(Statements.delete)
        deleteLookup = try prepare(Statements.deleteLookup)
    }

    deinit { sqlite3_close_v2(database) }

    func inTransaction(_ body: () throws -> Void) throws {
        try begin.run()
        try body()
        try commit.run()
    }

    func add(_ bytes: Bytes) throws {
        _ = try last.step()
        let id = sqlite3_column_int64(last.pointer, 0) + 1
        sqlite3_reset(last.pointer)
        twin.bind(bytes.reference, 1)
        try twin.run()
        let columns = [
            bytes.reference, bytes.primaryKey, bytes.slots, bytes.nonces, bytes.code, bytes.attributes, bytes.secrets,
        ]
        for (index, column) in columns.enumerated() { insert.bind(column, Int32(index + 1)) }
        insert.bind(id, 8)
        try insert.run()
        for blind in bytes.lookups {
            insertLookup.bind(blind, 1)
            insertLookup.bind(id, 2)
            try insertLookup.run()
        }
    }

    /// The number of the found row. Also copies its secret.
    @discardableResult
    func find(_ number: Int) throws -> Int64 {
        find.bind(Bytes.naturalKey(number), 1)
        find.bind(Bytes.naturalKey(-1), 2)
        defer { sqlite3_reset(find.pointer) }
        guard try find.step() else { throw Failure(code: SQLITE_NOTFOUND) }
        _ = copy(find, 10)
        return sqlite3_column_int64(find.pointer, 0)
    }

    func findAll() throws -> Int {
        findWhole.bind(Bytes.service, 1)
        findWhole.bind(Bytes.naturalKey(-1), 2)
        defer { sqlite3_reset(findWhole.pointer) }
        var all: [(Data, Data)] = []
        while try findWhole.step() { all.append((copy(findWhole, 9), copy(findWhole, 10))) }
        return all.count
    }

    private func copy(_ statement: Prepared, _ column: Int32) -> Data {
        guard let start = sqlite3_column_blob(statement.pointer, column) else { return Data() }
        return Data(bytes: start, count: Int(sqlite3_column_bytes(statement.pointer, column)))
    }

    func update(_ number: Int, _ bytes: Bytes) throws {
        try inTransaction {
            let id = try find(number)
            for (index, column) in [bytes.nonces, bytes.code, bytes.attributes, bytes.secrets].enumerated() {
                update.bind(column, Int32(index + 1))
            }
            update.bind(id, 5)
            try update.run()
        }
    }

    func delete(_ number: Int, _ bytes: Bytes) throws {
        try inTransaction {
            let id = try find(number)
            delete.bind(id, 1)
            try delete.run()
            for blind in bytes.lookups {
                deleteLookup.bind(blind, 1)
                deleteLookup.bind(id, 2)
                try deleteLookup.run()
            }
        }
    }
}
