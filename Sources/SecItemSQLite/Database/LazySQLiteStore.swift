// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import SecItemSealing
import SecItemStore
import Synchronization

/// The embedded store, which the first add creates. A look-up without a store creates no folder, key or database.
///
/// Until then it has no items, and each call checks whether another process has created the store.
package final class LazySQLiteStore: GuardedStore {
    /// Decides the protection of a new store, and calls `make` with it. `mayAsk` says whether a prompt is allowed.
    package typealias Making =
        @Sendable (
            _ mayAsk: Bool, _ make: (any RootKeyProtector) throws(StoreError) -> SQLiteStore
        ) throws(StoreError) -> SQLiteStore

    /// Runs `open`, which opens the existing store, and prevents prompts unless `mayAsk` is true.
    package typealias Opening =
        @Sendable (
            _ mayAsk: Bool, _ open: () throws(StoreError) -> SQLiteStore?
        ) throws(StoreError) -> SQLiteStore?

    /// What the store is, for ``summary``. Nil for the usual words.
    package typealias Describing = @Sendable (_ store: LazySQLiteStore) -> String?

    package let location: StoreLocation
    /// The protection of an existing store's root key, as far as the program knows.
    private let protector: any RootKeyProtector
    private let making: Making?
    private let opening: Opening
    private let describing: Describing
    private let others: @Sendable () -> [StoreLocation]
    private let record: PlaceRecording?
    /// Whether the record is known to be there.
    private let isRecorded = Atomic(false)
    private let cache: FirstUnlockCache
    private let logger: Logger
    private let opened = AtomicLazyReference<SQLiteStore>()
    private let isLockedByCaller = Atomic(false)
    /// The turn to open or create the store, which may have to wait for a person.
    private let turn = Turn()

    /// Opens the store in that folder if there is one.
    ///
    /// - Parameters:
    ///   - location: The folder.
    ///   - protector: The source of an existing store's passphrase, and the protection of a new store.
    ///   - making: Decides the protection of a new store if that takes time; nil for `protector`.
    ///   - opening: Runs the opening of an existing store if that may prompt.
    ///   - describing: What the store is, in words.
    ///   - mayAsk: Whether an existing store may be opened even if that prompts.
    ///   - others: Other places where this user may have a store. If a new store is created although one exists there,
    ///     a warning says so.
    ///   - record: Writes down that the application has items in the store.
    ///   - cache: Where keys are kept between the first unlock and a restart of the machine.
    ///   - logger: Receives refusals and damage.
    /// - Throws: As ``SQLiteStore``.
    package init(
        location: StoreLocation, protector: any RootKeyProtector,
        making: Making? = nil, opening: @escaping Opening = { (_, open) throws(StoreError) in try open() },
        describing: @escaping Describing = { _ in nil },
        mayAsk: Bool = true, others: @autoclosure @escaping @Sendable () -> [StoreLocation] = [],
        record: PlaceRecording? = nil, cache: FirstUnlockCache = .automatic,
        logger: Logger = Logger(keychain: "secitem.store")
    ) throws(StoreError) {
        self.location = location
        self.protector = protector
        self.making = making
        self.opening = opening
        self.describing = describing
        self.others = others
        self.record = record
        self.cache = cache
        self.logger = logger
        _ = try found(mayAsk: mayAsk)
    }

    // MARK: The store behind it

    /// The store, if it exists by now.
    ///
    /// - Throws: ``StoreError/Code/locked`` if it cannot be opened without a prompt, and `mayAsk` is false.
    private func found(mayAsk: Bool) throws(StoreError) -> SQLiteStore? {
        if let store = opened.load() { return store }
        // If there is no store, nobody waits for a process that is creating one. The folder is checked when the store
        // is opened.
        if access(location.databasePath, F_OK) != 0 {
            guard try OpenedStore.isThere(location, logger: logger) else { return nil }
        }
        try turn.take(mayAsk: mayAsk)
        defer { turn.leave() }
        return try foundInTurn(mayAsk)
    }

    private func foundInTurn(_ mayAsk: Bool) throws(StoreError) -> SQLiteStore? {
        // Another thread was faster.
        if let store = opened.load() { return store }
        let store = try opening(mayAsk) { () throws(StoreError) in
            try SQLiteStore.existing(location: location, protector: protector, cache: cache, logger: logger)
        }
        guard let store else { return nil }
        return try keep(store)
    }

    /// The store, created if necessary.
    private func made(mayAsk: Bool) throws(StoreError) -> SQLiteStore {
        if let store = opened.load() { return store }
        try turn.take(mayAsk: mayAsk)
        defer { turn.leave() }
        if let store = try foundInTurn(mayAsk) { return store }
        let make = { [self] (protector: any RootKeyProtector) throws(StoreError) -> SQLiteStore in
            try SQLiteStore(location: location, protector: protector, cache: cache, mayAsk: mayAsk, logger: logger)
        }
        let store: SQLiteStore
        if let making { store = try making(mayAsk, make) } else { store = try make(protector) }
        warnOfOthers()
        return try keep(store)
    }

    /// Makes all later calls use that store. The caller has the turn.
    private func keep(_ store: SQLiteStore) throws(StoreError) -> SQLiteStore {
        // Checked before others see the store, and again afterwards, because somebody may lock it in between.
        if isLockedByCaller.load(ordering: .acquiring) { try store.lock() }
        let kept = opened.storeIfNil(store)
        if isLockedByCaller.load(ordering: .acquiring) { try kept.lock() }
        return kept
    }

    private func warnOfOthers() {
        for other in Self.databases(in: others(), besides: location.databasePath) {
            logger.warning(
                "A new, empty keychain was created, although this user has another one: items in that one are not found here",
                metadata: ["path": "\(location.databasePath)", "other": "\(other)"])
        }
    }

    /// The databases that exist in those places, besides one. Two of the places may be one.
    private static func databases(in places: [StoreLocation], besides own: String) -> [String] {
        var known = Set([own].compactMap(FileIdentity.init(path:)))
        return places.map(\.databasePath).filter { path in
            FileIdentity(path: path).map { known.insert($0).inserted } ?? false
        }
    }

    /// The existing store, opened if necessary; nil if there is none. Creates nothing.
    package func existing(mayAsk: Bool = true) throws(StoreError) -> SQLiteStore? { try found(mayAsk: mayAsk) }

    // MARK: What it is

    /// Whether the store exists, as far as this process knows.
    package var isMade: Bool { opened.load() != nil }

    package var summary: String { describing(self) ?? plainSummary }

    /// The summary in the usual words.
    package var plainSummary: String {
        if let store = opened.load() { return store.summary }
        // If deciding takes time, the owner of the store reports it.
        let protection = making == nil ? protector.name : KeyFileProtector().name
        return
            "an encrypted database at \(location.databasePath), which storing the first item creates, protected by \(protection)"
    }

    package var isPassphraseProtected: Bool {
        opened.load()?.isPassphraseProtected ?? protector.needsPassphrase
    }

    /// Whether the portal's secret protects the root key. For a new store, that is not known before it is created.
    package var isPortalProtected: Bool {
        opened.load()?.isPortalProtected ?? false
    }

    // MARK: Items

    package func insert(_ record: ItemRecord, interaction: Interaction) throws(StoreError) {
        try insert([record], interaction: interaction)
    }

    package func insert(_ records: [ItemRecord], interaction: Interaction) throws(StoreError) {
        try recording { () throws(StoreError) in
            try AskedOnce.during { () throws(StoreError) in
                try made(mayAsk: interaction == .allowed).insert(records, interaction: interaction)
            }
        }
    }

    /// Runs `body`, which stores or moves items, with the record of that before it. If that fails, nothing is there, and no
    /// record either.
    private func recording<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        guard let record, !isRecorded.load(ordering: .relaxed) else { return try body() }
        let takeBack = try record()
        do throws(StoreError) {
            let result = try body()
            isRecorded.store(true, ordering: .relaxed)
            return result
        } catch {
            // A duplicate is an item that is there, stored by another process.
            if error.code != .duplicate { takeBack?() }
            // Another thread may have stored an item meanwhile. Its next one is recorded again.
            isRecorded.store(false, ordering: .relaxed)
            throw error
        }
    }

    package func records(
        matching filter: RecordFilter, parts: RecordParts, limit: Int?, interaction: Interaction
    ) throws(StoreError) -> [ItemRecord] {
        do throws(StoreError) {
            return try found(mayAsk: interaction == .allowed)?
                .records(matching: filter, parts: parts, limit: limit, interaction: interaction) ?? []
        } catch {
            // Locked items should be left out, and everything here is locked.
            if error.code == .locked && interaction == .skipped { return [] }
            throw error
        }
    }

    package func update(_ steps: [RecordUpdate], interaction: Interaction) throws(StoreError) -> Int {
        guard let store = try found(mayAsk: interaction == .allowed) else { return 0 }
        guard steps.contains(where: \.bringsItems) else { return try store.update(steps, interaction: interaction) }
        return try recording { () throws(StoreError) in try store.update(steps, interaction: interaction) }
    }

    package func delete(_ steps: [RecordDeletion], interaction: Interaction) throws(StoreError) -> Int {
        try found(mayAsk: interaction == .allowed)?.delete(steps, interaction: interaction) ?? 0
    }

    // MARK: Lock

    package var isLocked: Bool {
        do throws(StoreError) {
            if let store = try found(mayAsk: false) { return store.isLocked }
        } catch {
            if error.code == .locked { return true }
        }
        return protector.needsPassphrase || isLockedByCaller.load(ordering: .acquiring)
    }

    package func lock() throws(StoreError) {
        // This comes first, because the store may be created at this moment.
        isLockedByCaller.store(true, ordering: .releasing)
        do throws(StoreError) {
            try found(mayAsk: false)?.lock()
        } catch {
            // A store that cannot be opened without a prompt is locked.
            if error.code != .locked { throw error }
        }
    }

    /// If there is neither a store nor a passphrase to check, there is nothing to unlock.
    package func unlock(passphrase: Secret?) throws(StoreError) {
        let found = try found(mayAsk: true)
        if found == nil && passphrase != nil && !protector.needsPassphrase { throw SQLiteStore.takesNoPassphrase }
        isLockedByCaller.store(false, ordering: .releasing)
        if let found { return try found.unlock(passphrase: passphrase) }
        if passphrase != nil { try made(mayAsk: true).unlock(passphrase: passphrase) }
    }

    package func setPassphrase(_ passphrase: Secret?, current: Secret?) throws(StoreError) {
        try AskedOnce.during { () throws(StoreError) in
            try made(mayAsk: true).setPassphrase(passphrase, current: current)
        }
    }

    // MARK: Guarded items

    package func guardKey(passphrase: Secret) throws(StoreError) -> GuardKey {
        guard let store = try found(mayAsk: false) else { throw SQLiteStore.takesNoPassphrase }
        return try store.guardKey(passphrase: passphrase)
    }

    package func secrets(
        in guarded: GuardedSecrets, of record: ItemRecord, with key: GuardKey
    ) throws(StoreError) -> [ItemAttribute: Secret] {
        guard let store = try found(mayAsk: false) else { throw StoreError(.unavailable, "the store was closed") }
        return try store.secrets(in: guarded, of: record, with: key)
    }
}
