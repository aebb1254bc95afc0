import SecItemStore

/// The store that was chosen, and why.
package struct ChosenStore: Sendable {
    package let store: any KeychainStore
    /// Why this one, in words that follow "chosen because".
    package let reason: String
    /// Where it keeps its items: two stores of the same place have the same items. Nil for one that is like no other.
    package var place: String?
    /// Whether another application might get another store.
    package var dependsOnApplication = false
    /// Where its passphrase is looked for, in words that follow "its passphrase comes from".
    package var passphraseOrigin: String?
    /// Writes down that an application is about to have items here, where that has to be remembered.
    package var remember: (@Sendable (ClientApplication) throws(StoreError) -> (any Reminder)?)?

    package init(store: any KeychainStore, reason: String) {
        self.store = store
        self.reason = reason
    }
}

/// A note that an application is about to have items in a store, before it is known whether that works.
package protocol Reminder: Sendable {
    /// There are items now.
    func confirm()
    /// No item was stored.
    func withdraw()
}

/// Chooses the store that an application works with, and opens it.
///
/// Found by its name when the program is linked, in `SecItemSelection`: whoever imports this module would have to find
/// what that one imports (docs/architecture.md, decision 17).
///
/// - Throws: The status that every call answers while the store cannot be had; `errSecInteractionNotAllowed` when a person
///   would have to be asked and may not be.
@_silgen_name("secitem_choose_store")
func chooseStore(
    _ choice: LinuxKeychain.Store, environment: [String: String], application: ClientApplication,
    interaction: Interaction
) throws(KeychainError) -> ChosenStore
