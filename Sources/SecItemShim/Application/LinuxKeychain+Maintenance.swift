// SPDX-License-Identifier: Apache-2.0

import SecItemStore

/// What maintenance of a keychain and saved rights need, and clients do not.
extension LinuxKeychain {
    /// The current store. Opens it if it is not open yet.
    package static func chosenStore(_ interaction: Interaction = .allowed) throws(KeychainError) -> ChosenStore {
        try DefaultStore.shared.chosenStore(interaction)
    }

    /// Opens another store beside the current one.
    ///
    /// - Parameters:
    ///   - store: The store to open.
    ///   - environment: The variables of the environment that can be trusted.
    ///   - application: The application that will use the store; nil for the caller.
    ///   - interaction: Whether a person may be asked.
    package static func open(
        _ store: Store, environment: [String: String] = SecureExecution.environment,
        application: ClientApplication? = nil, interaction: Interaction = .allowed
    ) throws(KeychainError) -> ChosenStore {
        let application = application ?? client
        return try platform().chooseStore(
            store, environment: environment, application: application, owner: application, interaction: interaction)
    }

    /// The calling application.
    package static var client: ClientApplication { DefaultStore.shared.application }

    /// The access group of an item that a call adds without naming a group. Nil if the application may write to no
    /// group.
    package static var groupOfNewItems: String? { try? client.groupForNewItem(naming: nil) }

    /// The private half of a guarded key without its secret. Asks nobody.
    package static func closedKey(matching query: CFDictionary) throws(KeychainError) -> SecKey {
        try DefaultStore.shared.calls.closedKey(matching: query)
    }

    /// Makes the next call choose and open the store again.
    package static func reopen() {
        DefaultStore.shared.reopen()
    }
}
