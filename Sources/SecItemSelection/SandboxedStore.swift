import Logging
import SecItemSQLite
import SecItemStore
import Synchronization

/// The embedded store in a sandbox: the secret of the sandbox's portal protects its root key.
///
/// How a store is protected is decided when it is made. Where there is no portal then, a key file protects it, which the
/// log and the summary say. A portal that is there and gives no secret makes the opening fail, each time: never a new store
/// in place of the one that cannot be read, and none with less protection than the desktop offers.
final class SandboxedStore: PassphraseStore {
    private let base: SQLiteStore
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
        base = try SQLiteStore(location: location, protector: isPortalUsed ? source.protector : KeyFileProtector())
    }

    /// Whether the portal's secret protects the root key.
    var isPortalProtected: Bool { base.isPortalProtected }

    var summary: String {
        if isPortalProtected {
            return "an encrypted database at \(base.location.databasePath), "
                + "protected by the secret of the portal outside this \(sandbox.kind.rawValue)"
        }
        if base.isPassphraseProtected { return base.summary }
        return "\(base.summary) (made without a secret of the portal outside this \(sandbox.kind.rawValue))"
    }

    // A session that unlocks it is no passphrase: nothing asks for one when the machine is left alone.
    var isPassphraseProtected: Bool { base.isPassphraseProtected }

    // MARK: Passed on

    func insert(_ record: ItemRecord, interaction: Interaction) throws(StoreError) {
        try base.insert(record, interaction: interaction)
    }

    func records(
        matching filter: RecordFilter, parts: RecordParts, limit: Int?, interaction: Interaction
    ) throws(StoreError) -> [ItemRecord] {
        try base.records(matching: filter, parts: parts, limit: limit, interaction: interaction)
    }

    func update(
        matching filter: RecordFilter, applying changes: RecordChanges, interaction: Interaction
    ) throws(StoreError) -> Int {
        try base.update(matching: filter, applying: changes, interaction: interaction)
    }

    func delete(matching filter: RecordFilter, interaction: Interaction) throws(StoreError) -> Int {
        try base.delete(matching: filter, interaction: interaction)
    }

    var isLocked: Bool { base.isLocked }
    func lock() throws(StoreError) { try base.lock() }
    func unlock(passphrase: Secret?) throws(StoreError) { try base.unlock(passphrase: passphrase) }

    func setPassphrase(_ passphrase: Secret?, current: Secret?) throws(StoreError) {
        try base.setPassphrase(passphrase, current: current)
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
