// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

extension PresenceCheck {
    /// - Returns: False if the call skips prompts, and only seemed not to need one. The caller then reads the records again,
    ///   without those that need it.
    mutating func prove(
        _ steps: [PresenceRequest.Methods], needsGuardKey: Bool, needsPassword: Bool
    ) throws(KeychainError) -> Bool {
        // The store's passphrase belongs to the owner, so giving it proves as much as the user's password.
        let steps = needsGuardKey ? steps.filter { !$0.contains(.password) } : steps
        let lacksPassphrase = needsGuardKey && asking.context?.passphrase == nil
        guard asking.interaction == .allowed || steps.isEmpty && !lacksPassphrase && !needsPassword else {
            var missing = steps.map(WantedProof.presence)
            if lacksPassphrase { missing.append(.passphrase) }
            if needsPassword { missing.append(.applicationPassword) }
            throw KeychainError(mayNotAskFor: missing)
        }
        // No prompt appears before it is known that all can be shown.
        for step in steps {
            if let obstacle = step.isEmpty ? .noBiometry : authenticator.obstacle(to: step) {
                throw KeychainError(obstacle, for: .presence(step))
            }
        }
        if needsGuardKey {
            guard let key = try newGuardKey() else { return false }
            guardKey = key
        }
        if needsPassword { try password.ask() }
        for step in steps {
            do throws(PresenceFailure) {
                try PresenceDialog.ask(request(step), for: asking.context, through: authenticator)
            } catch {
                throw KeychainError(error, for: .presence(step))
            }
        }
        return true
    }

    /// Derives the key of sealed secrets from the passphrase of the context, or from one that the user types.
    ///
    /// The context keeps what was typed, so that the user is not asked twice. If the store's passphrase has changed since, the
    /// context forgets it, and the user is asked.
    ///
    /// - Returns: The key; nil if the user would have to be asked, and the call skips prompts.
    private func newGuardKey() throws(KeychainError) -> GuardKey? {
        guard let store = store.guardedStore else {
            throw .notAvailable("the store cannot open the secrets that it sealed")
        }
        func open(_ passphrase: Secret) -> Result<GuardKey, StoreError> {
            Result { () throws(StoreError) in try store.guardKey(passphrase: passphrase) }
        }
        while true {
            let known = asking.context?.passphrase
            let result: Result<GuardKey, StoreError>
            if let known {
                result = open(known)
            } else {
                guard let typed = try typedPassphrase(opening: open) else { continue }
                result = typed
            }
            switch result {
            case .success(let key):
                guard asking.context?.isInvalidated != true else {
                    throw KeychainError(errSecAuthFailed, "the authentication context was invalidated meanwhile")
                }
                return key
            case .failure(let error):
                // One that the application has set stays its own: it can take it back.
                guard error.code == .authenticationFailed, let known, let context = asking.context,
                    context.takeBack(passphrase: known)
                else { throw KeychainError(error) }
                switch asking.interaction {
                case .allowed: continue
                case .skipped: return nil
                case .forbidden: throw KeychainError(mayNotAskFor: [.passphrase])
                }
            }
        }
    }

    /// - Returns: What the last passphrase gave; nil if the context has one by now.
    private func typedPassphrase(
        opening open: (Secret) -> Result<GuardKey, StoreError>
    ) throws(KeychainError) -> Result<GuardKey, StoreError>? {
        do throws(PresenceFailure) {
            return try PresenceDialog.passphrase(
                request(.password), for: asking.context, through: authenticator, opening: open)
        } catch {
            throw KeychainError(error, for: .passphrase)
        }
    }

    private func request(_ methods: PresenceRequest.Methods) -> PresenceRequest {
        let context = asking.context
        return PresenceRequest(methods, reason: asking.reason) { context?.isInvalidated ?? false }
    }
}
