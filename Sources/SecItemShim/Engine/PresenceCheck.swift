// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// May it be used? The engine's third step, between finding items and acting on them.
///
/// One for each call. It has people asked for all that is missing at once, each proof once, and holds nothing meanwhile: who
/// has to wait for an answer reads the records again, for others may have changed them.
struct PresenceCheck {
    private let asking: Asking
    private let store: any KeychainStore
    /// The items that a proof of this call opens, under the constraints that were fulfilled.
    private(set) var admitted: [PersistentReference: AccessConstraints] = [:]
    /// What opens secrets that the store has sealed under its passphrase.
    private var guardKey: GuardKey?

    init(_ asking: Asking, _ store: any KeychainStore) {
        self.asking = asking
        self.store = store
    }

    /// Whether all that these records demand is proven. If not, somebody has been asked and has proven it: read the records
    /// again.
    ///
    /// - Parameter records: Records with attributes, and with secrets where these are to be used.
    /// - Throws: `errSecInteractionNotAllowed` where somebody would have to be asked and nobody may or can be,
    ///   `errSecUserCanceled` when the person dismisses the question, `errSecAuthFailed` when the proof is not given or
    ///   cannot be given on this machine, `errSecDecode` for constraints that cannot be read.
    mutating func admits(_ records: [ItemRecord]) throws(KeychainError) -> Bool {
        var pending: [PersistentReference: AccessConstraints] = [:]
        var needsGuardKey = false
        for record in records {
            guard let constraints = try record.demandedConstraints() else { continue }
            try requireSameFingers(constraints)
            if record.guardedSecrets != nil, guardKey == nil {
                needsGuardKey = true
            } else if admitted[record.reference] == constraints || hasProven(constraints) {
                continue
            }
            pending[record.reference] = constraints
        }
        if pending.isEmpty { return true }
        try prove(missingSteps(of: pending.values), needsGuardKey: needsGuardKey)
        admitted.merge(pending) { $1 }
        return false
    }

    /// - Throws: `errSecAuthFailed` when other fingers are enrolled than those that the item is bound to: it stays shut.
    private func requireSameFingers(_ constraints: AccessConstraints) throws(KeychainError) {
        guard constraints.flags.contains(.biometryCurrentSet) else { return }
        guard let bound = constraints.biometrySet, bound == LinuxKeychain.presenceAuthenticator.enrolledBiometrySet()
        else { throw KeychainError(errSecAuthFailed, "the set of enrolled fingers has changed") }
    }

    /// The record with its secrets, where the store has sealed them under its passphrase.
    ///
    /// - Throws: `errSecDecode` when they are damaged.
    func opened(_ record: ItemRecord) throws(KeychainError) -> ItemRecord {
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

    /// Whether the context has proven it before.
    func hasProven(_ constraints: AccessConstraints) -> Bool {
        guard let context = asking.context, !context.isInvalidated else { return false }
        return constraints.flags.steps.allSatisfy { !$0.isEmpty && context.hasProven($0) }
    }

    /// What has to be asked: no step that the proof of another one takes too.
    private func missingSteps(of all: some Collection<AccessConstraints>) -> [PresenceRequest.Methods] {
        var missing: [PresenceRequest.Methods] = []
        for step in all.flatMap(\.flags.steps) where !missing.contains(step) {
            if !step.isEmpty, asking.context?.hasProven(step) == true { continue }
            missing.append(step)
        }
        return missing.filter { step in !missing.contains { $0 != step && $0.isSubset(of: step) } }
            .sorted { $0.rawValue < $1.rawValue }
    }

    // MARK: Asking

    private mutating func prove(
        _ steps: [PresenceRequest.Methods], needsGuardKey: Bool
    ) throws(KeychainError) {
        // The passphrase of the store is the owner's own: who gives it has proven as much as with a password.
        let steps = needsGuardKey ? steps.filter { !$0.contains(.password) } : steps
        let isPassphraseGiven = asking.context?.passphrase != nil
        guard asking.interaction == .allowed || steps.isEmpty && isPassphraseGiven else {
            throw KeychainError(errSecInteractionNotAllowed, "somebody has to be asked, and this call may not")
        }
        let authenticator = LinuxKeychain.presenceAuthenticator
        // Not one question before it is known that all can be put.
        for step in steps {
            if let obstacle = step.isEmpty ? .noBiometry : authenticator.obstacle(to: step) {
                throw KeychainError(obstacle)
            }
        }
        if needsGuardKey { guardKey = try newGuardKey(authenticator) }
        for step in steps {
            try Self.whileAsking { () throws(PresenceFailure) in
                try PresenceDialog.ask(request(step), through: authenticator)
            }
            if let context = asking.context, !context.noteProof(of: step) {
                throw KeychainError(errSecAuthFailed, "the authentication context was invalidated meanwhile")
            }
        }
    }

    private func newGuardKey(_ authenticator: any PresenceAuthenticator) throws(KeychainError) -> GuardKey {
        guard let store = store.guardedStore else { throw .notAvailable("the store cannot open what it has sealed") }
        let passphrase = try passphrase(authenticator)
        do throws(StoreError) {
            return try store.guardKey(passphrase: passphrase)
        } catch {
            throw KeychainError(error)
        }
    }

    private func passphrase(_ authenticator: any PresenceAuthenticator) throws(KeychainError) -> Secret {
        if let passphrase = asking.context?.passphrase { return passphrase }
        return try Self.whileAsking { () throws(PresenceFailure) in
            try PresenceDialog.secret(.passphrase, request(.password), through: authenticator)
        }
    }

    private func request(_ methods: PresenceRequest.Methods) -> PresenceRequest {
        let context = asking.context
        return PresenceRequest(methods, reason: asking.reason) { context?.isInvalidated ?? false }
    }

    /// The threads that have somebody asked now. An authenticator of the application's own that comes back for a guarded
    /// item would wait for its own answer.
    private static let askingThreads = ForkableState<[pthread_t]>([])

    private static func whileAsking<Answer>(
        _ body: () throws(PresenceFailure) -> Answer
    ) throws(KeychainError) -> Answer {
        let thread = pthread_self()
        let isNested = askingThreads.withLock { threads in
            if threads.contains(thread) { return true }
            threads.append(thread)
            return false
        }
        if isNested {
            throw KeychainError(errSecInteractionNotAllowed, "an authenticator asks for what it is to decide")
        }
        defer { askingThreads.withLock { threads in threads.removeAll { $0 == thread } } }
        do throws(PresenceFailure) {
            return try body()
        } catch {
            throw KeychainError(error)
        }
    }
}

extension ItemRecord {
    /// What has to be proven before the secrets are used; nil for nothing. Needs the attributes.
    ///
    /// - Throws: `errSecDecode` when it cannot be read.
    func demandedConstraints() throws(KeychainError) -> AccessConstraints? {
        do throws(StoreError) {
            guard let constraints = try constraints, constraints.needsProof else { return nil }
            return constraints
        } catch {
            throw KeychainError(error)
        }
    }

    /// Whether the constraints, if there are any, can be read. Needs the attributes.
    var hasReadableConstraints: Bool {
        guard isConstrained else { return true }
        return (try? constraints) != nil
    }

    /// Whether an object can stand for it without its secret: a guarded private key of which the public half is known.
    var isGuardedPrivateKey: Bool {
        guard itemClass == .key, let constraints = try? demandedConstraints() else { return false }
        return constraints.publicKey != nil
    }
}
