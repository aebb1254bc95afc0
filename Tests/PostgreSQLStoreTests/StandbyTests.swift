// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Foundation
    import SecItemStore
    import TestSupport
    import Testing

    @testable import SecItemPostgreSQL

    /// A server and a second one that follows it and may take its place.
    @Suite(.timeLimit(.minutes(60)))
    struct StandbyTests {
        private let server: PrivateServer
        private let folder: TemporaryFolder

        init() throws {
            server = try PrivateServer()
            folder = try TemporaryFolder()
            try PostgreSQLSchema.prepare(server.database(server.owner))
        }

        private func store(_ connectionString: String) -> PostgreSQLStore {
            PostgreSQLStore(PostgreSQLServer(connectionString), keyFile: folder.path + "/key")
        }

        /// Both servers in that order, of which the one that accepts changes is wanted.
        private func both(standbyFirst: Bool) throws -> String {
            let port = try #require(Int(server.port))
            let ports = standbyFirst ? [port + 1, port] : [port, port + 1]
            return
                "host=\(server.folder),\(server.folder) port=\(ports[0]),\(ports[1]) dbname=secitem user=secitem_app "
                + "target_session_attrs=read-write"
        }

        /// Waits until the standby has what the server has.
        private func waitForStandby() throws {
            let isBehind = "SELECT count(*) FROM pg_stat_replication WHERE replay_lsn = pg_current_wal_lsn()"
            while try server.administer(isBehind) != "1\n" { usleep(10_000) }
        }

        @Test func standby_answersReadsAndRefusesChanges() throws {
            try server.control("standby")
            try store(server.user).add("account")
            try waitForStandby()
            let standby = store(server.standby)
            #expect(try standby.accounts() == ["account"])
            for _ in 0..<2 {
                #expect(storeError { try standby.add("another") }?.code == .readOnly)
                #expect(storeError { try standby.rename("account", to: "another") }?.code == .readOnly)
                #expect(storeError { try standby.remove("account") }?.code == .readOnly)
            }
            // No call gets further before any other has opened the keychain.
            #expect(storeError { try store(server.standby).add("another") }?.code == .readOnly)
            #expect(storeError { try store(server.standby).remove("account") }?.code == .readOnly)
            #expect(try store(server.user).accounts() == ["account"])
            #expect(try standby.accounts() == ["account"])
        }

        /// A standby without a keychain of that name makes none, and no key file either.
        @Test func standby_makesNoKeychain() throws {
            try server.control("standby")
            #expect(storeError { try store(server.standby).add("account") }?.code == .readOnly)
            #expect(try server.administer("SELECT count(*) FROM secitem.store") == "0\n")
        }

        @Test(arguments: [false, true]) func leader_isFoundWhereverItIsInTheList(_ standbyFirst: Bool) throws {
            try server.control("standby")
            let store = try store(both(standbyFirst: standbyFirst))
            try store.add("account")
            try store.rename("account", to: "renamed")
            #expect(try store.accounts() == ["renamed"])
        }

        /// Every item that was reported as stored is there after the standby has become the leader, and none is there
        /// twice.
        @Test func standby_thatTakesOver_hasWhatWasReported() throws {
            try server.control("standby")
            // An item is reported when the standby has it too.
            try server.administer("ALTER SYSTEM SET synchronous_standby_names = '*'")
            try server.control("reload")
            let store = try store(both(standbyFirst: false))
            try store.add("first")
            let reported = Shared<[String]>(["first"])
            let tried = Shared<Set<String>>(["first"])
            let isOver = Shared(false)
            let workers = (0..<4).map { worker in
                Worker {
                    var number = 0
                    while !isOver.value {
                        number += 1
                        let account = "\(worker) \(number)"
                        tried.change { $0.insert(account) }
                        if storeError({ try store.add(account) }) == nil { reported.change { $0.append(account) } }
                    }
                }
            }
            while reported.value.count < 40 { usleep(1_000) }
            try server.control("kill")
            try server.control("promote")
            let before = reported.value.count
            while reported.value.count < before + 40 { usleep(1_000) }
            isOver.change { $0 = true }
            for worker in workers { worker.join() }
            let found = try store.accounts()
            #expect(Set(found).count == found.count)
            #expect(Set(found).isSuperset(of: reported.value))
            #expect(tried.value.isSuperset(of: found))
        }

        /// As a server that starts, it lets nobody in.
        @Test func serverInRecovery_isPassedOver() throws {
            try server.administer("ALTER SYSTEM SET hot_standby = off")
            try server.control("standby")
            let error = storeError { try store(server.standby).accounts() }
            #expect(error?.code == .unavailable && error?.postgreSQL?.sqlState == "57P03")
            for attributes in ["read-write", "any"] {
                let list = try both(standbyFirst: true).replacingOccurrences(of: "read-write", with: attributes)
                let store = store(list)
                try store.add(attributes)
                #expect(try store.accounts().contains(attributes))
            }
        }
    }
#endif
