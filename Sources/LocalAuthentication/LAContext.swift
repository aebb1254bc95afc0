// SPDX-License-Identifier: Apache-2.0

import SecItemShim
import SecItemStore

/// The longest time for which an earlier proof may replace a new one, in seconds: five minutes.
public let LATouchIDAuthenticationMaximumAllowableReuseDuration: TimeInterval = 300

/// Asks the user to prove who they are, and passes the proof to the keychain.
///
/// `LinuxKeychain.authenticator` decides who asks: PAM on the program's terminal, polkit on a desktop, or the application
/// itself. If nobody can be asked, policies fail at once: with `LAError.passcodeNotSet` if the user has no password and no
/// other proof is accepted, with `LAError.biometryNotAvailable` if only a finger or a face is accepted and the machine
/// recognises none, and otherwise with `LAError.notInteractive`. The log says once what is missing. A context asks for each
/// proof once, until it is invalidated.
///
/// In a query, under `kSecUseAuthenticationContext`, a context opens guarded items (those with constraints in their access
/// control) by what was proven to it. The keychain asks for missing proofs, once for all calls with this context.
/// `interactionNotAllowed` says whether the keychain may ask for proofs, and for what unlocks the store.
///
/// In a store with a passphrase, a guarded item that a password opens is sealed under the passphrase. The keychain asks for
/// the passphrase on the program's terminal, in each call. Without a terminal, or to ask in another way, give it to
/// `setCredential(_:type:)` with `LACredentialType.devicePasscode`.
///
/// A context may be used from several threads. Names and behaviour are those of
/// [LAContext](https://developer.apple.com/documentation/localauthentication/lacontext).
open class LAContext: NSObject, @unchecked Sendable {
    private let memory = ContextMemory()

    /// Makes a context.
    public override init() {
        super.init()
    }

    // MARK: How to ask

    /// The title of the button that asks for the password instead. Empty hides the button; `nil` means the system's title.
    open var localizedFallbackTitle: String? {
        get { memory.with { $0.fallbackTitle } }
        set { memory.with { $0.fallbackTitle = newValue } }
    }

    /// The title of the button that dismisses the question; `nil` means the system's title.
    open var localizedCancelTitle: String? {
        get { memory.with { $0.cancelTitle } }
        set { memory.with { $0.cancelTitle = newValue } }
    }

    /// The text that the user reads when the keychain asks on behalf of this context.
    open var localizedReason: String {
        get { memory.with { $0.reason } }
        set { memory.with { $0.reason = newValue } }
    }

    /// Whether to fail instead of asking.
    ///
    /// A keychain call with this context then fails with `errSecInteractionNotAllowed` if it would have to ask.
    open var interactionNotAllowed: Bool {
        get { memory.with { $0.interactionNotAllowed } }
        set { memory.with { $0.interactionNotAllowed = newValue } }
    }

    /// For how many seconds a proof that was given to this program, through any context, replaces a new one.
    ///
    /// The default is 0: it never does. Values above `LATouchIDAuthenticationMaximumAllowableReuseDuration` count as that one.
    /// A proof only counts for policies that accept its method: a password never replaces a finger.
    open var touchIDAuthenticationAllowableReuseDuration: TimeInterval {
        get { memory.with { $0.reuseDuration } }
        set { memory.with { $0.reuseDuration = newValue } }
    }

    /// How often a finger may fail before biometry does. Deprecated by Apple. It is stored and has no effect: PAM's rules
    /// decide.
    open var maxBiometryFailures: NSNumber? {
        get { memory.with { $0.greatestFailureCount }.map { NSNumber(value: $0) } }
        set {
            let count = newValue?.intValue
            memory.with { $0.greatestFailureCount = count }
        }
    }

    // MARK: What there is

    /// A value that changes when a finger is enrolled or removed, from the time when this context last checked or evaluated a
    /// policy that accepts a finger. `nil` before that, and if no finger was enrolled. ``domainState`` has the present value.
    open var evaluatedPolicyDomainState: Data? { memory.with { $0.evaluatedFingers } }

    /// What the machine recognises its owner by at present.
    open var domainState: LADomainState {
        LADomainState(LADomainStateBiometry(biometryType, LinuxKeychain.presenceAuthenticator.enrolledBiometrySet()))
    }

    /// What the machine can recognise: a finger if it has a reader that can be used, or if the application's authenticator
    /// recognises biometry; otherwise nothing.
    open var biometryType: LABiometryType {
        switch LinuxKeychain.presenceAuthenticator.obstacle(to: .biometry) {
        case nil, .notEnrolled: .touchID
        default: .none
        }
    }

    // MARK: Asking

