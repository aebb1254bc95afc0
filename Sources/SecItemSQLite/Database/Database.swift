// SPDX-License-Identifier: Apache-2.0

import CLibsqlite3
import Foundation
import SecItemStore

/// A connection to the database, which one thread at a time uses. It keeps its statements prepared.
final class Database: @unchecked Sendable {
    /// What a connection may do.
    enum Access {
        /// Nothing is written to the database. Closing such a connection makes no checkpoint either.
        case reading
        /// As ``reading``, for a file that nobody can write at the moment. SQLite opens no other file.
        case readingUnchanged
        case writing
        /// For a database that nobody else knows yet. When it is closed, no log stays.
        case making
    }

    private final class KeptStatement {
        let sql: String
        let pointer: OpaquePointer

        init(_ sql: String, _ pointer: OpaquePointer) {
            self.sql = sql
            self.pointer = pointer
        }

        deinit { sqlite3_finalize(pointer) }
    }

    /// More than a store has.
    private static let greatestStatementCount = 48

    private(set) var connection: OpaquePointer?
    /// Whether it was opened with ``Access/readingUnchanged``.
    let believesUnchanged: Bool
    // There are few, so a linear search is faster than building a table. Those of opening come first, and are used once.
    private var statements: [KeptStatement] = []

    /// Opens the database. Most damage shows when it is used.
    init(_ path: String, _ access: Access) throws(StoreError) {
        believesUnchanged = access == .readingUnchanged
        let name = believesUnchanged ? Self.immutableName(path) : path
        let mode = access == .writing || access == .making ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY
        let uri = believesUnchanged ? SQLITE_OPEN_URI : 0
        // The program may have told its SQLite, which is ours too, to share caches.
        let flags = mode | uri | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE
        let code = sqlite3_open_v2(name, &connection, flags, nil)
        do throws(StoreError) {
            guard code == SQLITE_OK else { throw failure(code) }
            sqlite3_extended_result_codes(connection, 1)
            sqlite3_busy_handler(connection, { _, attempt in Database.waitWhileBusy(attempt) ? 1 : 0 }, nil)
            if access != .making { keepLog() }
            try execute(Self.settings)
            if mode == SQLITE_OPEN_READWRITE { try execute(Self.settingsForWriting) }
        } catch {
            close()
            throw error
        }
    }

    deinit { close() }

    private static let settings = """
        PRAGMA trusted_schema = OFF;
        PRAGMA cell_size_check = ON;
        PRAGMA temp_store = MEMORY;
        """

    private static let settingsForWriting = """
        PRAGMA synchronous = FULL;
        PRAGMA secure_delete = ON;
        PRAGMA wal_autocheckpoint = 1000;
        PRAGMA journal_size_limit = 8388608;
        """

    /// A name that tells SQLite to believe that nobody writes the file.
    private static func immutableName(_ path: String) -> String {
        "file://\(path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? path)?immutable=1"
    }

    /// Has the log stay, empty, when the last connection is closed. So no process removes a log that another one uses.
    private func keepLog() {
        var isOn: Int32 = 1
        sqlite3_file_control(connection, "main", SQLITE_FCNTL_PERSIST_WAL, &isOn)
    }

    /// Waits for whoever has a lock of SQLite's, for about 20 s. Other writers of this package wait for the writer lock,
    /// and not here.
    ///
    /// - Returns: Whether to try again.
    private static func waitWhileBusy(_ attempt: Int32) -> Bool {
        guard attempt < 5_000 else { return false }
        BusyWait.pause(Int(attempt), longest: 5_000)
        return true
    }

    /// Closes the connection. No query may be in use.
    ///
    /// - Parameter makingCheckpoint: Whether SQLite moves the log into the database if this is the last connection of all
    ///   processes, and one that writes.
    func close(makingCheckpoint: Bool = true) {
        statements = []
        if !makingCheckpoint { _ = secitem_sqlite3_no_checkpoint_on_close(connection) }
        sqlite3_close_v2(connection)
        connection = nil
    }

    // MARK: Statements

    /// The statement, which is valid as long as its owner.
    func prepared(_ sql: String) throws(StoreError) -> (pointer: OpaquePointer, owner: AnyObject) {
        for known in statements.reversed() where known.sql == sql { return (known.pointer, known) }
        var pointer: OpaquePointer?
        try check(sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &pointer, nil))
        guard let pointer else { throw StoreError(sqlite: SQLITE_MISUSE) }
        if statements.count == Self.greatestStatementCount { statements.removeFirst() }
        let statement = KeptStatement(sql, pointer)
        statements.append(statement)
        return (pointer, statement)
    }

    /// Runs statements that have no arguments, and ignores rows that they return.
    func execute(_ sql: String) throws(StoreError) {
        try check(sqlite3_exec(connection, sql, nil, nil, nil))
    }

    /// The number that a statement returns; 0 if it returns no row.
    func number(_ sql: String) throws(StoreError) -> Int64 {
        let query = try PreparedQuery(self, sql)
        defer { query.finish() }
        return try query.step() ? query.integer(0) : 0
    }

    /// Runs `body` in a transaction: it is stored as a whole, or not at all.
    ///
    /// - Parameter forWriting: Whether it has the right to write from its start. Otherwise it only sees one state of the
    ///   database.
    func inTransaction<Result>(forWriting: Bool, _ body: () throws -> Result) throws -> Result {
        try PreparedQuery(self, forWriting ? "BEGIN IMMEDIATE" : "BEGIN").run()
        do {
            let result = try body()
            try PreparedQuery(self, "COMMIT").run()
            return result
        } catch {
            // SQLite may already have ended it.
            if sqlite3_get_autocommit(connection) == 0 { try? execute("ROLLBACK") }
            throw error
        }
    }

    /// Moves what can be moved now from the log into the database file. Nothing is lost if that is not possible.
    func makeCheckpoint() {
        sqlite3_wal_checkpoint_v2(connection, "main", SQLITE_CHECKPOINT_PASSIVE, nil, nil)
    }

    /// Moves everything from the log into the database file, and empties the log. Waits for readers.
    func emptyLog() throws(StoreError) {
        try check(sqlite3_wal_checkpoint_v2(connection, "main", SQLITE_CHECKPOINT_TRUNCATE, nil, nil))
    }

    // MARK: Failures

    private func check(_ code: Int32) throws(StoreError) {
        if code != SQLITE_OK { throw failure(code) }
    }

    /// What a result code means.
    func failure(_ code: Int32) -> StoreError { StoreError(sqlite: code, systemError: systemError) }

    /// What the system said of the connection's last failure; 0 if that is not known.
    ///
    /// SQLite reads `errno` when it hands the failure out, and what it did to clean up may have changed that by then. The
    /// database file and the log remember their own.
    private var systemError: Int32 {
        guard let connection else { return 0 }
        let last = sqlite3_system_errno(connection)
        if [EIO, EMFILE, ENFILE].contains(last) || StoreError.meansFull(last) { return last }
        var ofFile: Int32 = 0
        sqlite3_file_control(connection, "main", SQLITE_FCNTL_LAST_ERRNO, &ofFile)
        if ofFile != 0 { return ofFile }
        // The log is another file.
        var log: UnsafeMutablePointer<sqlite3_file>?
        sqlite3_file_control(connection, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log)
        _ = log?.pointee.pMethods?.pointee.xFileControl?(log, SQLITE_FCNTL_LAST_ERRNO, &ofFile)
        return ofFile == 0 ? last : ofFile
    }
}
