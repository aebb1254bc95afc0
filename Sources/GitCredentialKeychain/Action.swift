// SPDX-License-Identifier: Apache-2.0

/// The operations that git can request. The manual and the completions are made from this list.
enum Action: String, CaseIterable {
    case get
    case store
    case erase
    case capability

    /// The description of the operation in the manual.
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
