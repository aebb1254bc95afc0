// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// The store and the application that Apple's four functions work with.
///
/// The store is opened by the first call that needs it, after that call's query was read, and again after a failure, so
/// that a service which starts before its disk is mounted recovers by itself. No lock is held meanwhile: who must not wait
/// for a person is turned away as soon as the one who opens the store asks one, everybody else waits.
final class DefaultStore: Sendable {
    private static let only = DefaultStore { SecureExecution.environment }

    /// The one of this process. Whoever asks for it has everything made first that there is one of, so that no fork comes in
    /// the middle of that.
    static var shared: DefaultStore {
        FirstUse.prepare { FirstCall.rehearse(before: only) }
        return only
    }

    /// The same for one call, which a process with one thread makes without that preparation.
    static var forOneCall: DefaultStore {
        FirstUse.prepareIfShared { FirstCall.rehearse(before: only) }
        return only
    }

    fileprivate struct State: Sendable {
        var choice = LinuxKeychain.Store.automatic
        /// The application's name for itself, where it said one.
        var identifier: String?
        /// The access groups that the application said, where it said any.
        var groups: [String]??
        /// What the surroundings say, once they were looked at.
        var surroundings: Surroundings?
        var chosen: Chosen?
        /// Counts what makes an earlier choice of a store void.
        var revision = 0
    }

    /// A box, for the state is copied at each call.
    fileprivate final class Chosen: Sendable {
        let store: ChosenStore

        init(_ store: ChosenStore) {
            self.store = store
        }
    }

    /// What the environment and the files around the program say, as they were at first.
    fileprivate struct Surroundings: Sendable {
        let environment: [String: String]
        let identity: ApplicationIdentity
    }

    /// What the application has set, at one moment: a call that has begun keeps to it.
    private struct Settings: Sendable {
        let choice: LinuxKeychain.Store
        let application: ClientApplication
        let origin: ApplicationIdentity.Origin
        let environment: [String: String]
        let revision: Int
    }

    private let environment: @Sendable () -> [String: String]
    private let state = ForkableState(State())
    /// Whose turn it is to open the store.
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
        // Read without a lock: files are looked at.
        let environment = environment()
        let found = Surroundings(environment: environment, identity: ApplicationIdentity(environment: environment))
        return state.withLock { state in
            let first = state.surroundings ?? found
            state.surroundings = first
            return first
        }
    }

    /// Changes the state. What is replaced goes when the lock is free again: the end of a store, or of what a closure
    /// holds, may use the keychain, or wait for a fork that waits for the lock.
    private func change(_ body: (inout State) -> Void) {
        let before = state.withLock { state in
            let before = state
            body(&state)
            return before
        }
        withExtendedLifetime(before) {}
    }

    var application: ClientApplication { settings.application }

    /// - Parameter identifier: Empty for the one that the surroundings give, as an empty variable is.
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
        // Made now, so that all calls from now on have the same one, whatever is set while they run.
        let choice = if case .inMemory = choice { LinuxKeychain.Store.custom(InMemoryStore()) } else { choice }
        change { state in
            state.choice = choice
            state.reset { _ in true }
        }
    }

    /// Has the next call choose and open the store anew.
    func reopen() {
        change { state in state.reset { _ in true } }
    }

    // MARK: The store

    /// The four calls. The store is opened when one of them has read its query.
    var calls: KeychainCalls {
        let settings = settings
        return KeychainCalls(application: settings.application) { [self] (interaction) throws(KeychainError) in
            try chosenStore(settings, interaction).store
        }
    }

    /// The store, opened now if it is not open yet.
    ///
    /// - Parameter interaction: Whether opening it may ask a person, or wait for one.
    /// - Throws: `errSecInteractionNotAllowed` when the caller must not wait for the person whom another thread asks, or is
    ///   itself what the opening of the store waits for.
    func chosenStore(_ interaction: Interaction = .allowed) throws(KeychainError) -> ChosenStore {
        try chosenStore(settings, interaction)
    }

    private func chosenStore(_ settings: Settings, _ interaction: Interaction) throws(KeychainError) -> ChosenStore {
        if let chosen = chosen(settings) { return chosen }
        // What is not kept goes after the turn: its end may use the keychain.
        return try inTurn(interaction) { () throws(KeychainError) in
            // Another thread may have been first.
            if let chosen = chosen(settings) { return chosen }
            let opened = try chooseStore(
                settings.choice, environment: settings.environment, application: settings.application,
                owner: settings.application, interaction: interaction)
            state.withLock { if $0.revision == settings.revision { $0.chosen = Chosen(opened) } }
            return opened
        }
    }

    /// The open store, if it is the one of these settings.
    private func chosen(_ settings: Settings) -> ChosenStore? {
        state.withLock { $0.revision == settings.revision ? $0.chosen : nil }?.store
    }

    /// Runs `body`, which opens a store, as soon as it is this thread's turn.
    private func inTurn<Result>(
        _ interaction: Interaction, _ body: () throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        do throws(StoreError) {
            try opening.take(mayAsk: interaction == .allowed)
        } catch {
            throw KeychainError(error)
        }
        defer { opening.leave() }
        return try body()
    }

    /// - Throws: `errSecUnimplemented` when the store has no lock of its own.
    func lockableStore(_ interaction: Interaction) throws(KeychainError) -> any LockableStore {
        guard let store = try chosenStore(interaction).store as? any LockableStore else {
            throw .unimplemented("this store cannot be locked by the application")
        }
        return store
    }

    /// What there is to know about the store, which is opened if it is not open yet.
    var summary: String {
        get throws(KeychainError) {
            let settings = settings
            return StoreSummary(
                chosen: try chosenStore(settings, .allowed), application: settings.application, origin: settings.origin
            ).text
        }
    }

    // MARK: Another name

    /// Moves the items of another identifier to this application, in the store where they are.
    ///
    /// - Returns: How many items were moved.
    func adopt(itemsOf identifier: String) throws(KeychainError) -> Int {
        let settings = settings
        let own = try chosenStore(settings, .allowed)
        let store = try storeWithItems(ofAnother: identifier, settings, own)
        let count = try KeychainEngine(store: store.store, application: settings.application)
            .adopt(itemsOf: identifier)
        // The application has items there now: whoever chooses again finds them.
        change { state in state.reset { $0.dependsOnApplication } }
        return count
    }

    /// The store where a program of that name would look for its items, for this application.
    ///
    /// - Throws: `errSecNotAvailable` when that is another one, and this application has items in its own already, or may
    ///   be about to.
    private func storeWithItems(
        ofAnother identifier: String, _ settings: Settings, _ own: ChosenStore
    ) throws(KeychainError) -> ChosenStore {
        guard own.dependsOnApplication else { return own }
        let other = try inTurn(.allowed) { () throws(KeychainError) in
            try chooseStore(
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
        // Before anything is moved: what is remembered of earlier items there would hide those that are moved.
        do throws(StoreError) { try own.forget?() } catch { throw KeychainError(error) }
        return other
    }
}

extension DefaultStore.State {
    fileprivate func application(in surroundings: DefaultStore.Surroundings) -> ClientApplication {
        ClientApplication(
            identifier: identifier ?? surroundings.identity.identifier,
            entitledGroups: groups ?? surroundings.identity.accessGroups)
    }

    /// Has the store chosen anew, if that means the one that is open; one that is being opened is not kept.
    fileprivate mutating func reset(_ means: (ChosenStore) -> Bool) {
        if let chosen, !means(chosen.store) { return }
        chosen = nil
        revision += 1
    }
}
