import Foundation
import SecItemStore
import Synchronization

/// The store and the application that Apple's four functions work with, and the choice among the
/// stores that there are.
///
/// The store is opened at the first call that needs it, and again after a failure, so that a service which starts
/// before its disk is mounted recovers by itself.
final class DefaultStore: Sendable {
    static let shared = DefaultStore(environment: ProcessInfo.processInfo.environment)

    private struct State {
        var choice = LinuxKeychain.Store.automatic
        var application: ClientApplication
        var store: (any KeychainStore)?
    }

    private let environment: [String: String]
    private let state: Mutex<State>

    init(environment: [String: String]) {
        let identity = ApplicationIdentity(environment: environment)
        let application = ClientApplication(identifier: identity.identifier, entitledGroups: identity.accessGroups)
        self.environment = environment
        state = Mutex(State(application: application))
    }

    var application: ClientApplication {
        state.withLock { $0.application }
    }

    func setApplication(identifier: String) {
        state.withLock {
            $0.application = ClientApplication(identifier: identifier, entitledGroups: $0.application.entitledGroups)
        }
    }

    func setApplication(groups: [String]?) {
        state.withLock {
            $0.application = ClientApplication(identifier: $0.application.identifier, entitledGroups: groups)
        }
    }

    func use(_ choice: LinuxKeychain.Store) {
        state.withLock {
            $0.choice = choice
            $0.store = nil
        }
    }

    /// The four calls on the store, opened now if it is not open yet.
    func calls() throws(KeychainError) -> KeychainCalls {
        try state.withLock { (state) throws(KeychainError) in
            KeychainCalls(store: try open(&state), application: state.application)
        }
    }

    func store() throws(KeychainError) -> any KeychainStore {
        try state.withLock { (state) throws(KeychainError) in try open(&state) }
    }

    /// - Throws: `errSecUnimplemented` when the store has no lock of its own.
    func lockableStore() throws(KeychainError) -> any LockableStore {
        guard let store = try store() as? any LockableStore else {
            throw .unimplemented("the store has no lock of its own")
        }
        return store
    }

    private func open(_ state: inout State) throws(KeychainError) -> any KeychainStore {
        if let store = state.store { return store }
        let store = try make(state.choice)
        state.store = store
        return store
    }

    private func make(_ choice: LinuxKeychain.Store) throws(KeychainError) -> any KeychainStore {
        switch choice {
        case .automatic: try makeAutomatic()
        case .embedded(let directory, let passphrase): try makeEmbedded(directory, passphrase)
        case .inMemory: InMemoryStore()
        case .custom(let store): store
        }
    }

    private func makeAutomatic() throws(KeychainError) -> any KeychainStore {
        switch environment["SECITEM_STORE"] {
        case nil, "", "automatic", "embedded": try makeEmbedded(nil, .automatic)
        case "memory": InMemoryStore()
        default: throw .notAvailable("SECITEM_STORE names no store that is built in")
        }
    }

    private func makeEmbedded(
        _ directory: URL?, _ passphrase: LinuxKeychain.Passphrase
    ) throws(KeychainError) -> any KeychainStore {
        try EmbeddedStore(environment: environment).open(directory: directory, passphrase: passphrase)
    }
}
