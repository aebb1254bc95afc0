// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Foundation
    import TestSupport
    import Testing

    @testable import SecItemShim

    /// Synchronizable items in PostgreSQL, as an application or its environment asks for them.
    @Suite(.timeLimit(.minutes(5)))
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
