// SPDX-License-Identifier: Apache-2.0

import SecItemShim
import SecItemStore

/// A right that a person grants: `authorize` asks for the proofs of its requirement.
///
///     let login = LARight()
///     try await login.authorize(localizedReason: "Show your notes")
///     await login.deauthorize()
///
/// ``LARightStore`` saves a right together with a key and a secret that only the authorized right opens.
///
/// A right may be used from several threads, and a subclass may override its methods. In a child process, a right of its
/// parent is not authorized. Linux has no key-value observing, so read ``state`` after `authorize` instead of observing it.
///
/// Names and behaviour are those of
/// [LARight](https://developer.apple.com/documentation/localauthentication/laright).
open class LARight: NSObject, @unchecked Sendable {
    /// Whether a right is authorized.
    ///
    /// The cases and numbers are those of
    /// [LARight.State](https://developer.apple.com/documentation/localauthentication/laright/state-swift.enum).
    public enum State: Int, Sendable {
        /// Nobody has tried to authorize the right.
        case unknown = 0

        /// The person is being asked.
        case authorizing = 1

        /// The person has proven what the requirement demands.
        case authorized = 2

        /// The person has not proven it, or the right was deauthorized.
        case notAuthorized = 3
    }

    let requirement: LAAuthenticationRequirement
    let session = RightSession()

    /// Makes a right that a finger or the user's password authorizes.
    public override init() {
        requirement = .default
        super.init()
    }

    /// Makes a right.
    ///
    /// - Parameter requirement: What authorizes it.
    public init(requirement: LAAuthenticationRequirement) {
        self.requirement = requirement
        super.init()
    }

    /// Whether the right is authorized.
    open var state: State { session.state }

    /// A number for the application's own use. The default is 0.
    open var tag: Int {
        get { session.tag }
        set { session.tag = newValue }
    }

    // MARK: Authorizing

    /// Asks the person for what the requirement demands. An authorized right asks nobody again until `deauthorize`.
    ///
    /// - Parameters:
    ///   - localizedReason: The reason for the question, for the person to read. If it has no visible character, the call
    ///     fails and leaves the state as it is.
    ///   - handler: Called once, on any thread, with nil if the right is authorized. Otherwise with an `LAError`: for
    ///     example `userCancel`, `authenticationFailed`, `biometryNotAvailable`, `notInteractive`, or `appCancel` if the
    ///     right was deauthorized meanwhile. For a saved right also with an `NSError`: see ``LARightStore``.
    @preconcurrency
    open func authorize(localizedReason: String, completion handler: @escaping @Sendable ((any Error)?) -> Void) {
        onThread(answering: handler) { [self] in
            guard localizedReason.unicodeScalars.contains(where: \.properties.isVisible) else {
                throw RightError.generic("A right cannot be authorized without a reason for the person to read.")
            }
            let context = session.begin()
            do {
                try evaluate(localizedReason, in: context)
            } catch {
                session.end(context, as: .notAuthorized)
                throw context.isInvalidated ? LAError.Code.appCancel.error : error
            }
            guard session.end(context, as: .authorized) else { throw LAError.Code.appCancel.error }
        }
    }

    /// Asks the person for what the requirement demands, and waits for the answer without blocking the thread.
    ///
    /// - Parameter localizedReason: The reason for the question, for the person to read.
    /// - Throws: The error that ``authorize(localizedReason:completion:)`` gives.
    open func authorize(localizedReason: String) async throws {
        try await withCheckedThrowingContinuation { continuation in
            authorize(localizedReason: localizedReason) {
                continuation.resume(with: $0.map(Result.failure) ?? .success(()))
            }
        }
    }

    /// Checks whether the right could be authorized on this machine. Asks nobody.
    ///
    /// For a saved right in a store with a passphrase, this does not check whether a person can be asked for the passphrase.
    ///
    /// - Parameter handler: Called once, on any thread, with nil if it could. Otherwise with the `LAError` that `authorize`
    ///   would give: `biometryNotAvailable`, `biometryNotEnrolled`, `passcodeNotSet` or `notInteractive`.
    @preconcurrency
    open func checkCanAuthorize(completion handler: @escaping @Sendable ((any Error)?) -> Void) {
        onThread(answering: handler) { [self] in
            for methods in requirement.accessControl.steps {
                if let obstacle = authenticator.obstacle(to: methods) { throw obstacle.error }
            }
        }
    }

    /// Checks whether the right could be authorized on this machine. Asks nobody.
    ///
    /// - Throws: The error that ``checkCanAuthorize(completion:)`` gives.
    open func checkCanAuthorize() async throws {
        try await withCheckedThrowingContinuation { continuation in
            checkCanAuthorize { continuation.resume(with: $0.map(Result.failure) ?? .success(())) }
        }
    }

    /// Takes the authorization back. The key and the secret of a saved right are closed when this returns, and an open
    /// question is dismissed: its `authorize` fails with `LAError.appCancel`.
    ///
    /// - Parameter handler: Called once, on any thread, after that.
    @preconcurrency
    open func deauthorize(completion handler: @escaping @Sendable () -> Void) {
        session.deauthorize()
        if !DetachedThread.start(blockingSignals: false, handler) { handler() }
    }

    /// Takes the authorization back. The key and the secret of a saved right are closed when this returns, and an open
    /// question is dismissed: its `authorize` fails with `LAError.appCancel`.
    open func deauthorize() async {
        await withCheckedContinuation { continuation in deauthorize { continuation.resume() } }
    }

    // MARK: For saved rights

    /// Who asks the person.
    var authenticator: any PresenceAuthenticator { LinuxKeychain.presenceAuthenticator }

    /// Asks for what the requirement demands, unless it was proven to the context.
    func evaluate(_ reason: String, in context: LAContext) throws {
        try context.prove(requirement.accessControl.steps, reason)
    }
}

extension Unicode.Scalar.Properties {
    /// Whether a person sees it. False for blanks, controls, and characters that only say how to show others.
    fileprivate var isVisible: Bool {
        switch generalCategory {
        case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate,
            .unassigned:
            false
        default: !isDefaultIgnorableCodePoint && name != "BRAILLE PATTERN BLANK"
        }
    }
}