    /// Returns whether a policy can be evaluated on this machine. Asks nobody.
    ///
    ///     var error: NSError?
    ///     if !context.canEvaluatePolicy(.deviceOwnerAuthentication, error: &error) { … }
    ///
    /// - Parameters:
    ///   - policy: What to prove.
    ///   - error: Receives the reason if it cannot: an `LAError`. Unchanged on success.
    /// - Returns: False if the policy cannot be evaluated, or the context is invalidated.
    open func canEvaluatePolicy(_ policy: LAPolicy, error: NSErrorPointer) -> Bool {
        guard let obstacle = obstacle(to: policy.methods) else {
            noteFingers(policy.methods)
            return true
        }
        error?.pointee = obstacle as NSError
        return false
    }

    /// Asks the user for the proof that a policy requires.
    ///
    /// - Parameters:
    ///   - policy: What to prove.
    ///   - localizedReason: The reason for the question, for the user to read.
    ///   - reply: Called once, on any thread, with true if it was proven, and with false and an `LAError` otherwise.
    @preconcurrency
    open func evaluatePolicy(
        _ policy: LAPolicy, localizedReason: String, reply: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        evaluate([policy.methods], localizedReason, reply)
    }

    /// Asks for one proof after another, but first for the password of an item if that is needed.
    private func evaluate(
        _ steps: [PresenceRequest.Methods], password: PasswordNeed = .none, _ reason: String,
        _ reply: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        onThread {
            reply($0 == nil, $0)
        } _: { [self] in
            if password != .none { try askForPassword(isNew: password == .new, reason) }
            for methods in steps { try prove(methods, reason) }
        }
    }

    /// Asks for one proof after another, on the calling thread.
    ///
    /// - Throws: Why one of them was not given.
    func prove(_ steps: [PresenceRequest.Methods], _ reason: String) throws(LAError) {
        if isInvalidated { throw LAError.Code.invalidContext.error }
        for methods in steps { try prove(methods, reason) }
    }

    private func prove(_ methods: PresenceRequest.Methods, _ reason: String) throws(LAError) {
        if let obstacle = obstacle(to: methods) { throw obstacle }
        if hasProven(methods) { return }
        if interactionNotAllowed { throw LAError.mayNotAsk }
        let request = PresenceRequest(methods, reason: reason) { [memory] in !memory.isValid }
        do throws(PresenceFailure) {
            try PresenceDialog.ask(request, for: self, through: LinuxKeychain.presenceAuthenticator)
        } catch {
            throw error.error
        }
        noteFingers(methods)
    }

    /// Whether the password of an item is needed.
    private enum PasswordNeed {
        case none
        case existing
        case new
    }

    /// Asks for the password of an item, unless the context has one. Only opening the item shows whether it is right.
    private func askForPassword(isNew: Bool, _ reason: String) throws(LAError) {
        if (isNew ? memory.newApplicationPassword : memory.applicationPassword) != nil { return }
        if interactionNotAllowed { throw LAError.mayNotAsk }
        let request = PresenceRequest([], reason: reason) { [memory] in !memory.isValid }
        do throws(PresenceFailure) {
            _ = try PresenceDialog.applicationPassword(
                isNew: isNew, request, for: self, through: LinuxKeychain.presenceAuthenticator)
        } catch {
            throw error.error
        }
        if isInvalidated { throw LAError.Code.appCancel.error }
    }

    /// Remembers which fingers are enrolled, if the policy accepts one.
    private func noteFingers(_ methods: PresenceRequest.Methods) {
        guard methods.contains(.biometry) else { return }
        let fingers = LinuxKeychain.presenceAuthenticator.enrolledBiometrySet()
        memory.with { $0.evaluatedFingers = fingers }
    }

    /// Asks the user for the proof that a policy requires, and waits for the answer without blocking the thread.
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

    /// Asks the user for the proofs that an access control demands.
    ///
    /// If it demands an application password that was not set, the user types it on the program's terminal, twice for a new
    /// item. The context keeps it until it proves wrong: only opening the item shows whether it is right.
    ///
    /// - Parameters:
    ///   - accessControl: The conditions. If there are none, nobody is asked, and the evaluation succeeds.
    ///   - operation: What the application is about to do.
    ///   - localizedReason: The reason for the question, for the user to read.
    ///   - reply: Called once, on any thread, with true if all was proven, and with false and an `LAError` otherwise. If the
    ///     access control has conditions that this library does not know, nobody is asked, and the error has the domain
    ///     `LAErrorDomain` and the code −1008, which does not cast to `LAError`.
    @preconcurrency
    open func evaluateAccessControl(
        _ accessControl: SecAccessControl, operation: LAAccessControlOperation, localizedReason: String,
        reply: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        // Not on Dispatch's threads: a child of a process that has used them has none.
        guard memory.isValid else {
            return onThread(answering: { reply(false, $0) }) { throw LAError.Code.invalidContext.error }
        }
        guard accessControl.constraints.isSubset(of: .known) else {
            let error = RightError.generic("The access control has conditions that cannot be proven here.")
            return onThread(answering: { reply(false, $0) }) { throw error }
        }
        let password: PasswordNeed =
            !accessControl.flags.contains(.applicationPassword) ? .none : operation.makesItem ? .new : .existing
        evaluate(accessControl.steps, password: password, localizedReason, reply)
    }

