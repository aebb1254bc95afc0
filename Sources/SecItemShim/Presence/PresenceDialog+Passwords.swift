// SPDX-License-Identifier: Apache-2.0

import SecItemStore

extension PresenceDialog {
    /// Prompts for the password of an item, and waits for it.
    ///
    /// All of it is one question, in which no other can come: a new password and its repetition, and further tries of a
    /// person who types no password, two that differ, or one that is too long. The authenticator says how many tries there
    /// are.
    ///
    /// - Parameters:
    ///   - isNew: Whether the password is for an item to seal. The person then types it twice.
    ///   - context: Gets the password, before anybody else is asked. Nobody is asked for a password that the context has by
    ///     the time the question is due: of threads that share a context, one asks.
    /// - Returns: The password that was typed, or nil if the context has one by now.
    /// - Throws: Why there is no answer; ``PresenceFailure/slip(_:)`` for what was wrong with the last one;
    ///   ``PresenceFailure/takenBack`` if the context has ended.
    package static func applicationPassword(
        isNew: Bool, _ request: PresenceRequest, for context: (any AuthenticationContext)?,
        through authenticator: any PresenceAuthenticator
    ) throws(PresenceFailure) -> Secret? {
        try alone(request) { () throws(PresenceFailure) in
            if context?.applicationPassword != nil { return nil }
            let typed = try password(isNew: isNew, request, triesThrough: authenticator)
            if let context, !context.propose(applicationPassword: typed) { throw .takenBack }
            return typed
        }
    }

    private static func password(
        isNew: Bool, _ request: PresenceRequest, triesThrough authenticator: any PresenceAuthenticator
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
        let password = try authenticator.secret(isNew ? .newApplicationPassword : .applicationPassword, for: request)
        guard password.count > 0 else { throw .slip(.nothing) }
        guard isNew, authenticator.repeatsNewPasswords else { return password }
        let repeated = try authenticator.secret(.repeatedApplicationPassword, for: request)
        guard password.hasSameBytes(as: repeated) else { throw .slip(.difference) }
        return password
    }
}
