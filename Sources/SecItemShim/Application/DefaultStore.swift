import Foundation
import SecItemStore

/// The store and the application that Apple's four functions work with.
///
/// The store is opened by the first call that needs it, after that call's query was read, and again after a failure, so
/// that a service which starts before its disk is mounted recovers by itself. No lock is held meanwhile: who must not wait
/// for a person is turned away as soon as the one who opens the store asks one, everybody else waits.
final class DefaultStore: Sendable {
    static let shared = DefaultStore { SecureExecution.environment }

    fileprivate struct State: Sendable {
        var choice = LinuxKeychain.Store.automatic
        /// The application's name for itself, where it said one.
        var identifier: String?
        /// The access groups that the application said, where it said any.
        var groups: [String]??
        /// What the surroundings say, once they were looked at.
        var surroundings: Surroundings?
        var chosen: ChosenStore?
        /// Counts what makes an earlier choice of a store void.
        var revision = 0
    }

    /// What the environment and the files around the program say, as they were at first.
    fileprivate struct Surroundings: Sendable {
        let environment: [String: String]
        let identity: ApplicationIdentity
    }

    private let environment: @Sendable () -> [String: String]
    private let state = ForkableState(State())
    /// Whose turn it is to open the store.
    private let opening = Turn()

    init(environment: @escaping @Sendable () -> [String: String]) {
        self.environment = environment
    }

    // MARK: The application

    var application: ClientApplication {
        let surroundings = surroundings
        return state.withLock { $0.application(in: surroundings) }
    }

    /// The name that items are kept under, and where it comes from.
    var identity: (identifier: String, origin: ApplicationIdentity.Origin) {
        let found = surroundings.identity
        return state.withLock { $0.identifier.map { ($0, .application) } ?? (found.identifier, found.origin) }
    }

    func setApplication(identifier: String) {
        state.withLock { state in
            state.identifier = identifier
            if state.chosen?.dependsOnApplication == true { state.reset() }
        }
    }

    func setApplication(groups: [String]?) {
        state.withLock { $0.groups = .some(groups) }
    }

    private var surroundings: Surroundings {
        if let known = state.withLock({ $0.surroundings }) { return known }
        // Read without a lock: files are looked at.
        let environment = environment()
        let found = Surroundings(environment: environment, identity: ApplicationIdentity(environment: environment))
        return state.withLock { state in
            let first = state.surroundings ?? found
            state.surroundings = first
            return first
        }
    }

    // MARK: The store

    func use(_ choice: LinuxKeychain.Store) {
        state.withLock { state in
            state.choice = choice
            state.reset()
        }
    }

    /// The four calls. The store is opened when one of them has read its query.
    var calls: KeychainCalls {
        KeychainCalls(application: application) { [self] (interaction) throws(KeychainError) in
            try chosenStore(interaction).store
        }
    }

    /// The store, opened now if it is not open yet.
    ///
    /// - Parameter interaction: Whether opening it may ask a person, or wait for one.
    /// - Throws: `errSecInteractionNotAllowed` when the caller must not wait for the person whom another thread asks, or is
    ///   itself what the opening of the store waits for.
    func chosenStore(_ interaction: Interaction = .allowed) throws(KeychainError) -> ChosenStore {
        while true {
            if let chosen = state.withLock({ $0.chosen }) { return chosen }
            if let chosen = try open(interaction) { return chosen }
        }
    }

    /// Opens the store as soon as it is this thread's turn.
    ///
    /// - Returns: Nil when the application made another choice meanwhile.
    private func open(_ interaction: Interaction) throws(KeychainError) -> ChosenStore? {
        try takeTurn(interaction)
        defer { opening.leave() }
        let surroundings = surroundings
        let (chosen, choice, revision) = state.withLock { ($0.chosen, $0.choice, $0.revision) }
        // Another thread may have been first.
        if let chosen { return chosen }
        let opened = try chooseStore(
            choice, environment: surroundings.environment, application: application, interaction: interaction)
        return state.withLock { state in
            guard state.revision == revision else { return nil }
            state.chosen = opened
            return opened
        }
    }

    private func takeTurn(_ interaction: Interaction) throws(KeychainError) {
        do throws(StoreError) {
            try opening.take(mayAsk: interaction == .allowed)
        } catch {
            throw KeychainError(error)
        }
    }

    /// - Throws: `errSecUnimplemented` when the store has no lock of its own.
    func lockableStore(_ interaction: Interaction) throws(KeychainError) -> any LockableStore {
        guard let store = try chosenStore(interaction).store as? any LockableStore else {
            throw .unimplemented("the store has no lock of its own")
        }
        return store
    }

    // MARK: Another name

    /// Moves the items of another identifier to this application, in the store where they are.
    ///
    /// - Returns: How many items were moved.
    func adopt(itemsOf identifier: String) throws(KeychainError) -> Int {
        let own = try chosenStore()
        let store = try storeWithItems(ofAnother: identifier, own)
        let application = application
        let count = try KeychainEngine.adopting(itemsOf: identifier, by: application, in: store)
        // The application has items there now: whoever chooses again finds them.
        state.withLock { if $0.chosen?.dependsOnApplication == true { $0.reset() } }
        return count
    }

    /// The store where a program of that name would look for its items.
    ///
    /// - Throws: `errSecNotAvailable` when that is another one, and this application has items in its own already.
    private func storeWithItems(
        ofAnother identifier: String, _ own: ChosenStore
    ) throws(KeychainError) -> ChosenStore {
        guard own.dependsOnApplication else { return own }
        try takeTurn(.allowed)
        defer { opening.leave() }
        let choice = state.withLock { $0.choice }
        let other = try chooseStore(
            choice, environment: surroundings.environment, application: ClientApplication(identifier: identifier),
            interaction: .allowed)
        if other.place == own.place { return own }
        let engine = KeychainEngine(store: own.store, application: application)
        guard try engine.countItems(interaction: .allowed) == 0 else {
            throw .notAvailable(
                "the items of the other name are in another store (\(other.store.summary)), and this application has "
                    + "items in \(own.store.summary) already: choose one with SECITEM_STORE or LinuxKeychain.use")
        }
        return other
    }
}

extension DefaultStore.State {
    fileprivate func application(in surroundings: DefaultStore.Surroundings) -> ClientApplication {
        ClientApplication(
            identifier: identifier ?? surroundings.identity.identifier,
            entitledGroups: groups ?? surroundings.identity.accessGroups)
    }

    /// Has the store chosen anew.
    fileprivate mutating func reset() {
        chosen = nil
        revision += 1
    }
}
