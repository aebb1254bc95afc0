// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// Finds out whether the person at the machine is its owner.
package protocol PresenceAuthenticator: Sendable {
    /// Why nobody can prove it by any of the methods on this machine; nil if somebody can be asked. Asks nobody.
    func obstacle(to methods: PresenceRequest.Methods) -> PresenceFailure?

    /// Asks, and waits for the answer. One thread at a time calls it, and may block.
    ///
    /// - Throws: Why the person is not known to be the owner.
    func authenticate(_ request: PresenceRequest) throws(PresenceFailure)

    /// A value that changes whenever the set of enrolled fingers changes; nil if none is enrolled. Asks nobody.
    func enrolledBiometrySet() -> Data?

    /// Asks for a secret that the caller checks, and waits for the answer. One thread at a time calls it, and may block.
    ///
    /// - Throws: Why there is no answer; ``PresenceFailure/nobodyToAsk`` if such a secret cannot be asked for,
    ///   ``PresenceFailure/slip(_:)`` if the answer cannot be used.
    func secret(_ kind: WantedSecret, for request: PresenceRequest) throws(PresenceFailure) -> Secret

    /// Whether a new password is asked for twice.
    var repeatsNewPasswords: Bool { get }

    /// How often a person may type a password until it can be used and is right.
    var greatestTries: Int { get }

    /// Tells the person who was asked for a secret what was wrong with it.
    func tell(_ text: String)
}

/// A secret that a person is asked to type, and that the keychain checks.
package enum WantedSecret: Sendable {
    /// The password of one item.
    case applicationPassword
    /// The password for an item to seal.
    case newApplicationPassword
    /// The same password, typed again.
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

/// Asks nobody.
struct NoAuthenticator: PresenceAuthenticator {
    func obstacle(to methods: PresenceRequest.Methods) -> PresenceFailure? {
        methods.contains(.password) ? .noPassword : .noBiometry
    }

    func authenticate(_ request: PresenceRequest) throws(PresenceFailure) {
        throw obstacle(to: request.methods) ?? .nobodyToAsk
    }
}
