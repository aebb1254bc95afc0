import Foundation
import Logging
import SecItemStore
import Synchronization

/// The embedded store, which the first add makes: a look-up where there is none makes no folder, key or database.
///
/// Until then it has no items, and asks again each time whether another process has made it.
package final class LazySQLiteStore: PassphraseStore {
    /// Finds out how a new store is protected, and calls `make` with that. `mayAsk` says whether a person may be asked.
    package typealias Making =
        @Sendable (
            _ mayAsk: Bool, _ make: (any RootKeyProtector) throws(StoreError) -> SQLiteStore
        ) throws(StoreError) -> SQLiteStore

    package let location: StoreLocation
    /// How the root key of a store that is there is protected, as far as the program knows.
    private let protector: any RootKeyProtector
    private let making: Making?
    private let others: [StoreLocation]
    private let cache: FirstUnlockCache
    private let logger: Logger
    // Without a lock: a fork may come at any moment.
    private let opened = AtomicLazyReference<SQLiteStore>()
    private let isLockedByCaller = Atomic(false)
    /// Held by the one thread that makes the store, which may have to ask a person for a passphrase.
    private let turn = Turn()

    /// Opens the store in that folder if there is one.
    ///
    /// - Parameters:
    ///   - location: The folder.
    ///   - protector: Where an existing store finds its passphrase, and how a new one is protected.
    ///   - making: How a new one is protected, where finding that out takes time; nil for `protector`.
    ///   - others: Where else a store of this user may be: when a new one is made beside such a one, a warning says so.
    ///   - cache: Where keys wait between the first unlock and the machine's restart.
    ///   - logger: Where refusals and damage are reported.
    /// - Throws: As ``SQLiteStore`` does.
    package init(
        location: StoreLocation, protector: any RootKeyProtector,
        making: Making? = nil, others: [StoreLocation] = [], cache: FirstUnlockCache = .automatic,
        logger: Logger = Logger(keychain: "secitem.store")
    ) throws(StoreError) {
        self.location = location
        self.protector = protector
        self.making = making
        self.others = others
        self.cache = cache
        self.logger = logger
        _ = try found()
    }

    // MARK: The store behind it

    /// The store, if there is one by now.
    private func found() throws(StoreError) -> SQLiteStore? {
        if let store = opened.load() { return store }
        let store = try SQLiteStore.existing(location: location, protector: protector, cache: cache, logger: logger)
        guard let store else { return nil }
        return try keep(store)
    }

    /// The store, made if need be.
    private func made(mayAsk: Bool) throws(StoreError) -> SQLiteStore {
        if let store = try found() { return store }
        try turn.take(mayAsk: mayAsk)
        defer { turn.leave() }
        // Another thread was first.
        if let store = try found() { return store }
        let make = { [self] (protector: any RootKeyProtector) throws(StoreError) -> SQLiteStore in
            try SQLiteStore(location: location, protector: protector, cache: cache, mayAsk: mayAsk, logger: logger)
        }
        let store: SQLiteStore
        if let making { store = try making(mayAsk, make) } else { store = try make(protector) }
        warnOfOthers()
        return try keep(store)
    }

    /// Of several threads that open the store at once, all go on with the same one.
    private func keep(_ store: SQLiteStore) throws(StoreError) -> SQLiteStore {
        let kept = opened.storeIfNil(store)
        if kept === store && isLockedByCaller.load(ordering: .acquiring) { try kept.lock() }
        return kept
    }

    private func warnOfOthers() {
        for other in others where other.folder != location.folder && FileIdentity(path: other.databasePath) != nil {
            logger.warning(
                "A new, empty keychain was made, although there is another one of this user: items in that one are not found here",
                metadata: ["path": "\(location.databasePath)", "other": "\(other.databasePath)"])
        }
    }

    // MARK: What it is

    /// Whether the store is there, as far as this process has seen.
    package var isMade: Bool { opened.load() != nil }

    package var summary: String {
        if let store = opened.load() { return store.summary }
        let protection = protector.needsPassphrase ? "a passphrase" : "the key file beside it"
        return
            "an encrypted database at \(location.databasePath), which the first item makes, protected by \(protection)"
    }

    package var isPassphraseProtected: Bool {
        opened.load()?.isPassphraseProtected ?? protector.needsPassphrase
    }

    /// Whether the portal's secret protects the root key. How a new store is protected is not known before it is made.
    package var isPortalProtected: Bool {
        opened.load()?.isPortalProtected ?? false
    }

    // MARK: Items

    package func insert(_ record: ItemRecord, interaction: Interaction) throws(StoreError) {
        try made(mayAsk: interaction == .allowed).insert(record, interaction: interaction)
    }

    package func records(
        matching filter: RecordFilter, parts: RecordParts, limit: Int?, interaction: Interaction
    ) throws(StoreError) -> [ItemRecord] {
        try found()?.records(matching: filter, parts: parts, limit: limit, interaction: interaction) ?? []
    }

    package func update(_ steps: [RecordUpdate], interaction: Interaction) throws(StoreError) -> Int {
        try found()?.update(steps, interaction: interaction) ?? 0
    }

    package func delete(_ steps: [RecordDeletion], interaction: Interaction) throws(StoreError) -> Int {
        try found()?.delete(steps, interaction: interaction) ?? 0
    }

    // MARK: Lock

    package var isLocked: Bool {
        guard let store = try? found() else {
            return protector.needsPassphrase || isLockedByCaller.load(ordering: .acquiring)
        }
        return store.isLocked
    }

    package func lock() throws(StoreError) {
        // First, for the store may be made in this moment.
        isLockedByCaller.store(true, ordering: .releasing)
        try found()?.lock()
    }

    /// Where there is no store and no passphrase to be right or wrong, there is nothing to unlock.
    package func unlock(passphrase: Secret?) throws(StoreError) {
        isLockedByCaller.store(false, ordering: .releasing)
        if let store = try found() { return try store.unlock(passphrase: passphrase) }
        if protector.needsPassphrase && passphrase != nil {
            try made(mayAsk: true).unlock(passphrase: passphrase)
        }
    }

    package func setPassphrase(_ passphrase: Secret?, current: Secret?) throws(StoreError) {
        try made(mayAsk: true).setPassphrase(passphrase, current: current)
    }
}
