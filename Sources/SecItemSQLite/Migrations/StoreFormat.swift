// SPDX-License-Identifier: Apache-2.0

import GRDB
import SecItemStore

/// The formats of the file: recognises them, and migrates each to the newest.
enum StoreFormat {
    /// "SecI", which marks an SQLite file as a keychain.
    static let applicationID: Int64 = 0x5365_6349
    /// The newest format that this program knows.
    static let current = Format2.number
    /// The format that a new store has.
    static let ofNewStores = Format1.number

    /// Creates the tables of a new store. A store gets ``Format2`` together with its guard key (``GuardKeyRow``), which
    /// needs no migration. A migration's name is never changed and never reused.
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("format 1", migrate: Format1.create)
        return migrator
    }

    /// Checks a file before anything is written to it.
    ///
    /// - Returns: The file's format, from 1 to ``current``.
    /// - Throws: ``StoreError/Code/unavailable`` for a newer one, ``StoreError/Code/corrupt`` if it is not a keychain.
    static func check(_ database: any StatementSource) throws -> Int64 {
        let applicationID = try PreparedQuery.number(database, "PRAGMA application_id")
        let format = try PreparedQuery.number(database, "PRAGMA user_version")
        guard applicationID == Self.applicationID, format > 0 else {
            throw StoreError(.corrupt, "the file is not a keychain, or is damaged")
        }
        guard format <= current else {
            throw StoreError(.unavailable, "the file has format \(format), newer than the \(current) of this program")
        }
        try check(database, tables: Format1.tables)
        return format
    }

    /// Records whether the store has a guard key, in the transaction that adds or removes the key.
    static func write(_ database: Database, hasGuardKey: Bool) throws {
        try database.execute(
            sql: "PRAGMA user_version = \(hasGuardKey ? Format2.number : Format1.number)")
    }

    /// Checks that the tables are exactly those of the format, and that there is nothing else. A damaged declaration would
    /// change the meaning of statements, and a trigger would run with them.
    private static func check(_ database: any StatementSource, tables: [String: String]) throws {
        var missing = tables
        let query = try PreparedQuery(database, "SELECT type, name, sql FROM sqlite_master")
        defer { query.finish() }
        while try query.step() {
            let name = query.text(1) ?? ""
            switch query.text(0) {
            case "table" where name == "grdb_migrations": continue
            case "table" where query.text(2) == missing[name] && missing[name] != nil: missing[name] = nil
            case "index" where query.isNull(2) && name.hasPrefix("sqlite_autoindex_"): continue
            default: throw StoreError(.corrupt, "the file's schema is not that of a keychain")
            }
        }
        guard missing.isEmpty else { throw StoreError(.corrupt, "tables are missing from the file") }
    }
}