    /// Asks the user for the proofs that an access control demands, and waits for the answer without blocking the thread.
    ///
    /// - Returns: True.
    /// - Throws: An `LAError` if it was not proven; the error for unknown conditions that
    ///   ``evaluateAccessControl(_:operation:localizedReason:reply:)`` gives.
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

    /// Gives the context a credential, so that the user need not be asked for it. Only opening an item shows whether it is
    /// right.
    ///
    /// The context keeps it in memory, and wipes that when the credential is replaced and when the context ends.
    ///
    /// - Parameters:
    ///   - credential: The password or passphrase in UTF-8; `nil` removes the credential that was set.
    ///   - type: The type of the credential.
    /// - Returns: False for the PIN of a smart card, and for a context that was invalidated.
    @discardableResult
    open func setCredential(_ credential: Data?, type: LACredentialType) -> Bool { memory.set(credential, type) }

    /// Returns whether a credential of a type is set.
    ///
    /// - Parameter type: The type of the credential.
    open func isCredentialSet(_ type: LACredentialType) -> Bool { memory.credential(type) != nil }

    // MARK: Invalidation

    /// Ends the context, forgets what was proven to it, and wipes its credentials. An open question is closed and fails with
    /// `LAError.appCancel`. Later evaluations fail with `LAError.invalidContext`.
    open func invalidate() {
        memory.invalidate()
    }

    /// Why none of the methods can prove anything to this context; nil if one can.
    private func obstacle(to methods: PresenceRequest.Methods) -> LAError? {
        if !memory.isValid { return LAError.Code.invalidContext.error }
        if methods.isEmpty { return LAError.Code.companionNotAvailable.error }
        return LinuxKeychain.presenceAuthenticator.obstacle(to: methods)?.error
    }
}

// MARK: - For the keychain

extension LAContext: AuthenticationContext {
    /// Whether the context has ended. No call may use it then.
    package var isInvalidated: Bool { !memory.isValid }

    /// Whether one of the methods was proven to this context before, or to another one so recently that
    /// `touchIDAuthenticationAllowableReuseDuration` accepts it.
    package func hasProven(_ methods: PresenceRequest.Methods) -> Bool {
        if memory.hasProven(methods) { return true }
        let longest = min(
            touchIDAuthenticationAllowableReuseDuration, LATouchIDAuthenticationMaximumAllowableReuseDuration)
        guard longest > 0, memory.isValid else { return false }
        return RecentProofs.contain(methods, withinLast: longest)
    }

    /// Remembers that the owner was recognised by one of the methods.
    ///
    /// - Returns: False if the context has ended meanwhile. Then nothing was proven to it.
    package func noteProof(of methods: PresenceRequest.Methods) -> Bool { memory.note(methods) }

    /// The password for items that the application has set or the user has typed.
    package var applicationPassword: Secret? { memory.applicationPassword }

    /// The password for items to seal: not one that the user has typed only once, and that has opened nothing yet.
    package var newApplicationPassword: Secret? { memory.newApplicationPassword }

    /// Keeps a password that the user has typed, until it proves right or wrong.
    package func propose(applicationPassword: Secret, isNew: Bool) -> Bool {
        memory.keep(applicationPassword: applicationPassword, isNew ? .repeated : .typed)
    }

    /// Keeps a password that was right, unless the application has set one.
    package func keep(applicationPassword: Secret) -> Bool {
        memory.keep(applicationPassword: applicationPassword, .right)
    }

    /// Forgets a password that was wrong for an item, unless the application has set it or it was right before.
    package func takeBack(applicationPassword: Secret) -> Bool {
        memory.takeBack(applicationPassword: applicationPassword)
    }

    /// The passphrase of the store that the application has set or the user has typed.
    package var passphrase: Secret? { memory.passphrase }

    /// Keeps a passphrase that the user has typed.
    package func keep(passphrase: Secret) -> Bool { memory.keep(passphrase: passphrase) }

    /// Forgets a passphrase that opens the store no longer, unless the application has set it.
    package func takeBack(passphrase: Secret) -> Bool { memory.takeBack(passphrase: passphrase) }
}
