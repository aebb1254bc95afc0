// SPDX-License-Identifier: Apache-2.0

import CLibsqlite3
import SecItemStore

// Converts SQLite's result codes to those of a store.

extension StoreError {
    /// An error thrown by a closure that uses the database: a `StoreError`, in all of them.
    init(database error: any Error) {
        self = error as? StoreError ?? StoreError(.io, "the database failed", underlying: error)
    }

    /// A result code of SQLite.
    ///
    /// - Parameter systemError: The system's error behind it, if known.
    init(sqlite number: Int32, systemError: Int32 = 0) {
        var text = sqlite3_errstr(number).map { String(cString: $0) } ?? "?"
        let isOfSystem = [SQLITE_IOERR, SQLITE_CANTOPEN].contains(number & 0xff) && systemError != 0
        if isOfSystem { text += ", \(Self.text(ofErrno: systemError))" }
        let code =
            isOfSystem && Self.meansFull(systemError) ? .full : Self.code(sqlite: number)
        self.init(code, "SQLite \(number): \(text)")
    }

    private static func code(sqlite number: Int32) -> Code {
        switch number {
        case Extended.constraintUnique, Extended.constraintPrimaryKey, Extended.constraintRowID: return .duplicate
        case Extended.shmSize: return .full
        case Extended.moved: return .unavailable
        default: break
        }
        switch number & 0xff {
        case SQLITE_FULL: return .full
        case SQLITE_READONLY: return .readOnly
        case SQLITE_TOOBIG: return .tooLarge
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT, SQLITE_CONSTRAINT, SQLITE_MISMATCH, SQLITE_SCHEMA:
            return .corrupt
        // Our statements are valid for our schema. If one does not compile, the schema is a different one.
        case SQLITE_ERROR: return .corrupt
        case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH: return .unavailable
        default: return .io
        }
    }

    /// SQLite's extended codes, which are macros that Swift does not import.
    private enum Extended {
        static let constraintUnique = SQLITE_CONSTRAINT | (8 << 8)
        static let constraintPrimaryKey = SQLITE_CONSTRAINT | (6 << 8)
        static let constraintRowID = SQLITE_CONSTRAINT | (10 << 8)
        static let shmSize = SQLITE_IOERR | (19 << 8)
        static let moved = SQLITE_READONLY | (4 << 8)
    }
}
