// SPDX-License-Identifier: Apache-2.0

import SecItemSQLite
import SecItemShim
import SecItemStore

#if Gnome || Desktop
    import SecItemGnome
#endif

#if PostgreSQL
    import SecItemPostgreSQL
#endif

/// Creates the process-wide objects that choosing a store uses. See `FirstUse`.
@_silgen_name("secitem_prepare_stores")
package func prepareStores() {
    _ = OwnProgram.current
    AskedOnce.prepare()
    StateFile.prepare()
    StoreSelection.prepare()
    SQLiteStore.prepare()
    #if PostgreSQL
        PostgreSQLStore.prepare()
    #endif
    #if Gnome || Desktop
        SecretServiceMark.prepare()
        LibsecretStore.prepare()
    #endif
    openNoStore()
}

/// Opens the embedded store where there is none, which creates nothing on disk. It creates process-wide objects of
/// Foundation and of Swift's runtime.
private func openNoStore() {
    // Separate folders, so that the user database is not needed.
    let environment = [
        "SECITEM_DIRECTORY": "/nonexistent/secitem", "XDG_DATA_HOME": "/nonexistent",
        "XDG_STATE_HOME": "/nonexistent", "HOME": "/nonexistent",
    ]
    let application = ClientApplication(identifier: "rehearsal")
    _ =
        EmbeddedStore(environment: environment, application: application, owner: application, sandbox: nil)
        .otherLocations
    let selection = StoreSelection(environment: environment, application: application, sandbox: nil)
    let chosen = try? selection.choose(.automatic, .forbidden)
    let filter = RecordFilter(itemClass: .genericPassword, accessGroups: ["rehearsal"])
    _ = try? chosen?.store.records(matching: filter, parts: .attributes, limit: 1, interaction: .forbidden)
}

/// `SecItemShim` calls this without importing this module: docs/architecture.md, decision 17.
@_silgen_name("secitem_choose_store")
package func chooseStore(
    _ choice: LinuxKeychain.Store, environment: [String: String], application: ClientApplication,
    owner: ClientApplication, interaction: Interaction
) throws(KeychainError) -> ChosenStore {
    do throws(StoreError) { try SecureExecution.requireReadable(environment) } catch { throw KeychainError(error) }
    var selection = StoreSelection(environment: environment, application: application)
    selection.owner = owner
    selection.isTestRun = OwnProgram.current.isTestRunner
    return try selection.choose(choice, interaction)
}
