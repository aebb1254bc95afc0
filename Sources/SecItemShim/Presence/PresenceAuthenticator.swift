// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// A way to find out whether the person at the machine is its owner.
package protocol PresenceAuthenticator: Sendable {
    /// Why nobody can prove that by any of the methods on this machine, or nil if somebody can be asked. Asks nobody.
    func obstacle(to methods: PresenceRequest.Methods) -> PresenceFailure?

    /// Asks, and waits for the answer. Called on a thread that may block, by one thread at a time.
    ///
    /// - Throws: Why the person is not known to be the owner.
    func authenticate(_ request: PresenceRequest) throws(PresenceFailure)

    /// What changes when the set of enrolled fingers does; nil where none is enrolled. Asks nobody.
    func enrolledBiometrySet() -> Data?

    /// Asks for something that somebody else checks, and waits for the answer. Called on a thread that may block, by one
    /// thread at a time.
    ///
    /// - Throws: Why there is no answer; `nobodyToAsk` where no such thing can be asked for.
    func secret(_ kind: WantedSecret, for request: PresenceRequest) throws(PresenceFailure) -> Secret

    /// Whether a new password is asked for twice.
    var repeatsNewPasswords: Bool { get }

    /// How often a person may type a password until it is one that an item could have.
    var greatestTries: Int { get }

    /// Tells the person who was asked for a secret what was wrong with it.
    func tell(_ text: String)
}

/// What a person is asked to type, and the keychain checks.
package enum WantedSecret: Sendable {
    /// The password of one item.
    case applicationPassword
    /// The password that an item is to have.
    case newApplicationPassword
    /// The same once more.
    case repeatedApplicationPassword
    /// The passphrase of the store.
    case passphrase
}

extension PresenceAuthenticator {
    package var repeatsNewPasswords: Bool { true }

    package var greatestTries: Int { 1 }

    package func enrolledBiometrySet() -> Data? { nil }

    package func secret(_ kind: WantedSecret, for request: PresenceRequest) throws(PresenceFailure) -> Secret {
        throw .nobodyToAsk
    }

    package func tell(_ text: String) {}
}

/// Nobody is asked.
struct NoAuthenticator: PresenceAuthenticator {
    func obstacle(to methods: PresenceRequest.Methods) -> PresenceFailure? {
        methods.contains(.password) ? .noPassword : .noBiometry
    }

    func authenticate(_ request: PresenceRequest) throws(PresenceFailure) {
        throw obstacle(to: request.methods) ?? .nobodyToAsk
    }
}
