// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Foundation
    import SecItemConformance
    import SecItemPostgreSQL
    import SecItemSealing
    import SecItemStore
    import TestSupport
    import Testing

    /// The promises of every store, each on a keychain of its own in one database.
    @Suite(.timeLimit(.minutes(60)))
    struct StoreConformanceTests {
        private static let offers: ConformanceCase.Needs = [.lock, .anyBytes, .manySecrets, .isolation]

        @Test func store_withKeyFile_keepsEveryPromise() throws {
            try check(KeyFileProtector()) { $0.needs.isSubset(of: Self.offers.union(.noPassphrase)) }
        }

        /// The cases in which the passphrase can make a difference.
        @Test func store_withPassphrase_keepsItsPromises() throws {
            let source = PassphraseSource.closure { Secret(Data("passphrase".utf8)) }
            try check(PassphraseProtector(sources: [source], cost: .lowest)) {
                $0.needs.isSubset(of: Self.offers.union(.passphrase))
                    && !$0.needs.isDisjoint(with: [.lock, .passphrase])
            }
        }

        private func check(_ protector: any RootKeyProtector, _ isWanted: (ConformanceCase) -> Bool) throws {
            let server = try PrivateServer()
            let folder = try TemporaryFolder()
            let cases = ConformanceSuite.cases.filter(isWanted)
            #expect(!cases.isEmpty)
            for conformanceCase in cases {
                let store = PostgreSQLStore(
                    PostgreSQLServer(server.owner), name: UUID().uuidString, keyFile: folder.path + "/key",
                    protector: protector)
                do {
                    try conformanceCase.run(on: ConformanceKeychain(store: store))
                } catch {
                    Issue.record("\(conformanceCase): \(error)")
                }
            }
        }
    }
#endif
