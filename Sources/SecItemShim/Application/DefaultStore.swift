import Foundation
import SecItemStore
import Synchronization

/// The store and the application that Apple's four functions work with.
///
/// The store is opened at the first call that needs it, and again after a failure, so that a service which starts
/// before its disk is mounted recovers by itself.
final class DefaultStore: Sendable {
    static let shared = DefaultStore(environment: ProcessInfo.processInfo.environment)

    private struct State {
        var choice = LinuxKeychain.Store.automatic
        var application: ClientApplication
        var chosen: ChosenStore?
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
            $0.chosen = nil
        }
    }

    /// The four calls on the store, opened now if it is not open yet.
    func calls() throws(KeychainError) -> KeychainCalls {
        try state.withLock { (state) throws(KeychainError) in
            KeychainCalls(store: try open(&state), application: state.application)
        }
    }

    func chosenStore() throws(KeychainError) -> ChosenStore {
        try state.withLock { (state) throws(KeychainError) in try choose(&state) }
    }

    /// - Throws: `errSecUnimplemented` when the store has no lock of its own.
    func lockableStore() throws(KeychainError) -> any LockableStore {
        guard let store = try chosenStore().store as? any LockableStore else {
            throw .unimplemented("the store has no lock of its own")
        }
        return store
    }

    private func open(_ state: inout State) throws(KeychainError) -> any KeychainStore {
        try choose(&state).store
    }

    private func choose(_ state: inout State) throws(KeychainError) -> ChosenStore {
        if let chosen = state.chosen { return chosen }
        let chosen = try chooseStore(state.choice, environment: environment, application: state.application)
        state.chosen = chosen
        return chosen
    }
}
