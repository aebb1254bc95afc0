// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemSealing
import SecItemStore
import Synchronization

/// The application password of the items of one call, which seals and opens their secrets.
///
/// It comes from the context, or else the user types it on the terminal, once for the call. Who types a wrong one is told,
/// and may type another as often as the authenticator allows it.
final class ItemPassword: Sendable {
    private struct State {
        /// The password that the user typed because no context had one.
        var typed: Secret?
        /// The last derived key. An item that is read and written again then needs only one run of scrypt.
        var seal: PasswordSeal?
        /// Whether the password has opened an item of this call. It is then wrong for another item, and no slip.
        var hasOpened = false
        var wrongCount = 0
        /// Whether the user may type another password, because the last one was wrong.
        var asksAgain = false
    }

    private let asking: Asking
    private let engine: KeychainEngine
    /// Whether the password is for items to seal, not to open. The user then types it twice.
    private let isNew: Bool
    // Belongs to one call.
    private let state = Mutex(State())

    init(_ asking: Asking, _ engine: KeychainEngine, isNew: Bool) {
        self.asking = asking
        self.engine = engine
        self.isNew = isNew
    }

    /// Made only for an item that has a password, because it reads the environment.
    private var authenticator: any PresenceAuthenticator { engine.authenticator }

    /// Whether the password is available without a prompt.
    var isAtHand: Bool { given != nil }

    private var given: Secret? {
        state.withLock { $0.typed }
            ?? (isNew ? asking.context?.newApplicationPassword : asking.context?.applicationPassword)
    }

    /// Prompts for the password, unless it is available. Of threads that share a context, one prompts.
    ///
    /// - Throws: `errSecInteractionNotAllowed` if a prompt is needed and not allowed or not possible,
    ///   `errSecUserCanceled` if the user dismisses it, `errSecAuthFailed` if there is no answer.
    func ask() throws(KeychainError) {
        if isAtHand { return }
        guard asking.interaction == .allowed else {
            throw KeychainError(mayNotAskFor: [.applicationPassword])
        }
        let context = asking.context
        let request = PresenceRequest([], reason: asking.reason) { context?.isInvalidated ?? false }
        let typed: Secret?
        do throws(PresenceFailure) {
            typed = try PresenceDialog.applicationPassword(isNew: isNew, request, for: context, through: authenticator)
        } catch {
            throw KeychainError(error, for: .applicationPassword)
        }
        state.withLock { $0.typed = typed }
    }

    /// Whether the user may type another password, because the last one was wrong. True once after each wrong one.
    func asksAgain() -> Bool {
        state.withLock { state in
            defer { state.asksAgain = false }
            return state.asksAgain
        }
    }

    /// Forgets a password that has opened nothing yet, if the user typed it. One that the application has set stays.
    private func takeBack(_ wrong: Secret) {
        let (hasOpened, typed) = state.withLock { ($0.hasOpened, $0.typed) }
        guard !hasOpened, !isNew, typed != nil || asking.context != nil else { return }
        if let context = asking.context, !context.takeBack(applicationPassword: wrong) { return }
        let mostTries = asking.interaction == .allowed ? authenticator.greatestTries : 0
        let asksAgain = state.withLock { state in
            (state.typed, state.seal) = (nil, nil)
            state.wrongCount += 1
            state.asksAgain = state.wrongCount < mostTries
            return state.asksAgain
        }
        // The thread that typed it tells, also for others that have the same context.
        if typed != nil { authenticator.tell("That password is wrong." + (asksAgain ? " Try again." : "")) }
    }

    /// The record to store, with sealed secrets if its constraints demand a password.
    ///
    /// - Throws: The errors of ``ask()``; `errSecParam` if the password is empty.
    func sealed(_ record: ItemRecord) throws(KeychainError) -> ItemRecord {
        guard let derivation = try record.demandedConstraints()?.password else { return record }
        let sealed = try perform(derivation) { (seal) throws(StoreError) in try seal.sealing(record) }
        // The limits apply to the sealed form, which is larger.
        try forClient { () throws(StoreError) in try sealed.requireSize() }
        return sealed
    }

    /// The record with opened secrets, if its constraints demand a password.
    ///
    /// - Throws: The errors of ``ask()``; `errSecAuthFailed` if the password is wrong, `errSecParam` if it is empty,
    ///   `errSecDecode` if the secrets are damaged.
    func opened(_ record: ItemRecord) throws(KeychainError) -> ItemRecord {
        guard !record.secrets.isEmpty, let derivation = try record.demandedConstraints()?.password else {
            return record
        }
        let opened = try perform(derivation) { (seal) throws(StoreError) in try seal.opening(record) }
        state.withLock { $0.hasOpened = true }
        return opened
    }

    private func perform(
        _ derivation: AccessConstraints.PasswordDerivation, _ body: (PasswordSeal) throws(StoreError) -> ItemRecord
    ) throws(KeychainError) -> ItemRecord {
        let password = try password()
        guard password.count > 0 else { throw .param("the application password is empty") }
        let context = asking.context
        let result: ItemRecord
        do throws(StoreError) {
            let seal: PasswordSeal
            if let last = state.withLock({ $0.seal }), last.derivation == derivation {
                seal = last
            } else {
                seal = try PasswordSeal(password, derivation)
                state.withLock { $0.seal = seal }
            }
            result = try body(seal)
        } catch {
            if context?.isInvalidated == true { throw Self.contextHasEnded }
            if error.code == .authenticationFailed { takeBack(password) }
            throw KeychainError(error)
        }
        // The user is not asked twice, and it may seal further items. The context may have ended while the key was made.
        if context?.keep(applicationPassword: password) == false { throw Self.contextHasEnded }
        return result
    }

    /// The password. Prompts for it, unless it is available.
    private func password() throws(KeychainError) -> Secret {
        while true {
            try ask()
            if let given { return given }
            // Another thread has taken it back, because it was wrong for its item.
            if asking.context?.isInvalidated != false { throw Self.contextHasEnded }
        }
    }

    private static var contextHasEnded: KeychainError {
        KeychainError(errSecAuthFailed, "the authentication context was invalidated meanwhile")
    }
}
