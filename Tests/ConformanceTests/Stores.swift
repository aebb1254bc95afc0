import SecItemConformance
import SecItemStore

/// A kind of store that the suite is run on. Every store of the package has a line here, and nothing else to do.
struct StoreUnderTest: Sendable, CustomStringConvertible {
    /// What a failure calls it.
    let name: String
    /// What it can do of what only some cases need.
    let offers: ConformanceCase.Needs
    /// A new, empty store.
    let make: @Sendable () throws -> any KeychainStore

    var description: String { name }

    static let all: [StoreUnderTest] = [
        StoreUnderTest(name: "in-memory", offers: [.lock, .noPassphrase, .anyBytes, .faults]) { InMemoryStore() },
        StoreUnderTest(name: "in-memory with passphrase", offers: [.lock, .passphrase, .anyBytes, .faults]) {
            InMemoryStore(isPassphraseProtected: true)
        },
    ]
}
