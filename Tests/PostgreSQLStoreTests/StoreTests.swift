// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Foundation
    import SecItemSealing
    import SecItemStore
    import TestSupport
    import Testing

    @testable import SecItemPostgreSQL

    /// Promises of the store in PostgreSQL: between processes, and towards whoever has the server.
    @Suite(.timeLimit(.minutes(60)))
    struct StoreTests {
        private let server: PrivateServer
        private let folder: TemporaryFolder
        private var keyFile: String { folder.path + "/key" }

        init() throws {
            server = try PrivateServer()
            folder = try TemporaryFolder()
            try PostgreSQLSchema.prepare(server.database(server.owner))
        }

        private func store(
            _ name: String = "default", keyFile: String? = nil, protector: any RootKeyProtector = KeyFileProtector()
        ) -> PostgreSQLStore {
            PostgreSQLStore(
                PostgreSQLServer(server.user), name: name, keyFile: keyFile ?? self.keyFile, protector: protector)
        }

        private func accounts(_ store: PostgreSQLStore) throws -> [String] {
            let filter = RecordFilter(itemClass: .genericPassword)
            return try store.records(
                matching: filter, parts: [.attributes, .secrets], limit: nil, interaction: .forbidden
            )
            .compactMap { if case .string(let account) = $0.attributes[.account] { account } else { nil } }
        }

        // MARK: Lost connections

        /// A look-up has no outcome that nobody knows: it runs again, wherever the connection is lost. Here that is where it
        /// looks for the version of the tables.
        @Test func lookUp_thatLosesItsConnection_runsAgain() throws {
            try store().insert(.password("a"), interaction: .forbidden)
            let other = server.database(server.admin)
            let isOver = DispatchSemaphore(value: 0), found = Shared<Result<[String], any Error>?>(nil)
            let locked = DispatchSemaphore(value: 0)
            let locker = Worker {
                try? other.transaction(.readCommitted) { (transaction) throws(StoreError) in
                    _ = try transaction.run(.unprepared("LOCK TABLE secitem.format IN ACCESS EXCLUSIVE MODE"))
                    locked.signal()
                    isOver.wait()
                }
            }
            locked.wait()
            let reader = Worker {
                let result = Result { try accounts(store()) }
                found.change { $0 = result }
            }
            let backends = "FROM pg_stat_activity WHERE usename = 'secitem_app' AND wait_event_type = 'Lock'"
            while found.value == nil, try server.administer("SELECT count(*) \(backends)") == "0\n" { usleep(10_000) }
            try server.administer("SELECT pg_terminate_backend(pid, 5000) \(backends)")
            isOver.signal()
            reader.join()
            locker.join()
            #expect(try found.value?.get() == ["a"])
        }

        // MARK: Large keychains

        /// Whoever reads all items gets them all, also if that takes longer than a call may, as where each is copied to a slow
        /// store.
        @Test func survey_takesLongerThanACall() throws {
            let accounts = (0..<1_100).map(String.init)
            try store().insert(accounts.map { .password($0) }, interaction: .forbidden)
            var limits = PostgreSQLLimits.standard
            limits.call = 10
            let slow = PostgreSQLStore(PostgreSQLServer(server.user, limits: limits), keyFile: keyFile)
            var found: [String] = []
            try slow.survey(interaction: .forbidden) { item in
                guard case .item(let record) = item, case .string(let account) = record.attributes[.account] else {
                    return
                }
                // A page has 1,000 items: the server waits for the request for the second one.
                if found.isEmpty { usleep(12_000_000) }
                found.append(account)
            }
            #expect(found == accounts)
        }

        // MARK: Processes

        /// Of all that add the same item, exactly one succeeds.
        @Test func processes_thatAddTheSameItems_addEachOnce() throws {
            let count = 1_000
            let running = try (0..<20).map { _ in
                try Program.built("PostgreSQLProbe", ["add", server.user, keyFile, String(count)]).start()
            }
            var added: [String] = []
            for program in running {
                let finished = try program.waitUntilExit()
                #expect(finished.output.hasSuffix("done\n"), "\(finished.output)")
                added += finished.output.components(separatedBy: "\n").filter { $0.hasPrefix("added ") }
            }
            #expect(added.count == count)
            #expect(Set(added).count == count)
            let found = try accounts(store())
            #expect(found.count == count && Set(found) == Set((0..<count).map(String.init)))
        }

        /// What a killed process reported as stored is there, and nothing is damaged.
        @Test func killedProcess_losesNothingThatItReported() throws {
            // The keychain is there, so that the first process is not killed before it begins.
            try store().insert(.password("first"), interaction: .forbidden)
            for _ in 0..<5 {
                let program = try Program.built("PostgreSQLProbe", ["add", server.user, keyFile, "100000"]).start()
                while !program.outputSoFar.contains("added ") { usleep(1_000) }
                program.kill()
                let reported = program.outputSoFar.components(separatedBy: "\n").dropLast()
                    .filter { $0.hasPrefix("added ") }.map { String($0.dropFirst("added ".count)) }
                #expect(!reported.isEmpty)
                #expect(try Set(accounts(store())).isSuperset(of: reported))
            }
        }

        /// Sessions end and nobody notices: the next call has a new one.
        @Test func serverThatIsRestarted_answersTheNextCall() throws {
            let store = store()
            try store.insert(.password("before"), interaction: .forbidden)
            try server.control("restart")
            try store.insert(.password("after"), interaction: .forbidden)
            #expect(try accounts(store) == ["before", "after"])
        }

        // MARK: What the server has

        @Test func database_hasNoNamesAndNoSecrets() throws {
            let store = store("name-of-the-keychain")
            try store.insert(
                .password("name-of-the-account", service: "name-of-the-service", secret: "text-of-the-secret"),
                interaction: .forbidden)
            let dump = try Program("pg_dump", ["--inserts", server.admin]).output()
            for text in ["name-of-the-keychain", "name-of-the-account", "text-of-the-secret", "name-of-the-service"] {
                #expect(!dump.contains(text))
                let digits = text.utf8.map { String(format: "%02x", $0) }.joined()
                #expect(!dump.contains(digits), "\(text) in hexadecimal digits")
            }
            #expect(dump.contains("INSERT INTO secitem.item "))
        }

        /// A program that has opened a keychain never adds to another one with the old keys: it notices, and uses the new
        /// ones.
        @Test func keychainThatWasMadeAnew_isOpenedAgain() throws {
            let old = store()
            try old.insert(.password("before"), interaction: .forbidden)
            try server.administer("TRUNCATE secitem.store RESTART IDENTITY CASCADE")
            // One that is gone does not seem empty, and is not made again.
            for _ in 0..<2 {
                #expect(storeError { try accounts(old) }?.code == .unavailable || (try? accounts(old)) == [])
            }
            let new = store()
            try new.insert(.password("new"), interaction: .forbidden)
            try old.insert(.password("after"), interaction: .forbidden)
            for store in [old, new, store()] { #expect(try accounts(store) == ["new", "after"]) }
        }

        /// Each change of a row by somebody without the key makes the item damaged, or has no effect.
        @Test(arguments: [
            "UPDATE secitem.item SET id = id + 1",
            "UPDATE secitem.item SET class = 'inet'",
            "UPDATE secitem.item SET accessible = 'aku'",
            "UPDATE secitem.item SET attributes = set_byte(attributes, 3, get_byte(attributes, 3) # 1)",
            "UPDATE secitem.item SET secrets = set_byte(secrets, 3, get_byte(secrets, 3) # 1)",
            "UPDATE secitem.item SET secrets = NULL",
            "UPDATE secitem.item SET slots = set_byte(slots, 9, get_byte(slots, 9) # 1)",
            "UPDATE secitem.item SET nonces = set_byte(nonces, 9, get_byte(nonces, 9) # 1)",
            "UPDATE secitem.item SET reference = sha256(reference)::bytea",
            "UPDATE secitem.item SET store = (SELECT max(id) FROM secitem.store)",
        ])
        func changedRow_isNeverAnotherItem(_ sql: String) throws {
            try store().insert(.password("account"), interaction: .forbidden)
            // A second keychain with the same device key, to which a row may be moved.
            try store("other").insert(.password("account-of-the-other"), interaction: .forbidden)
            try server.administer(
                """
                ALTER TABLE secitem.lookup DROP CONSTRAINT lookup_item;
                \(sql) WHERE store = (SELECT min(id) FROM secitem.store);
                """)
            for name in ["default", "other"] {
                var found: [String] = []
                let error = storeError { found = try accounts(store(name)) }
                #expect(!found.contains("account"))
                #expect(error == nil || error?.code == .corrupt)
            }
        }

        /// However often the server lists or sends a row, it is one item.
        @Test(arguments: ["item", "lookup"])
        func repeatedRow_isNeverFoundTwice(_ table: String) throws {
            let store = store()
            try store.insert(.password("account"), interaction: .forbidden)
            try server.administer(
                """
                ALTER TABLE secitem.\(table) RENAME TO original;
                CREATE VIEW secitem.\(table) AS
                    SELECT * FROM secitem.original UNION ALL SELECT * FROM secitem.original;
                GRANT SELECT ON secitem.\(table) TO secitem_app;
                """)
            for match in [[:], [.account: .string("account")]] as [[ItemAttribute: AttributeValue]] {
                let filter = RecordFilter(itemClass: .genericPassword, attributes: match)
                var count = 0
                let error = storeError {
                    count = try store.records(
                        matching: filter, parts: .attributes, limit: nil, interaction: .forbidden
                    ).count
                }
                #expect(count <= 1)
                #expect(error == nil ? count == 1 : error?.code == .corrupt)
            }
        }

        /// A change that the server leaves out is an error, and nothing of the call is stored.
        @Test(arguments: [
            "ALTER TABLE secitem.item ENABLE ROW LEVEL SECURITY; CREATE POLICY p ON secitem.item FOR SELECT USING (true)",
            "CREATE TRIGGER t BEFORE INSERT OR UPDATE OR DELETE ON secitem.item FOR EACH ROW EXECUTE FUNCTION drop_it()",
            """
            CREATE TRIGGER t BEFORE INSERT OR UPDATE ON secitem.lookup FOR EACH ROW EXECUTE FUNCTION drop_it();
            CREATE TRIGGER t BEFORE DELETE ON secitem.item FOR EACH ROW EXECUTE FUNCTION drop_it()
            """,
        ])
        func changeThatIsLeftOut_isAnError(_ sql: String) throws {
            let store = store()
            try store.insert(.password("account"), interaction: .forbidden)
            try server.administer(
                """
                CREATE FUNCTION drop_it() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
                \(sql);
                """)
            let filter = RecordFilter(itemClass: .genericPassword)
            let changes = RecordChanges(attributes: [.account: .string("changed")], secrets: [:])
            #expect(storeError { try store.insert(.password("another"), interaction: .forbidden) } != nil)
            let update = storeError {
                try store.update([RecordUpdate(filter, applying: changes)], interaction: .forbidden)
            }
            #expect(update?.code == .unavailable, "\(String(describing: update))")
            let deletion = storeError { try store.delete([RecordDeletion(filter)], interaction: .forbidden) }
            #expect(deletion?.code == .unavailable, "\(String(describing: deletion))")
            #expect(try accounts(store) == ["account"])
        }

        // MARK: Keys

        @Test func keyFileOfAnother_opensNothing() throws {
            try store().insert(.password("account"), interaction: .forbidden)
            try KeyFile(path: folder.path + "/other").createNew(DeviceKey())
            for (file, code) in [("/missing", StoreError.Code.unavailable), ("/other", .corrupt)] {
                // The second keychain is not there: nor may it get a device key of its own.
                for name in ["default", "second"] {
                    let store = store(name, keyFile: folder.path + file)
                    #expect(storeError { try accounts(store) }?.code == code)
                    #expect(storeError { try store.insert(.password("b"), interaction: .forbidden) }?.code == code)
                }
            }
            #expect(access(folder.path + "/missing", F_OK) != 0)
            #expect(try server.administer("SELECT count(*) FROM secitem.store") == "1\n")
        }

        /// Of two machines that make the first keychain with different key files, one succeeds.
        @Test func keychainsOfTwoKeyFiles_areNotMadeAtOnce() throws {
            let names = (0..<8).map { "\($0)" }
            let errors = Shared<[StoreError?]>([])
            DispatchQueue.concurrentPerform(iterations: names.count) { index in
                let store = store(keyFile: folder.path + "/" + names[index])
                let error = storeError { try store.insert(.password("account"), interaction: .forbidden) }
                errors.change { $0.append(error) }
            }
            let all = errors.value
            #expect(all.filter { $0 == nil }.count == 1)
            #expect(all.allSatisfy { $0 == nil || $0?.code == .corrupt || $0?.code == .unavailable })
            #expect(try server.administer("SELECT count(*) FROM secitem.store") == "1\n")
        }

        /// Two programs of a machine make two keychains at the same moment: both succeed, with one key file.
        @Test func keychainsOfTwoNames_areMadeAtOnce() throws {
            let waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'secitem.store'::regclass"
            let holder = try Program("psql", ["-qXAt", server.admin]).start()
            holder.write("BEGIN; LOCK TABLE secitem.store IN SHARE ROW EXCLUSIVE MODE;\n\\echo held\n")
            try holder.waitFor(line: "held")
            let results = Shared<[StoreError?]>([])
            let group = DispatchGroup()
            for name in ["one", "two"] {
                DispatchQueue.global().async(group: group) {
                    let error = storeError { try store(name).insert(.password(name), interaction: .forbidden) }
                    results.change { $0.append(error) }
                }
            }
            while try results.value.isEmpty && server.administer(waiting) != "2\n" { usleep(20_000) }
            holder.closeInput()
            group.wait()
            _ = try holder.waitUntilExit()
            #expect(results.value.allSatisfy { $0 == nil }, "\(results.value)")
            for name in ["one", "two"] { #expect(try accounts(store(name)) == [name]) }
        }

        /// A keychain is found by its own name only, although both have one device key.
        @Test func keychains_whoseNamesAreSwapped_areDamaged() throws {
            for name in ["a", "b"] { try store(name).insert(.password("of-" + name), interaction: .forbidden) }
            try server.administer(
                """
                UPDATE secitem.store SET name = name || '\\x00';
                UPDATE secitem.store AS s SET name = substr(o.name, 1, length(o.name) - 1)
                FROM secitem.store AS o WHERE o.id <> s.id;
                """)
            for name in ["a", "b"] { #expect(storeError { try accounts(store(name)) }?.code == .corrupt) }
        }

        /// Who has no device key cannot try names, nor see that two keychains have the same one.
        @Test func nameInTheDatabase_dependsOnTheDeviceKey() throws {
            let names = try ["1", "2"].map { key in
                try store("the-name", keyFile: folder.path + "/" + key).insert(.password("a"), interaction: .forbidden)
                defer { _ = try? server.administer("DELETE FROM secitem.store") }
                return try server.administer("SELECT encode(name, 'hex') FROM secitem.store")
            }
            #expect(names[0].count == names[1].count)
            #expect(names[0] != names[1])
        }

        @Test func wrongPassphrase_opensNothing() throws {
            func protector(_ passphrase: String) -> PassphraseProtector {
                PassphraseProtector(sources: [.closure { Secret(Data(passphrase.utf8)) }], cost: .lowest)
            }
            try store(protector: protector("right")).insert(.password("account"), interaction: .allowed)
            let wrong = store(protector: protector("wrong"))
            let filter = RecordFilter(itemClass: .genericPassword)
            let error = storeError {
                try wrong.records(matching: filter, parts: .secrets, limit: nil, interaction: .allowed)
            }
            #expect(error?.code == .authenticationFailed)
            let right = store(protector: protector("right"))
            #expect(
                try right.records(matching: filter, parts: .secrets, limit: nil, interaction: .allowed).count == 1)
        }

        // MARK: Rights

        @Test func serverThatAcceptsNoChanges_isReadOnly() throws {
            try store().insert(.password("account"), interaction: .forbidden)
            // What a standby answers.
            try server.administer("ALTER ROLE secitem_app SET default_transaction_read_only = on")
            let store = store()
            #expect(try accounts(store) == ["account"])
            let error = storeError { try store.insert(.password("another"), interaction: .forbidden) }
            #expect(error?.code == .readOnly, "\(String(describing: error))")
        }

        @Test func newerTables_areRefused() throws {
            try store().insert(.password("account"), interaction: .forbidden)
            try server.administer("UPDATE secitem.format SET version = 3")
            #expect(storeError { try accounts(store()) }?.code == .unavailable)
            #expect(storeError { try store().insert(.password("b"), interaction: .forbidden) }?.code == .unavailable)
        }

        @Test func lookUpWithoutAKeychain_createsNothing() throws {
            #expect(try accounts(store()).isEmpty)
            #expect(access(keyFile, F_OK) != 0)
            #expect(try server.administer("SELECT count(*) FROM secitem.store") == "0\n")
        }
    }
#endif
