// SPDX-License-Identifier: Apache-2.0

import SecItemShim
import SecItemStore

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
