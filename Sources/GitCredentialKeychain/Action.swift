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
            "Looks for the credential and writes what git does not know yet. Writes nothing when there is none."
        case .store:
            "Stores the credential, or replaces the one that is there. One that is to be used once (ephemeral) is not stored."
        case .erase:
            "Deletes every credential that matches what is given: with a password, only those that have it."
        case .capability:
            "Says which parts of git's protocol the helper knows beside the first ones."
        }
    }
}
