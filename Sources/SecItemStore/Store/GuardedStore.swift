// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A store that seals the secrets of guarded items under a key that only its passphrase opens. Each authentication
/// needs the passphrase again.
///
/// An item is guarded if the passphrase can fulfil its constraints. The keys of an unlocked store do not open its
/// secrets; a look-up gives them as ``ItemRecord/guardedSecrets``. While no passphrase protects the store, such items
/// have ordinary secrets, and only the engine enforces their constraints.
package protocol GuardedStore: PassphraseStore {
    /// The key of guarded secrets, for one authentication. It is wiped when its last user releases it.
    ///
    /// Deriving the key from the passphrase takes about a third of a second. This never prompts. A locked store stays
    /// locked.
    ///
    /// - Parameter passphrase: The store's passphrase.
    /// - Throws: ``StoreError/Code/authenticationFailed`` if it is wrong or empty; ``StoreError/Code/unavailable`` if
    ///   no passphrase protects the store.
    func guardKey(passphrase: Secret) throws(StoreError) -> GuardKey

    /// Opens the secrets of a record that came from this store.
    ///
    /// - Parameters:
    ///   - guarded: The record's ``ItemRecord/guardedSecrets``.
    ///   - record: The record, with its attributes.
    ///   - key: The result of ``guardKey(passphrase:)``.
    /// - Throws: ``StoreError/Code/corrupt`` if they do not open, because they are damaged or belong to another record;
    ///   ``StoreError/Code/locked`` in a child, if its parent made the key.
    func secrets(
        in guarded: GuardedSecrets, of record: ItemRecord, with key: GuardKey
    ) throws(StoreError) -> [ItemAttribute: Secret]
}

/// The sealed secrets that a store returns instead of the secrets of a guarded record. Each is sealed separately.
package struct GuardedSecrets: Sendable, Equatable {
    /// Each secret in sealed form, which only the store can read.
    package let sealed: [ItemAttribute: Data]

    package init(sealed: [ItemAttribute: Data]) {
        self.sealed = sealed
    }
}

/// The key of a store's guarded secrets, for one authentication. The store never keeps it, and a child of the process cannot
/// use it.
package final class GuardKey: Sendable {
    private let key: Secret?
    private let processID = getpid()

    /// - Parameter key: The key; nil if the store lacks it.
    package init(_ key: Secret?) {
        self.key = key
    }

    /// The key; nil if the store lacks it.
    ///
    /// - Throws: ``StoreError/Code/locked`` in a child of the process that made the key.
    package var secret: Secret? {
        get throws(StoreError) {
            guard processID == getpid() else {
                throw StoreError(.locked, "an authentication does not apply to a child of the process")
            }
            return key
        }
    }
}

extension KeychainStore {
    /// This store, or the one behind it, if it can seal secrets under its passphrase; otherwise nil. Items that other
    /// machines have too are never sealed in this way.
    package var guardedStore: (any GuardedStore)? {
        var store: any KeychainStore = self
        while true {
            if let guarded = store as? any GuardedStore { return guarded }
            if let front = store as? any ForwardingStore {
                store = front.base
            } else if let divided = store as? any DividedStore {
                store = divided.local
            } else {
                return nil
            }
        }
    }
}
