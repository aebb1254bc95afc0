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
            if (isNew ? context?.newApplicationPassword : context?.applicationPassword) != nil { return nil }
            let typed = try tries(through: authenticator) { (_) throws(PresenceFailure) in
                try password(isNew: isNew, request, through: authenticator)
            }
            if let context, !context.propose(applicationPassword: typed, isNew: isNew) { throw .takenBack }
            return typed
        }
    }

    /// Prompts for the passphrase of the store, and waits for it.
    ///
    /// All tries are one question, in which no other can come. The authenticator says how many there are.
    ///
    /// - Parameters:
    ///   - context: Gets the passphrase if it is right, before anybody else is asked. Nobody is asked for one that the context
    ///     has by the time the question is due: of threads that share a context, one asks.
    ///   - open: Tries a passphrase. It may fail with ``SecItemStore/StoreError/Code/authenticationFailed`` if it is wrong; any
    ///     other error ends the question.
    /// - Returns: What the last try gave; nil if the context has a passphrase by now.
    /// - Throws: Why there is no answer; ``PresenceFailure/slip(_:)`` for what was wrong with the last one;
    ///   ``PresenceFailure/takenBack`` if the context has ended.
    package static func passphrase<Opened>(
        _ request: PresenceRequest, for context: (any AuthenticationContext)?,
        through authenticator: any PresenceAuthenticator, opening open: (Secret) -> Result<Opened, StoreError>
    ) throws(PresenceFailure) -> Result<Opened, StoreError>? {
        try alone(request) { () throws(PresenceFailure) in
            if context?.passphrase != nil { return nil }
            let last: Result<Opened, StoreError> = try tries(through: authenticator) {
                (isLast) throws(PresenceFailure) -> Result<Opened, StoreError>? in
                let typed = try authenticator.secret(.passphrase, for: request)
                let result = open(typed)
                if case .failure(let error) = result, error.code == .authenticationFailed {
                    authenticator.tell("That passphrase is wrong." + (isLast ? "" : " Try again."))
                    return isLast ? result : nil
                }
                if case .success = result, let context, !context.keep(passphrase: typed) { throw .takenBack }
                return result
            }
            return last
        }
    }

    /// Calls `body` until it gives a value, or throws. A slip is told, and the person tries again.
    ///
    /// - Parameter body: Gets whether it is the last try, which must not give nil.
    private static func tries<Value>(
        through authenticator: any PresenceAuthenticator,
        _ body: (_ isLast: Bool) throws(PresenceFailure) -> Value?
    ) throws(PresenceFailure) -> Value {
        var attempt = 1
        while true {
            let isLast = attempt >= authenticator.greatestTries
            do throws(PresenceFailure) {
                if let value = try body(isLast) { return value }
            } catch {
                guard case .slip(let slip) = error else { throw error }
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
