// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import SecItemStore
import Synchronization

/// The embedded store, which the first add makes: a look-up where there is none makes no folder, key or database.
///
/// Until then it has no items, and asks again each time whether another process has made it.
package final class LazySQLiteStore: GuardedStore {
    /// Finds out how a new store is protected, and calls `make` with that. `mayAsk` says whether a person may be asked.
    package typealias Making =
        @Sendable (
            _ mayAsk: Bool, _ make: (any RootKeyProtector) throws(StoreError) -> SQLiteStore
        ) throws(StoreError) -> SQLiteStore

    /// Has `open` open the store that is there, and sees to it that nobody is asked unless `mayAsk`.
    package typealias Opening =
        @Sendable (
            _ mayAsk: Bool, _ open: () throws(StoreError) -> SQLiteStore?
        ) throws(StoreError) -> SQLiteStore?

    package let location: StoreLocation
    /// How the root key of a store that is there is protected, as far as the program knows.
    private let protector: any RootKeyProtector
    private let making: Making?
    private let opening: Opening
    private let others: @Sendable () -> [StoreLocation]
    private let cache: FirstUnlockCache
    private let logger: Logger
    // Without a lock: a fork may come at any moment.
    private let opened = AtomicLazyReference<SQLiteStore>()
    private let isLockedByCaller = Atomic(false)
    /// Held by the one thread that opens or makes the store, which may have to ask a person.
    private let turn = Turn()

    /// Opens the store in that folder if there is one.
    ///
    /// - Parameters:
    ///   - location: The folder.
    ///   - protector: Where an existing store finds its passphrase, and how a new one is protected.
    ///   - making: How a new one is protected, where finding that out takes time; nil for `protector`.
    ///   - opening: Around the opening of one that is there, where that may have to ask somebody.
    ///   - mayAsk: Whether the store that is there by now may be opened even if that asks somebody.
    ///   - others: Where else a store of this user may be: when a new one is made beside such a one, a warning says so.
    ///   - cache: Where keys wait between the first unlock and the machine's restart.
    ///   - logger: Where refusals and damage are reported.
    /// - Throws: As ``SQLiteStore`` does.
    package init(
        location: StoreLocation, protector: any RootKeyProtector,
        making: Making? = nil, opening: @escaping Opening = { (_, open) throws(StoreError) in try open() },
        mayAsk: Bool = true, others: @autoclosure @escaping @Sendable () -> [StoreLocation] = [],
        cache: FirstUnlockCache = .automatic,
        logger: Logger = Logger(keychain: "secitem.store")
    ) throws(StoreError) {
        self.location = location
        self.protector = protector
        self.making = making
        self.opening = opening
        self.others = others
        self.cache = cache
        self.logger = logger
        _ = try found(mayAsk: mayAsk)
    }

    // MARK: The store behind it

    /// The store, if there is one by now.
    ///
    /// - Throws: ``StoreError/Code/locked`` when it cannot be opened without asking, and `mayAsk` is false.
    private func found(mayAsk: Bool) throws(StoreError) -> SQLiteStore? {
        if let store = opened.load() { return store }
        // Where there is none, nobody waits for whoever makes it. The folder is looked over when the store is opened.
        if access(location.databasePath, F_OK) != 0 {
            guard try OpenedStore.isThere(location, logger: logger) else { return nil }
        }
        try turn.take(mayAsk: mayAsk)
        defer { turn.leave() }
        return try foundInTurn(mayAsk)
    }

    private func foundInTurn(_ mayAsk: Bool) throws(StoreError) -> SQLiteStore? {
        // Another thread was first.
        if let store = opened.load() { return store }
        let store = try opening(mayAsk) { () throws(StoreError) in
            try SQLiteStore.existing(location: location, protector: protector, cache: cache, logger: logger)
        }
        guard let store else { return nil }
        return try keep(store)
    }

    /// The store, made if need be.
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

    /// Has everybody go on with that store. It is the caller's turn.
    private func keep(_ store: SQLiteStore) throws(StoreError) -> SQLiteStore {
        // Before others see it, and again: somebody may have locked it in between.
        if isLockedByCaller.load(ordering: .acquiring) { try store.lock() }
        let kept = opened.storeIfNil(store)
        if isLockedByCaller.load(ordering: .acquiring) { try kept.lock() }
        return kept
    }

    private func warnOfOthers() {
        for other in others() where other.folder != location.folder && FileIdentity(path: other.databasePath) != nil {
            logger.warning(
                "A new, empty keychain was created, although this user has another one: items in that one are not found here",
                metadata: ["path": "\(location.databasePath)", "other": "\(other.databasePath)"])
        }
    }

    /// The store that is there, opened if need be; nil when there is none. Makes nothing.
    package func existing(mayAsk: Bool = true) throws(StoreError) -> SQLiteStore? { try found(mayAsk: mayAsk) }

    // MARK: What it is

    /// Whether the store is there, as far as this process has seen.
    package var isMade: Bool { opened.load() != nil }

    package var summary: String {
        if let store = opened.load() { return store.summary }
        // What takes time to find out, its owner says.
        let protection = making == nil ? protector.name : KeyFileProtector().name
        return
            "an encrypted database at \(location.databasePath), which storing the first item creates, protected by \(protection)"
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
        try insert([record], interaction: interaction)
    }

    package func insert(_ records: [ItemRecord], interaction: Interaction) throws(StoreError) {
        try made(mayAsk: interaction == .allowed).insert(records, interaction: interaction)
    }

    package func records(
        matching filter: RecordFilter, parts: RecordParts, limit: Int?, interaction: Interaction
    ) throws(StoreError) -> [ItemRecord] {
        do throws(StoreError) {
            return try found(mayAsk: interaction == .allowed)?
                .records(matching: filter, parts: parts, limit: limit, interaction: interaction) ?? []
        } catch {
            // What is locked is to be left out, and here that is everything.
            if error.code == .locked && interaction == .skipped { return [] }
            throw error
        }
    }

    package func update(_ steps: [RecordUpdate], interaction: Interaction) throws(StoreError) -> Int {
        try found(mayAsk: interaction == .allowed)?.update(steps, interaction: interaction) ?? 0
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
        // First, for the store may be made in this moment.
        isLockedByCaller.store(true, ordering: .releasing)
        do throws(StoreError) {
            try found(mayAsk: false)?.lock()
        } catch {
            // What cannot be opened without asking is shut.
            if error.code != .locked { throw error }
        }
    }

    /// Where there is no store and no passphrase to be right or wrong, there is nothing to unlock.
    package func unlock(passphrase: Secret?) throws(StoreError) {
        let found = try found(mayAsk: true)
        if found == nil && passphrase != nil && !protector.needsPassphrase { throw SQLiteStore.takesNoPassphrase }
        isLockedByCaller.store(false, ordering: .releasing)
        if let found { return try found.unlock(passphrase: passphrase) }
        if passphrase != nil { try made(mayAsk: true).unlock(passphrase: passphrase) }
    }

    package func setPassphrase(_ passphrase: Secret?, current: Secret?) throws(StoreError) {
        try made(mayAsk: true).setPassphrase(passphrase, current: current)
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
