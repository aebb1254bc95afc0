// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import Logging
import SecItemSQLite
import SecItemShim
import SecItemStore
import SecItemSynchronizing

/// Puts synchronizable items into a store that machines share, beside the store of all other items.
struct SynchronizableItems {
    /// Opens the copy of the shared items as it opens the embedded store.
    let embedded: EmbeddedStoreOpener
    let database: SharedStoreOpener

    /// Both stores as one.
    ///
    /// - Parameters:
    ///   - others: The store of the other items.
    ///   - choice: How that store was chosen.
    ///   - shared: The store of synchronizable items; nil for the environment's database.
    /// - Throws: `errSecNotAvailable` if that is no database and no store of the application's own, or if it is the store of
    ///   the other items; otherwise as ``SharedStoreOpener/open(_:keychain:keyFile:passphrase:allowsPlaintext:reason:)``.
    func inFront(
        of others: ChosenStore, _ choice: LinuxKeychain.Store, shared: LinuxKeychain.Store?
    ) throws(KeychainError) -> ChosenStore {
        let reason = others.reason
        switch shared {
        case nil: return try together(others, choice, database.open(reason: reason), .automatic)
        case .postgreSQL(let connection, let keychain, let keyFile, let passphrase, let allowsPlaintext):
            let opened = try database.open(
                connection, keychain: keychain, keyFile: keyFile, passphrase: passphrase,
                allowsPlaintext: allowsPlaintext, reason: reason)
            return try together(others, choice, opened, passphrase)
        case .custom(let store):
            try requireTwoPlaces(others.store, store)
            var chosen = others
            chosen.store = SynchronizingStore(local: others.store, shared: store)
            return chosen
        default: throw .notAvailable("synchronizable items can only be in PostgreSQL, or in a store of the application")
        }
    }

    private func together(
        _ others: ChosenStore, _ choice: LinuxKeychain.Store, _ shared: ChosenStore,
        _ sharedPassphrase: LinuxKeychain.Passphrase
    ) throws(KeychainError) -> ChosenStore {
        guard let store = shared.store as? any SharedStore else {
            throw .notAvailable("this store cannot hold synchronizable items")
        }
        try requireTwoPlaces(others.store, store)
        var directory: URL?, passphrase = LinuxKeychain.Passphrase.automatic
        if case .embedded(let named, let source) = choice { (directory, passphrase) = (named, source) }
        var chosen = others
        do throws(StoreError) {
            let copy = try embedded.openCopy(
                named: Self.name(of: store), below: directory, passphrase, elsewhere: sharedPassphrase)
            chosen.store = SynchronizingStore(
                local: others.store, shared: ReplicatedStore(store, copy: copy.store, folder: copy.folder))
        } catch {
            // The items themselves are elsewhere.
            Logger(keychain: "secitem.store").once(
                .warning,
                "The copy of the shared keychain on this machine cannot be opened: while the server is away, its items are "
                    + "not found. Delete the folder of the copy, and it is made again",
                metadata: ["reason": "\(error.message)"])
            chosen.store = SynchronizingStore(local: others.store, shared: store)
        }
        return chosen
    }

    /// Checks that the two are not one keychain: an item that moves from one place to the other is deleted from the first, and
    /// would be gone.
    ///
    /// - Throws: `errSecNotAvailable` if they are, or if that cannot be told, because both are in databases and one of them
    ///   cannot be reached.
    private func requireTwoPlaces(
        _ others: any KeychainStore, _ shared: any KeychainStore
    ) throws(KeychainError) {
        let isOne: Bool
        if let shared = shared as? any DiagnosableStore {
            isOne = try forClient { () throws(StoreError) in try shared.isSamePlace(as: others) }
        } else {
            isOne = shared as AnyObject === others as AnyObject
        }
        guard isOne else { return }
        throw .notAvailable(
            "synchronizable items and all others would be in one place, \(shared.summary): keep all items there without naming "
                + "it for synchronizable items (SECITEM_STORE=postgresql, .postgreSQL), or choose another store or keychain "
                + "for the others (SECITEM_STORE=embedded)")
    }

    /// A name for the folder of the copy. The summary names the database, the server and the keychain, and has no password.
    private static func name(of store: any SharedStore) -> String {
        let summary = Data(store.summaryOfPlace.utf8)
        return SHA256.hash(data: summary).prefix(16).hexadecimal
    }
}
