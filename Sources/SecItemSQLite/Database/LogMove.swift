// SPDX-License-Identifier: Apache-2.0

import GRDB
import GRDBSQLite

/// One commit's way from the write-ahead log into the database file.
///
/// So whoever copies `items.db` and `device.key` has everything that was reported stored, even if the process is killed in
/// the next moment.
struct LogMove {
    enum State: Equatable {
        case done
        /// Somebody reads an older state of the database.
        case heldUp
        /// SQLite's result code.
        case failed(Int32)
    }

    private(set) var state = State.heldUp
    /// What the connection had written to the log before this commit.
    private let before: Written
    /// How long the log was when the move began: what was written later is not waited for.
    private var goal: Int32?

    /// Before the transaction begins.
    init(_ database: Database) { before = Written(database) }

    /// Moves what can be moved now, and empties the log if older commits are in it. The caller holds the writer lock.
    ///
    /// - Parameter whileNobodyOpens: Runs what it gets if nobody opens the database just now. Whoever does so has seen that
    ///   the log is not empty.
    mutating func attempt(_ database: Database, whileNobodyOpens: (() -> Void) -> Void) {
        var log: Int32 = -1, moved: Int32 = -1
        let code = sqlite3_wal_checkpoint_v2(
            database.sqliteConnection, "main", SQLITE_CHECKPOINT_PASSIVE, &log, &moved)
        guard code == SQLITE_OK || code == SQLITE_BUSY else {
            state = .failed(code)
            return
        }
        guard code == SQLITE_OK else { return }
        let goal = self.goal ?? log
        self.goal = goal
        // A log that is shorter than before was moved as a whole and begun anew.
        if moved >= goal || log < goal { state = .done }
        if log == moved, Written(database).mayBeLess(than: log, since: before) {
            whileNobodyOpens { Self.empty(database) }
        }
    }

    /// Empties a log of which everything is in the database file.
    ///
    /// SQLite itself begins a log anew when all of it was moved, but whoever opens the database does not know that, and
    /// appends to what earlier programs have left. If such a log were cut short, by a damaged disk or a copy that is older
    /// than that of the database, SQLite would take the old pages in it for the newest, without a word. A log with one
    /// commit is either whole or nothing.
    private static func empty(_ database: Database) {
        let connection = database.sqliteConnection
        // What somebody reads now is emptied by a later write.
        sqlite3_busy_handler(connection, nil, nil)
        defer { StoreConnection.waitForOthers(connection) }
        sqlite3_wal_checkpoint_v2(connection, "main", SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
    }

    /// What a connection has written to the log since it was opened.
    private struct Written {
        private let pages: Int32
        /// How often pages were written before the commit because the cache was full. Such a page may be written once more, to
        /// the same place.
        private let spills: Int32

        init(_ database: Database) {
            func count(_ counter: Int32) -> Int32 {
                var count: Int32 = 0, greatest: Int32 = 0
                sqlite3_db_status(database.sqliteConnection, counter, &count, &greatest, 0)
                return count
            }
            pages = count(SQLITE_DBSTATUS_CACHE_WRITE)
            spills = count(SQLITE_DBSTATUS_CACHE_SPILL)
        }

        func mayBeLess(than log: Int32, since before: Written) -> Bool {
            spills != before.spills || pages &- before.pages < log
        }
    }
}
