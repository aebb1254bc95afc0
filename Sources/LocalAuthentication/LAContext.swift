// SPDX-License-Identifier: Apache-2.0

import SecItemShim
import SecItemStore

/// The longest time for which an unlocked device may stand for a new proof, in seconds: five minutes.
public let LATouchIDAuthenticationMaximumAllowableReuseDuration: TimeInterval = 300

/// Asks the user to prove who they are, and carries the proof, and how to ask, to the keychain.
///
/// `LinuxKeychain.authenticator` says who asks: PAM on the program's terminal, by default, or the application itself. Where
/// nobody can be asked, policies answer `LAError.notInteractive` at once; where the machine cannot recognise a finger or a
/// face, those that want one answer `LAError.biometryNotAvailable`. What was proven to a context once is not asked for again,
/// until it is invalidated.
///
/// In a query, under `kSecUseAuthenticationContext`, a context says through `interactionNotAllowed` whether the keychain may
/// ask for what unlocks it.
///
/// A context may be used from several threads. Names and behaviour are those of
/// [LAContext](https://developer.apple.com/documentation/localauthentication/lacontext).
open class LAContext: NSObject, @unchecked Sendable {
    private struct Settings {
        var fallbackTitle: String?
        var cancelTitle: String?
        var reason = ""
        var interactionNotAllowed = false
        var reuseDuration: TimeInterval = 0
        var isValid = true
        /// What was proven: each set is a question that was answered.
        var proven: Set<UInt8> = []
    }

    private let settings = ForkableState(Settings())

    /// Makes a context.
    public override init() {
        super.init()
    }

    // MARK: How to ask

    /// What the button says that asks for the password instead; empty hides it, `nil` leaves it to the system.
    open var localizedFallbackTitle: String? {
        get { settings.withLock { $0.fallbackTitle } }
        set { settings.withLock { $0.fallbackTitle = newValue } }
    }

    /// What the button says that dismisses the question; `nil` leaves it to the system.
    open var localizedCancelTitle: String? {
        get { settings.withLock { $0.cancelTitle } }
        set { settings.withLock { $0.cancelTitle = newValue } }
    }

    /// What the user is told when the keychain asks on behalf of this context.
    open var localizedReason: String {
        get { settings.withLock { $0.reason } }
        set { settings.withLock { $0.reason = newValue } }
    }

    /// Whether to fail instead of asking.
    ///
    /// A keychain call with this context then answers `errSecInteractionNotAllowed` where it would have to ask.
    open var interactionNotAllowed: Bool {
        get { settings.withLock { $0.interactionNotAllowed } }
        set { settings.withLock { $0.interactionNotAllowed = newValue } }
    }

    /// For how many seconds an unlocked device stands for a new proof, at most
    /// `LATouchIDAuthenticationMaximumAllowableReuseDuration`. Kept, and without effect as long as there are no proofs.
    open var touchIDAuthenticationAllowableReuseDuration: TimeInterval {
        get { settings.withLock { $0.reuseDuration } }
        set { settings.withLock { $0.reuseDuration = newValue } }
    }

    // MARK: What there is

    /// What changes when somebody enrols a finger or a face: `nil`, as nobody can.
    open var evaluatedPolicyDomainState: Data? { nil }

    /// What the machine can recognise: nothing, unless the application's own authenticator does.
    open var biometryType: LABiometryType {
        LinuxKeychain.presenceAuthenticator.obstacle(to: .biometry) == nil ? .touchID : .none
    }

    // MARK: Asking

    /// Tells whether a policy can be evaluated on this machine. Asks nobody.
    ///
    ///     var error: NSError?
    ///     if !context.canEvaluatePolicy(.deviceOwnerAuthentication, error: &error) { … }
    ///
    /// - Parameters:
    ///   - policy: What is to be proven.
    ///   - error: Receives, if not nil, why not: an `LAError`. Left alone on success.
    /// - Returns: False where the policy cannot be evaluated, or the context is invalidated.
    open func canEvaluatePolicy(_ policy: LAPolicy, error: NSErrorPointer) -> Bool {
        guard let obstacle = obstacle(to: policy.methods) else { return true }
        error?.pointee = obstacle as NSError
        return false
    }

    /// Asks the user to prove what the policy says.
    ///
    /// - Parameters:
    ///   - policy: What is to be proven.
    ///   - localizedReason: What it is for, for the user to read.
    ///   - reply: Called once, on a thread of this module's choice, with whether it was proven, and an `LAError` if not.
    open func evaluatePolicy(
        _ policy: LAPolicy, localizedReason: String, reply: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        evaluate([policy.methods], localizedReason, reply)
    }

