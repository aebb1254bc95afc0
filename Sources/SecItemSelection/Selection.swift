// SPDX-License-Identifier: Apache-2.0

import SecItemShim
import SecItemStore

#if Polkit || Desktop
    import SecItemSystemBus
#endif

/// `SecItemShim` calls this without importing this module: docs/decisions.md, 17.
@_silgen_name("secitem_platform")
package func platform() -> any Platform { Selection() }

/// The stores and the services of the machine, as far as the package was built with them.
private struct Selection: Platform {
    func chooseStore(
        _ choice: LinuxKeychain.Store, environment: [String: String], application: ClientApplication,
        owner: ClientApplication, interaction: Interaction
    ) throws(KeychainError) -> ChosenStore {
        try forClient { () throws(StoreError) in try SecureExecution.requireReadable(environment) }
        var selection = StoreSelection(environment: environment, application: application)
        selection.owner = owner
        selection.isTestRun = OwnProgram.current.isTestRunner
        return try selection.choose(choice, interaction)
    }

    func findChip() throws(KeychainError) -> (any SecurityChip)? {
        try forClient { () throws(StoreError) in try MachineChip.find(environment: SecureExecution.environment) }
    }

    func findDesktopAuthenticator() -> (any PresenceAuthenticator)? {
        #if Polkit || Desktop
            return PolkitAuthenticator()
        #else
            return nil
        #endif
    }

    func makeSessionWatch(_ lock: @escaping @Sendable () -> Void) throws(KeychainError) -> any SessionWatch {
        #if Polkit || Desktop
            return try forClient { () throws(StoreError) in try SessionWatcher(lock: lock) }
        #else
            throw .notAvailable("the package was built without its trait Polkit")
        #endif
    }
}
