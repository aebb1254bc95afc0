// SPDX-License-Identifier: Apache-2.0

/// What git can ask of a helper. Manual and completions are made of it.
enum Action: String, CaseIterable {
    case get
    case store
    case erase
    case capability

    /// What it does, for the manual.
    var meaning: String {
        switch self {
        case .get:
            "Finds the credential and writes what git does not know yet. Writes nothing if there is none."
        case .store:
            "Stores the credential, or replaces an existing one. Does not store an ephemeral credential."
        case .erase:
            "Deletes every credential that matches the request. If it has a password, only those with that password."
        case .capability:
            "Lists the extensions of git's protocol that the helper supports."
        }
    }
}
