// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Foundation
    import SecItemSealing
    import SecItemStore
    import TestSupport
    import Testing

    @testable import SecItemPostgreSQL
    @testable import SecItemShim

    /// A keychain's passphrase can be set, changed and removed.
    @Suite(.timeLimit(.minutes(60)))
    struct PassphraseTests {
        private let server: PrivateServer
        private let folder: TemporaryFolder

        init() throws {
            server = try PrivateServer()
            folder = try TemporaryFolder()
            try PostgreSQLSchema.prepare(server.database(server.owner))
        }

        private func store(_ passphrase: String? = nil) -> PostgreSQLStore {
            let protector: any RootKeyProtector =
                passphrase.map { passphrase in
                    PassphraseProtector(
                        sources: [.closure { Secret(Data(passphrase.utf8)) }], cost: .lowest)
                } ?? KeyFileProtector()
            return PostgreSQLStore(
                PostgreSQLServer(server.user), keyFile: folder.path + "/key", protector: protector)
        }

        private func secret(_ text: String?) -> Secret? { text.map { Secret(Data($0.utf8)) } }

        private func count(_ store: PostgreSQLStore) throws -> Int {
            try store.records(
                matching: RecordFilter(itemClass: .genericPassword), parts: [.attributes, .secrets], limit: nil,
                interaction: .allowed
            ).count
        }

        /// A change that was stored is reported as stored, whatever the server refuses or loses afterwards.
        @Test func change_thatWasStored_isReportedSo() throws {
            try store().insert(.password("first"), interaction: .allowed)
            let changing = store()
            #expect(try count(changing) == 1)
            // The role may read no more, from the moment of the change.
            try server.administer(
                """
                CREATE FUNCTION public.revoke() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS
                    $$BEGIN REVOKE SELECT ON secitem.store, secitem.keys FROM PUBLIC, secitem_app; RETURN NULL; END$$;
                CREATE TRIGGER revoke AFTER UPDATE ON secitem.keys
                    FOR EACH STATEMENT EXECUTE FUNCTION public.revoke();
                """)
            try changing.setPassphrase(secret("new"), cost: .lowest)
            try server.administer(
                """
                DROP TRIGGER revoke ON secitem.keys;
                GRANT SELECT ON secitem.store, secitem.keys TO secitem_app;
                """)
            #expect(try count(store("new")) == 1)
            #expect(try count(changing) == 1)
        }

        /// After each change, exactly the new passphrase opens the keychain, and a program that has it open goes on.
        @Test func keychain_isOpenedByItsLastPassphraseOnly() throws {
            let running = store()
            try running.insert(.password("first", .whenUnlocked), interaction: .allowed)
            var current: String?
            for next in ["a", "b", nil, "c"] as [String?] {
                try store(current).setPassphrase(secret(next), current: secret(current), cost: .lowest)
                current = next
                for other in ["a", "b", "c"] {
                    let store = store(other)
                    if other == next {
                        #expect(try count(store) == 1)
                    } else {
                        let code: StoreError.Code = next == nil ? .unavailable : .authenticationFailed
                        #expect(storeError { try count(store) }?.code == code)
                    }
                }
                #expect(try count(running) == 1)
            }
            // It forgets what needs the passphrase, and opens it with the present one.
            try running.lock()
            #expect(storeError { try count(running) }?.code == .locked)
            #expect(storeError { try running.unlock(passphrase: secret("a")) }?.code == .authenticationFailed)
            try running.unlock(passphrase: secret("c"))
            #expect(try count(running) == 1)
        }

        /// A process that has the keychain open describes it as it is now, and works as before.
        @Test func summary_saysWhatAnotherProcessHasChanged() throws {
            let running = DefaultStore { [server, folder] in
                [
                    "HOME": folder.path, "SECITEM_STORE": "postgresql", "SECITEM_POSTGRESQL": server.user,
                    "SECITEM_POSTGRESQL_KEY_FILE": folder.path + "/key",
                ]
            }
            let item: [CFString: Any] = [
                kSecClass: kSecClassGenericPassword, kSecAttrAccount: "first", kSecValueData: Data("secret".utf8),
            ]
            #expect(running.calls.add(item as CFDictionary, nil) == errSecSuccess)
            var current: String?
            for next in [nil, "a", "b", nil, "c"] as [String?] {
                if next != current {
                    try store(current).setPassphrase(secret(next), current: secret(current), cost: .lowest)
                }
                current = next
                let summary = try running.summary
                #expect(summary.contains("protected by a passphrase") == (next != nil), "\(summary)")
                #expect(summary.contains("1 item of") && summary.contains("unlocked"))
                let query = [kSecClass: kSecClassGenericPassword, kSecReturnData: true] as CFDictionary
                var result: CFTypeRef?
                #expect(running.calls.copyMatching(query, &result) == errSecSuccess)
                #expect(result as? Data == Data("secret".utf8))
            }
            #expect(try store("c").hasPassphrase() && store().hasPassphrase())
        }

        @Test func wrongOrEmptyPassphrase_changesNothing() throws {
            try store("right").insert(.password("first", .whenUnlocked), interaction: .allowed)
            let dump = "SELECT string_agg(encode(code, 'hex'), ',' ORDER BY name) FROM secitem.keys"
            let before = try server.administer(dump)
            let wrong = storeError {
                try store("wrong").setPassphrase(secret("new"), current: secret("wrong"), cost: .lowest)
            }
            #expect(wrong?.code == .authenticationFailed)
            let empty = storeError { try store("right").setPassphrase(secret(""), cost: .lowest) }
            #expect(empty?.code == .unrepresentable)
            #expect(try server.administer(dump) == before)
        }

        /// Of several programs that change the same passphrase at once, one succeeds, and its passphrase opens the keychain.
        @Test func passphrases_setAtTheSameTime_areNeverMixed() throws {
            try store("old").insert(.password("first", .whenUnlocked), interaction: .allowed)
            let succeeded = Shared<[String]>([])
            let workers = (0..<4).map { number in
                Worker {
                    let new = "new \(number)"
                    let error = storeError {
                        try store("old").setPassphrase(secret(new), current: secret("old"), cost: .lowest)
                    }
                    if error == nil { succeeded.change { $0.append(new) } }
                }
            }
            for worker in workers { worker.join() }
            #expect(succeeded.value.count == 1)
            #expect(try count(store(succeeded.value.first ?? "none")) == 1)
        }

        /// Items that require a passphrase are never in a keychain without one, whatever a program believes.
        @Test func itemsThatRequireAPassphrase_keepIt() throws {
            let running = store("a")
            try running.insert(.password("bound", .whenPasscodeSetThisDeviceOnly), interaction: .allowed)
            let refused = storeError { try store("a").setPassphrase(nil, cost: .lowest) }
            #expect(refused?.code == .unsupported)
            let filter = RecordFilter(itemClass: .genericPassword)
            #expect(try running.delete([RecordDeletion(filter)], interaction: .allowed) == 1)
            try store("a").setPassphrase(nil, cost: .lowest)
            let late = storeError {
                try running.insert(.password("late", .whenPasscodeSetThisDeviceOnly), interaction: .allowed)
            }
            #expect(late?.code == .unavailable)
        }
    }
#endif
