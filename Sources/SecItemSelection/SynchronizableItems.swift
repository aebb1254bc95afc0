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
    let embedded: EmbeddedStore
    let database: SharedDatabase

    /// Both stores as one.
    ///
    /// - Parameters:
    ///   - others: The store of the other items.
    ///   - choice: How that store was chosen.
    ///   - shared: The store of synchronizable items; nil for the environment's database.
    /// - Throws: `errSecNotAvailable` if that is no database and no store of the application's own; otherwise as
    ///   ``SharedDatabase/open(_:keychain:keyFile:passphrase:allowsPlaintext:reason:)``.
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

    /// A name for the folder of the copy. The summary names the database, the server and the keychain, and has no password.
    private static func name(of store: any SharedStore) -> String {
        let summary = Data(store.summaryOfPlace.utf8)
        return SHA256.hash(data: summary).prefix(16).hexadecimal
    }
}
