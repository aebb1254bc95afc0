import Logging
import SecItemSQLite
import SecItemStore
import Synchronization

/// The embedded store in a sandbox: the secret of the sandbox's portal protects its root key.
///
/// How a store is protected is decided when it is made. Where there is no portal then, a key file protects it, which the
/// log and the summary say. A portal that is there and gives no secret makes the opening fail, each time: never a new store
/// in place of the one that cannot be read, and none with less protection than the desktop offers.
final class SandboxedStore: PassphraseStore, ForwardingStore {
    private let store: SQLiteStore
    private let sandbox: Sandbox

    /// Opens the store, or makes one.
    ///
    /// - Parameter mayAskForNew: Whether the portal's secret may protect a store that is made now.
    init(location: StoreLocation, isNew: Bool, mayAskForNew: Bool, sandbox: Sandbox) throws(StoreError) {
        let source = PortalSource(portal: sandbox.portal)
        // Not kept longer: whoever reads the memory of a locked program must not find it.
        defer { source.forget() }
        self.sandbox = sandbox
        var isPortalUsed = !isNew
        if isNew && mayAskForNew { isPortalUsed = try source.fetch() }
        if isNew && mayAskForNew && !isPortalUsed {
            Logger(label: "secitem").notice(
                "No portal hands out secrets here: a key file beside it protects the new keychain",
                metadata: ["sandbox": "\(sandbox.kind.rawValue)", "path": "\(location.folder)"])
        }
        store = try SQLiteStore(location: location, protector: isPortalUsed ? source.protector : KeyFileProtector())
    }

    /// Whether the portal's secret protects the root key.
    var isPortalProtected: Bool { store.isPortalProtected }

    var summary: String {
        if isPortalProtected {
            return "an encrypted database at \(store.location.databasePath), "
                + "protected by the secret of the portal outside this \(sandbox.kind.rawValue)"
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
    private let portal: SandboxPortal
    private let fetched = Mutex<PortalProtector.Answer?>(nil)

    init(portal: SandboxPortal) {
        self.portal = portal
    }

    /// Fetches the secret for a new store, before other processes are made to wait for its files.
    ///
    /// - Returns: False when there is no portal.
    func fetch() throws(StoreError) -> Bool {
        switch portal.secret(token: nil) {
        case .secret(let answer): fetched.withLock { $0 = answer }
        case .absent: return false
        case .failed(let error): throw error
        }
        return true
    }

    func forget() {
        fetched.withLock { $0 = nil }
    }

    var protector: PortalProtector {
        PortalProtector { [self] (token) throws(StoreError) in
            if let answer = fetched.withLock({ $0 }) { return answer }
            switch portal.secret(token: token) {
            case .secret(let answer): return answer
            case .absent(let error), .failed(let error): throw error
            }
        }
    }
}
