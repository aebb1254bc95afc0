import Crypto
import Foundation
import Logging
import SecItemStore

/// Items in an encrypted SQLite database: the store for machines without a desktop's secret service.
///
/// **What it owns.** A folder (``StoreLocation``) with the database `items.db`, SQLite's files beside it, and
/// `device.key`. `docs/file-format.md` describes them byte by byte.
///
/// **Look-up order.** A persistent reference, by its unique index; else the natural key of the class (service and
/// account, server and account, issuer and serial number); else the indexed attribute shared by the fewest items; else
/// the access groups; else every row. What a row's slots do not decide is decided on its opened attributes.
///
/// **Locking.** With a key file alone everything is open from the start. With a passphrase, items that are always
/// accessible can be used at once, *after first unlock* items once any process of the user has unlocked since the
/// machine started, *when unlocked* items in a process that has unlocked itself. A store that was told where the
/// passphrase is unlocks itself when it first needs to; after ``lock()`` only ``unlock(passphrase:)`` does. The lock
/// is a matter of this process: others keep what they have unlocked.
///
/// **Headless use.** No daemon, no prompt of its own. Only ``PassphraseSource/closure(_:)`` can wait for a person.
///
/// **What it cannot do.** Notice that the whole folder was put back to an older state, or that rows were deleted by
/// someone who can write the file.
package final class SQLiteStore: PassphraseStore {
    /// What changes while the store is open.
    private struct State {
        var keys: KeySet
        var isPassphraseProtected: Bool
        /// Whether only ``unlock(passphrase:)`` may unlock.
        var isLockedByCaller = false
        /// Why the passphrase that was found without asking is of no use: not to be tried again and again.
        var automaticFailure: StoreError?
    }

    package let location: StoreLocation
    let storeID: [UInt8]
    let connection: StoreConnection
    private let protector: any RootKeyProtector
    private let cache: FirstUnlockCache
    private let logger: Logger
    private let forkGuard: ForkGuard
    private let stateLock: ForkableLock
    /// Held by the one thread that unlocks.
    private let unlocking: ForkableLock
    // Guarded by `stateLock`.
    private nonisolated(unsafe) var state: State

    /// Opens the store in that folder, or makes one there.
    ///
    /// - Parameters:
    ///   - location: The folder.
    ///   - protector: How the root key of a new store is protected, and where an existing one finds its passphrase.
    ///   - cache: Where keys wait between the first unlock and the machine's restart.
    ///   - logger: Where refusals and damage are reported. Never a secret, never an attribute's value.
    /// - Throws: ``StoreError/Code/unavailable`` when the folder is refused or the file is of a newer format;
    ///   ``StoreError/Code/corrupt`` when the files are damaged or do not belong together. Then nothing was changed.
    package init(
        location: StoreLocation, protector: any RootKeyProtector = KeyFileProtector(),
        cache: FirstUnlockCache = .automatic, logger: Logger = Logger(label: "secitem.store")
    ) throws(StoreError) {
        let opened = try OpenedStore(location, protector: protector, logger: logger)
        let header = opened.header
        guard var keys = KeySet(try header.alwaysKeys(opened.device)) else {
            throw StoreError(.corrupt, "keys are missing")
        }
        let own = try Self.protector(of: header, configured: protector)
        if own.needsPassphrase {
            if let cached = cache.content(storeID: header.storeID, logger: logger).flatMap(KeySet.keys(cacheContent:)),
                header.areOwn(cached)
            {
                keys = keys.adding(cached)
            }
        } else {
            let root = try header.rootKey(own, device: opened.device, passphrase: nil)
            keys = keys.adding(try header.otherKeys(root))
            if protector.needsPassphrase {
                logger.warning("A passphrase is configured, but this keychain was made without one and stays so")
            }
        }
        self.location = location
        self.protector = protector
        self.cache = cache
        self.logger = logger
        storeID = header.storeID
        state = State(keys: keys, isPassphraseProtected: own.needsPassphrase)
        let connection = opened.connection, stateLock = ForkableLock(), unlocking = ForkableLock()
        self.connection = connection
        self.stateLock = stateLock
        self.unlocking = unlocking
        forkGuard = ForkGuard(
            prepare: { connection.closeForFork() },
            reset: {
                connection.resetLock()
                stateLock.reset()
                unlocking.reset()
            }
        )
    }

    private static func protector(
        of header: StoreHeader, configured: any RootKeyProtector
    ) throws(StoreError) -> any RootKeyProtector {
        switch header.rootMethod {
        case configured.method: return configured
        case .keyFile: return KeyFileProtector()
        case .passphrase: return PassphraseProtector(sources: [])
        case .portal: return PortalProtector.withoutPortal
        default: throw StoreError(.unavailable, "the root key is protected in a way that this program does not know")
        }
    }

    package var summary: String {
        let protection = isPassphraseProtected ? "protected by a passphrase" : "protected by the key file beside it"
        return "an encrypted database at \(location.databasePath), \(protection)"
    }

    package var isPassphraseProtected: Bool {
        (try? guarded { readState(\.isPassphraseProtected) }) ?? true
    }

    // MARK: Operations

    private func guarded<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        try forkGuard.guarding(body)
    }

    private func readState<Value>(_ path: KeyPath<State, Value>) -> Value {
        stateLock.withLock { state[keyPath: path] }
    }

    private func currentKeys() -> KeySet {
        stateLock.withLock { state.keys }
    }

    /// Runs one operation with the keys at hand, and once more if it needs keys that can be had.
    ///
    /// - Parameter body: Takes the keys, whether a locked item is worth an error even where it could be skipped
    ///   (unlocking may still help), and where to note damage.
    func perform<Result>(
        _ interaction: Interaction,
        _ body: (KeySet, Bool, inout DamageReport) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        var damage = DamageReport()
        // Logged when the database has been let go: a log handler may itself use a keychain.
        defer { report(damage) }
        do {
            return try guarded { () throws(StoreError) in
                let (keys, mayUnlock) = stateLock.withLock { (state.keys, mayUnlockItself) }
                return try body(keys, mayUnlock, &damage)
            }
        } catch {
            guard error.code == .locked else { throw error }
            if interaction == .skipped {
                // With no key to be had, what is locked is left out.
                _ = try? unlockItself(interaction)
            } else {
                guard try unlockItself(interaction) else { throw error }
            }
        }
        damage = DamageReport()
        return try guarded { () throws(StoreError) in try body(currentKeys(), false, &damage) }
    }

    private func report(_ damage: DamageReport) {
        for line in damage.lines {
            logger.error("A keychain item is damaged and left out", metadata: ["damage": "\(line)"])
        }
    }

    // MARK: Lock

    package var isLocked: Bool {
        (try? guarded { !currentKeys().isUnlocked }) ?? true
    }

    package func lock() throws(StoreError) {
        try guarded {
            stateLock.withLock {
                state.keys = state.keys.locked()
                state.isLockedByCaller = true
            }
        }
    }

    package func unlock(passphrase: Secret?) throws(StoreError) {
        let isDone: Void? = try unlocking.withLockUnlessOwn { () throws(StoreError) in
            try unlock(passphrase: passphrase, mayAsk: true)
        }
        if isDone == nil { throw StoreError(.locked, "the store is being unlocked by the caller of this") }
    }

    /// Whether the store was locked by nobody and may look for a passphrase. Under `stateLock`.
    private var mayUnlockItself: Bool {
        state.isPassphraseProtected && !state.isLockedByCaller && !state.keys.isUnlocked
            && state.automaticFailure == nil
    }

    /// Unlocks with a passphrase from where the store was told to look.
    ///
    /// - Returns: Whether more keys are at hand than before.
    private func unlockItself(_ interaction: Interaction) throws(StoreError) -> Bool {
        let (failure, isUnlocked, mayUnlock) = try guarded {
            stateLock.withLock {
                (state.isLockedByCaller ? nil : state.automaticFailure, state.keys.isUnlocked, mayUnlockItself)
            }
        }
        if let failure { throw failure }
        // Another thread unlocked it after this one had looked.
        if isUnlocked { return true }
        guard mayUnlock else { return false }
        let result = try unlocking.withLockUnlessOwn { () throws(StoreError) -> Bool in
            // Another thread may have been first.
            if currentKeys().isUnlocked { return true }
            let mayAsk = interaction == .allowed
            guard let passphrase = try protector.passphrase(mayAsk: mayAsk) else { return false }
            do throws(StoreError) {
                try unlock(passphrase: passphrase, mayAsk: false)
            } catch {
                // A person may mistype and try again; what lies in a file stays wrong.
                if error.code == .authenticationFailed, (try? protector.passphrase(mayAsk: false)) != nil {
                    stateLock.withLock { state.automaticFailure = error }
                    logger.error("The configured passphrase does not open the keychain")
                }
                throw error
            }
            return true
        }
        return result ?? false
    }

    /// Fetches all keys from the file. Holds `unlocking`.
    private func unlock(passphrase: Secret?, mayAsk: Bool) throws(StoreError) {
        let header = try guarded { () throws(StoreError) in try connection.read(StoreHeader.read) }
        let device = try header.check(deviceKey())
        let own = try Self.protector(of: header, configured: protector)
        var passphrase = passphrase
        if own.needsPassphrase && passphrase == nil { passphrase = try own.passphrase(mayAsk: mayAsk) }
        let root = try header.rootKey(own, device: device, passphrase: passphrase)
        try adopt(root, header, isPassphraseProtected: own.needsPassphrase)
    }

    private func adopt(_ root: SymmetricKey, _ header: StoreHeader, isPassphraseProtected: Bool) throws(StoreError) {
        let more = try header.otherKeys(root)
        let keys = try guarded {
            stateLock.withLock {
                state.keys = state.keys.adding(more)
                state.isPassphraseProtected = isPassphraseProtected
                state.isLockedByCaller = false
                state.automaticFailure = nil
                return state.keys
            }
        }
        if isPassphraseProtected, let content = keys.cacheContent {
            cache.keep(content, storeID: storeID, logger: logger)
        }
    }

    private func deviceKey() throws(StoreError) -> DeviceKey {
        let folder = try PrivateFolder(location, makingIt: false, logger: logger)
        return try DeviceKey(file: folder.read(location.keyFilePath), path: location.keyFilePath)
    }

    // MARK: Passphrase

    package func setPassphrase(_ passphrase: Secret?, current: Secret? = nil) throws(StoreError) {
        try setPassphrase(passphrase, current: current, cost: .standard)
    }

    /// Gives the store a passphrase, another one, or none. Only the root key is wrapped anew.
    ///
    /// - Parameters:
    ///   - passphrase: The new one, or nil to let the key file alone protect the store.
    ///   - current: The passphrase until now, where there is one; nil to take it from where the store was told to look.
    ///   - cost: What deriving a key from the new passphrase is to cost.
    /// - Throws: ``StoreError/Code/authenticationFailed`` when `current` is wrong or `passphrase` is empty;
    ///   ``StoreError/Code/unsupported`` when there are items that only a store with a passphrase may hold.
    package func setPassphrase(
        _ passphrase: Secret?, current: Secret? = nil, cost: ScryptCost
    ) throws(StoreError) {
        let isDone: Void? = try unlocking.withLockUnlessOwn { () throws(StoreError) in
            let header = try guarded { () throws(StoreError) in try connection.read(StoreHeader.read) }
            let device = try header.check(deviceKey())
            let own = try Self.protector(of: header, configured: protector)
            var known = current
            if own.needsPassphrase && known == nil { known = try own.passphrase(mayAsk: true) }
            let root = try header.rootKey(own, device: device, passphrase: known)
            let new: any RootKeyProtector =
                passphrase == nil ? KeyFileProtector() : PassphraseProtector(sources: [], cost: cost)
            let wrapped = try StoreHeader.wrappedRoot(
                root, storeID: storeID, device: device, protector: new, passphrase: passphrase)
            try guarded { () throws(StoreError) in
                try replaceRoot(of: header, by: wrapped, isPassphrase: passphrase != nil)
            }
            try adopt(root, header, isPassphraseProtected: new.needsPassphrase)
            if !new.needsPassphrase { cache.forget(storeID: storeID, logger: logger) }
        }
        if isDone == nil { throw StoreError(.locked, "the store is being unlocked by the caller of this") }
    }

    private func replaceRoot(of header: StoreHeader, by wrapped: WrappedKey, isPassphrase: Bool) throws(StoreError) {
        try connection.write { database in
            guard try StoreHeader.read(database).keys[.root]?.sealed == header.keys[.root]?.sealed else {
                throw StoreError(.unavailable, "another process changed the passphrase meanwhile")
            }
            if !isPassphrase, try Self.hasItems(database, accessible: .whenPasscodeSetThisDeviceOnly) {
                throw StoreError(
                    .unsupported, "there are items that must not be without a passphrase: delete them first")
            }
            try wrapped.write(database)
        }
        // The log still has the page with the root key as it was wrapped before.
        try connection.emptyLog()
    }
}
