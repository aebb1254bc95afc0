// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Foundation
    import SecItemSealing
    import SecItemStore
    import TestSupport
    import Testing

    @testable import SecItemPostgreSQL

    /// Promises of the store in PostgreSQL: between processes, and towards whoever has the server.
    @Suite(.timeLimit(.minutes(5)))
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

        private func record(_ account: String, secret: String = "secret") -> ItemRecord {
            ItemRecord(
                reference: PersistentReference(itemClass: .genericPassword),
                attributes: [
                    .service: .string("name-of-the-service"), .account: .string(account),
                    .accessible: .string(Accessible.afterFirstUnlock.rawValue),
                ],
                secrets: [.valueData: Secret(Data(secret.utf8))])
        }

        private func accounts(_ store: PostgreSQLStore) throws -> [String] {
            let filter = RecordFilter(itemClass: .genericPassword)
            return try store.records(
                matching: filter, parts: [.attributes, .secrets], limit: nil, interaction: .forbidden
            )
            .compactMap { if case .string(let account) = $0.attributes[.account] { account } else { nil } }
        }

        // MARK: Processes

        /// Of all that add the same item, exactly one succeeds.
        @Test func processes_thatAddTheSameItems_addEachOnce() throws {
            let running = try (0..<20).map { _ in
                try Program.built("PostgreSQLProbe", ["add", server.user, keyFile, "25"]).start()
            }
            var added: [String] = []
            for program in running {
                let finished = try program.waitUntilExit()
                #expect(finished.output.hasSuffix("done\n"), "\(finished.output)")
                added += finished.output.components(separatedBy: "\n").filter { $0.hasPrefix("added ") }
            }
            #expect(added.count == 25)
            #expect(Set(added).count == 25)
            #expect(try Set(accounts(store())) == Set((0..<25).map(String.init)))
        }

        /// What a killed process reported as stored is there, and nothing is damaged.
        @Test func killedProcess_losesNothingThatItReported() throws {
            // The keychain is there, so that the first process is not killed before it begins.
            try store().insert(record("first"), interaction: .forbidden)
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
            try store.insert(record("before"), interaction: .forbidden)
            try server.control("restart")
            try store.insert(record("after"), interaction: .forbidden)
            #expect(try accounts(store) == ["before", "after"])
        }

        // MARK: What the server has

        @Test func database_hasNoNamesAndNoSecrets() throws {
            let store = store("name-of-the-keychain")
            try store.insert(record("name-of-the-account", secret: "text-of-the-secret"), interaction: .forbidden)
            let dump = try Program("pg_dump", ["--inserts", server.admin]).output()
            for text in ["name-of-the-keychain", "name-of-the-account", "text-of-the-secret", "name-of-the-service"] {
                #expect(!dump.contains(text))
                let digits = text.utf8.map { String(format: "%02x", $0) }.joined()
                #expect(!dump.contains(digits), "\(text) in hexadecimal digits")
            }
            #expect(dump.contains("INSERT INTO secitem.item "))
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
            try store().insert(record("account"), interaction: .forbidden)
            // A second keychain with the same device key, to which a row may be moved.
            try store("other").insert(record("account-of-the-other"), interaction: .forbidden)
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

        // MARK: Keys

        @Test func keyFileOfAnother_opensNothing() throws {
            try store().insert(record("account"), interaction: .forbidden)
            let missing = storeError { try accounts(store(keyFile: folder.path + "/missing")) }
            #expect(missing?.code == .unavailable)
            try store("other", keyFile: folder.path + "/other").insert(record("account"), interaction: .forbidden)
            #expect(storeError { try accounts(store(keyFile: folder.path + "/other")) }?.code == .corrupt)
            #expect(
                storeError { try store(keyFile: folder.path + "/missing").insert(record("b"), interaction: .forbidden) }
                    != nil)
            #expect(access(folder.path + "/missing", F_OK) != 0)
        }

        @Test func wrongPassphrase_opensNothing() throws {
            func protector(_ passphrase: String) -> PassphraseProtector {
                PassphraseProtector(sources: [.closure { Secret(Data(passphrase.utf8)) }], cost: .lowest)
            }
            try store(protector: protector("right")).insert(record("account"), interaction: .allowed)
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
            try store().insert(record("account"), interaction: .forbidden)
            // What a standby answers.
            try server.administer("ALTER ROLE secitem_app SET default_transaction_read_only = on")
            let store = store()
            #expect(try accounts(store) == ["account"])
            let error = storeError { try store.insert(record("another"), interaction: .forbidden) }
            #expect(error?.code == .readOnly, "\(String(describing: error))")
        }

        @Test func newerTables_areRefused() throws {
            try store().insert(record("account"), interaction: .forbidden)
            try server.administer("UPDATE secitem.format SET version = 2")
            #expect(storeError { try accounts(store()) }?.code == .unavailable)
            #expect(storeError { try store().insert(record("b"), interaction: .forbidden) }?.code == .unavailable)
        }

        @Test func lookUpWithoutAKeychain_createsNothing() throws {
            #expect(try accounts(store()).isEmpty)
            #expect(access(keyFile, F_OK) != 0)
            #expect(try server.administer("SELECT count(*) FROM secitem.store") == "0\n")
        }
    }
#endif
