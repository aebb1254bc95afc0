// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

extension LinuxKeychain {
    /// Who finds out whether the person at the machine is its owner, when an `LAContext` evaluates a
    /// policy or a guarded item is used.
    public enum Authenticator: Sendable {
        /// On the program's terminal, if it has one, PAM asks for the user's own password, by the rules of the service
        /// `secitem` (those of the service `other`, where the machine has none of that name). Else polkit asks, through the
        /// agent of the user's desktop, for the password or a finger. Without a terminal and an agent nobody can be asked;
        /// nobody is asked in a run of tests (`swift test`) either.
        case automatic
        /// Nobody is asked: no policy can be evaluated.
        case none
        /// The application asks by itself.
        ///
        /// - Parameters:
        ///   - recognisesBiometry: Whether `ask` can recognise a finger or a face. If not, policies that want one cannot be
        ///     evaluated.
        ///   - ask: Returns when the person has proven to be the owner, and throws when not: an `LAError` reaches the caller
        ///     as it is, anything else as `LAError.authenticationFailed`. It runs on a thread of the library's, or on that of the
        ///     keychain call that needs it, without a
        ///     lock, and in one thread at a time. It must not have an `LAContext` evaluate a policy itself: that would wait for
        ///     its own answer. The data of a guarded item is not to be had there either (`errSecInteractionNotAllowed`).
        ///   - secret: Returns what the person typed, in UTF-8, where a proof alone opens nothing: the passphrase of the store,
        ///     or the password of an item. It throws, and is called, as `ask` is. Without it, such items open only with an
        ///     `LAContext` that has the passphrase or password; other calls fail with `errSecInteractionNotAllowed`.
        case custom(
            recognisesBiometry: Bool = false, ask: @Sendable (AuthenticationRequest) throws -> Void,
            secret: (@Sendable (SecretRequest) throws -> Data)? = nil)
    }

    /// What the application's own authenticator has to ask.
    public struct AuthenticationRequest: Sendable {
        private let request: PresenceRequest

        init(_ request: PresenceRequest) {
            self.request = request
        }

        /// What the question is for, for the person to read.
        public var reason: String { request.reason }

        /// Whether the user's password, or what the application has in its place, is enough.
        public var allowsPassword: Bool { request.methods.contains(.password) }

        /// Whether a finger or a face is enough.
        public var allowsBiometry: Bool { request.methods.contains(.biometry) }

        /// Whether nobody waits for the answer any more, as after `LAContext.invalidate()`. It may become true while you ask:
        /// then close what you have opened, and throw.
        public var isCancelled: Bool { request.isCancelled }
    }

    /// What the application's own authenticator has to have the person type.
    public struct SecretRequest: Sendable {
        /// What is wanted.
        public enum Kind: Sendable {
            /// The passphrase of the store. The store checks it.
            case storePassphrase
            /// The password of an item. The item opens with no other.
            case applicationPassword
            /// The password that an item is to have. It cannot be recovered: have the person type it twice.
            case newApplicationPassword
        }

        private let request: PresenceRequest
        /// What is wanted.
        public let kind: Kind

        init(_ kind: Kind, _ request: PresenceRequest) {
            self.kind = kind
            self.request = request
        }

        /// What it is needed for, for the person to read.
        public var reason: String { request.reason }

        /// Whether nobody waits for the answer any more, as after `LAContext.invalidate()`. It may become true while you ask:
        /// then close what you have opened, and throw.
        public var isCancelled: Bool { request.isCancelled }
    }

    /// Who asks, from the next question on. ``Authenticator/automatic`` unless it is set.
    public static var authenticator: Authenticator {
        get { chosenAuthenticator.withLock { $0 } }
        set { chosenAuthenticator.withLock { $0 = newValue } }
    }

    private static let chosenAuthenticator = ForkableState(Authenticator.automatic)

    /// What asks as ``authenticator`` says.
    package static var presenceAuthenticator: any PresenceAuthenticator {
        switch authenticator {
        case .automatic: OwnProgram.current.isTestRunner ? NoAuthenticator() : AutomaticAuthenticator()
        case .none: NoAuthenticator()
        case .custom(let recognisesBiometry, let ask, let secret):
            CustomAuthenticator(recognisesBiometry: recognisesBiometry, body: ask, secretBody: secret)
        }
    }
}
