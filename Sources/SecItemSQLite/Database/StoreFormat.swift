// SPDX-License-Identifier: Apache-2.0

import SecItemStore

/// The format of the file. `docs/file-format.md` explains it.
enum StoreFormat {
    /// "SecI", which marks an SQLite file as a keychain.
    static let applicationID: Int64 = 0x5365_6349
    static let number: Int64 = 1

    /// The declarations of the tables, exactly as SQLite stores them.
    private static let tables: [String: String] = [
        "store": """
        CREATE TABLE store (
            id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
            uuid BLOB NOT NULL,
            device_key BLOB NOT NULL,
            code BLOB NOT NULL
        )
        """,
        "keys": """
        CREATE TABLE keys (
            name TEXT NOT NULL PRIMARY KEY,
            wrapper TEXT NOT NULL,
            parameters BLOB NOT NULL,
            sealed BLOB NOT NULL,
            checksum BLOB NOT NULL,
            code BLOB NOT NULL
        ) WITHOUT ROWID
        """,
        "item": """
        CREATE TABLE item (
            id INTEGER NOT NULL PRIMARY KEY,
            class TEXT NOT NULL,
            reference BLOB NOT NULL UNIQUE,
            accessible TEXT NOT NULL,
            primary_key BLOB NOT NULL UNIQUE,
            slots BLOB NOT NULL,
            nonces BLOB NOT NULL,
            code BLOB NOT NULL,
            attributes BLOB NOT NULL,
            secrets BLOB
        )
        """,
        "lookup": """
        CREATE TABLE lookup (
            blind BLOB NOT NULL,
            item INTEGER NOT NULL,
            PRIMARY KEY (blind, item)
        ) WITHOUT ROWID
        """,
    ]

    /// Creates the tables of a new store.
    static func create(_ database: Database) throws(StoreError) {
        for sql in tables.values.sorted() { try database.execute(sql) }
        try database.execute("PRAGMA application_id = \(applicationID); PRAGMA user_version = \(number)")
    }

    /// Checks a file before anything is written to it.
    ///
    /// - Throws: ``StoreError/Code/unavailable`` for another format, ``StoreError/Code/corrupt`` if it is not a keychain.
    static func check(_ database: Database) throws(StoreError) {
        let format = try database.number("PRAGMA user_version")
        guard try database.number("PRAGMA application_id") == applicationID, format > 0 else {
            throw StoreError(.corrupt, "the file is not a keychain, or is damaged")
        }
        if try database.number("SELECT count(*) FROM sqlite_master WHERE name = 'grdb_migrations'") > 0 {
            throw StoreError(
                .unavailable,
                "the keychain was made by a version from before the first release: run `security backup` of that version, "
                    + "move the keychain's folder away, and run `security restore` of this one")
        }
        guard format == number else {
            throw StoreError(.unavailable, "the file has format \(format), newer than the \(number) of this program")
        }
        try checkTables(database)
    }

    /// Checks that the tables are exactly those of the format, and that there is nothing else. A damaged declaration would
    /// change the meaning of statements, and a trigger would run with them.
    private static func checkTables(_ database: Database) throws(StoreError) {
        var missing = tables
        let query = try PreparedQuery(database, "SELECT type, name, sql FROM sqlite_master")
        defer { query.finish() }
        while try query.step() {
            let name = query.text(1) ?? ""
            switch query.text(0) {
            case "table" where query.text(2) == missing[name] && missing[name] != nil: missing[name] = nil
            case "index" where query.isNull(2) && name.hasPrefix("sqlite_autoindex_"): continue
            default: throw StoreError(.corrupt, "the file's schema is not that of a keychain")
            }
        }
        guard missing.isEmpty else { throw StoreError(.corrupt, "tables are missing from the file") }
    }
}
