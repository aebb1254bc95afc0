import SecItemShim
import SecItemStore

/// Makes what choosing a store uses that there is one of. See `FirstUse`.
@_silgen_name("secitem_prepare_stores")
package func prepareStores() {
    _ = OwnProgram.current
    AskedOnce.prepare()
    StateFile.prepare()
    StoreSelection.prepare()
    #if Gnome
        SecretServiceMark.prepare()
    #endif
}

/// What `SecItemShim` calls without importing this module: docs/architecture.md, decision 17.
@_silgen_name("secitem_choose_store")
package func chooseStore(
    _ choice: LinuxKeychain.Store, environment: [String: String], application: ClientApplication,
    owner: ClientApplication, interaction: Interaction
) throws(KeychainError) -> ChosenStore {
    var selection = StoreSelection(environment: environment, application: application)
    selection.owner = owner
    selection.isTestRun = OwnProgram.current.isTestRunner
    return try selection.choose(choice, interaction)
}
