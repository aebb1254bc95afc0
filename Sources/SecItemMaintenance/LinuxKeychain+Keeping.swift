// SPDX-License-Identifier: Apache-2.0

public import Foundation
import SecItemSQLite
public import SecItemShim
import SecItemStore

extension LinuxKeychain {
    /// Replaces all keys of the store and encrypts each item again. Call it if others may have obtained the store's files
    /// or keys. Also change the secrets that they may have read.
    ///
    /// The passphrase, or other protection of the store, stays the same. A crash at any moment leaves either the
    /// complete old store or the complete new one. Other programs that have the store open get `errSecNotAvailable`
    /// until they restart.
    ///
    /// In a PostgreSQL database, programs of members (``members()``) go on by themselves, and machines that only have a copy
    /// of the device key's file are shut out. If the database has several keychains, call
    /// ``removeMembers(_:keychains:passphrase:)`` with their names instead.
    ///
    /// - Parameter passphrase: The passphrase, or nil to read it from the store's configured source.
    /// - Returns: How many items were encrypted again, of all applications.
    /// - Throws: ``LinuxKeychain/Failure`` with `errSecAuthFailed` if the passphrase is wrong, `errSecDecode` if an
    ///   item is damaged and would be lost, `errSecUnimplemented` if the store has no keys of its own, or
    ///   `errSecNotAvailable` if a PostgreSQL database has no keychain yet, or several. Then nothing has changed.
    @discardableResult
    public static func rekey(passphrase: Data? = nil) throws -> Int {
        let secret = passphrase.map { Secret($0) }
        return try failing { () throws(KeychainError) in
            let store = try chosenStore().store
            return try forClient { () throws(StoreError) in
                let count = try Rekey.run(store, passphrase: secret)
                reopen()
                return count
            }
        }
    }
}

/// Replaces the keys of a store.
package enum Rekey {
    /// - Returns: How many items were encrypted again; 0 if there is no embedded store yet.
    /// - Throws: ``StoreError/Code/unsupported`` if the store has no keys; otherwise as `SQLiteStore.rekey`, or as
    ///   `FleetStore.rekey`.
    package static func run(_ store: any KeychainStore, passphrase: Secret?) throws(StoreError) -> Int {
        if let fleet = Fleet.own(store) {
            return try fleet.rekey(keychains: [], removing: [], passphrase: passphrase, withoutDamaged: false).sealed
        }
        if let store = try store.embedded { return try store.rekey(passphrase: passphrase) }
        // One that is not there yet. Other stores can be surveyed too, and have keys that this does not replace.
        guard store.innermost is SQLiteStore else {
            throw StoreError(.unsupported, "this store has no keys that can be replaced")
        }
        return 0
    }
}
