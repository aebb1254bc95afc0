// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// Decides whether items may be used. This is the engine's third step, between finding items and using them.
///
/// Each call has one. It prompts for all missing proofs at once, for each only once, and holds no lock meanwhile. After
/// a prompt, the caller reads the records again, because others may have changed them.
struct PresenceCheck {
    private let asking: Asking
    private let engine: KeychainEngine
    /// The items that a proof of this call opens, with the constraints that were fulfilled.
    private var admitted: [PersistentReference: AccessConstraints] = [:]
    /// Opens secrets that the store has sealed under its passphrase.
    private var guardKey: GuardKey?
    /// Opens items that have a password.
    private let password: ItemPassword
    /// Seals items that get a password.
    private let newPassword: ItemPassword

    init(_ asking: Asking, _ engine: KeychainEngine) {
        self.asking = asking
        self.engine = engine
        password = ItemPassword(asking, engine, isNew: false)
        newPassword = ItemPassword(asking, engine, isNew: true)
    }

    private var store: any KeychainStore { engine.store }
    private var authenticator: any PresenceAuthenticator { engine.authenticator }

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
        do throws(StoreError) {
            opened.secrets = try store.secrets(in: guarded, of: record, with: guardKey)
        } catch {
            throw KeychainError(error)
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

    // MARK: Asking

    /// - Returns: False if the call skips prompts, and only seemed not to need one. The caller then reads the records again,
    ///   without those that need it.
    private mutating func prove(
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

extension ItemRecord {
    /// The constraints to prove before the secrets are used; nil if there are none. The record must have its
    /// attributes.
    ///
    /// - Throws: `errSecDecode` if they cannot be read.
    func demandedConstraints() throws(KeychainError) -> AccessConstraints? {
        let demanded: AccessConstraints
        do throws(StoreError) {
            guard let constraints = try constraints, constraints.needsProof else { return nil }
            demanded = constraints
        } catch {
            throw KeychainError(error)
        }
        guard demanded.flags.contains(.applicationPassword) == (demanded.password != nil) else {
            throw KeychainError(errSecDecode, "the access control of an item contradicts itself about its password")
        }
        return demanded
    }

    /// Whether the secrets are sealed under the item's own password. The record must have its attributes.
    ///
    /// - Throws: `errSecDecode` if the constraints cannot be read.
    var demandsPassword: Bool {
        get throws(KeychainError) { try demandedConstraints()?.password != nil }
    }

    /// Whether the constraints, if there are any, can be read. The record must have its attributes.
    var hasReadableConstraints: Bool {
        guard isConstrained else { return true }
        do {
            // Nothing of it needs a person, or it needs what could be made.
            return try demandedConstraints()?.password?.isUsable ?? true
        } catch {
            return false
        }
    }
}
