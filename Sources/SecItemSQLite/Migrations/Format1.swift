// SPDX-License-Identifier: Apache-2.0

import GRDB

/// The first format of the file. `docs/file-format.md` explains it. It is never edited; a change needs a new format.
enum Format1 {
    static let number: Int64 = 1

    /// The declarations of the tables, exactly as SQLite stores them.
    static let tables: [String: String] = [
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

    static func create(_ database: Database) throws {
        for sql in tables.values.sorted() {
            try database.execute(sql: sql)
        }
        try database.execute(sql: "PRAGMA application_id = \(StoreFormat.applicationID)")
        try database.execute(sql: "PRAGMA user_version = \(number)")
    }
}
