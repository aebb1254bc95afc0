// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Foundation
    import SecItemStore
    import TestSupport
    import Testing

    @testable import SecItemShim

    /// Synchronizable items in PostgreSQL, as an application or its environment asks for them.
    @Suite(.timeLimit(.minutes(60)))
    struct SynchronizableChoiceTests {
        private let server: PrivateServer
        private let folder: TemporaryFolder

        init() throws {
            server = try PrivateServer()
            folder = try TemporaryFolder()
        }

        private func store(_ variables: [String: String]) -> DefaultStore {
            let environment = [
                "HOME": folder.path, "SECITEM_STORE": "embedded", "SECITEM_POSTGRESQL": server.owner,
                "SECITEM_KEY_CACHE": "none",
            ]
            .merging(variables) { $1 }
            return DefaultStore { environment }
        }

        private func item(_ isSynchronizable: Bool) -> CFDictionary {
            [
                kSecClass: kSecClassGenericPassword, kSecAttrAccount: "\(isSynchronizable)",
                kSecAttrSynchronizable: isSynchronizable, kSecValueData: Data("secret".utf8),
            ] as [CFString: Any] as CFDictionary
        }

        private func accounts(_ store: DefaultStore, _ scope: Any) -> Set<String> {
            var result: CFTypeRef?
            let query: [CFString: Any] = [
                kSecClass: kSecClassGenericPassword, kSecAttrSynchronizable: scope, kSecMatchLimit: kSecMatchLimitAll,
                kSecReturnAttributes: true,
            ]
            guard store.calls.copyMatching(query as CFDictionary, &result) == errSecSuccess else { return [] }
            let items = (result as? [[String: Any]]) ?? []
            return Set(items.compactMap { $0[kSecAttrAccount as String] as? String })
        }

        /// The variable and the program's own choice mean the same.
        @Test(arguments: [false, true]) func choice_putsEachItemIntoItsPlace(_ isByProgram: Bool) throws {
            func machine(_ name: String) -> DefaultStore {
                let variables = ["SECITEM_DIRECTORY": "\(folder.path)/\(name)"]
                if !isByProgram { return store(variables.merging(["SECITEM_SYNCHRONIZABLE": "postgresql"]) { $1 }) }
                let result = store(variables)
                result.use(.automatic(synchronizableIn: .postgreSQL()))
                return result
            }
            let first = machine("first"), second = machine("second")
            for isSynchronizable in [false, true] {
                #expect(first.calls.add(item(isSynchronizable), nil) == errSecSuccess)
            }
            #expect(accounts(first, kSecAttrSynchronizableAny) == ["false", "true"])
            #expect(accounts(second, kSecAttrSynchronizableAny) == ["true"])
            #expect(accounts(store(["SECITEM_STORE": "postgresql"]), kSecAttrSynchronizableAny) == ["true"])
            #expect(try first.sharedStore().summary.contains("PostgreSQL"))
            try server.control("stop")
            let later = machine("second")
            #expect(accounts(later, true) == ["true"])
            #expect(try later.summary.contains("cannot be reached"))
            #expect(later.calls.delete(item(true)) == errSecNotAvailable)
            #expect(later.calls.add(item(false), nil) == errSecSuccess)
            #expect(accounts(later, kSecAttrSynchronizableAny) == ["false", "true"])
        }

        /// An item that moves from one place to the other would be deleted, so no spelling of one keychain counts as two places.
        @Test func oneKeychain_isNeverTwoPlaces() throws {
            let all = ["SECITEM_STORE": "postgresql", "SECITEM_POSTGRESQL_KEY_FILE": folder.path + "/key"]
            let uri = "postgresql://secitem_owner@/secitem?host=\(server.folder)&port=\(server.port)"
            let other = "host=\(server.folder)/. port=\(server.port) dbname=secitem user=secitem_owner"
            let choices: [LinuxKeychain.Store] = [
                .automatic(synchronizableIn: .postgreSQL()), .automatic(synchronizableIn: .postgreSQL(uri)),
                .synchronizable(in: .postgreSQL(other), others: .postgreSQL(uri)),
            ]
            // Before there is a keychain, and afterwards.
            for isMade in [false, true] {
                if isMade { #expect(store(all).calls.add(item(true), nil) == errSecSuccess) }
                for choice in choices {
                    let store = store(all)
                    store.use(choice)
                    #expect(store.calls.add(item(false), nil) == errSecNotAvailable)
                    #expect(throws: KeychainError.self) { try store.summary }
                }
            }
            #expect(accounts(store(all), kSecAttrSynchronizableAny) == ["true"])
            // The same environment without a choice of the program's, and another keychain of the same database.
            let variables = all.merging(["SECITEM_SYNCHRONIZABLE": "postgresql"]) { $1 }
            #expect(accounts(store(variables), kSecAttrSynchronizableAny) == ["true"])
            let divided = store(all)
            divided.use(.automatic(synchronizableIn: .postgreSQL(uri, keychain: "shared")))
            #expect(divided.calls.add(item(false), nil) == errSecSuccess)
            let changes = [kSecAttrSynchronizable: true] as CFDictionary
            let query = [kSecClass: kSecClassGenericPassword, kSecAttrAccount: "false"] as CFDictionary
            #expect(divided.calls.update(query, changes) == errSecSuccess)
            #expect(accounts(divided, kSecAttrSynchronizableAny) == ["false", "true"])
            // Nobody can tell whether a database that cannot be reached is another one.
            let away = store(all)
            away.use(.automatic(synchronizableIn: .postgreSQL("host=\(folder.path) dbname=secitem user=secitem_owner")))
            #expect(away.calls.add(item(false), nil) == errSecNotAvailable)
            #expect(accounts(store(all), kSecAttrSynchronizableAny) == ["true"])
        }

        /// One store of the application's own is no two places either.
        @Test func oneCustomStore_isNeverTwoPlaces() {
            let memory = InMemoryStore()
            let store = store([:])
            store.use(.synchronizable(in: .custom(memory), others: .custom(memory)))
            #expect(store.calls.add(item(true), nil) == errSecNotAvailable)
            store.use(.synchronizable(in: .custom(memory), others: .custom(InMemoryStore())))
            #expect(store.calls.add(item(true), nil) == errSecSuccess)
        }

        /// All items are there without the copy, so a damaged one is in nobody's way.
        @Test func damagedCopy_stopsNoCall() throws {
            let variables = ["SECITEM_DIRECTORY": folder.path + "/machine", "SECITEM_SYNCHRONIZABLE": "postgresql"]
            let first = store(variables)
            for isSynchronizable in [false, true] {
                #expect(first.calls.add(item(isSynchronizable), nil) == errSecSuccess)
            }
            let copies = folder.path + "/machine/copies"
            let names = try FileManager.default.contentsOfDirectory(atPath: copies)
            #expect(names.count == 1)
            for name in names {
                try Data("damage".utf8).write(to: URL(fileURLWithPath: "\(copies)/\(name)/items.db"))
            }
            let second = store(variables)
            #expect(accounts(second, kSecAttrSynchronizableAny) == ["false", "true"])
            for isSynchronizable in [false, true] {
                #expect(second.calls.delete(item(isSynchronizable)) == errSecSuccess)
            }
            #expect(accounts(store(variables), kSecAttrSynchronizableAny) == [])
        }

        /// Each stream yields at its start, also if the store listens already for others.
        @Test func everyStreamOfChanges_yieldsAtItsStart() async throws {
            let store = store(["SECITEM_DIRECTORY": folder.path + "/machine", "SECITEM_SYNCHRONIZABLE": "postgresql"])
            #expect(store.calls.add(item(true), nil) == errSecSuccess)
            var streams: [AsyncStream<Void>] = []
            for _ in 0..<5 {
                let stream = LinuxKeychain.changes(of: try store.sharedStore())
                var iterator = stream.makeAsyncIterator()
                #expect(await iterator.next() != nil)
                streams.append(stream)
            }
            withExtendedLifetime(streams) {}
        }
    }
#endif
