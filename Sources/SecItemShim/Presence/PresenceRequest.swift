// SPDX-License-Identifier: Apache-2.0

import SecItemStore

/// What a person is to prove, and the words of the question.
package struct PresenceRequest: Sendable {
    /// What a person can prove their identity with.
    package struct Methods: OptionSet, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// The user's own password.
        package static let password = Methods(rawValue: 1 << 0)
        /// A finger or a face.
        package static let biometry = Methods(rawValue: 1 << 1)
    }

    /// Each of these is enough.
    package let methods: Methods
    /// What the proof is for, in the application's words.
    package let reason: String
    private let isCancelledBody: @Sendable () -> Bool

    /// - Parameter isCancelled: Whether nobody waits for the answer any more. It may become true during the question.
    package init(_ methods: Methods, reason: String, isCancelled: @escaping @Sendable () -> Bool = { false }) {
        self.methods = methods
        self.reason = reason
        isCancelledBody = isCancelled
    }

    /// Whether nobody waits for the answer any more. The question is then closed.
    package var isCancelled: Bool { isCancelledBody() }
}

/// What is wrong with a password that a person typed.
package enum PasswordSlip: String, Sendable {
    case nothing = "No password was typed."
    case difference = "The two passwords differ."
    case tooLong = "The password is too long: a terminal takes at most 511 bytes."
    case zeroByte = "The password has a zero byte (Ctrl-@), which PAM cannot take."
}

/// Why a person is not known to be the owner of the machine.
package enum PresenceFailure: Error {
    /// The person did not prove it.
    case notRecognised
    /// The person typed a password that cannot be used.
    case slip(PasswordSlip)
    /// The person dismissed the question.
    case dismissed
    /// The person was asked and did not answer in time, or the dialog or terminal has gone meanwhile.
    case ignored
    /// The person gave the password where a finger was needed.
    case passwordInstead
    /// The person gave a finger where the password was needed.
    case fingerInstead
    /// The application cancelled the question.
    case takenBack
    /// The machine's rules refuse the person without a question.
    case refused
    /// The person gave the right proof, and the machine's rules refuse the account.
    case accountRefused
    /// Nobody can be asked: there is no terminal and no agent.
    case nobodyToAsk
    /// The user has no password.
    case noPassword
    /// The machine has nothing that recognises a finger or a face.
    case noBiometry
    /// The machine could recognise a finger, and none is enrolled.
    case notEnrolled
    /// The error that the application's authenticator threw.
    case thrown(any Error)
}
