import SecItemStore

/// The store that was chosen, and why.
package struct ChosenStore: Sendable {
    package let store: any KeychainStore
    /// Why this one, in words that follow "chosen because".
    package let reason: String

    package init(store: any KeychainStore, reason: String) {
        self.store = store
        self.reason = reason
    }
}

/// Chooses the store that an application works with, and opens it.
///
/// Found by its name when the program is linked, in `SecItemSelection`: whoever imports this module would have to find
/// what that one imports (docs/architecture.md, decision 17).
///
/// - Throws: The status that every call answers while the store cannot be had.
@_silgen_name("secitem_choose_store")
func chooseStore(
    _ choice: LinuxKeychain.Store, environment: [String: String], application: ClientApplication
) throws(KeychainError) -> ChosenStore
