// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Foundation
    import SecItemStore
    import TestSupport
    import Testing

    @testable import SecItemPostgreSQL

    /// Who makes the tables, and what happens to those that this program does not know.
    @Suite(.timeLimit(.minutes(5)))
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

        /// Operators give these statements to a role that may make tables, while the program may not.
        @Test func statementsForOperators_areThoseOfTheProgram() throws {
            let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent()
            let file = try String(
                contentsOf: root.appendingPathComponent("Scripts/postgresql/schema.sql"), encoding: .utf8)
            func words(_ text: String) -> [String] { text.split(whereSeparator: \.isWhitespace).map(String.init) }
            let statements = file.components(separatedBy: "\n").filter { !$0.hasPrefix("--") }.joined(separator: "\n")
                .components(separatedBy: ";").map(words).filter { !$0.isEmpty }
            #expect(statements == PostgreSQLSchema.migrations.flatMap { $0 }.map(words))
        }
    }
#endif
