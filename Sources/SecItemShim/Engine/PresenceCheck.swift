// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// Decides whether items may be used. This is the engine's third step, between finding items and using them.
///
/// Each call has one. It prompts for all missing proofs at once, for each only once, and holds no lock meanwhile. After
/// a prompt, the caller reads the records again, because others may have changed them.
struct PresenceCheck {
    let asking: Asking
    private let engine: KeychainEngine
    /// The items that a proof of this call opens, with the constraints that were fulfilled.
    private var admitted: [PersistentReference: AccessConstraints] = [:]
    /// Opens secrets that the store has sealed under its passphrase.
    var guardKey: GuardKey?
    /// Opens items that have a password.
    let password: ItemPassword
    /// Seals items that get a password.
    private let newPassword: ItemPassword

    init(_ asking: Asking, _ engine: KeychainEngine) {
        self.asking = asking
        self.engine = engine
        password = ItemPassword(asking, engine, isNew: false)
        newPassword = ItemPassword(asking, engine, isNew: true)
    }

    var store: any KeychainStore { engine.store }
    var authenticator: any PresenceAuthenticator { engine.authenticator }

    /// Whether everything that these records demand is proven. If not, it prompts; after a successful proof it returns
    /// false, and the caller reads the records again.
    ///
    /// - Parameters:
    ///   - records: Records with attributes, and with secrets if these will be used.
    ///   - isSealed: Whether the records are sealed again afterwards. One without secrets then needs a new password, and not
    ///     the one that it has, which opens nothing.
    /// - Throws: `errSecInteractionNotAllowed` if a prompt is needed and not allowed or not possible,
    ///   `errSecUserCanceled` if the user dismisses it, `errSecAuthFailed` if the proof fails or is impossible on this
    ///   machine, `errSecDecode` if constraints cannot be read.
    mutating func admits(_ records: [ItemRecord], toSeal isSealed: Bool = false) throws(KeychainError) -> Bool {
        var pending: [PersistentReference: AccessConstraints] = [:]
        var needsGuardKey = false, needsPassword = false
        for record in records {
            guard let constraints = try record.demandedConstraints() else { continue }
            _ = try steps(of: constraints)
            // Who types another password need not prove everything else again.
            let isOpened = !isSealed || !record.secrets.isEmpty || record.guardedSecrets != nil
            needsPassword = needsPassword || constraints.password != nil && isOpened && !password.isAtHand
            if record.guardedSecrets != nil, guardKey == nil {
                needsGuardKey = true
            } else if admitted[record.reference] == constraints || hasProven(constraints) {
                continue
            }
            pending[record.reference] = constraints
        }
        if pending.isEmpty, !needsPassword { return true }
        let isProven = try prove(
            missingSteps(of: pending.values), needsGuardKey: needsGuardKey, needsPassword: needsPassword)
        if isProven { admitted.merge(pending) { $1 } }
        return false
    }

    /// The proofs to give, one after another.
    ///
    /// An item that is bound to a set of fingers does not accept other fingers. An alternative condition still opens
    /// it.
    ///
    /// - Throws: `errSecAuthFailed` if the enrolled fingers have changed since the item was bound to them, and it has
    ///   no alternative condition. It can then not be opened.
    private func steps(of constraints: AccessConstraints) throws(KeychainError) -> [PresenceRequest.Methods] {
        let steps = constraints.flags.steps
        guard constraints.flags.contains(.biometryCurrentSet) else { return steps }
        if let bound = constraints.biometrySet, bound == authenticator.enrolledBiometrySet() {
            return steps
        }
        let others = steps.map { $0.subtracting(.biometry) }
        guard constraints.flags.contains(.or), !others.contains([]) else {
            throw KeychainError(errSecAuthFailed, "the set of enrolled fingers has changed")
        }
        return others
    }

    /// The record with opened secrets, if the store has sealed them under its passphrase, or if the item has a
    /// password.
    ///
    /// - Throws: `errSecAuthFailed` if the item's password is wrong, `errSecParam` if it is empty, `errSecDecode` if
    ///   the secrets are damaged.
    func opened(_ record: ItemRecord) throws(KeychainError) -> ItemRecord {
        try password.opened(unguarded(record))
    }

    /// Whether the person may type another password, because the one that was typed has just proved wrong. The caller
    /// then reads the records again.
    ///
    /// - Parameter error: What ``opened(_:)`` threw.
    func asksAgain(after error: KeychainError) -> Bool { error.status == errSecAuthFailed && password.asksAgain() }

    /// The record to store. It is sealed under the item's password, if there is one.
    ///
    /// - Parameter isNew: Whether the record gets other constraints than it had.
    /// - Throws: The errors of ``ItemPassword/sealed(_:)``.
    func sealed(_ record: ItemRecord, isNew: Bool) throws(KeychainError) -> ItemRecord {
        try (isNew ? newPassword : password).sealed(record)
    }

    private func unguarded(_ record: ItemRecord) throws(KeychainError) -> ItemRecord {
        guard let guarded = record.guardedSecrets, let guardKey, let store = store.guardedStore else { return record }
        var opened = record
        opened.secrets = try forClient { () throws(StoreError) in
            try store.secrets(in: guarded, of: record, with: guardKey)
        }
        opened.guardedSecrets = nil
        return opened
    }

    /// Whether the context has proved it before.
    func hasProven(_ constraints: AccessConstraints) -> Bool {
        guard let steps = try? steps(of: constraints) else { return false }
        return hasProven(steps)
    }

    /// Whether the secrets of such an item can be had without a prompt.
    func needsNobody(_ constraints: AccessConstraints) -> Bool {
        if constraints.password != nil, !password.isAtHand { return false }
        guard store.guardedStore != nil, store.isPassphraseProtected, constraints.takePassphrase else {
            return hasProven(constraints)
        }
        guard asking.context?.passphrase != nil, let steps = try? steps(of: constraints) else { return false }
        return hasProven(steps.filter { !$0.contains(.password) })
    }

    private func hasProven(_ steps: [PresenceRequest.Methods]) -> Bool {
        if steps.isEmpty { return true }
        guard let context = asking.context, !context.isInvalidated else { return false }
        return steps.allSatisfy { !$0.isEmpty && context.hasProven($0) }
    }

    /// The missing proofs, without those that another proof includes.
    private func missingSteps(
        of all: some Collection<AccessConstraints>
    ) throws(KeychainError) -> [PresenceRequest.Methods] {
        var missing: [PresenceRequest.Methods] = []
        for constraints in all {
            for step in try steps(of: constraints) where !missing.contains(step) {
                if !step.isEmpty, asking.context?.hasProven(step) == true { continue }
                missing.append(step)
            }
        }
        return missing.filter { step in !missing.contains { $0 != step && $0.isSubset(of: step) } }
            .sorted { $0.rawValue < $1.rawValue }
    }
}
