// SPDX-License-Identifier: Apache-2.0

import Logging
import SecItemSQLite
import SecItemSealing
import SecItemStore
import Synchronization

#if Gnome || Desktop
    import SecItemGnome
#endif

/// Asks the portal outside the sandbox for the application's secret.
struct SandboxPortal: Sendable {
    /// The portal's answer.
    enum Outcome: Sendable {
        case secret(PortalProtector.Answer)
        /// There is no portal, with the reason.
        case absent(StoreError)
        /// There is a portal, but it gave no secret, with the reason.
        case failed(StoreError)
    }

    private let ask: @Sendable (_ token: String?) -> Outcome

    /// Asks the portal and waits, up to two minutes if a person has to unlock the keyring first.
    fileprivate func secret(token: String?) -> Outcome { Turn.whileAsking { ask(token) } }

    #if Gnome || Desktop
        /// The portal on the session bus.
        init(environment: [String: String], limits: SecretPortal.TimeLimits = SecretPortal.TimeLimits()) {
            let portal = SecretPortal(environment: environment, limits: limits)
            ask = { token in
                do throws(SecretPortal.Failure) {
                    let answer = try portal.secret(token: token)
                    return .secret(PortalProtector.Answer(secret: answer.secret, token: answer.token))
                } catch {
                    if case .absent = error { return .absent(error.storeError) }
                    return .failed(error.storeError)
                }
            }
        }
    #else
        init(environment: [String: String]) {
            ask = { _ in .absent(StoreError(.unavailable, "the package was built without its trait Gnome")) }
        }
    #endif
}

// MARK: - The store

extension Sandbox {
    /// The embedded store in the sandbox. The secret of the sandbox's portal protects its root key.
    ///
    /// The protection of a store is decided when it is created. If there is no portal then, a key file protects it; the log
    /// says so. If there is a portal that gives no secret, opening the store fails each time. A new store
    /// never replaces one that cannot be read, and no store has less protection than the desktop offers.
    ///
    /// - Parameters:
    ///   - mayAskForNew: Whether the portal's secret may protect a new store.
    ///   - mayAsk: Whether the portal may be asked now. It may have to prompt.
    ///   - others: Other places where this user may have a store.
    ///   - record: Writes down that the application has items in the store.
    ///   - cache: Where keys are kept between the first unlock and a restart of the machine.
    func openStore(
        at location: StoreLocation, mayAskForNew: Bool, mayAsk: Bool,
        others: @autoclosure @escaping @Sendable () -> [StoreLocation], record: PlaceRecording?, cache: FirstUnlockCache
    ) throws(StoreError) -> SQLiteStore {
        let source = PortalSource(portal: portal)
        return try SQLiteStore(
            madeWhenNeeded: location, protector: source.protector,
            making: { (mayAsk, make) throws(StoreError) in
                // Not kept longer, so that nobody can read it from the memory of a locked program.
                defer { source.forget() }
                if mayAskForNew, try source.fetch(mayAsk: mayAsk) { return try make(source.protector) }
                if mayAskForNew { logAbsence(location) }
                try make(KeyFileProtector())
            },
            opening: { (mayAsk, open) throws(StoreError) in
                source.begin(mayAsk: mayAsk)
                defer { source.forget() }
                try open()
            },
            protectionOfNew: mayAskForNew
                ? "\(source.protector.name), or by \(KeyFileProtector().name)" : KeyFileProtector().name,
            mayAsk: mayAsk, others: others(), record: record, cache: cache)
    }

    private func logAbsence(_ location: StoreLocation) {
        Logger(keychain: "secitem").notice(
            "No portal gives out secrets here: a key file next to the new keychain protects it",
            metadata: ["sandbox": "\(kind.rawValue)", "path": "\(location.folder)"])
    }
}

/// Gives a store the portal's secret: the one fetched earlier, or else the portal's answer.
private final class PortalSource: Sendable {
    private struct State: Sendable {
        var mayAsk = true
        var fetched: PortalProtector.Answer?
    }

    private let portal: SandboxPortal
    private let state = Mutex(State())

    init(portal: SandboxPortal) {
        self.portal = portal
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
        state.withLock { $0 = State() }
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