    /// Asks for one proof after another.
    private func evaluate(
        _ steps: [PresenceRequest.Methods], _ reason: String, _ reply: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        // A thread that waits for a person is kept from nothing else; of Dispatch's there are few.
        Thread.detachNewThread { [self] in
            do throws(LAError) {
                for methods in steps { try prove(methods, reason) }
                reply(true, nil)
            } catch {
                reply(false, error)
            }
        }
    }

    private func prove(_ methods: PresenceRequest.Methods, _ reason: String) throws(LAError) {
        if let obstacle = obstacle(to: methods) { throw obstacle }
        if settings.withLock({ $0.proven.contains(methods.rawValue) }) { return }
        if interactionNotAllowed { throw LAError.Code.notInteractive.error }
        let request = PresenceRequest(methods, reason: reason) { [self] in !self.isValid }
        do throws(PresenceFailure) {
            try PresenceDialog.ask(request, through: LinuxKeychain.presenceAuthenticator)
        } catch {
            throw error.error
        }
        let isStillValid = settings.withLock { settings in
            if settings.isValid { settings.proven.insert(methods.rawValue) }
            return settings.isValid
        }
        if !isStillValid { throw LAError.Code.appCancel.error }
    }

    /// Asks the user to prove what the policy says, and waits for the answer without blocking the thread.
    ///
    /// - Returns: True.
    /// - Throws: An `LAError` if it was not proven.
    @discardableResult
    open func evaluatePolicy(_ policy: LAPolicy, localizedReason: String) async throws -> Bool {
        try await withCheckedThrowingContinuation { continuation in
            evaluatePolicy(policy, localizedReason: localizedReason) { isProven, error in
                continuation.resume(with: isProven ? .success(true) : .failure(error ?? LAError(.authenticationFailed)))
            }
        }
    }

    /// Asks the user for what an access control demands.
    ///
    /// - Parameters:
    ///   - accessControl: The conditions. One without any is fulfilled.
    ///   - operation: What the application means to do.
    ///   - localizedReason: What it is for, for the user to read.
    ///   - reply: Called once, on a thread of this module's choice, with whether it was proven, and an `LAError` if not.
    open func evaluateAccessControl(
        _ accessControl: SecAccessControl, operation: LAAccessControlOperation, localizedReason: String,
        reply: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        guard isValid else { return DispatchQueue.global().async { reply(false, LAError.Code.invalidContext.error) } }
        // A password that the application keeps cannot be asked for here.
        guard !accessControl.flags.contains(.applicationPassword) else {
            return DispatchQueue.global().async { reply(false, LAError.Code.notInteractive.error) }
        }
        evaluate(accessControl.steps, localizedReason, reply)
    }

    /// Asks the user for what an access control demands, and waits for the answer without blocking the thread.
    ///
    /// - Returns: True.
    /// - Throws: An `LAError` if it was not proven.
    @discardableResult
    open func evaluateAccessControl(
        _ accessControl: SecAccessControl, operation: LAAccessControlOperation, localizedReason: String
    ) async throws -> Bool {
        try await withCheckedThrowingContinuation { continuation in
            evaluateAccessControl(accessControl, operation: operation, localizedReason: localizedReason) {
                isProven, error in
                continuation.resume(with: isProven ? .success(true) : .failure(error ?? LAError(.authenticationFailed)))
            }
        }
    }

    // MARK: Credentials

    /// Hands the context a credential, so that the user need not be asked.
    ///
    /// - Returns: False: nothing here takes a credential yet.
    @discardableResult
    open func setCredential(_ credential: Data?, type: LACredentialType) -> Bool { false }

    /// Tells whether a credential was set.
    ///
    /// - Returns: False: nothing here takes a credential yet.
    open func isCredentialSet(_ type: LACredentialType) -> Bool { false }

    // MARK: Invalidation

    /// Ends the context: a question that is open is taken back and fails with `LAError.appCancel`, whatever is asked of the
    /// context later fails with `LAError.invalidContext`.
    open func invalidate() {
        settings.withLock { $0.isValid = false }
    }

    private var isValid: Bool { settings.withLock { $0.isValid } }

    /// Why it cannot be proven that way to this context, or nil if it can.
    private func obstacle(to methods: PresenceRequest.Methods) -> LAError? {
        if !isValid { return LAError.Code.invalidContext.error }
        if methods.isEmpty { return LAError.Code.companionNotAvailable.error }
        return LinuxKeychain.presenceAuthenticator.obstacle(to: methods)?.error
    }
}

extension LAContext: AuthenticationContext {}
