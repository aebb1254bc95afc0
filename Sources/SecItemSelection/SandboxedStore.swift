// SPDX-License-Identifier: Apache-2.0

import Logging
import SecItemSQLite
import SecItemSealing
import SecItemStore

/// The embedded store in a sandbox. The secret of the sandbox's portal protects its root key.
///
/// The protection of a store is decided when it is created. If there is no portal then, a key file protects it; the log
/// and the summary say so. If there is a portal that gives no secret, opening the store fails each time. A new store
/// never replaces one that cannot be read, and no store has less protection than the desktop offers.
final class SandboxedStore: PassphraseStore, ForwardingStore {
    private let store: LazySQLiteStore
    private let sandbox: Sandbox
    /// Whether the portal's secret may protect a new store.
    private let mayAskForNew: Bool

    /// Opens the store if there is one. The first add creates it.
    ///
    /// - Parameters:
    ///   - others: Other places where this user may have a store.
    ///   - mayAskForNew: Whether the portal's secret may protect a new store.
    ///   - cache: Where keys are kept between the first unlock and a restart of the machine.
    ///   - mayAsk: Whether the portal may be asked now. It may have to prompt.
    init(
        location: StoreLocation, others: [StoreLocation], mayAskForNew: Bool, cache: FirstUnlockCache,
        sandbox: Sandbox, mayAsk: Bool
    ) throws(StoreError) {
        let source = PortalSource(portal: sandbox.portal)
        self.sandbox = sandbox
        self.mayAskForNew = mayAskForNew
        store = try LazySQLiteStore(
            location: location, protector: source.protector,
            making: { (mayAsk, make) throws(StoreError) in
                // Not kept longer, so that nobody can read it from the memory of a locked program.
                defer { source.forget() }
                if mayAskForNew, try source.fetch(mayAsk: mayAsk) { return try make(source.protector) }
                if mayAskForNew {
                    Logger(keychain: "secitem").notice(
                        "No portal gives out secrets here: a key file next to the new keychain protects it",
                        metadata: ["sandbox": "\(sandbox.kind.rawValue)", "path": "\(location.folder)"])
                }
                return try make(KeyFileProtector())
            },
            opening: { (mayAsk, open) throws(StoreError) in
                source.begin(mayAsk: mayAsk)
                defer { source.forget() }
                return try open()
            },
            mayAsk: mayAsk, others: others, cache: cache)
    }

    /// Whether the portal's secret protects the root key.
    var isPortalProtected: Bool { store.isPortalProtected }

    var summary: String {
        let path = store.location.databasePath
        let secret = "the secret of the portal outside this \(sandbox.kind.rawValue)"
        if isPortalProtected { return "an encrypted database at \(path), protected by \(secret)" }
        if !store.isMade {
            if !mayAskForNew { return store.summary }
            return "an encrypted database at \(path), which storing the first item creates, protected by \(secret), "
                + "or, without such a portal, by a key file next to it"
        }
        if store.isPassphraseProtected { return store.summary }
        return "\(store.summary) (made without a secret of the portal outside this \(sandbox.kind.rawValue))"
    }

    // The base's answer about a passphrase applies too. The portal's secret does not count as one, because the store
    // stays open while nobody is at the machine.
    var base: any KeychainStore { store }

    var isLocked: Bool { store.isLocked }
    func lock() throws(StoreError) { try store.lock() }
    func unlock(passphrase: Secret?) throws(StoreError) { try store.unlock(passphrase: passphrase) }

    func setPassphrase(_ passphrase: Secret?, current: Secret?) throws(StoreError) {
        try store.setPassphrase(passphrase, current: current)
    }
}

/// Gives a store the portal's secret: the one fetched earlier, or else the portal's answer.
private final class PortalSource: Sendable {
    private struct State: Sendable {
        var mayAsk: Bool
        var fetched: PortalProtector.Answer?
    }

    private let portal: SandboxPortal
    private let state: LockedValue<State>

    init(portal: SandboxPortal) {
        self.portal = portal
        state = LockedValue(State(mayAsk: true))
    }

    /// Begins to open an existing store. One thread at a time opens it.
    func begin(mayAsk: Bool) {
        state.withLock { $0.mayAsk = mayAsk }
    }

    /// Fetches the secret for a new store, before other processes have to wait for its files.
    ///
    /// - Returns: False if there is no portal.
    func fetch(mayAsk: Bool) throws(StoreError) -> Bool {
        state.withLock { $0.mayAsk = mayAsk }
        switch try ask(token: nil) {
        case .secret(let answer): state.withLock { $0.fetched = answer }
        case .absent: return false
        case .failed(let error): throw error
        }
        return true
    }

    /// Ends the opening of the store. A later unlock may ask the portal again.
    func forget() {
        state.withLock { $0 = State(mayAsk: true) }
    }

    var protector: PortalProtector {
        PortalProtector { [self] (token) throws(StoreError) in
            if let answer = state.withLock({ $0.fetched }) { return answer }
            switch try ask(token: token) {
            case .secret(let answer): return answer
            case .absent(let error), .failed(let error): throw error
            }
        }
    }

    private func ask(token: String?) throws(StoreError) -> SandboxPortal.Outcome {
        guard state.withLock({ $0.mayAsk }) else {
            throw StoreError(.locked, "the portal may have to prompt, and prompts are not allowed")
        }
        return portal.secret(token: token)
    }
}
