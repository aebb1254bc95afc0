// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Foundation
    import SecItemStore
    import TestSupport
    import Testing

    @testable import SecItemPostgreSQL

    /// The same calls behind PgBouncer, which gives each transaction the session that is free.
    @Suite(.timeLimit(.minutes(60)))
    struct PoolerTests {
        private static let program = "/usr/sbin/pgbouncer"

        /// PgBouncer in front of a server, in a folder of its own.
        private final class Pooler: Sendable {
            let user: String
            private let running: RunningProgram
            private let folder: TemporaryFolder

            init(_ server: PrivateServer, mode: String) throws {
                folder = try TemporaryFolder(in: "/tmp")
                chmod(folder.path, 0o777)
                try """
                [databases]
                secitem = host=\(server.folder) port=\(server.port) dbname=secitem
                [pgbouncer]
                unix_socket_dir = \(folder.path)
                listen_port = \(server.port)
                auth_type = trust
                auth_file = \(folder.path)/users.txt
                pool_mode = \(mode)
                default_pool_size = 2
                """.write(toFile: folder.path + "/pgbouncer.ini", atomically: true, encoding: .utf8)
                // Only the caller may be the owner: the pooler runs as another user, and lets everybody in.
                try "\"secitem_app\" \"\"\n".write(
                    toFile: folder.path + "/users.txt", atomically: true, encoding: .utf8)
                for file in ["/pgbouncer.ini", "/users.txt"] { chmod(folder.path + file, 0o644) }
                var arguments = [PoolerTests.program, folder.path + "/pgbouncer.ini"]
                // It does not run as root.
                if geteuid() == 0 {
                    arguments = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] + arguments
                }
                running = try Program(arguments[0], Array(arguments.dropFirst())).start()
                let isReady = Program("pg_isready", ["-q", "-h", folder.path, "-p", server.port])
                while running.isRunning, try isReady.run().status != 0 { usleep(10_000) }
                // Everybody may write the folder, so the pooler's user is named.
                let peer = geteuid() == 0 ? "nobody" : NSUserName()
                user =
                    server.user.replacingOccurrences(of: server.folder, with: folder.path) + " requirepeer=\(peer)"
            }
        }

        @Test(.enabled(if: access(program, X_OK) == 0), arguments: ["transaction", "session"])
        func pooler_givesTheSameAnswersAndLeavesNoSettings(_ mode: String) throws {
            let server = try PrivateServer()
            let pooler = try Pooler(server, mode: mode)
            try PostgreSQLSchema.prepare(server.database(server.owner))
            let database = server.database(pooler.user) { $0.connections = mode == "session" ? 2 : 4 }
            let failures = Shared<[String]>([])
            let workers = (0..<16).map { number in
                Worker {
                    let thrown = storeError {
                        for round in 0..<10 {
                            let name = Array("\(number) \(round)".utf8)
                            try database.transaction(.serializable) { (transaction) throws(StoreError) in
                                _ = try transaction.run(
                                    PostgreSQLCommand(
                                        """
                                        INSERT INTO secitem.store (name, uuid, device_key, code)
                                        VALUES ($1, $1, $1, $1)
                                        """, .bytes(name)))
                                let limits = try transaction.run(
                                    PostgreSQLCommand("SELECT current_setting('statement_timeout')"))
                                guard limits.text(0, 0) == "30s" else { throw StoreError(.io, limits.text(0, 0)) }
                            }
                            let rows = try database.read(
                                PostgreSQLCommand("SELECT name FROM secitem.store WHERE name = $1", .bytes(name)))
                            guard rows.bytes(0, 0) == name else { throw StoreError(.io, "another answer") }
                        }
                    }
                    if let thrown { failures.change { $0.append("\(thrown)") } }
                }
            }
            for worker in workers { worker.join() }
            #expect(failures.value.isEmpty, "\(failures.value)")
            #expect(try server.administer("SELECT count(*) FROM secitem.store") == "160\n")
            database.close()
            // The next who gets one of these sessions finds it as it was.
            let found = try Program(
                "psql", ["-qXAt", pooler.user, "-c", "SHOW statement_timeout; SHOW search_path"]
            ).output()
            #expect(found == "0\n\"$user\", public\n")
        }

        /// No notification passes a pooler, which an observer is told. Those of a program behind one arrive elsewhere.
        @Test(.enabled(if: access(program, X_OK) == 0)) func observerBehindPooler_isTold() throws {
            let server = try PrivateServer()
            let pooler = try Pooler(server, mode: "transaction")
            try PostgreSQLSchema.prepare(server.database(server.owner))
            let folder = try TemporaryFolder()
            let behind = PostgreSQLStore(PostgreSQLServer(pooler.user), keyFile: folder.path + "/key")
            let direct = PostgreSQLStore(PostgreSQLServer(server.user), keyFile: folder.path + "/key")
            try behind.add("first")
            let news = ReceivedNews(), newsBehind = ReceivedNews()
            let observations = [
                direct.observe(after: 0) { news.add($0) }, behind.observe(after: 0) { newsBehind.add($0) },
            ]
            try newsBehind.wait(for: .deaf)
            try news.wait(for: .listening)
            try behind.add("second")
            try news.wait(for: .changed)
            #expect(newsBehind.all == [.deaf])
            withExtendedLifetime(observations) {}
        }
    }
#endif
