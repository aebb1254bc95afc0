// SPDX-License-Identifier: Apache-2.0

import SecItemStore

extension PresenceDialog {
    /// Has a person asked for the password of an item, and waits for it.
    ///
    /// Who types none, or two that differ, is told, and asked again as often as the authenticator allows it.
    ///
    /// - Parameter isNew: Whether the item is to get it: then the person types it twice.
    /// - Throws: Why there is no answer; ``PresenceFailure/slip(_:)`` for what was wrong with the last one.
    package static func applicationPassword(
        isNew: Bool, _ request: PresenceRequest, through authenticator: any PresenceAuthenticator
    ) throws(PresenceFailure) -> Secret {
        var attempt = 1
        while true {
            do throws(PresenceFailure) {
                return try password(isNew: isNew, request, through: authenticator)
            } catch {
                guard case .slip(let slip) = error else { throw error }
                let isLast = attempt >= authenticator.greatestTries
                authenticator.tell(slip.rawValue + (isLast ? "" : " Try again."))
                if isLast { throw error }
            }
            attempt += 1
        }
    }

    private static func password(
        isNew: Bool, _ request: PresenceRequest, through authenticator: any PresenceAuthenticator
    ) throws(PresenceFailure) -> Secret {
        let password = try secret(
            isNew ? .newApplicationPassword : .applicationPassword, request, through: authenticator)
        guard password.count > 0 else { throw .slip(.nothing) }
        guard isNew, authenticator.repeatsNewPasswords else { return password }
        let repeated = try secret(.repeatedApplicationPassword, request, through: authenticator)
        guard password.hasSameBytes(as: repeated) else { throw .slip(.difference) }
        return password
    }
}
