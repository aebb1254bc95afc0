// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// The store and the application that Apple's four functions use.
///
/// The first call that needs the store opens it, after that call's query was read. A call tries again after a failure,
/// so that a service which starts before its disk is mounted recovers without help. No lock is held while the store is
/// opened. If opening it prompts, callers that must not wait for a person are turned away; all others wait.
final class DefaultStore: Sendable {
    /// The default store of this process.
    static let shared = DefaultStore { SecureExecution.environment }

    fileprivate struct State: Sendable {
        var choice = LinuxKeychain.Store.automatic
        /// The application's identifier, if it set one.
        var identifier: String?
        /// The access groups, if the application set any.
        var groups: [String]??
        /// The surroundings, once they were read.
        var surroundings: Surroundings?
        var chosen: Chosen?
        /// Increases with each change that makes an earlier choice of a store invalid.
        var revision = 0
    }

    /// A class, because the state is copied at each call.
    fileprivate final class Chosen: Sendable {
        let store: ChosenStore

        init(_ store: ChosenStore) {
            self.store = store
        }
    }

    /// The environment and the files around the program, as they were when first read.
    fileprivate struct Surroundings: Sendable {
        let environment: [String: String]
        let identity: ApplicationIdentity
    }

    /// The application's settings at one moment. A call that has begun keeps to them.
    private struct Settings: Sendable {
        let choice: LinuxKeychain.Store
        let application: ClientApplication
        let origin: ApplicationIdentity.Origin
        let environment: [String: String]
        let revision: Int
    }

    private let environment: @Sendable () -> [String: String]
    private let state = LockedValue(State())
    private let opening = Turn()

    init(environment: @escaping @Sendable () -> [String: String]) {
        self.environment = environment
    }

    // MARK: Settings

    private var settings: Settings {
        let surroundings = surroundings
        return state.withLock { state in
            Settings(
                choice: state.choice, application: state.application(in: surroundings),
                origin: state.identifier == nil ? surroundings.identity.origin : .application,
                environment: surroundings.environment, revision: state.revision)
        }
    }

    private var surroundings: Surroundings {
        if let known = state.withLock({ $0.surroundings }) { return known }
        // Read without a lock, because this reads files.
        let environment = environment()
        let found = Surroundings(environment: environment, identity: ApplicationIdentity(environment: environment))
        return state.withLock { state in
            let first = state.surroundings ?? found
            state.surroundings = first
            return first
        }
    }

    /// Changes the state. Replaced values are released after the lock is free: releasing a store, or the captures of a
    /// closure, may use the keychain.
    private func change(_ body: (inout State) -> Void) {
        let before = state.withLock { state in
            let before = state
            body(&state)
            return before
        }
        withExtendedLifetime(before) {}
    }

    var application: ClientApplication { settings.application }

    /// - Parameter identifier: The identifier. An empty one stands for the default, as an empty variable does.
    func setApplication(identifier: String) {
        change { state in
            let before = state.surroundings.map { surroundings in state.application(in: surroundings).identifier }
            state.identifier = identifier.isEmpty ? nil : identifier
            let now = state.surroundings.map { surroundings in state.application(in: surroundings).identifier }
            guard let before, let now, before.utf8.elementsEqual(now.utf8) else {
                return state.reset { $0.place != nil }
            }
        }
    }

    func setApplication(groups: [String]?) {
        change { state in
            let before = state.surroundings.map { surroundings in state.application(in: surroundings).entitledGroups }
            state.groups = .some(groups)
            let bytes = groups?.map { Array($0.utf8) }
            if before?.map({ $0.map { Array($0.utf8) } }) != bytes { state.reset { $0.dependsOnApplication } }
        }
    }

    func use(_ choice: LinuxKeychain.Store) {
        // Created now, so that all later calls share the same store, whatever is set while they run.
        let choice = choice.withMemory
        change { state in
            state.choice = choice
            state.reset { _ in true }
        }
    }

    /// Makes the next call choose and open the store again.
    func reopen() {
        change { state in state.reset { _ in true } }
    }

    // MARK: The store

    /// The four calls. They open the store after they have read their query.
    var calls: KeychainCalls {
        let settings = settings
        return KeychainCalls(application: settings.application) { [self] (interaction) throws(KeychainError) in
            try chosenStore(settings, interaction).store
        }
    }

    /// The store. Opens it if it is not open yet.
    ///
    /// - Parameter interaction: Whether opening it may prompt, or wait for a prompt.
    /// - Throws: `errSecInteractionNotAllowed` if the caller must not wait for another thread's prompt, or runs inside
    ///   the code that is opening the store.
    func chosenStore(_ interaction: Interaction = .allowed) throws(KeychainError) -> ChosenStore {
        try chosenStore(settings, interaction)
    }

