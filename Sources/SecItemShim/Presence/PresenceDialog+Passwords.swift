// SPDX-License-Identifier: Apache-2.0

import SecItemStore

extension PresenceDialog {
    /// Has a person asked for the password of an item, and waits for it.
    ///
    /// - Parameter isNew: Whether the item is to get it: then the person types it twice.
    /// - Throws: Why there is no answer; ``PresenceFailure/notRecognised`` for an empty one, and for two that differ.
    package static func applicationPassword(
        isNew: Bool, _ request: PresenceRequest, through authenticator: any PresenceAuthenticator
    ) throws(PresenceFailure) -> Secret {
        let password = try secret(
            isNew ? .newApplicationPassword : .applicationPassword, request, through: authenticator)
        guard password.count > 0 else {
            authenticator.tell("No password was typed.")
            throw .notRecognised
        }
        guard isNew, authenticator.repeatsNewPasswords else { return password }
        let repeated = try secret(.repeatedApplicationPassword, request, through: authenticator)
        guard password.hasSameBytes(as: repeated) else {
            authenticator.tell("The two passwords differ.")
            throw .notRecognised
        }
        return password
    }
}
