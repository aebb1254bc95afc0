// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Foundation
    import TestSupport
    import Testing

    @testable import SecItemPostgreSQL

    /// Programs and children that a process starts while it uses a keychain in PostgreSQL.
    @Suite(.timeLimit(.minutes(60))) struct ChildProcessTests {
        @Test func store_keepsItsPromisesToParentsAndChildren() throws {
            let server = try PrivateServer(), folder = try TemporaryFolder()
            try PostgreSQLSchema.prepare(server.database(server.owner))
            let environment = [
                "HOME": folder.path, "SECITEM_STORE": "postgresql", "SECITEM_POSTGRESQL": server.user,
                "SECITEM_POSTGRESQL_KEY_FILE": folder.path + "/key",
            ]
            try ForkCheck(environment, folder: folder.path).all()
            // What a child says to the server on the parent's connection would be logged as an error of the protocol.
            let log = try String(contentsOfFile: server.folder + "/server.log", encoding: .utf8)
            #expect(!log.contains("protocol"))
        }
    }
#endif