    private func chosenStore(_ settings: Settings, _ interaction: Interaction) throws(KeychainError) -> ChosenStore {
        if let chosen = chosen(settings) { return chosen }
        // A store that is not kept is released after the turn, because its release may use the keychain.
        return try inTurn(interaction) { () throws(KeychainError) in
            // Another thread may have been faster.
            if let chosen = chosen(settings) { return chosen }
            let opened = try platform().chooseStore(
                settings.choice, environment: settings.environment, application: settings.application,
                owner: settings.application, interaction: interaction)
            state.withLock { if $0.revision == settings.revision { $0.chosen = Chosen(opened) } }
            return opened
        }
    }

    /// The open store, if it was opened with these settings.
    private func chosen(_ settings: Settings) -> ChosenStore? {
        state.withLock { $0.revision == settings.revision ? $0.chosen : nil }?.store
    }

    /// Runs `body`, which opens a store, when it is this thread's turn.
    private func inTurn<Result>(
        _ interaction: Interaction, _ body: () throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        try forClient { () throws(StoreError) in try opening.take(mayAsk: interaction == .allowed) }
        defer { opening.leave() }
        return try body()
    }

    /// - Throws: `errSecUnimplemented` if the store has no lock of its own.
    func lockableStore(_ interaction: Interaction) throws(KeychainError) -> any LockableStore {
        guard let store = try chosenStore(interaction).store as? any LockableStore else {
            throw .unimplemented("this store cannot be locked by the application")
        }
        return store
    }

    /// The store that other machines use too.
    ///
    /// - Throws: `errSecUnimplemented` if there is none.
    func sharedStore() throws(KeychainError) -> any SharedStore {
        let store = try chosenStore().store
        let shared = (store as? any DividedStore)?.shared ?? store
        guard let shared = shared as? any SharedStore else {
            throw .unimplemented("changes of others are reported only for a keychain in PostgreSQL")
        }
        return shared
    }

    /// A description of the store, which is opened if it is not open yet.
    var summary: String {
        get throws(KeychainError) {
            let settings = settings
            return StoreSummary(
                chosen: try chosenStore(settings, .allowed), application: settings.application, origin: settings.origin
            ).text
        }
    }

    // MARK: Another name

    /// Moves the items of another identifier to this application, in the store that holds them.
    ///
    /// - Returns: How many items were moved.
    func adopt(itemsOf identifier: String) throws(KeychainError) -> Int {
        let settings = settings
        let own = try chosenStore(settings, .allowed)
        let store = try storeWithItems(ofAnother: identifier, settings, own)
        let count = try KeychainEngine(store: store.store, application: settings.application)
            .adopt(itemsOf: identifier)
        // The application has items there now. The next choice will find them.
        change { state in state.reset { $0.dependsOnApplication } }
        return count
    }

    /// The store that a program with that identifier would search, for use by this application.
    ///
    /// - Throws: `errSecNotAvailable` if it is a different store, and this application already has items in its own.
    private func storeWithItems(
        ofAnother identifier: String, _ settings: Settings, _ own: ChosenStore
    ) throws(KeychainError) -> ChosenStore {
        guard own.dependsOnApplication else { return own }
        let other = try inTurn(.allowed) { () throws(KeychainError) in
            try platform().chooseStore(
                settings.choice, environment: settings.environment, application: settings.application,
                owner: ClientApplication(identifier: identifier), interaction: .allowed)
        }
        if other.place == own.place { return own }
        let engine = KeychainEngine(store: own.store, application: settings.application)
        guard try engine.countItems(interaction: .allowed) == 0 else {
            throw .notAvailable(
                "the items of the other name are in another store (\(other.store.summary)), and this application has "
                    + "items in \(own.store.summary) already: choose one with SECITEM_STORE or LinuxKeychain.use")
        }
        // This comes before the move: the record of earlier items there would hide the moved ones.
        try forClient { () throws(StoreError) in try own.forget?() }
        return other
    }
}

extension LinuxKeychain.Store {
    /// The same store, with the memory that it asks for.
    fileprivate var withMemory: LinuxKeychain.Store {
        switch self {
        case .inMemory: .custom(InMemoryStore())
        case .synchronizable(let shared, let others):
            .synchronizable(in: shared.withMemory, others: others.withMemory)
        default: self
        }
    }
}

extension DefaultStore.State {
    fileprivate func application(in surroundings: DefaultStore.Surroundings) -> ClientApplication {
        ClientApplication(
            identifier: identifier ?? surroundings.identity.identifier,
            entitledGroups: groups ?? surroundings.identity.accessGroups)
    }

    /// Makes the next call choose the store again, if `means` accepts the open one. A store that is being opened is not
    /// kept.
    fileprivate mutating func reset(_ means: (ChosenStore) -> Bool) {
        if let chosen, !means(chosen.store) { return }
        chosen = nil
        revision += 1
    }
}
