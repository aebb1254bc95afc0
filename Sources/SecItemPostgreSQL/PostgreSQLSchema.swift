// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import SecItemStore

    /// The tables, in the schema `secitem`.
    package enum PostgreSQLSchema {
        /// The constraints whose violation means something to a store, by their names in the statements below.
        static let constraints: Set<String> = ["item_pkey", "item_reference", "item_primary_key", "item_claim"]

        /// The statements that make each version out of the one before it. A list never changes; a new version adds a
        /// list.
        package static let migrations: [[String]] = [version1, version2]

        /// The newest version that this program knows. Tables of a newer version are refused.
        static var version: Int64 { Int64(migrations.count) }

        private static let version1 = [
            "CREATE SCHEMA IF NOT EXISTS secitem",
            """
            CREATE TABLE secitem.format (
                id smallint PRIMARY KEY CHECK (id = 1),
                version integer NOT NULL
            )
            """,
            """
            CREATE TABLE secitem.store (
                id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                name bytea NOT NULL UNIQUE,
                uuid bytea NOT NULL UNIQUE,
                device_key bytea NOT NULL,
                code bytea NOT NULL
            )
            """,
            """
            CREATE TABLE secitem.keys (
                store bigint NOT NULL REFERENCES secitem.store ON DELETE CASCADE,
                name text NOT NULL,
                wrapper text NOT NULL,
                parameters bytea NOT NULL,
                sealed bytea NOT NULL,
                checksum bytea NOT NULL,
                code bytea NOT NULL,
                PRIMARY KEY (store, name)
            )
            """,
            """
            CREATE TABLE secitem.item (
                store bigint NOT NULL REFERENCES secitem.store ON DELETE CASCADE,
                id bigint NOT NULL,
                class text NOT NULL,
                reference bytea NOT NULL,
                accessible text NOT NULL,
                primary_key bytea NOT NULL,
                claim bytea NOT NULL,
                slots bytea NOT NULL,
                nonces bytea NOT NULL,
                code bytea NOT NULL,
                attributes bytea NOT NULL,
                secrets bytea,
                CONSTRAINT item_pkey PRIMARY KEY (store, id),
                CONSTRAINT item_reference UNIQUE (store, reference),
                CONSTRAINT item_primary_key UNIQUE (store, primary_key),
                CONSTRAINT item_claim UNIQUE (store, claim)
            )
            """,
            """
            CREATE TABLE secitem.lookup (
                store bigint NOT NULL,
                blind bytea NOT NULL,
                item bigint NOT NULL,
                PRIMARY KEY (store, blind, item),
                CONSTRAINT lookup_item FOREIGN KEY (store, item)
                    REFERENCES secitem.item (store, id) ON DELETE CASCADE
            )
            """,
            "CREATE INDEX lookup_by_item ON secitem.lookup (store, item)",
            "INSERT INTO secitem.format (id, version) VALUES (1, 1)",
        ]

        /// The members of a fleet.
        private static let version2 = [
            """
            CREATE TABLE secitem.member (
                id bytea PRIMARY KEY,
                kind text NOT NULL,
                sealed bytea NOT NULL,
                details bytea NOT NULL
            )
            """,
            "UPDATE secitem.format SET version = 2 WHERE id = 1",
        ]

        /// Held by whoever makes or changes the tables. "secitem" as a number.
        private static let lock = PostgreSQLCommand.unprepared(
            "SELECT pg_catalog.pg_advisory_xact_lock($1)", .integer(0x73_6563_6974_656D))

        /// Makes the tables, or changes those of an older version. Several programs may do this at the same time.
        ///
        /// - Throws: ``StoreError/Code/unavailable`` if the tables have a newer version, one of them is something else
        ///   than a table, the role may not make them, or the schema in which it would make them is a stranger's;
        ///   ``StoreError/Code/readOnly`` if the server is a standby without them.
        package static func prepare(_ database: PostgreSQLDatabase) throws(StoreError) {
            if try isCurrent(database) { return }
            do throws(StoreError) {
                try database.transaction(.readCommitted) { (transaction) throws(StoreError) in
                    _ = try transaction.run(lock)
                    try requireTables(transaction)
                    // Another program may have made them meanwhile. Reading a table that does not exist would end the
                    // transaction, so this asks the catalogue first.
                    var present: Int64 = 0
                    if try transaction.run(isThere).boolean(0, 0) {
                        present = try number(try transaction.run(look))
                        if present == version { return }
                    }
                    try migrate(transaction, from: present)
                }
            } catch {
                guard error.postgreSQL?.kind == .permission else { throw error }
                throw StoreError(
                    .unavailable,
                    "PostgreSQL: the tables are not there or are old, and the role may not make them; docs/postgresql.md "
                        + "has the statements for their owner", underlying: error.postgreSQL)
            }
        }

        /// Changes tables of an older version. Makes none.
        ///
        /// - Returns: Whether there are tables.
        /// - Throws: As ``prepare(_:)``.
        static func prepareExisting(_ database: PostgreSQLDatabase) throws(StoreError) -> Bool {
            guard try database.read(isThere).boolean(0, 0) else { return false }
            try prepare(database)
            return true
        }

        private static let isThere = PostgreSQLCommand.unprepared(
            "SELECT pg_catalog.to_regclass('secitem.format') IS NOT NULL")

        private static let look = PostgreSQLCommand.unprepared("SELECT version FROM secitem.format WHERE id = 1")

        /// A view with the name of a table would run its maker's functions with the rights of this role.
        private static let areTables = PostgreSQLCommand.unprepared(
            """
            SELECT NOT EXISTS (
                SELECT FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
                WHERE n.nspname = 'secitem' AND c.relkind <> 'r'
                    AND c.relname IN ('format', 'store', 'keys', 'item', 'lookup', 'member')
            )
            """)

        /// Whether the schema is not there, or this role has its owner's rights. The owner of a schema can drop or
        /// replace all tables in it.
        private static let isOwned = PostgreSQLCommand.unprepared(
            """
            SELECT NOT EXISTS (
                SELECT FROM pg_catalog.pg_namespace AS n
                WHERE n.nspname = 'secitem' AND NOT pg_catalog.pg_has_role(current_user, n.nspowner, 'USAGE')
            )
            """)

        private static func requireTables(_ transaction: PostgreSQLTransaction) throws(StoreError) {
            guard try transaction.run(areTables).boolean(0, 0) else {
                throw StoreError(
                    .unavailable, "PostgreSQL: the schema secitem has a view or the like in place of a table")
            }
        }

        private static func requireOwner(_ transaction: PostgreSQLTransaction) throws(StoreError) {
            guard try transaction.run(isOwned).boolean(0, 0) else {
                throw StoreError(
                    .unavailable,
                    "PostgreSQL: the tables are not there or are old, and the schema secitem belongs to another role, "
                        + "which has to make them; docs/postgresql.md has the statements")
            }
        }

        /// The version of the tables, or nil if there are none. Makes and changes nothing.
        ///
        /// - Throws: As ``prepare(_:)``; also for tables that are newer than this program.
        static func presentVersion(_ database: PostgreSQLDatabase) throws(StoreError) -> Int64? {
            try database.read(isThere).boolean(0, 0) ? try readVersion(database) : nil
        }

        private static func isCurrent(_ database: PostgreSQLDatabase) throws(StoreError) -> Bool {
            do throws(StoreError) {
                return try readVersion(database) == version
            } catch {
                if error.postgreSQL?.kind == .missingTable { return false }
                throw error
            }
        }

        private static func readVersion(_ database: PostgreSQLDatabase) throws(StoreError) -> Int64 {
            do throws(StoreError) {
                // Not one snapshot for both statements: a program that makes the tables in between would show the second
                // one a table without its row.
                return try database.transaction(.reading) { (transaction) throws(StoreError) in
                    // First, in a round trip of its own: reading a view is what must not happen.
                    try requireTables(transaction)
                    return try number(try transaction.finish([look]).first ?? PostgreSQLRows())
                }
            } catch {
                guard error.postgreSQL?.kind == .permission else { throw error }
                throw StoreError(
                    .unavailable, "PostgreSQL: the role may not read the tables of the schema secitem",
                    underlying: error.postgreSQL)
            }
        }

        /// The version in the table.
        ///
        /// - Throws: ``StoreError/Code/unavailable`` for a newer one, ``StoreError/Code/corrupt`` for none.
        private static func number(_ rows: PostgreSQLRows) throws(StoreError) -> Int64 {
            let found = rows.count == 0 ? 0 : try rows.integer(0, 0)
            guard found <= version else {
                throw StoreError(
                    .unavailable,
                    "PostgreSQL: the tables have version \(found), newer than the \(version) of this program: update it"
                )
            }
            guard found > 0 else { throw StoreError(.corrupt, "PostgreSQL: the tables have no version") }
            return found
        }

        private static func migrate(_ transaction: PostgreSQLTransaction, from present: Int64) throws(StoreError) {
            try requireOwner(transaction)
            for migration in migrations.dropFirst(Int(present)) {
                _ = try transaction.run(migration.map { .unprepared($0) })
            }
            // Again, because a schema that was not there may be a stranger's meanwhile. Nothing is stored yet.
            try requireOwner(transaction)
        }
    }
#endif
