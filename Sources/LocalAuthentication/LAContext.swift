import SecItemShim
import SecItemStore

/// The longest time for which an unlocked device may stand for a new proof, in seconds: five minutes.
public let LATouchIDAuthenticationMaximumAllowableReuseDuration: TimeInterval = 300

/// Asks the user to prove who they are, and carries the proof, and how to ask, to the keychain.
///
/// There is no way to authenticate here yet: every policy answers `LAError.biometryNotAvailable` or
/// `LAError.passcodeNotSet`, and nobody is ever asked. In a query, under `kSecUseAuthenticationContext`, a context says
/// through `interactionNotAllowed` whether the keychain may ask for what unlocks it.
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
    }

    private let settings = ForkableState(Settings())
    private let authenticator: any Authenticator = NoAuthenticator()

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

    /// What the machine can recognise: nothing.
    open var biometryType: LABiometryType { .none }

    // MARK: Asking

    /// Tells whether a policy can be evaluated on this machine. Asks nobody.
    ///
    ///     var error: NSError?
    ///     if !context.canEvaluatePolicy(.deviceOwnerAuthentication, error: &error) { … }
    ///
    /// - Parameters:
    ///   - policy: What is to be proven.
    ///   - error: Receives, if not nil, why not: an `LAError`. Left alone on success.
    /// - Returns: False on every machine so far; false also once the context is invalidated.
    open func canEvaluatePolicy(_ policy: LAPolicy, error: NSErrorPointer) -> Bool {
        guard let obstacle = obstacle(to: policy) else { return true }
        error?.pointee = obstacle.error as NSError
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
        DispatchQueue.global().async { [self] in
            do throws(LAError) {
                if let obstacle = obstacle(to: policy) { throw obstacle.error }
                try authenticator.authenticate(policy, reason: localizedReason)
                reply(true, nil)
            } catch {
                reply(false, error)
            }
        }
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
        let isFree = !accessControl.requiresAuthentication && isValid
        guard !isFree else { return DispatchQueue.global().async { reply(true, nil) } }
        evaluatePolicy(accessControl.policy, localizedReason: localizedReason, reply: reply)
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

    /// Ends the context: whatever is asked of it later fails with `LAError.invalidContext`.
    open func invalidate() {
        settings.withLock { $0.isValid = false }
    }

    private var isValid: Bool { settings.withLock { $0.isValid } }

    private func obstacle(to policy: LAPolicy) -> LAError.Code? {
        isValid ? authenticator.obstacle(to: policy) : .invalidContext
    }
}

extension LAContext: AuthenticationContext {}

extension SecAccessControl {
    /// The policy that asks for no more than the access control does.
    fileprivate var policy: LAPolicy {
        let biometry: SecAccessControlCreateFlags = [.biometryAny, .biometryCurrentSet]
        return flags.isDisjoint(with: biometry) ? .deviceOwnerAuthentication : .deviceOwnerAuthenticationWithBiometrics
    }
}
