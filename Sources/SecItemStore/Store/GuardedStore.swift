// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A store that seals the secrets of guarded items under a key which only its passphrase opens, each time anew.
///
/// An item is guarded when its constraints can be fulfilled with the passphrase. The keys that an unlocked store has at hand
/// do not open its secrets: a look-up gives them as ``ItemRecord/guardedSecrets``. While no passphrase protects the store,
/// such items have ordinary secrets, and their constraints are a rule that the engine keeps.
package protocol GuardedStore: PassphraseStore {
    /// The key of guarded secrets, for one authentication. It is wiped when the last user lets go of it.
    ///
    /// Works out a key from the passphrase, which takes about a third of a second. Asks nobody. A locked store stays locked.
    ///
    /// - Parameter passphrase: The store's passphrase.
    /// - Throws: ``StoreError/Code/authenticationFailed`` when it is wrong or empty, ``StoreError/Code/unavailable`` when no
    ///   passphrase protects the store.
    func guardKey(passphrase: Secret) throws(StoreError) -> GuardKey

    /// Opens the secrets of a record that this store has given.
    ///
    /// - Parameters:
    ///   - guarded: The record's ``ItemRecord/guardedSecrets``.
    ///   - record: The record, with its attributes.
    ///   - key: What ``guardKey(passphrase:)`` gave.
    /// - Throws: ``StoreError/Code/corrupt`` when they do not open: they are another record's, or damaged;
    ///   ``StoreError/Code/locked`` when the key was made before the process forked, and this is the child.
    func secrets(
        in guarded: GuardedSecrets, of record: ItemRecord, with key: GuardKey
    ) throws(StoreError) -> [ItemAttribute: Secret]
}

/// What a store gives in place of the secrets of a guarded record: sealed, each for itself.
package struct GuardedSecrets: Sendable, Equatable {
    /// Each secret as the store has sealed it, which only the store can read.
    package let sealed: [ItemAttribute: Data]

    package init(sealed: [ItemAttribute: Data]) {
        self.sealed = sealed
    }
}

/// The key of a store's guarded secrets, for one authentication: never kept by the store, and of no use in a forked child.
package final class GuardKey: Sendable {
    private let key: Secret?
    private let processID = getpid()

    /// - Parameter key: A copy is made of it, which a forked child finds wiped; nil where the store has sealed nothing yet, and
    ///   there is nothing to open.
    package init(copying key: Secret?) throws(StoreError) {
        self.key = try key.map { (key) throws(StoreError) in
            try key.withUnsafeBytes { (bytes) throws(StoreError) in try Secret.make(copying: bytes, afterFork: .wiped) }
        }
    }

    /// The key; nil where there is nothing to open.
    ///
    /// - Throws: ``StoreError/Code/locked`` in a child of the process that made it.
    package var secret: Secret? {
        get throws(StoreError) {
            guard processID == getpid() else {
                throw StoreError(.locked, "an authentication does not hold for a process that was forked after it")
            }
            return key
        }
    }
}

extension KeychainStore {
    /// The store, or the one behind it, that can seal secrets under its passphrase; nil where none can.
    package var guardedStore: (any GuardedStore)? {
        var store: any KeychainStore = self
        while true {
            if let guarded = store as? any GuardedStore { return guarded }
            guard let front = store as? any ForwardingStore else { return nil }
            store = front.base
        }
    }
}
