// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import SecItemSealing
import SecItemStore
import Synchronization

/// Items in an encrypted SQLite database: the store for machines without a desktop's Secret Service.
///
/// **Files.** A folder (``StoreLocation``) with the database `items.db`, SQLite's files beside it, and `device.key`.
/// `docs/file-format.md` describes them byte by byte.
///
/// **Look-up order.** A persistent reference, by its unique index; or else the natural key of the class (service and
/// account, server and account, issuer and serial number); or else the indexed attribute that the fewest items share;
/// or else the access groups; or else every row. If a row's slots do not decide, its opened attributes do.
///
/// **Locking.** With a key file alone, everything is open from the start. With a passphrase, items that are always
/// accessible can be used at once. *After first unlock* items can be used after any process of the user has unlocked
/// the store since the machine started. *When unlocked* items can be used in a process that has unlocked the store
/// itself. A store with a configured passphrase source unlocks itself when necessary; after ``lock()``, only
/// ``unlock(passphrase:)`` unlocks it. A lock affects only this process.
///
/// **Guarded items.** With a passphrase, secrets whose constraints a passphrase fulfils are sealed to a key that only
/// the passphrase opens, again for each authentication (``guardKey(passphrase:)``). Without a passphrase, only the
/// engine enforces the constraints.
///
/// **Headless use.** It needs no daemon, and never prompts itself. Only ``PassphraseSource/closure(_:)`` can wait for a
/// person.
///
/// **Limits.** It does not notice if the whole folder is replaced with an older copy, or if somebody who can write the
/// file deletes rows.
package final class SQLiteStore: GuardedStore, SelfUnlockingStore {
    /// The changing state of an open store.
    private struct State {
        var keys: KeySet
        /// The protection of the root key.
        var own: any RootKeyProtector
        /// Whether the store lacks the configured protection. Then its items are not used.
        var isLacking: Bool
        /// Who has locked it, and what became of the configured passphrase.
        var unlocking = UnlockState()
        /// The guard key to store with the first guarded item, if the store has none yet.
        var newGuardKey: NewGuardKey?

        /// Whether a passphrase would give more keys.
        var isOpenable: Bool { own.needsPassphrase && !keys.isUnlocked }
    }

    package let location: StoreLocation
    let storeID: [UInt8]
    let connection: StoreConnection
    package let protector: any RootKeyProtector
    let cache: FirstUnlockCache
    package let logger: Logger
    private let state: LockedValue<State>
    /// Held by the one thread that unlocks.
    package let turn = Turn()
    /// Whether a passphrase that was found without a prompt has ever failed. It is atomic, because each operation reads
    /// it.
    private let hasFailed = Atomic(false)

    /// Opens the store in that folder, or creates one there.
    ///
    /// - Parameters:
    ///   - location: The folder.
    ///   - protector: The protection of a new store's root key, and the source of an existing store's passphrase.
    ///   - cache: Where keys are kept between the first unlock and a restart of the machine.
    ///   - mayAsk: Whether to prompt for the passphrase of a new store.
    ///   - logger: Receives refusals and damage. Never a secret or an attribute's value.
    /// - Throws: ``StoreError/Code/unavailable`` if the folder is refused or the file has a newer format;
    ///   ``StoreError/Code/corrupt`` if the files are damaged or do not belong together. Then nothing was changed.
    package convenience init(
        location: StoreLocation, protector: any RootKeyProtector = KeyFileProtector(),
        cache: FirstUnlockCache = .automatic, mayAsk: Bool = true, logger: Logger = Logger(keychain: "secitem.store")
    ) throws(StoreError) {
        let opened = try OpenedStore(location, protector: protector, mayAsk: mayAsk, logger: logger)
        try self.init(opened, location: location, protector: protector, cache: cache, logger: logger)
    }

    /// The store in that folder, or nil if there is none. Creates nothing.
    package static func existing(
        location: StoreLocation, protector: any RootKeyProtector = KeyFileProtector(),
        cache: FirstUnlockCache = .automatic, logger: Logger = Logger(keychain: "secitem.store")
    ) throws(StoreError) -> SQLiteStore? {
        guard let opened = try OpenedStore.existing(location, logger: logger) else { return nil }
        return try SQLiteStore(opened, location: location, protector: protector, cache: cache, logger: logger)
    }

    private init(
        _ opened: OpenedStore, location: StoreLocation, protector: any RootKeyProtector, cache: FirstUnlockCache,
        logger: Logger
    ) throws(StoreError) {
        let header = opened.header
        guard var keys = try KeySet(header.alwaysKeys(opened.device)) else {
            throw StoreError(.corrupt, "keys are missing")
        }
        let own = try Self.protector(of: header, configured: protector)
        let isLacking = !protector.isFulfilled(by: own)
        if own.needsPassphrase {
            if let cached = Self.cachedKeys(header, passphraseFile: own.passphraseFile, cache, logger) {
                keys = try keys.adding(cached)
            }
        } else {
            // Done even if the key is not needed, because it shows now whether the store can be opened at all.
            let root = try header.rootKey(own, device: opened.device, passphrase: nil)
            let others = try header.otherKeys(root)
            if isLacking {
                logger.once(
                    .error, "The keychain lacks the configured protection, so its items are not used",
                    metadata: ["path": "\(location.databasePath)", "reason": "\(protector.lack.message)"])
            } else {
                keys = try keys.adding(others)
            }
        }
        self.location = location
        self.protector = protector
        self.cache = cache
        self.logger = logger
        storeID = header.storeID
        state = LockedValue(State(keys: keys, own: own, isLacking: isLacking))
        connection = opened.connection
    }

    package static let otherProtectors: [any RootKeyProtector] = [
        KeyFileProtector(), PassphraseProtector(sources: []), PortalProtector.withoutPortal, ChipProtector.withoutChip,
    ]

    /// The keys kept since the first unlock, if there are any.
    ///
    /// If a file holds the passphrase, the kept keys are used only while that same file exists. With another file, or
    /// none, the store must be unlocked again. That reports a problem with the file at once, and not only after the
    /// next restart of the machine.
    private static func cachedKeys(
        _ header: StoreHeader, passphraseFile: PassphraseFile?, _ cache: FirstUnlockCache, _ logger: Logger
    ) -> KeyTable<Secret>? {
        let content = cache.content(storeID: header.storeID, logger: logger)
        guard let keys = content.flatMap(KeySet.keys(cacheContent:)), header.areOwn(keys) else { return nil }
        guard let passphraseFile else { return keys }
        let kept = cache.content(.passphraseFile, storeID: header.storeID, logger: logger)
        guard let identity = try? passphraseFile.identity(), let kept,
            kept.data() == header.witness(of: identity).data()
        else { return nil }
        return keys
    }

    package var summary: String {
        let own = readState(\.own)
        let summary = "an encrypted database at \(location.databasePath), protected by \(own.name)"
        guard lacksConfiguredProtector else { return summary }
        return "\(summary), not used because it lacks the configured protection: \(protector.name)"
    }

    /// Whether the store lacks a configured protector. Then it is not used.
    package var lacksConfiguredProtector: Bool {
        readState(\.isLacking)
    }

    package var isPassphraseProtected: Bool {
        readState(\.own).needsPassphrase
    }

    // MARK: Operations

    /// Runs an operation of the store.
    ///
    /// - Parameter isLookUp: Whether it writes nothing but what SQLite needs to read.
    func guarded<Result>(
        isLookUp: Bool = false, _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try isLookUp ? withFileSizeLimitAsErrorIfLimited(body) : withFileSizeLimitAsError(body)
    }

    private func readState<Value>(_ path: KeyPath<State, Value>) -> Value {
        state.withLock { $0[keyPath: path] }
    }

    func currentKeys() -> KeySet {
        state.withLock { $0.keys }
    }

    /// The guard key to store with the first guarded item, if it is prepared.
    var newGuardKey: NewGuardKey? { readState(\.newGuardKey) }

    /// Prepares a guard key for the first guarded item; nil if the store already has one. The private half is wrapped.
    ///
    /// - Parameters:
    ///   - header: The store's header.
    ///   - sealedRoot: The root key, wrapped under the passphrase that gave `wrapping`.
    ///   - root: The root key.
    ///   - wrapping: How to wrap the guard key; nil if there can be none.
    func prepareGuardKey(
        _ header: StoreHeader, sealedRoot: [UInt8]?, _ root: Secret, _ wrapping: GuardKeyRow.Wrapping?
    ) throws(StoreError) {
        var new: NewGuardKey?
        if let wrapping, let sealedRoot, GuardKeyRow(header) == nil {
            let row = try GuardKeyRow.make(vouchedFor: header.otherKeys(root), wrapping).row
            new = NewGuardKey(row: row, sealedRoot: sealedRoot)
        }
        state.withLock { $0.newGuardKey = new }
    }

    /// Adds keys that another process has unlocked. The store has checked that they belong to it.
    func take(_ keys: KeyTable<Secret>) throws(StoreError) {
        try state.withLock { (state) throws(StoreError) in
            if !state.isLacking && !state.unlocking.isLockedByCaller { state.keys = try state.keys.adding(keys) }
        }
    }

    /// Runs one operation with the available keys. If it needs more keys and they can be had, it runs again.
    ///
    /// - Parameters:
    ///   - isLookUp: Whether it only reads.
    ///   - body: Receives the keys, whether a locked item is an error even if it could be skipped (because unlocking
    ///     may still help), and a place to record damage.
    func perform<Result>(
        _ interaction: Interaction, isLookUp: Bool = false,
        _ body: (KeySet, Bool, inout DamageReport) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        if hasFailed.load(ordering: .acquiring) { try forgetFailureOfAnotherFile() }
        var isRefused = false
        return try unlockingItself(
            interaction,
            needsMore: { (error) throws(StoreError) in
                if isRefused { try requireProtectionByNow() }
                return error.code == .locked || isRefused
            },
            { (isLast, damage) throws(StoreError) in
                try guarded(isLookUp: isLookUp) { () throws(StoreError) in
                    if isLast { return try body(currentKeys(), false, &damage) }
                    let (keys, mayUnlock, isLacking) = state.withLock { state in
                        (state.keys, state.isOpenable && state.unlocking.mayUnlockItself, state.isLacking)
                    }
                    isRefused = isLacking
                    if isRefused { throw protector.lack }
                    return try body(keys, mayUnlock, &damage)
                }
            })
    }

    /// Checks whether another process has given the store the configured protection meanwhile.
    private func requireProtectionByNow() throws(StoreError) {
        let (own, attempt) = try guarded { () throws(StoreError) in
            let own = try Self.protector(of: connection.read(StoreHeader.read), configured: protector)
            guard protector.isFulfilled(by: own) else { throw protector.lack }
            return state.withLock { state in
                state.isLacking = false
                state.own = own
                return (own, state.unlocking.attempt(isByCaller: false))
            }
        }
        if own.needsPassphrase { return }
        // Opening it needs no prompt.
        try turn.take(mayAsk: false)
        defer { turn.leave() }
        try unlock(attempt, passphrase: nil, mayAsk: false, file: nil)
    }

    // MARK: Lock

    package var isLocked: Bool {
        !currentKeys().isUnlocked
    }

    package func lock() throws(StoreError) {
        state.withLock { state in
            state.keys = state.keys.locked()
            state.unlocking.lock()
        }
    }

    package func unlock(passphrase: Secret?) throws(StoreError) {
        let attempt = readState(\.unlocking).attempt(isByCaller: true)
        try turn.take(mayAsk: true)
        defer { turn.leave() }
        try unlock(attempt, passphrase: passphrase, mayAsk: true, file: nil)
    }

    package var place: String { location.databasePath }

    package func withUnlockState<Result>(
        _ body: (inout UnlockState, _ needsPassphrase: Bool, _ isUnlocked: Bool) -> Result
    ) throws(StoreError) -> Result {
        state.withLock { state in
            let result = body(&state.unlocking, state.own.needsPassphrase, state.keys.isUnlocked)
            if state.unlocking.automaticFailure != nil { hasFailed.store(true, ordering: .releasing) }
            return result
        }
    }

    /// Reads all keys from the file. The caller has the turn.
    ///
    /// - Parameter file: The identity of the file with the passphrase, if there is one.
    package func unlock(
        _ attempt: UnlockState.Attempt, passphrase: Secret?, mayAsk: Bool, file: [UInt8]?
    ) throws(StoreError) {
        let header = try guarded { () throws(StoreError) in try connection.read(StoreHeader.read) }
        let device = try header.check(deviceKey())
        let own = try Self.protector(of: header, configured: protector)
        if !protector.isFulfilled(by: own) { throw protector.lack }
        var passphrase = passphrase, file = file
        if own.needsPassphrase && passphrase == nil {
            file = try? own.passphraseFile?.identity()
            passphrase = try own.passphrase(mayAsk: mayAsk)
        }
        if passphrase != nil && !own.needsPassphrase { throw Self.takesNoPassphrase }
        let (root, guardWrapping) = try header.unlocked(own, device: device, passphrase: passphrase)
        let isAdopted = try adopt(root, header, own, attempt)
        try prepareGuardKey(
            header, sealedRoot: header.keys[.root]?.sealed, root, wrapping(guardWrapping, own.method, device))
        if isAdopted, let file, own.needsPassphrase {
            cache.keep(header.witness(of: file), as: .passphraseFile, storeID: storeID, logger: logger)
        }
    }

    /// Adopts the keys that the root key opens, unless the caller locked the store meanwhile.
    ///
    /// - Parameter attempt: The attempt that needs them. Nil if the root key was needed for something else, which
    ///   opens nothing that the caller has locked.
    /// - Returns: False if the caller requested the unlock and locked the store during it. The result is as if the lock
    ///   came afterwards.
    /// - Throws: ``StoreError/Code/locked`` if the store was locked while it unlocked itself.
    @discardableResult
    private func adopt(
        _ root: Secret, _ header: StoreHeader, _ own: any RootKeyProtector, _ attempt: UnlockState.Attempt?
    ) throws(StoreError) -> Bool {
        let more = try header.otherKeys(root)
        let isLacking = !protector.isFulfilled(by: own)
        let keys = try state.withLock { (state) throws(StoreError) -> KeySet? in
            if let attempt, try !state.unlocking.succeed(attempt) { return nil }
            if isLacking {
                state.keys = state.keys.alwaysOnly()
            } else if !state.unlocking.isLockedByCaller {
                state.keys = try state.keys.adding(more)
            }
            state.own = own
            state.isLacking = isLacking
            state.unlocking.forgetFailure()
            return state.keys
        }
        guard let keys else { return false }
        if own.needsPassphrase, let content = keys.cacheContent {
            cache.keep(content, storeID: storeID, logger: logger)
        }
        return true
    }

    /// How to wrap a guard key; nil if there can be none.
    func wrapping(_ key: Secret?, _ method: RootKeyMethod, _ device: DeviceKeys) -> GuardKeyRow.Wrapping? {
        key.map { GuardKeyRow.Wrapping(method: method, key: $0, storeID: storeID, device: device) }
    }

    func deviceKey() throws(StoreError) -> DeviceKey {
        let folder = try PrivateFolder(location, makingIt: false, logger: logger)
        return try DeviceKey(file: folder.read(location.keyFilePath), path: location.keyFilePath)
    }

    // MARK: Passphrase

    package func setPassphrase(_ passphrase: Secret?, current: Secret? = nil) throws(StoreError) {
        try setPassphrase(passphrase, current: current, cost: .standard)
    }

    /// Sets, changes or removes the passphrase. The root key is wrapped again, and the guard key if there is one. With
    /// the first passphrase, guarded items are sealed to a guard key; without a passphrase they are opened again.
    /// ``lock()`` stays in effect.
    ///
    /// - Parameters:
    ///   - passphrase: The new passphrase. With nil, the key file alone protects the store, or the configured chip.
    ///   - current: The current passphrase, if there is one; nil to read it from the store's configured source.
    ///   - cost: The scrypt cost for the new passphrase.
    /// - Throws: ``StoreError/Code/authenticationFailed`` if `current` is wrong or `passphrase` is empty;
    ///   ``StoreError/Code/unsupported`` if there are items that require a passphrase, or a sandbox's portal protects
    ///   the store; ``StoreError/Code/corrupt`` if a guarded item does not open and would lose its key. Then nothing
    ///   has changed.
    package func setPassphrase(
        _ passphrase: Secret?, current: Secret? = nil, cost: ScryptCost
    ) throws(StoreError) {
        try turn.take(mayAsk: true)
        defer { turn.leave() }
        let header = try guarded { () throws(StoreError) in try connection.read(StoreHeader.read) }
        let device = try header.check(deviceKey())
        let own = try Self.protector(of: header, configured: protector)
        guard own.method != .portal else {
            throw StoreError(
                .unsupported, "the secret of the sandbox's portal protects this keychain: a passphrase would end that")
        }
        var known = current
        if own.needsPassphrase && known == nil { known = try own.passphrase(mayAsk: true) }
        let (root, oldWrapping) = try header.unlocked(own, device: device, passphrase: known)
        // A chip stays, also where this program was not told to use one.
        let configured = protector.withoutPassphrase, kept = own.withoutPassphrase
        let new: any RootKeyProtector =
            if passphrase != nil {
                PassphraseProtector(sources: [], cost: cost)
            } else {
                configured.isFulfilled(by: kept) ? kept : configured
            }
        let wrapped = try StoreHeader.wrappedRoot(
            root, storeID: storeID, device: device, protector: new, passphrase: passphrase)
        let newWrapping = wrapping(wrapped.guardWrapping, new.method, device)
        let keys = try header.alwaysKeys(device).adding(header.otherKeys(root))
        let change = GuardChange(storeID: storeID, keys: keys, old: oldWrapping, new: newWrapping)
        let current = try guarded { () throws(StoreError) in
            try replaceRoot(of: header, by: wrapped.row, isPassphrase: passphrase != nil, change)
        }
        try adopt(root, header, new, nil)
        try prepareGuardKey(current, sealedRoot: wrapped.row.sealed, root, newWrapping)
        if !new.needsPassphrase { cache.forget(storeID: storeID, logger: logger) }
    }

    /// - Returns: The present header.
    private func replaceRoot(
        of header: StoreHeader, by wrapped: WrappedKey, isPassphrase: Bool, _ change: GuardChange
    ) throws(StoreError) -> StoreHeader {
        let current = try connection.write { database in
            // Another process may have added the first guarded item meanwhile.
            let found = try header.readAgain(database)
            if !isPassphrase, try Self.hasItems(database, accessible: .whenPasscodeSetThisDeviceOnly) {
                throw Self.itemsRequirePassphrase
            }
            _ = try found.check(deviceKey())
            try wrapped.write(database)
            try change.run(database, found)
            return try StoreHeader.read(database)
        }
        // The log still contains the page with the old wrapping of the root key, and old secrets. The new passphrase is
        // already in force, so the call does not fail if the log cannot be emptied now.
        do throws(StoreError) {
            try connection.emptyLog()
        } catch {
            logger.warning(
                "The write-ahead log still holds the root key under the old passphrase",
                metadata: ["reason": "\(error.message)"])
        }
        return current
    }
}
