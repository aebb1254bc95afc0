// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Foundation
    import SecItemStore
    import TestSupport
    import Testing

    @testable import SecItemPostgreSQL

    /// Connections, their time limits and their number. A server is frozen, killed and restarted under them.
    @Suite(.timeLimit(.minutes(60)))
    struct ConnectionTests {
        private static let one = PostgreSQLCommand("SELECT 1::bigint")

        // MARK: Values and answers

        @Test func values_ofEveryType_comeBackAsTheyWere() throws {
            let server = try PrivateServer()
            let database = server.database(server.user)
            let texts = ["", "a", "Ünïcode \u{1F511}", String(repeating: "long ", count: 10_000)]
            let blobs: [[UInt8]] = [[], [0], Array(0...255), Array(repeating: 7, count: 100_000)]
            let numbers: [Int64] = [0, 1, -1, .min, .max, 256, -257]
            for text in texts {
                let rows = try database.read(PostgreSQLCommand("SELECT $1::text, NULL::text", .text(text)))
                #expect(rows.text(0, 0) == text && !rows.isNull(0, 0))
                #expect(rows.isNull(0, 1) && rows.bytes(0, 1).isEmpty)
            }
            for blob in blobs {
                let rows = try database.read(
                    PostgreSQLCommand("SELECT NULL, $1::bytea, $2::bytea", .bytes(blob), .null))
                #expect(rows.bytes(0, 1) == blob && rows.isNull(0, 2))
                #expect(rows.withCells(0) { Array($0(1)) == blob && $0(0).isEmpty && $0(3).isEmpty })
            }
            for number in numbers {
                #expect(
                    try database.read(PostgreSQLCommand("SELECT $1::bigint", .integer(number))).integer(0, 0) == number)
            }
            for number in [Int16.min, -1, 0, .max] {
                let rows = try database.read(.unprepared("SELECT ('\(number)')::smallint, ('\(number)')::integer"))
                #expect(try rows.integer(0, 0) == Int64(number))
                #expect(try rows.integer(0, 1) == Int64(number))
            }
            for value in [true, false] {
                #expect(
                    try database.read(PostgreSQLCommand("SELECT $1::boolean", .boolean(value))).boolean(0, 0) == value)
            }
            let lists = try database.read(
                PostgreSQLCommand(
                    "SELECT b, n, t FROM unnest($1::bytea[], $2::bigint[], $3::text[]) AS all_of_them (b, n, t)",
                    .bytesList(blobs), .integerList(numbers), .textList(texts)))
            #expect(lists.count == numbers.count && lists.affected == numbers.count)
            #expect((0..<blobs.count).allSatisfy { lists.bytes($0, 0) == blobs[$0] && lists.text($0, 2) == texts[$0] })
            #expect(try (0..<numbers.count).allSatisfy { try lists.integer($0, 1) == numbers[$0] })
            #expect(
                try database.read(PostgreSQLCommand("SELECT cardinality($1::bytea[])", .bytesList([]))).integer(0, 0)
                    == 0)
        }

        @Test func cells_thatDoNotExist_readAsNull() throws {
            let server = try PrivateServer()
            let rows = try server.database(server.user).read(Self.one)
            for (row, column) in [(-1, 0), (0, -1), (1, 0), (0, 1), (.max, .max), (.min, .min)] {
                #expect(rows.isNull(row, column) && rows.bytes(row, column).isEmpty)
                #expect(storeError { try rows.integer(row, column) }?.code == .corrupt)
                #expect(storeError { try rows.boolean(row, column) }?.code == .corrupt)
            }
        }

        @Test func answer_largerThanTheLimit_isRefusedAndTheConnectionGivenUp() throws {
            let server = try PrivateServer()
            let database = server.database(server.user) {
                $0.answerBytes = 4 << 20
                $0.connections = 1
            }
            // Many rows, and a single value of a size that is announced before it arrives.
            for sql in [
                "SELECT repeat('x', 1000) FROM generate_series(1, 100000)", "SELECT repeat('x', 200000000)",
            ] {
                let error = try #require(storeError { try database.read(.unprepared(sql)) })
                #expect(error.code == .unavailable && error.message.contains("more than an answer may have"))
                #expect(try database.read(Self.one).integer(0, 0) == 1)
            }
        }

        // MARK: Transactions

        @Test func transaction_whoseBodyThrows_changesNothing() throws {
            let server = try PrivateServer()
            try server.administer("CREATE TABLE public.t (n bigint PRIMARY KEY); GRANT ALL ON public.t TO secitem_app")
            let database = server.database(server.user) { $0.connections = 1 }
            let insert = PostgreSQLCommand(
                "INSERT INTO public.t SELECT n FROM unnest($1::bigint[]) AS l (n)", .integerList([1, 2]))
            let count = PostgreSQLCommand("SELECT count(*) FROM public.t")
            let error = storeError {
                try database.transaction(.serializable) { (transaction) throws(StoreError) in
                    _ = try transaction.run(insert)
                    throw StoreError(.cancelled, "enough")
                }
            }
            #expect(error?.code == .cancelled)
            #expect(try database.read(count).integer(0, 0) == 0)
            // The second insertion fails, and takes the first with it, in one flight.
            #expect(storeError { try database.perform([insert, insert], .readCommitted) }?.code == .duplicate)
            #expect(try database.read(count).integer(0, 0) == 0)
            let answers = try database.perform([insert, count], .readCommitted)
            #expect(answers.map(\.affected) == [2, 1])
            #expect(try answers[1].integer(0, 0) == 2)
        }

        @Test func transactions_inEachOthersWay_allComeThroughOnce() throws {
            let server = try PrivateServer()
            try server.administer(
                "CREATE TABLE public.t (n bigint); INSERT INTO public.t VALUES (0); GRANT ALL ON public.t TO secitem_app"
            )
            let database = server.database(server.user)
            let failures = Shared<[String]>([])
            let workers = (0..<8).map { _ in
                Worker {
                    for _ in 0..<10 {
                        let error = storeError {
                            try database.transaction(.repeatableRead) { (transaction) throws(StoreError) in
                                let number = try transaction.run(PostgreSQLCommand("SELECT n FROM public.t")).integer(
                                    0, 0)
                                _ = try transaction.run(
                                    PostgreSQLCommand("UPDATE public.t SET n = $1", .integer(number + 1)))
                            }
                        }
                        if let error { failures.change { $0.append("\(error)") } }
                    }
                }
            }
            for worker in workers { worker.join() }
            // Some may have given up, none may count twice or get lost.
            let number = try database.read(PostgreSQLCommand("SELECT n FROM public.t")).integer(0, 0)
            #expect(Int(number) == 80 - failures.value.count)
            #expect(failures.value.allSatisfy { $0.contains("SQLSTATE 40") })
        }

        // MARK: Servers that stop, end and come back

        @Test func server_thatStopsAnswering_isUnavailableWithinTheLimit() throws {
            let server = try PrivateServer()
            let database = server.database(server.user) {
                $0.call = 2
                $0.connecting = 1
            }
            _ = try database.read(Self.one)
            try server.freeze()
            // One call uses the open connection, and the next has to open one.
            for _ in 0..<2 {
                let error = try #require(storeError { try database.read(Self.one) })
                #expect(error.code == .unavailable && error.postgreSQL?.kind == .timeout, "\(error)")
            }
            let change = storeError { try database.perform([Self.one], .readCommitted) }
            #expect(change?.code == .unavailable)
            try server.thaw()
            #expect(try database.read(Self.one).integer(0, 0) == 1)
        }

        @Test func server_thatIsFrozenDuringCommit_leavesTheOutcomeUnknown() throws {
            let server = try PrivateServer()
            let database = server.database(server.user) { $0.call = 2 }
            let error = storeError {
                try database.transaction(.readCommitted) { (transaction) throws(StoreError) in
                    _ = try transaction.run(Self.one)
                    do { try server.freeze() } catch { throw StoreError(.io, "\(error)") }
                }
            }
            #expect(error?.postgreSQL?.kind == .commitUnknown)
            try server.thaw()
        }

        @Test(arguments: ["kill", "restart"])
        func server_thatComesBack_isUsedAgainWithoutAnError(_ way: String) throws {
            let server = try PrivateServer()
            let database = server.database(server.user)
            // Several idle connections, all of which are lost.
            let workers = (0..<4).map { _ in
                Worker { _ = try? database.read(.unprepared("SELECT pg_sleep(0.2)::text")) }
            }
            for worker in workers { worker.join() }
            try server.control(way)
            if way == "kill" {
                #expect(storeError { try database.read(Self.one) }?.code == .unavailable)
                try server.control("start")
            }
            #expect(try database.read(Self.one).integer(0, 0) == 1)
            #expect(try database.perform([Self.one], .readCommitted)[0].integer(0, 0) == 1)
        }

        @Test func transaction_whoseConnectionIsLostBeforeItsEnd_runsAgain() throws {
            let server = try PrivateServer()
            try server.administer("CREATE TABLE public.t (n bigint); GRANT ALL ON public.t TO secitem_app")
            let database = server.database(server.user)
            let attempts = try database.transaction(.readCommitted) { (transaction) throws(StoreError) in
                _ = try transaction.run(PostgreSQLCommand("INSERT INTO public.t VALUES (1)"))
                if transaction.attempt == 0 {
                    do {
                        try server.administer(
                            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE usename = 'secitem_app'"
                        )
                    } catch { throw StoreError(.io, "\(error)") }
                    _ = try transaction.run(Self.one)
                }
                return transaction.attempt
            }
            #expect(attempts == 1)
            #expect(try server.administer("SELECT count(*) FROM public.t").hasPrefix("1\n"))
        }

        @Test func transaction_whoseConnectionIsLostWhileItIsStored_isNotRunAgain() throws {
            let server = try PrivateServer()
            try server.administer("CREATE TABLE public.t (n bigint); GRANT ALL ON public.t TO secitem_app")
            // A commit waits for a standby that does not exist, and is then on the disk already.
            try server.administer("ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
            try server.control("reload")
            let database = server.database(server.user)
            let error = Shared<StoreError?>(nil)
            let worker = Worker {
                let thrown = storeError {
                    try database.perform([PostgreSQLCommand("INSERT INTO public.t VALUES (1)")], .readCommitted)
                }
                error.change { $0 = thrown }
            }
            let waiting =
                "SELECT count(*) FROM pg_stat_activity WHERE usename = 'secitem_app' AND wait_event = 'SyncRep'"
            while error.value == nil, try server.administer(waiting) == "0\n" { usleep(10_000) }
            try server.administer(
                "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE usename = 'secitem_app'")
            worker.join()
            #expect(error.value?.postgreSQL?.kind == .commitUnknown)
            #expect(error.value?.code == .unavailable)
            #expect(try server.administer("SELECT count(*) FROM public.t").hasPrefix("1\n"))
        }

        // MARK: Many threads, many processes

        @Test func manyThreads_shareFourConnections() throws {
            let server = try PrivateServer()
            let database = server.database(server.user)
            let sessions = Shared<Set<Int64>>([])
            let failures = Shared<[StoreError]>([])
            let workers = (0..<32).map { number in
                Worker {
                    let thrown = storeError {
                        for _ in 0..<20 {
                            let rows = try database.read(
                                PostgreSQLCommand(
                                    "SELECT pg_backend_pid(), $1::bigint, pg_sleep(0.002)::text",
                                    .integer(Int64(number))))
                            #expect(try rows.integer(0, 1) == Int64(number))
                            let session = try rows.integer(0, 0)
                            sessions.change { $0.insert(session) }
                        }
                    }
                    if let thrown { failures.change { $0.append(thrown) } }
                }
            }
            for worker in workers { worker.join() }
            #expect(failures.value.isEmpty)
            #expect((1...4).contains(sessions.value.count))
        }

        @Test func waitingForAConnection_endsWithTheLimit() throws {
            let server = try PrivateServer()
            let database = server.database(server.user) {
                $0.call = 2
                $0.connections = 1
            }
            // Its own time passes too, while the other waits.
            _ = try? database.transaction(.readCommitted) { (transaction) throws(StoreError) in
                _ = try transaction.run(Self.one)
                let other = Shared<StoreError?>(nil)
                let worker = Worker {
                    let thrown = storeError { try database.read(Self.one) }
                    other.change { $0 = thrown }
                }
                worker.join()
                #expect(other.value?.postgreSQL?.kind == .timeout)
            }
        }

        // MARK: What is set on the server

        @Test func session_hasTimeLimitsAndNobodysFunctions() throws {
            let server = try PrivateServer()
            try server.administer("ALTER ROLE secitem_app SET synchronous_commit = off")
            let rows = try server.database(server.user).read(
                .unprepared(
                    """
                    SELECT current_setting('statement_timeout'), current_setting('lock_timeout'),
                        current_setting('idle_in_transaction_session_timeout'), current_setting('search_path'),
                        current_setting('synchronous_commit'), current_setting('client_connection_check_interval')
                    """))
            #expect((0..<6).map { rows.text(0, $0) } == ["30s", "10s", "30s", "", "on", "1s"])
        }

        @Test func statement_thatWaitsForALock_endsWithTheLimitOfTheServer() throws {
            let server = try PrivateServer()
            let database = server.database(server.user) { $0.lock = 1 }
            let wait = PostgreSQLCommand("SELECT pg_advisory_xact_lock(1)::text")
            _ = try database.transaction(.readCommitted) { (transaction) throws(StoreError) in
                _ = try transaction.run(wait)
                let other = Shared<StoreError?>(nil)
                let worker = Worker {
                    let thrown = storeError { try database.perform([wait], .readCommitted) }
                    other.change { $0 = thrown }
                }
                worker.join()
                #expect(other.value?.postgreSQL?.sqlState == "55P03")
                #expect(other.value?.code == .unavailable)
            }
        }
    }
#endif
