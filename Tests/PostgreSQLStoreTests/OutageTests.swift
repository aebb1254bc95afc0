// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Foundation
    import SecItemStore
    import TestSupport
    import Testing

    @testable import SecItemPostgreSQL

    /// What a server refuses for a while, in the middle of a program's work. The program goes on with the same store
    /// afterwards.
    @Suite(.timeLimit(.minutes(60)))
    struct OutageTests {
        private let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
        }

        private func preparedServer() throws -> PrivateServer {
            let server = try PrivateServer()
            try PostgreSQLSchema.prepare(server.database(server.owner))
            return server
        }

        private func store(_ connectionString: String) -> PostgreSQLStore {
            PostgreSQLStore(PostgreSQLServer(connectionString), keyFile: folder.path + "/key")
        }

        private let allRights = "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA secitem TO secitem_app"

        // MARK: Room

        @Test(.enabled(if: PrivateServer.canHaveSmallDisk, "needs root, to make a small disk"))
        func fullDisk_storesNothingUntilThereIsRoom() throws {
            let disk = try TemporaryFolder(in: "/tmp")
            chmod(disk.path, 0o711)
            let place = disk.path + "/disk"
            try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
            let server = try PrivateServer(withSmallDiskAt: place)
            try PostgreSQLSchema.prepare(server.database(server.owner))
            let store = store(server.user)
            try store.add("before")
            try server.administer(
                """
                CREATE TABLESPACE small LOCATION '\(place)';
                ALTER TABLE secitem.item SET TABLESPACE small;
                ALTER TABLE secitem.lookup SET TABLESPACE small;
                CREATE TABLE public.filler (bytes bytea) TABLESPACE small;
                ALTER TABLE public.filler ALTER bytes SET STORAGE EXTERNAL;
                """)
            // Until the last page of the disk is used.
            let fill = "INSERT INTO public.filler SELECT repeat('x', 20000)::bytea FROM generate_series(1, 10)"
            while storeError({ try server.database(server.admin).perform([.unprepared(fill)], .readCommitted) }) == nil
            {}
            let large = Secret(Data(count: 1_000_000))
            for _ in 0..<3 {
                #expect(storeError { try store.add("large", secret: large) }?.code == .full)
                #expect(try store.accounts() == ["before"])
            }
            try server.administer("DROP TABLE public.filler; CHECKPOINT")
            try store.add("large", secret: large)
            #expect(try store.accounts() == ["before", "large"])
        }

        @Test func connections_thatOthersHave_areNotTaken() throws {
            let server = try preparedServer()
            let store = store(server.user)
            try store.add("before")
            try server.administer("ALTER SYSTEM SET max_connections = 10")
            try server.control("restart")
            // Three more are kept for superusers.
            let others = server.database(server.user) { $0.connections = 7 }
            let (opened, isOver) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let failures = Shared<[String]>([])
            let workers = (0..<7).map { _ in
                Worker {
                    let thrown = storeError {
                        try others.transaction(.readCommitted) { (transaction) throws(StoreError) in
                            _ = try transaction.run(PostgreSQLCommand("SELECT 1"))
                            opened.signal()
                            isOver.wait()
                        }
                    }
                    guard let thrown else { return }
                    failures.change { $0.append("\(thrown)") }
                    opened.signal()
                }
            }
            for _ in workers { opened.wait() }
            for change in [{ try store.add("after") }, { _ = try store.accounts() }] as [() throws -> Void] {
                let error = storeError(change)
                #expect(error?.code == .unavailable && error?.postgreSQL?.sqlState == "53300")
                #expect(error?.message.contains("too many connections") == true)
            }
            for _ in workers { isOver.signal() }
            for worker in workers { worker.join() }
            #expect(failures.value.isEmpty)
            others.close()
            // The server notices the end of a session a little later.
            while try server.administer("SELECT count(*) FROM pg_stat_activity WHERE usename = 'secitem_app'") != "0\n"
            {
                usleep(10_000)
            }
            try store.add("after")
            #expect(try store.accounts() == ["before", "after"])
        }

        // MARK: Rights

        @Test func role_thatLosesItsRights_changesNothingUntilItHasThemAgain() throws {
            let server = try preparedServer()
            let store = store(server.user)
            try store.add("before")
            let endSessions = """
                SELECT count(pg_terminate_backend(pid, 5000)) FROM pg_stat_activity WHERE usename = 'secitem_app'
                """
            for (taking, giving, kind) in [
                ("REVOKE ALL ON ALL TABLES IN SCHEMA secitem FROM secitem_app", allRights, .permission),
                (
                    "REVOKE USAGE ON SCHEMA secitem FROM secitem_app", "GRANT USAGE ON SCHEMA secitem TO secitem_app",
                    .permission
                ),
                (
                    "REVOKE CONNECT ON DATABASE secitem FROM secitem_app",
                    "GRANT CONNECT ON DATABASE secitem TO secitem_app", .permission
                ),
                ("ALTER ROLE secitem_app NOLOGIN", "ALTER ROLE secitem_app LOGIN", .authentication),
            ] as [(String, String, PostgreSQLFailure.Kind)] {
                try server.administer(taking + ";" + endSessions)
                for change in [
                    { try store.add("after") }, { try store.rename("before", to: "after") },
                    { try store.remove("before") }, { _ = try store.accounts() },
                ] as [() throws -> Void] {
                    let error = storeError(change)
                    #expect(error?.code == .unavailable && error?.postgreSQL?.kind == kind, "\(taking)")
                }
                try server.administer(giving)
                #expect(try store.accounts() == ["before"])
            }
            try server.administer("REVOKE INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA secitem FROM secitem_app")
            #expect(storeError { try store.add("after") }?.postgreSQL?.kind == .permission)
            #expect(try store.accounts() == ["before"])
            try server.administer(allRights)
            try store.add("after")
            #expect(try store.accounts() == ["before", "after"])
        }

        // MARK: Certificates

        @Test func serverCertificate_thatHasExpired_isRefusedUntilItIsRenewed() throws {
            let server = try preparedServer()
            try server.control("tls", "localhost", "3")
            let store = store(
                "host=localhost port=\(server.port) dbname=secitem user=secitem_app password='application\\'s password' "
                    + "sslmode=verify-full sslrootcert=\(server.folder)/ca.crt")
            try store.add("before")
            try server.control("tls", "localhost", "-1")
            for _ in 0..<2 {
                let error = storeError { try store.add("after") }
                #expect(error?.code == .unavailable && error?.message.contains("not valid now") == true)
            }
            try server.control("tls", "localhost", "3")
            try store.add("after")
            #expect(try store.accounts() == ["before", "after"])
        }

        @Test func clientCertificate_thatHasExpired_isRefusedUntilItIsRenewed() throws {
            let server = try preparedServer()
            try server.control("tls", "localhost", "3")
            try server.administer("ALTER SYSTEM SET ssl_ca_file = '\(server.folder)/ca.crt'")
            try server.administer(
                """
                COPY (SELECT unnest(ARRAY['local all admin,secitem_owner peer map=caller',
                    'hostssl all secitem_app localhost cert'])) TO '\(server.folder)/data/pg_hba.conf'
                """)
            try makeClientCertificate(server, days: 3)
            try server.control("restart")
            let store = store(
                "host=localhost port=\(server.port) dbname=secitem user=secitem_app sslmode=verify-full "
                    + "sslrootcert=\(server.folder)/ca.crt sslcert=\(folder.path)/crt sslkey=\(folder.path)/key.pem")
            try store.add("before")
            try makeClientCertificate(server, days: -1)
            try server.control("restart")
            for _ in 0..<2 {
                let error = storeError { try store.add("after") }
                #expect(error?.code == .unavailable && error?.message.contains("certificate has expired") == true)
            }
            try makeClientCertificate(server, days: 3)
            try store.add("after")
            #expect(try store.accounts() == ["before", "after"])
        }

        /// A certificate with which the role logs in, of the server's authority.
        private func makeClientCertificate(_ server: PrivateServer, days: Int) throws {
            let (key, request) = (folder.path + "/key.pem", folder.path + "/request")
            try Program(
                "openssl",
                ["req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=secitem_app"]
                    + ["-keyout", key, "-out", request]
            ).output()
            try Program(
                "openssl",
                ["x509", "-req", "-in", request, "-CA", server.folder + "/ca.crt", "-CAkey", server.folder + "/ca.key"]
                    + ["-set_serial", "7", "-days", String(days), "-out", folder.path + "/crt"]
            ).output()
            chmod(key, 0o600)
        }
    }
#endif
