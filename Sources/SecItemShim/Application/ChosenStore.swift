// SPDX-License-Identifier: Apache-2.0

import SecItemStore

/// The store that was chosen, and why.
package struct ChosenStore: Sendable {
    package let store: any KeychainStore
    /// Why this one, in words that follow "chosen because".
    package var reason: String
    /// Where it keeps its items: two stores of the same place have the same items. Nil for one that is like no other, and
    /// which remembers nothing of an application.
    package var place: String?
    /// What ``place`` is for the desktop's Secret Service.
    package static var placeOfSecretService: String { "secret-service" }
    /// Whether it is the desktop's Secret Service.
    package var isSecretService: Bool { place == Self.placeOfSecretService }
    /// Whether another application might get another store.
    package var dependsOnApplication = false
    /// Where its passphrase is looked for, in words that follow "its passphrase comes from".
    package var passphraseOrigin: String?
    /// Whether that place answers without a person: a file, or a credential of the system's.
    package var isPassphraseAtHand = false
    /// Takes back that the application has items here, where that is written down: the next choice does not count it.
    ///
    /// Throws ``StoreError/Code/unavailable`` when that cannot be, with what a person can do.
    package var forget: (@Sendable () throws(StoreError) -> Void)?

    package init(store: any KeychainStore, reason: String) {
        self.store = store
        self.reason = reason
    }
}

/// Makes what choosing a store uses that there is one of: in `SecItemSelection`, as ``chooseStore(_:environment:application:owner:interaction:)``.
@_silgen_name("secitem_prepare_stores")
func prepareStores()

/// Chooses the store that an application works with, and opens it.
///
/// Found by its name when the program is linked, in `SecItemSelection`: whoever imports this module would have to find
/// what that one imports (docs/architecture.md, decision 17).
///
/// - Parameters:
///   - application: Whose store it will be.
///   - owner: Whose items are looked for: the application itself, or another name of which it is about to adopt them.
/// - Throws: The status that every call answers while the store cannot be had; `errSecInteractionNotAllowed` when a person
///   would have to be asked and may not be.
@_silgen_name("secitem_choose_store")
func chooseStore(
    _ choice: LinuxKeychain.Store, environment: [String: String], application: ClientApplication,
    owner: ClientApplication, interaction: Interaction
) throws(KeychainError) -> ChosenStore
