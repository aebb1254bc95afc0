// SPDX-License-Identifier: Apache-2.0

import GRDB
import GRDBSQLite
import SecItemSealing
import SecItemStore

/// A connection to the database, as a query needs it: one of GRDB's, or a ``ReadOnlyConnection``.
protocol StatementSource: SealedRows {
    /// SQLite's own connection. Nil when it is closed.
    var sqliteConnection: SQLiteConnection? { get }

    /// A statement that is kept prepared.
    func prepared(_ sql: String) throws -> PreparedStatement
}

/// A statement, and what keeps it alive.
struct PreparedStatement {
    let pointer: SQLiteStatement
    let owner: AnyObject
}

extension Database: StatementSource {
    func prepared(_ sql: String) throws -> PreparedStatement {
        // Held, for GRDB may drop it from its cache.
        let statement = try cachedStatement(sql: sql)
        return PreparedStatement(pointer: statement.sqliteStatement, owner: statement)
    }
}
