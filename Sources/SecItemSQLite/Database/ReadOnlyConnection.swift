// SPDX-License-Identifier: Apache-2.0

import GRDB
import GRDBSQLite
import SecItemStore

/// A connection that cannot write, for one thread at a time.
///
/// It has only what reading needs. GRDB's connections have a queue, functions, collations and an authorizer; in a
/// program that looks up one item and ends, creating those costs more than the look-up.
final class ReadOnlyConnection: StatementSource {
    private final class OwnStatement {
        let sql: String
        let pointer: SQLiteStatement

        init(_ sql: String, _ pointer: SQLiteStatement) {
            self.sql = sql
            self.pointer = pointer
        }

        deinit { sqlite3_finalize(pointer) }
    }

    /// More than a store's look-ups have.
    private static let greatestStatementCount = 32

    private(set) var sqliteConnection: SQLiteConnection?
    // There are few, so a linear search is faster than building a table.
    private var statements: [OwnStatement] = []

    /// Opens the database. This reads nothing; damage shows when it is used.
    init(_ path: String) throws(StoreError) {
        let code = sqlite3_open_v2(path, &sqliteConnection, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, nil)
        do throws(StoreError) {
            guard code == SQLITE_OK else {
                throw StoreError(sqlite: code, systemError: sqliteConnection.map(sqlite3_system_errno) ?? 0)
            }
            sqlite3_extended_result_codes(sqliteConnection, 1)
            StoreConnection.waitForOthers(sqliteConnection)
            StoreConnection.keepLog(sqliteConnection)
            try execute(
                """
                PRAGMA trusted_schema = OFF;
                PRAGMA cell_size_check = ON;
                PRAGMA temp_store = MEMORY;
                """)
        } catch {
            close()
            throw error
        }
    }

    deinit { close() }

    /// Closes the connection. No query may be in use.
    func close() {
        statements = []
        sqlite3_close_v2(sqliteConnection)
        sqliteConnection = nil
    }

    func prepared(_ sql: String) throws -> PreparedStatement {
        if let known = statements.first(where: { $0.sql == sql }) {
            return PreparedStatement(pointer: known.pointer, owner: known)
        }
        var pointer: SQLiteStatement?
        try check(sqlite3_prepare_v2(sqliteConnection, sql, -1, &pointer, nil))
        guard let pointer else { throw StoreError(sqlite: SQLITE_MISUSE) }
        if statements.count == Self.greatestStatementCount { statements.removeFirst() }
        let statement = OwnStatement(sql, pointer)
        statements.append(statement)
        return PreparedStatement(pointer: pointer, owner: statement)
    }

    /// Runs `body`. All its statements see one state of the database.
    func inTransaction<Result>(_ body: () throws -> Result) throws -> Result {
        try execute("BEGIN")
        do {
            let result = try body()
            try execute("COMMIT")
            return result
        } catch {
            // SQLite may already have ended it.
            if sqlite3_get_autocommit(sqliteConnection) == 0 { try? execute("ROLLBACK") }
            throw error
        }
    }

    private func execute(_ sql: String) throws(StoreError) {
        try check(sqlite3_exec(sqliteConnection, sql, nil, nil, nil))
    }

    private func check(_ code: Int32) throws(StoreError) {
        guard code == SQLITE_OK else {
            throw StoreError(sqlite: code, systemError: StoreConnection.systemError(of: sqliteConnection))
        }
    }
}
