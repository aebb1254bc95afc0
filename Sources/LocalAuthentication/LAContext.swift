// SPDX-License-Identifier: Apache-2.0

import SecItemShim
import SecItemStore

/// The longest time for which an unlocked device may stand for a new proof, in seconds: five minutes.
public let LATouchIDAuthenticationMaximumAllowableReuseDuration: TimeInterval = 300

/// Asks the user to prove who they are, and carries the proof, and how to ask, to the keychain.
///
/// `LinuxKeychain.authenticator` says who asks: PAM on the program's terminal, polkit on a desktop, or the application itself.
/// Where nobody can be asked, policies fail at once: with `LAError.passcodeNotSet` where the user has no password and nothing
/// else would do, with `LAError.biometryNotAvailable` where a finger or a face is wanted that the machine cannot recognise,
/// and else with `LAError.notInteractive`. The log says, once, what is missing. What was proven to a context once is not asked
/// for again, until it is invalidated.
///
/// In a query, under `kSecUseAuthenticationContext`, a context brings what was proven to it to guarded items (those with
/// constraints in their access control): what is missing, the keychain asks for, once for all calls with this context. It says
/// through `interactionNotAllowed` whether the keychain may ask, for that and for what unlocks the store.
///
/// In a store with a passphrase, a guarded item that a password opens is sealed under the passphrase. The keychain asks for it on
/// the program's terminal, in each call; where there is no terminal, or to ask for it in another way,
/// `setCredential(_:type:)` takes it under `LACredentialType.devicePasscode`.
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

    /// What the button says that asks for the password instead; empty hides it, `nil` leaves it to the system.
    open var localizedFallbackTitle: String? {
        get { memory.with { $0.fallbackTitle } }
        set { memory.with { $0.fallbackTitle = newValue } }
    }

    /// What the button says that dismisses the question; `nil` leaves it to the system.
    open var localizedCancelTitle: String? {
        get { memory.with { $0.cancelTitle } }
        set { memory.with { $0.cancelTitle = newValue } }
    }

    /// What the user is told when the keychain asks on behalf of this context.
    open var localizedReason: String {
        get { memory.with { $0.reason } }
        set { memory.with { $0.reason = newValue } }
    }

    /// Whether to fail instead of asking.
    ///
    /// A keychain call with this context then answers `errSecInteractionNotAllowed` where it would have to ask.
    open var interactionNotAllowed: Bool {
        get { memory.with { $0.interactionNotAllowed } }
        set { memory.with { $0.interactionNotAllowed = newValue } }
    }

    /// For how many seconds a proof that somebody gave to this program, through whichever context, stands for a new one.
    ///
    /// Zero, the default, or less: for none. More than `LATouchIDAuthenticationMaximumAllowableReuseDuration` counts as that.
    /// A proof stands for a policy only if the policy takes what it was given by: a password never stands for a finger.
    open var touchIDAuthenticationAllowableReuseDuration: TimeInterval {
        get { memory.with { $0.reuseDuration } }
        set { memory.with { $0.reuseDuration = newValue } }
    }

    // MARK: What there is

    /// What changes when somebody enrols or removes a finger, as it was when this context last found, or evaluated, a
    /// policy that takes one; `nil` before, and while no finger is enrolled. ``domainState`` tells how it is now.
    open var evaluatedPolicyDomainState: Data? { memory.with { $0.evaluatedFingers } }

    /// What the machine recognises its owner by, now.
    open var domainState: LADomainState {
        LADomainState(LADomainStateBiometry(biometryType, LinuxKeychain.presenceAuthenticator.enrolledBiometrySet()))
    }

    /// What the machine can recognise: a finger, where a reader is there that can be asked, or the application's own
    /// authenticator recognises something; else nothing.
    open var biometryType: LABiometryType {
        switch LinuxKeychain.presenceAuthenticator.obstacle(to: .biometry) {
        case nil, .notEnrolled: .touchID
        default: .none
        }
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
        guard let obstacle = obstacle(to: policy.methods) else {
            noteFingers(policy.methods)
            return true
        }
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

    /// Asks for one proof after another, and first for the password of an item where that is wanted.
    private func evaluate(
        _ steps: [PresenceRequest.Methods], password: PasswordNeed = .none, _ reason: String,
        _ reply: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        // A thread that waits for a person is kept from nothing else; of Dispatch's there are few.
        Thread.detachNewThread { [self] in
            do throws(LAError) {
                if password != .none { try askForPassword(isNew: password == .new, reason) }
                for methods in steps { try prove(methods, reason) }
                reply(true, nil)
            } catch {
                reply(false, error)
            }
        }
    }

    private func prove(_ methods: PresenceRequest.Methods, _ reason: String) throws(LAError) {
        if let obstacle = obstacle(to: methods) { throw obstacle }
        if hasProven(methods) { return }
        if interactionNotAllowed { throw LAError.Code.notInteractive.error }
        let request = PresenceRequest(methods, reason: reason) { [memory] in !memory.isValid }
        do throws(PresenceFailure) {
            try PresenceDialog.ask(request, for: self, through: LinuxKeychain.presenceAuthenticator)
        } catch {
            throw error.error
        }
        noteFingers(methods)
    }

    /// Whether a password of the application's is needed.
    private enum PasswordNeed {
        case none
        case existing
        case new
    }

    /// Asks for the password of an item, unless it was set or given before. Whether it is right shows when the item is opened.
    private func askForPassword(isNew: Bool, _ reason: String) throws(LAError) {
        if memory.applicationPassword != nil { return }
        if interactionNotAllowed { throw LAError.Code.notInteractive.error }
        let request = PresenceRequest([], reason: reason) { [memory] in !memory.isValid }
        let password: Secret
        do throws(PresenceFailure) {
            password = try PresenceDialog.applicationPassword(
                isNew: isNew, request, through: LinuxKeychain.presenceAuthenticator)
        } catch {
            throw error.error
        }
        guard memory.keep(applicationPassword: password) else { throw LAError.Code.appCancel.error }
    }

    /// Remembers which fingers are enrolled, for a policy that takes one.
    private func noteFingers(_ methods: PresenceRequest.Methods) {
        guard methods.contains(.biometry) else { return }
        let fingers = LinuxKeychain.presenceAuthenticator.enrolledBiometrySet()
        memory.with { $0.evaluatedFingers = fingers }
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
    /// Where that is an application password which was not set, the user types it on the program's terminal, twice for a new
    /// item. The context keeps it, as it does a proof. Whether it is right shows when the item is opened.
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
        guard memory.isValid else {
            return DispatchQueue.global().async { reply(false, LAError.Code.invalidContext.error) }
        }
        let password: PasswordNeed =
            !accessControl.flags.contains(.applicationPassword) ? .none : operation.makesItem ? .new : .existing
        evaluate(accessControl.steps, password: password, localizedReason, reply)
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

    /// Hands the context a credential, so that the user need not be asked for it. Whether it is right shows when an item is
    /// opened with it.
    ///
    /// It is kept in memory that is wiped, until it is replaced, the context ends or goes away.
    ///
    /// - Parameters:
    ///   - credential: The password in UTF-8, or the passphrase; `nil` takes back what was set.
    ///   - type: What it is.
    /// - Returns: False for the PIN of a smart card, and for a context that was invalidated.
    @discardableResult
    open func setCredential(_ credential: Data?, type: LACredentialType) -> Bool { memory.set(credential, type) }

    /// Tells whether a credential is set.
    ///
    /// - Parameter type: What it is.
    open func isCredentialSet(_ type: LACredentialType) -> Bool { memory.credential(type) != nil }

    // MARK: Invalidation

    /// Ends the context: a question that is open is taken back and fails with `LAError.appCancel`, whatever is asked of the
    /// context later fails with `LAError.invalidContext`. What was proven to it is forgotten, its credentials are wiped.
    open func invalidate() {
        memory.invalidate()
    }

    /// Why it cannot be proven that way to this context, or nil if it can.
    private func obstacle(to methods: PresenceRequest.Methods) -> LAError? {
        if !memory.isValid { return LAError.Code.invalidContext.error }
        if methods.isEmpty { return LAError.Code.companionNotAvailable.error }
        return LinuxKeychain.presenceAuthenticator.obstacle(to: methods)?.error
    }
}

// MARK: - For the keychain

extension LAContext: AuthenticationContext {
    /// Whether the context has ended: then no call may use it.
    package var isInvalidated: Bool { !memory.isValid }

    /// Whether nobody has to be asked any more: it was proven to this context before, or lately to another one, and this one
    /// takes that (`touchIDAuthenticationAllowableReuseDuration`).
    package func hasProven(_ methods: PresenceRequest.Methods) -> Bool {
        if memory.hasProven(methods) { return true }
        let longest = min(
            touchIDAuthenticationAllowableReuseDuration, LATouchIDAuthenticationMaximumAllowableReuseDuration)
        guard longest > 0, memory.isValid else { return false }
        return PresenceDialog.wasProven(by: methods, withinLast: longest)
    }

    /// Remembers that the owner was recognised by one of the methods.
    ///
    /// - Returns: False if the context has ended meanwhile: then nothing was proven to it.
    package func noteProof(of methods: PresenceRequest.Methods) -> Bool { memory.note(methods) }

    /// The password of the application that was set, or given when an item was opened.
    package var applicationPassword: Secret? { memory.applicationPassword }

    /// Keeps a password that the user has given.
    package func keep(applicationPassword: Secret) -> Bool { memory.keep(applicationPassword: applicationPassword) }

    /// The passphrase of the store that was set, or given when an item was opened.
    package var passphrase: Secret? { memory.passphrase }

    /// Keeps a passphrase that the user has given.
    package func keep(passphrase: Secret) -> Bool { memory.keep(passphrase: passphrase) }
}
