// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import SecItemStore

    /// The tables, in the schema `secitem`.
    package enum PostgreSQLSchema {
        /// The constraints whose violation means something to a store, by their names in the statements below.
        static let constraints: Set<String> = ["item_pkey", "item_reference", "item_primary_key", "item_claim"]

        /// The version of the tables that this program makes and uses. Tables of another version are refused.
        static let version: Int64 = 1

        package static let statements = [
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
            """
            CREATE TABLE secitem.member (
                id bytea PRIMARY KEY,
                kind text NOT NULL,
                sealed bytea NOT NULL,
                details bytea NOT NULL
            )
            """,
            "INSERT INTO secitem.format (id, version) VALUES (1, 1)",
        ]

        /// Held by whoever makes the tables. "secitem" as a number.
        private static let lock = PostgreSQLCommand.unprepared(
            "SELECT pg_catalog.pg_advisory_xact_lock($1)", .integer(0x73_6563_6974_656D))

        /// Makes the tables if they are not there. Several programs may do this at the same time.
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
                    if try transaction.run(isThere).boolean(0, 0) {
                        return try requireVersion(try transaction.run(look))
                    }
                    try requireOwner(transaction)
                    _ = try transaction.run(statements.map { .unprepared($0) })
                    // Again, because a schema that was not there may be a stranger's meanwhile. Nothing is stored yet.
                    try requireOwner(transaction)
                }
            } catch {
                guard error.postgreSQL?.kind == .permission else { throw error }
                throw StoreError(
                    .unavailable,
                    "PostgreSQL: the tables are not there, and the role may not make them; docs/postgresql.md "
                        + "has the statements for their owner", underlying: error.postgreSQL)
            }
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
                    "PostgreSQL: the tables are not there, and the schema secitem belongs to another role, "
                        + "which has to make them; docs/postgresql.md has the statements")
            }
        }

        /// Whether the tables are there. Makes and changes nothing.
        ///
        /// - Throws: As ``prepare(_:)``.
        static func isPresent(_ database: PostgreSQLDatabase) throws(StoreError) -> Bool {
            guard try database.read(isThere).boolean(0, 0) else { return false }
            try checkTables(database)
            return true
        }

        private static func isCurrent(_ database: PostgreSQLDatabase) throws(StoreError) -> Bool {
            do throws(StoreError) {
                try checkTables(database)
                return true
            } catch {
                if error.postgreSQL?.kind == .missingTable { return false }
                throw error
            }
        }

        private static func checkTables(_ database: PostgreSQLDatabase) throws(StoreError) {
            do throws(StoreError) {
                // Not one snapshot for both statements: a program that makes the tables in between would show the second
                // one a table without its row.
                try database.transaction(.reading) { (transaction) throws(StoreError) in
                    // First, in a round trip of its own: reading a view is what must not happen.
                    try requireTables(transaction)
                    try requireVersion(try transaction.finish([look]).first ?? PostgreSQLRows())
                }
            } catch {
                guard error.postgreSQL?.kind == .permission else { throw error }
                throw StoreError(
                    .unavailable, "PostgreSQL: the role may not read the tables of the schema secitem",
                    underlying: error.postgreSQL)
            }
        }

        /// Checks the version in the table.
        ///
        /// - Throws: ``StoreError/Code/unavailable`` for a newer one, ``StoreError/Code/corrupt`` for none.
        private static func requireVersion(_ rows: PostgreSQLRows) throws(StoreError) {
            let found = rows.count == 0 ? 0 : try rows.integer(0, 0)
            guard found <= version else {
                throw StoreError(
                    .unavailable,
                    "PostgreSQL: the tables have version \(found), newer than the \(version) of this program: update it"
                )
            }
            guard found > 0 else { throw StoreError(.corrupt, "PostgreSQL: the tables have no version") }
        }
    }
#endif
