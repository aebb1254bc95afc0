// SPDX-License-Identifier: Apache-2.0

import SecItemStore

/// The store that was chosen, and the reason.
package struct ChosenStore: Sendable {
    package var store: any KeychainStore
    /// The reason, in words that follow "chosen because".
    package var reason: String
    /// Identifies the place of the items: two stores with the same place have the same items. Nil for a store that
    /// shares its place with no other, and that does not record which applications have items in it.
    package var place: String?
    /// The value of ``place`` for the desktop's Secret Service.
    package static var placeOfSecretService: String { "secret-service" }
    /// Whether this store is the desktop's Secret Service.
    package var isSecretService: Bool { place == Self.placeOfSecretService }
    /// Whether another application might get another store.
    package var dependsOnApplication = false
    /// Where the store looks for its passphrase, in words that follow "its passphrase comes from".
    package var passphraseOrigin: String?
    /// Whether that source works without a person: a file, or a systemd credential.
    package var isPassphraseAtHand = false
    /// Removes the record that the application has items in this store, so that the next choice does not count it. Nil
    /// if there is no such record.
    ///
    /// Throws ``StoreError/Code/unavailable`` if it cannot remove the record, with a message that says what to do.
    package var forget: (@Sendable () throws(StoreError) -> Void)?

    package init(store: any KeychainStore, reason: String) {
        self.store = store
        self.reason = reason
    }
}
