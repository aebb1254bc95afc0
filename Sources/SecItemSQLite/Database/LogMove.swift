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
    /// How long the log was when the move began: what was written later is not waited for.
    private var goal: Int32?

    /// Moves what can be moved now. The caller holds the writer lock.
    mutating func attempt(_ database: Database) {
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
    }
}
