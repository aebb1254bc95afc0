import SecItemShim

/// What `SecItemShim` calls without importing this module: docs/architecture.md, decision 17.
@_silgen_name("secitem_choose_store")
package func chooseStore(
    _ choice: LinuxKeychain.Store, environment: [String: String], application: ClientApplication
) throws(KeychainError) -> ChosenStore {
    try StoreSelection(environment: environment, application: application).choose(choice)
}
