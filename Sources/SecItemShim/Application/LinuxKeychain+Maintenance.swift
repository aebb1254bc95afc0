// SPDX-License-Identifier: Apache-2.0

import SecItemStore

/// What keeping a keychain needs to know, and no client.
extension LinuxKeychain {
    /// The store that answers, opened if it is not open yet.
    package static func chosenStore(_ interaction: Interaction = .allowed) throws(KeychainError) -> ChosenStore {
        try DefaultStore.shared.chosenStore(interaction)
    }

    /// Opens a store beside the one that answers.
    ///
    /// - Parameters:
    ///   - store: Which one.
    ///   - environment: What of the environment is believed.
    ///   - application: Whose store it is; nil for the caller.
    ///   - interaction: Whether a person may be asked.
    package static func open(
        _ store: Store, environment: [String: String] = SecureExecution.environment,
        application: ClientApplication? = nil, interaction: Interaction = .allowed
    ) throws(KeychainError) -> ChosenStore {
        let application = application ?? client
        return try chooseStore(
            store, environment: environment, application: application, owner: application, interaction: interaction)
    }

    /// Who calls.
    package static var client: ClientApplication { DefaultStore.shared.application }

    /// The access group that an item gets when the call that adds it names none, nil when the application may write to none.
    package static var groupOfNewItems: String? { DefaultStore.shared.application.groupForNewItems }

    /// Has the next call choose and open the store anew.
    package static func reopen() {
        DefaultStore.shared.reopen()
    }
}
