// SPDX-License-Identifier: Apache-2.0

import SecItemStore

/// What a person is asked to prove, and with which words.
package struct PresenceRequest: Sendable {
    /// What a person can prove themselves with.
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
    /// What it is for, in the application's words.
    package let reason: String
    private let isCancelledBody: @Sendable () -> Bool

    /// - Parameter isCancelled: Whether nobody waits for the answer any more. It may become true while somebody is asked.
    package init(_ methods: Methods, reason: String, isCancelled: @escaping @Sendable () -> Bool = { false }) {
        self.methods = methods
        self.reason = reason
        isCancelledBody = isCancelled
    }

    /// Whether nobody waits for the answer any more: then the question is taken back.
    package var isCancelled: Bool { isCancelledBody() }
}

/// What is wrong with a password that a person typed.
package enum PasswordSlip: String, Sendable {
    case nothing = "No password was typed."
    case difference = "The two passwords differ."
}

/// Why a person is not known to be the owner of the machine.
package enum PresenceFailure: Error {
    /// The person did not prove it.
    case notRecognised
    /// The person typed no password that an item could have.
    case slip(PasswordSlip)
    /// The person dismissed the question.
    case dismissed
    /// Nobody answered in time, or what asked has gone while it did.
    case ignored
    /// A finger was wanted, and the person gave the password.
    case passwordInstead
    /// The application took the question back.
    case takenBack
    /// Nobody can be asked: there is no terminal and no agent.
    case nobodyToAsk
    /// The user has no password.
    case noPassword
    /// The machine has nothing that recognises a finger or a face.
    case noBiometry
    /// The machine could recognise a finger, and none is enrolled.
    case notEnrolled
    /// What the application's own way of asking threw.
    case thrown(any Error)
}
