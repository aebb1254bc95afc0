// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

extension LinuxKeychain {
    /// How to find out whether the person at the machine is its owner, when an `LAContext` evaluates a policy or a call uses
    /// a guarded item.
    public enum Authenticator: Sendable {
        /// If the program has a terminal, PAM asks there for the user's own password, by the rules of the service `secitem`
        /// (or `other`, if the machine has no rules of that name), unless these refuse everybody. Otherwise polkit asks for
        /// the password or a finger, through the agent of the user's desktop. Nobody can be asked without a terminal and an
        /// agent, and nobody is asked during `swift test`.
        case automatic
        /// Nobody is asked. No policy can be evaluated.
        case none
        /// The application asks by itself.
        ///
        /// - Parameters:
        ///   - recognisesBiometry: Whether `ask` can recognise a finger or a face. If not, policies that require one cannot be
        ///     evaluated.
        ///   - ask: Returns if the person has proven to be the owner, and throws otherwise. The caller gets an `LAError` as it is,
        ///     and `LAError.authenticationFailed` for any other error. The closure runs on a thread of the library, or on the
        ///     thread of the keychain call that needs it, without a lock, and in one thread at a time. It must not evaluate a
        ///     policy itself, because that would wait for its own answer. Calls for the data of a guarded item fail there with
        ///     `errSecInteractionNotAllowed`.
        ///   - secret: Returns what the person typed, in UTF-8, if a proof alone opens nothing: the passphrase of the store, or
        ///     the password of an item. It throws, and is called, as `ask` is. Without it, such items open only with an
        ///     `LAContext` that has the passphrase or password; other calls fail with `errSecInteractionNotAllowed`.
        case custom(
            recognisesBiometry: Bool = false, ask: @Sendable (AuthenticationRequest) throws -> Void,
            secret: (@Sendable (SecretRequest) throws -> Data)? = nil)
    }

    /// A question for the application's authenticator.
    public struct AuthenticationRequest: Sendable {
        private let request: PresenceRequest

        init(_ request: PresenceRequest) {
            self.request = request
        }

        /// The reason for the question, for the person to read.
        public var reason: String { request.reason }

        /// Whether the user's password, or whatever the application uses instead, is enough.
        public var allowsPassword: Bool { request.methods.contains(.password) }

        /// Whether a finger or a face is enough.
        public var allowsBiometry: Bool { request.methods.contains(.biometry) }

        /// Whether nobody waits for the answer any more, as after `LAContext.invalidate()`. It may become true while you ask.
        /// Close your dialog then, and throw.
        public var isCancelled: Bool { request.isCancelled }
    }

    /// A secret that the application's authenticator asks the person to type.
    public struct SecretRequest: Sendable {
        /// The kinds of secrets.
        public enum Kind: Sendable {
            /// The passphrase of the store. The store checks it.
            case storePassphrase
            /// The password of an item. No other opens the item.
            case applicationPassword
            /// The password for an item to seal. It cannot be recovered, so have the person type it twice.
            case newApplicationPassword
        }

        private let request: PresenceRequest
        /// The kind of secret to ask for.
        public let kind: Kind

        init(_ kind: Kind, _ request: PresenceRequest) {
            self.kind = kind
            self.request = request
        }

        /// The reason why it is needed, for the person to read.
        public var reason: String { request.reason }

        /// Whether nobody waits for the answer any more, as after `LAContext.invalidate()`. It may become true while you ask.
        /// Close your dialog then, and throw.
        public var isCancelled: Bool { request.isCancelled }
    }

    /// How to ask, from the next question on. The default is ``Authenticator/automatic``.
    public static var authenticator: Authenticator {
        get { chosenAuthenticator.withLock { $0 } }
        set { chosenAuthenticator.withLock { $0 = newValue } }
    }

    private static let chosenAuthenticator = LockedValue(Authenticator.automatic)

    /// Asks in the way that ``authenticator`` says.
    package static var presenceAuthenticator: any PresenceAuthenticator {
        switch authenticator {
        case .automatic: OwnProgram.current.isTestRunner ? NoAuthenticator() : AutomaticAuthenticator()
        case .none: NoAuthenticator()
        case .custom(let recognisesBiometry, let ask, let secret):
            CustomAuthenticator(recognisesBiometry: recognisesBiometry, body: ask, secretBody: secret)
        }
    }
}
