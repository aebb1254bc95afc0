// SPDX-License-Identifier: Apache-2.0

import Logging
import SecItemSQLite
import SecItemStore

/// The embedded store in a sandbox: the secret of the sandbox's portal protects its root key.
///
/// How a store is protected is decided when it is made. Where there is no portal then, a key file protects it, which the
/// log and the summary say. A portal that is there and gives no secret makes the opening fail, each time: never a new store
/// in place of the one that cannot be read, and none with less protection than the desktop offers.
final class SandboxedStore: PassphraseStore, ForwardingStore {
    private let store: LazySQLiteStore
    private let sandbox: Sandbox
    /// Whether the portal's secret may protect a store that is made.
    private let mayAskForNew: Bool

    /// Opens the store if there is one; the first add makes it.
    ///
    /// - Parameters:
    ///   - others: Where else a store of this user may be.
    ///   - mayAskForNew: Whether the portal's secret may protect a store that is made.
    ///   - cache: Where keys wait between the first unlock and the machine's restart.
    ///   - mayAsk: Whether the portal may be asked at all now. It may have to ask a person.
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
                // Not kept longer: whoever reads the memory of a locked program must not find it.
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

    // Its word on a passphrase stands, too: the portal's secret is none, as nothing asks for one when the machine is left
    // alone.
    var base: any KeychainStore { store }

    var isLocked: Bool { store.isLocked }
    func lock() throws(StoreError) { try store.lock() }
    func unlock(passphrase: Secret?) throws(StoreError) { try store.unlock(passphrase: passphrase) }

    func setPassphrase(_ passphrase: Secret?, current: Secret?) throws(StoreError) {
        try store.setPassphrase(passphrase, current: current)
    }
}

/// Gives a store the portal's secret: one that was fetched before, or else what the portal says when asked.
private final class PortalSource: Sendable {
    private struct State: Sendable {
        var mayAsk: Bool
        var fetched: PortalProtector.Answer?
    }

    private let portal: SandboxPortal
    private let state: ForkableState<State>

    init(portal: SandboxPortal) {
        self.portal = portal
        state = ForkableState(State(mayAsk: true))
    }

    /// Begins the opening of a store that is there. One thread at a time opens it.
    func begin(mayAsk: Bool) {
        state.withLock { $0.mayAsk = mayAsk }
    }

    /// Fetches the secret for a new store, before other processes are made to wait for its files.
    ///
    /// - Returns: False when there is no portal.
    func fetch(mayAsk: Bool) throws(StoreError) -> Bool {
        state.withLock { $0.mayAsk = mayAsk }
        switch try ask(token: nil) {
        case .secret(let answer): state.withLock { $0.fetched = answer }
        case .absent: return false
        case .failed(let error): throw error
        }
        return true
    }

    /// Ends the opening of the store: whoever unlocks it later may ask.
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
