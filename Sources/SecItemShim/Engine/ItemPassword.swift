// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemSealing
import SecItemStore

/// The application password of the items of one call: where it comes from, and what it seals and opens.
///
/// The context has it, or the person is asked for it on the terminal, once for the call.
final class ItemPassword: Sendable {
    private struct State {
        /// What the person has typed, and no context had.
        var typed: Secret?
        /// The last key: an item that is read and written again takes one run of scrypt.
        var seal: PasswordSeal?
    }

    private let asking: Asking
    private let authenticator: any PresenceAuthenticator
    /// Whether items are to be sealed under it, and not opened: a person then types it twice.
    private let isNew: Bool
    private let state = ForkableState(State())

    init(_ asking: Asking, _ authenticator: any PresenceAuthenticator, isNew: Bool) {
        self.asking = asking
        self.authenticator = authenticator
        self.isNew = isNew
    }

    /// Whether nobody has to be asked for it.
    var isAtHand: Bool { given != nil }

    private var given: Secret? { state.withLock { $0.typed } ?? asking.context?.applicationPassword }

    /// Has the person asked for it, unless it is at hand.
    ///
    /// - Throws: `errSecInteractionNotAllowed` where somebody would have to be asked and nobody may or can be,
    ///   `errSecUserCanceled` when the person dismisses the question, `errSecAuthFailed` when there is no answer.
    func ask() throws(KeychainError) {
        if isAtHand { return }
        guard asking.interaction == .allowed else {
            throw KeychainError(
                errSecInteractionNotAllowed, "the item's password is needed, and this call does not allow prompts")
        }
        let context = asking.context
        let request = PresenceRequest([], reason: asking.reason) { context?.isInvalidated ?? false }
        let typed: Secret
        do throws(PresenceFailure) {
            typed = try PresenceDialog.applicationPassword(isNew: isNew, request, through: authenticator)
        } catch {
            throw KeychainError(error)
        }
        state.withLock { $0.typed = typed }
    }

    /// The record as it is stored: its secrets are sealed if its constraints demand a password.
    ///
    /// - Throws: What ``ask()`` throws; `errSecParam` when the password is empty.
    func sealed(_ record: ItemRecord) throws(KeychainError) -> ItemRecord {
        guard let derivation = try record.demandedConstraints()?.password else { return record }
        let sealed = try perform(derivation) { (seal) throws(StoreError) in try seal.sealing(record) }
        // As the store will find it.
        do throws(StoreError) {
            try sealed.requireSize()
        } catch {
            throw KeychainError(error)
        }
        try keep()
        return sealed
    }

    /// The record with its secrets, if its constraints demand a password.
    ///
    /// - Throws: What ``ask()`` throws; `errSecAuthFailed` when the password is wrong, `errSecParam` when it is empty,
    ///   `errSecDecode` when the secrets are damaged.
    func opened(_ record: ItemRecord) throws(KeychainError) -> ItemRecord {
        guard !record.secrets.isEmpty, let derivation = try record.demandedConstraints()?.password else {
            return record
        }
        let opened = try perform(derivation) { (seal) throws(StoreError) in try seal.opening(record) }
        try keep()
        return opened
    }

    private func perform(
        _ derivation: AccessConstraints.PasswordDerivation, _ body: (PasswordSeal) throws(StoreError) -> ItemRecord
    ) throws(KeychainError) -> ItemRecord {
        try ask()
        guard let password = given else { throw KeychainError(errSecAuthFailed, "the context has ended meanwhile") }
        guard password.count > 0 else { throw .param("the application password is empty") }
        do throws(StoreError) {
            let seal: PasswordSeal
            if let last = state.withLock({ $0.seal }), last.derivation == derivation {
                seal = last
            } else {
                seal = try PasswordSeal(password, derivation)
                state.withLock { $0.seal = seal }
            }
            return try body(seal)
        } catch {
            throw KeychainError(error)
        }
    }

    /// A context keeps a password that was typed, once it was right: its user is not asked twice.
    private func keep() throws(KeychainError) {
        guard let typed = state.withLock({ $0.typed }), let context = asking.context else { return }
        guard context.keep(applicationPassword: typed) else {
            throw KeychainError(errSecAuthFailed, "the authentication context was invalidated meanwhile")
        }
    }
}
