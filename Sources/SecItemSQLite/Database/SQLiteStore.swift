// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import SecItemSealing
import SecItemStore
import Synchronization

/// Items in an encrypted SQLite database: the store for machines without a desktop's Secret Service.
///
/// **Opening.** A store that exists is opened at once, or by the first call that may prompt for it. Otherwise the first add
/// creates it, or the first passphrase. Until then it has no items: a look-up creates no folder, key or database, and checks
/// whether another process has created the store.
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
    /// Decides the protection of a new store, and calls `make` with it. `mayAsk` says whether a prompt is allowed.
    package typealias Making =
        @Sendable (
            _ mayAsk: Bool, _ make: (any RootKeyProtector) throws(StoreError) -> Void
        ) throws(StoreError) -> Void

    /// Runs `open`, which opens an existing store, and prevents prompts unless `mayAsk` is true.
    package typealias Opening =
        @Sendable (_ mayAsk: Bool, _ open: () throws(StoreError) -> Void) throws(StoreError) -> Void

    /// What changes.
    struct State {
        /// The available keys; nil until the store is open.
        var keys: KeySet?
        /// The protection of the root key. While the store is not open, it is the one that the program asked for.
        var own: any RootKeyProtector
        /// Whether the store lacks the configured protection. Then its items are not used.
        var isLacking = false
        /// Who has locked it, and what became of the configured passphrase.
        var unlocking = UnlockState()

        /// Whether a passphrase would give more keys.
        var isOpenable: Bool { own.needsPassphrase && keys?.isUnlocked == false }
    }

    package let location: StoreLocation
    package let protector: any RootKeyProtector
    private let making: Making?
    private let opening: Opening
    private let protectionOfNew: String
    private let others: @Sendable () -> [StoreLocation]
    let record: PlaceRecording?
    /// Whether the record is known to be there.
    let isRecorded = Atomic(false)
    let cache: FirstUnlockCache
    package let logger: Logger
    /// The database of an open store, which stays open. It is set after the keys in the state.
    private let opened = AtomicLazyReference<StoreConnection>()
    let state: LockedValue<State>
    /// Held by the one thread that opens, creates or unlocks the store, and may have to wait for a person.
    package let turn = Turn()
    /// Whether a passphrase that was found without a prompt has ever failed. It is atomic, because each operation reads
    /// it.
    let hasFailed = Atomic(false)

    /// Opens the store in that folder if there is one. Otherwise the first add creates it.
    ///
    /// - Parameters:
    ///   - location: The folder.
    ///   - protector: The source of an existing store's passphrase, and the protection of a new store's root key.
    ///   - making: Decides the protection of a new store if that takes time; nil for `protector`.
    ///   - protectionOfNew: What the summary says of a new store's protection; nil for the name of `protector`.
    ///   - opening: Runs the opening of an existing store if that may prompt.
    ///   - mayAsk: Whether an existing store may be opened even if that prompts.
    ///   - others: Other places where this user may have a store. If a new store is created although one exists there,
    ///     a warning says so.
    ///   - record: Writes down that the application has items in the store.
    ///   - cache: Where keys are kept between the first unlock and a restart of the machine.
    ///   - logger: Receives refusals and damage. Never a secret or an attribute's value.
    /// - Throws: ``StoreError/Code/unavailable`` if the folder is refused or the file has a newer format;
    ///   ``StoreError/Code/corrupt`` if the files are damaged or do not belong together. Then nothing was changed.
    package init(
        madeWhenNeeded location: StoreLocation, protector: any RootKeyProtector,
        making: Making? = nil, opening: @escaping Opening = { (_, open) throws(StoreError) in try open() },
        protectionOfNew: String? = nil, mayAsk: Bool = true,
        others: @autoclosure @escaping @Sendable () -> [StoreLocation] = [],
        record: PlaceRecording? = nil, cache: FirstUnlockCache = .automatic,
        logger: Logger = Logger(keychain: "secitem.store")
    ) throws(StoreError) {
        self.location = location
        self.protector = protector
        self.making = making
        self.opening = opening
        self.protectionOfNew = protectionOfNew ?? protector.name
        self.others = others
        self.record = record
        self.cache = cache
        self.logger = logger
        state = LockedValue(State(own: protector))
        _ = try open(mayAsk: mayAsk)
    }

    /// Opens the store in that folder, or creates one there now.
    ///
    /// - Parameter mayAsk: Whether to prompt for the passphrase of a new store.
    package convenience init(
        location: StoreLocation, protector: any RootKeyProtector = KeyFileProtector(),
        cache: FirstUnlockCache = .automatic, mayAsk: Bool = true, logger: Logger = Logger(keychain: "secitem.store")
    ) throws(StoreError) {
        try self.init(
            madeWhenNeeded: location, protector: protector, mayAsk: mayAsk, cache: cache, logger: logger)
        try make(mayAsk: mayAsk)
    }

    // MARK: Opening

    /// Opens the store if it exists by now.
    ///
    /// - Returns: Whether it exists.
    /// - Throws: ``StoreError/Code/locked`` if it cannot be opened without a prompt, and `mayAsk` is false.
    package func open(mayAsk: Bool = true) throws(StoreError) -> Bool {
        if isOpen { return true }
        // While there is no store, a look-up asks nobody for the turn. The folder is checked when the store is opened.
        if access(location.databasePath, F_OK) != 0 {
            guard try OpenedStore.isThere(location, logger: logger) else { return false }
        }
        try turn.take(mayAsk: mayAsk)
        defer { turn.leave() }
        return try openInTurn(mayAsk)
    }

    private func openInTurn(_ mayAsk: Bool) throws(StoreError) -> Bool {
        // Another thread may have been faster.
        if isOpen { return true }
        try opening(mayAsk) { () throws(StoreError) in
            if let files = try OpenedStore.existing(location, logger: logger) { try use(files) }
        }
        return isOpen
    }

    /// Opens the store, and creates it if necessary.
    func make(mayAsk: Bool) throws(StoreError) {
        if isOpen { return }
        try turn.take(mayAsk: mayAsk)
        defer { turn.leave() }
        if try openInTurn(mayAsk) { return }
        let make = { [self] (protector: any RootKeyProtector) throws(StoreError) in
            try use(OpenedStore(location, protector: protector, mayAsk: mayAsk, logger: logger))
        }
        if let making { try making(mayAsk, make) } else { try make(protector) }
        warnOfOthers()
    }

    /// Makes all later calls use those files. The caller has the turn.
    private func use(_ files: OpenedStore) throws(StoreError) {
        let header = files.header
        var keys = try KeySet(header.alwaysKeys(files.device))
        let own = try Self.protector(of: header, configured: protector)
        let isLacking = !protector.isFulfilled(by: own)
        if own.needsPassphrase {
            if let cached = Self.cachedKeys(header, passphraseFile: own.passphraseFile, cache, logger) {
                keys = try keys.adding(cached)
            }
        } else {
            // Done even if the key is not needed, because it shows now whether the store can be opened at all.
            let root = try header.unlocked(own, device: files.device, passphrase: nil).root
            let others = try header.otherKeys(root)
            if isLacking {
                logger.once(
                    .error, "The keychain lacks the configured protection, so its items are not used",
                    metadata: ["path": "\(location.databasePath)", "reason": "\(protector.lack.message)"])
            } else {
                keys = try keys.adding(others)
            }
        }
        state.withLock { state in
            state.keys = state.unlocking.isLockedByCaller ? keys.locked() : keys
            (state.own, state.isLacking) = (own, isLacking)
        }
        _ = opened.storeIfNil(files.connection)
    }

    private func warnOfOthers() {
        // Two of the places may be one.
        var known = Set([location.databasePath].compactMap(FileIdentity.init(path:)))
        for other in others().map(\.databasePath) {
            guard let identity = FileIdentity(path: other), known.insert(identity).inserted else { continue }
            logger.warning(
                "A new, empty keychain was created, although this user has another one: items in that one are not found here",
                metadata: ["path": "\(location.databasePath)", "other": "\(other)"])
        }
    }

    /// Whether the store is open, and so exists.
    package var isOpen: Bool { opened.load() != nil }

    /// The database.
    ///
    /// - Throws: ``StoreError/Code/unavailable`` if the store is not open.
    var connection: StoreConnection {
        get throws(StoreError) {
            guard let connection = opened.load() else { throw Self.isNotThere }
            return connection
        }
    }

    private static let isNotThere = StoreError(.unavailable, "there is no keychain yet")

    /// Which store it is.
    ///
    /// - Throws: As ``connection``.
    var storeID: [UInt8] { get throws(StoreError) { try connection.storeID } }

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

    // MARK: What it is

    package var summary: String {
        let place = "an encrypted database at \(location.databasePath)"
        guard isOpen else {
            return "\(place), which storing the first item creates, protected by \(protectionOfNew)"
        }
        let summary = "\(place), protected by \(readState(\.own).name)"
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

    func readState<Value>(_ path: KeyPath<State, Value>) -> Value {
        state.withLock { $0[keyPath: path] }
    }

    func currentKeys() throws(StoreError) -> KeySet {
        guard let keys = state.withLock({ $0.keys }) else { throw Self.isNotThere }
        return keys
    }

    /// Adds keys that another process has unlocked. The store has checked that they belong to it.
    func take(_ keys: KeyTable<Secret>) throws(StoreError) {
        try state.withLock { (state) throws(StoreError) in
            if !state.isLacking && !state.unlocking.isLockedByCaller { state.keys = try state.keys?.adding(keys) }
        }
    }

    /// Runs one operation with the available keys. If it needs more keys and they can be had, it runs again.
    ///
    /// - Parameters:
    ///   - body: Receives the keys, whether a locked item is an error even if it could be skipped (because unlocking
    ///     may still help), and a place to record damage.
    func perform<Result>(
        _ interaction: Interaction, _ body: (KeySet, Bool, inout DamageReport) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        if hasFailed.load(ordering: .acquiring) { forgetFailureOfAnotherFile() }
        var isRefused = false
        return try unlockingItself(
            interaction,
            needsMore: { (error) throws(StoreError) in
                if isRefused { try requireProtectionByNow() }
                return error.code == .locked || isRefused
            },
            { (isLast, damage) throws(StoreError) in
                if isLast { return try body(currentKeys(), false, &damage) }
                let (keys, mayUnlock, isLacking) = state.withLock { state in
                    (state.keys, state.isOpenable && state.unlocking.mayUnlockItself, state.isLacking)
                }
                isRefused = isLacking
                if isRefused { throw protector.lack }
                guard let keys else { throw Self.isNotThere }
                return try body(keys, mayUnlock, &damage)
            })
    }

    /// Checks whether another process has given the store the configured protection meanwhile.
    private func requireProtectionByNow() throws(StoreError) {
        let own = try Self.protector(of: connection.read(StoreHeader.read), configured: protector)
        guard protector.isFulfilled(by: own) else { throw protector.lack }
        let attempt = state.withLock { state in
            state.isLacking = false
            state.own = own
            return state.unlocking.attempt(isByCaller: false)
        }
        if own.needsPassphrase { return }
        // Opening it needs no prompt.
        try turn.take(mayAsk: false)
        defer { turn.leave() }
        try unlock(attempt, passphrase: nil, mayAsk: false, file: nil)
    }
}
