// SPDX-License-Identifier: Apache-2.0

import GRDB
import GRDBSQLite
import SecItemStore

// Converts SQLite's result codes to those of a store.

extension StoreError {
    /// An error thrown by GRDB.
    ///
    /// - Parameter systemError: The system's error of the connection's last failure, if known.
    init(database error: any Error, systemError: Int32 = 0) {
        if let error = error as? StoreError {
            self = error
        } else if let error = error as? DatabaseError {
            self.init(sqlite: error.extendedResultCode.rawValue, systemError: systemError, native: error)
        } else {
            self.init(.io, "the database failed", underlying: error)
        }
    }

    /// A result code of SQLite. `native` must not contain values that were bound to a statement.
    init(sqlite number: Int32, systemError: Int32 = 0, native: (any Error)? = nil) {
        var text = sqlite3_errstr(number).map { String(cString: $0) } ?? "?"
        let isOfSystem = [SQLITE_IOERR, SQLITE_CANTOPEN].contains(number & 0xff) && systemError != 0
        if isOfSystem { text += ", \(Self.text(ofErrno: systemError))" }
        let code =
            isOfSystem && Self.meansFull(systemError) ? .full : Self.code(sqlite: number)
        self.init(code, "SQLite \(number): \(text)", underlying: native)
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
