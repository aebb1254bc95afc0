// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Foundation
    import SecItemStore
    import TestSupport
    import Testing

    @testable import SecItemPostgreSQL

    /// Who makes the tables, and what happens to those that this program does not know.
    @Suite(.timeLimit(.minutes(60)))
    struct SchemaTests {
        @Test func owners_atTheSameTime_makeTheTablesOnce() throws {
            let server = try PrivateServer()
            let failures = Shared<[StoreError]>([])
            let workers = (0..<8).map { _ in
                Worker {
                    let thrown = storeError { try PostgreSQLSchema.prepare(server.database(server.owner)) }
                    if let thrown { failures.change { $0.append(thrown) } }
                }
            }
            for worker in workers { worker.join() }
            #expect(failures.value.isEmpty, "\(failures.value)")
            #expect(try server.administer("SELECT version FROM secitem.format") == "1\n")
        }

        @Test func roleWithFewRights_usesTablesAndMakesNone() throws {
            let server = try PrivateServer()
            let database = server.database(server.user)
            let error = storeError { try PostgreSQLSchema.prepare(database) }
            #expect(
                error?.code == .unavailable && error?.postgreSQL?.kind == .permission, "\(String(describing: error))")
            try PostgreSQLSchema.prepare(server.database(server.owner))
            try PostgreSQLSchema.prepare(database)
            let change = PostgreSQLCommand("DELETE FROM secitem.store")
            #expect(try database.perform([change], .readCommitted)[0].affected == 0)
            #expect(
                storeError { try database.perform([.unprepared("DROP TABLE secitem.store")], .readCommitted) } != nil)
        }

        @Test func tables_thatAreNewerOrHaveNoVersion_areRefused() throws {
            let server = try PrivateServer()
            try PostgreSQLSchema.prepare(server.database(server.owner))
            try server.administer("UPDATE secitem.format SET version = 2")
            for role in [server.user, server.owner] {
                let error = storeError { try PostgreSQLSchema.prepare(server.database(role)) }
                #expect(error?.code == .unavailable && error?.message.contains("newer") == true)
            }
            for sql in ["UPDATE secitem.format SET version = -1", "DELETE FROM secitem.format"] {
                try server.administer(sql)
                #expect(storeError { try PostgreSQLSchema.prepare(server.database(server.owner)) }?.code == .corrupt)
            }
        }

        @Test func rightsThatWereTakenAway_areSaid() throws {
            let server = try PrivateServer()
            try PostgreSQLSchema.prepare(server.database(server.owner))
            try server.administer("REVOKE USAGE ON SCHEMA secitem FROM secitem_app")
            let error = storeError { try PostgreSQLSchema.prepare(server.database(server.user)) }
            #expect(error?.code == .unavailable && error?.postgreSQL?.kind == .permission)
        }

        /// Whoever owns the schema could replace the tables in it.
        @Test func schema_ofAStranger_getsNoTables() throws {
            let server = try PrivateServer()
            try server.administer(
                """
                CREATE ROLE stranger;
                CREATE SCHEMA secitem AUTHORIZATION stranger;
                GRANT ALL ON SCHEMA secitem TO PUBLIC;
                """)
            for role in [server.user, server.owner] {
                let error = storeError { try PostgreSQLSchema.prepare(server.database(role)) }
                #expect(error?.code == .unavailable && error?.message.contains("another role") == true)
            }
            #expect(try server.administer("SELECT to_regclass('secitem.format') IS NULL") == "t\n")
            // With the rights of the owner, the role is none of its strangers.
            try server.administer("GRANT stranger TO secitem_owner")
            try PostgreSQLSchema.prepare(server.database(server.owner))
            #expect(try server.administer("SELECT version FROM secitem.format") == "1\n")
        }

        @Test func tables_thatAnotherRoleMade_areUsed() throws {
            let server = try PrivateServer()
            let statements = PostgreSQLSchema.statements.joined(separator: ";\n")
            try server.administer(
                """
                CREATE ROLE maker;
                GRANT CREATE ON DATABASE secitem TO maker;
                SET ROLE maker;
                \(statements);
                GRANT USAGE ON SCHEMA secitem TO PUBLIC;
                GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA secitem TO PUBLIC;
                """)
            for role in [server.user, server.owner] { try PostgreSQLSchema.prepare(server.database(role)) }
        }

        /// A view would run its maker's functions with the rights of the one who reads it.
        @Test func view_inPlaceOfATable_isNotRead() throws {
            let server = try PrivateServer()
            try server.administer(
                """
                CREATE SCHEMA secitem;
                GRANT USAGE ON SCHEMA secitem TO PUBLIC;
                CREATE FUNCTION public.version() RETURNS integer LANGUAGE plpgsql AS
                    $$BEGIN RAISE EXCEPTION USING ERRCODE = 'disk_full'; END$$;
                CREATE VIEW secitem.format AS SELECT 1::smallint AS id, public.version() AS version;
                GRANT SELECT ON secitem.format TO PUBLIC;
                """)
            for role in [server.user, server.owner, server.admin] {
                let error = storeError { try PostgreSQLSchema.prepare(server.database(role)) }
                #expect(error?.code == .unavailable && error?.message.contains("view") == true)
            }
        }

        /// Operators give these statements to a role that may make tables, while the program may not.
        @Test func statementsForOperators_areThoseOfTheProgram() throws {
            let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent()
            let file = try String(
                contentsOf: root.appendingPathComponent("Scripts/postgresql/schema.sql"), encoding: .utf8)
            func words(_ text: String) -> [String] { text.split(whereSeparator: \.isWhitespace).map(String.init) }
            let statements = file.components(separatedBy: "\n").filter { !$0.hasPrefix("--") }.joined(separator: "\n")
                .components(separatedBy: ";").map(words).filter { !$0.isEmpty }
            #expect(statements == PostgreSQLSchema.statements.map(words))
        }
    }
#endif
