// SPDX-License-Identifier: Apache-2.0

// Foundation brings the keychain's names with it.
import Foundation

/// A failure of the keychain.
public struct PasswordError: LocalizedError, Equatable, Sendable {
    /// What the keychain answered.
    public let status: OSStatus

    /// Makes an error of what the keychain answered.
    public init(status: OSStatus) {
        self.status = status
    }

    /// The keychain's sentence on the status.
    public var errorDescription: String? {
        SecCopyErrorMessageString(status, nil) as String?
    }

    /// Whether another attempt may succeed once the user has unlocked the device.
    public var isTemporary: Bool {
        [errSecInteractionNotAllowed, errSecNotAvailable].contains(status)
    }

    static func check(_ status: OSStatus) throws {
        if status != errSecSuccess { throw PasswordError(status: status) }
    }
}
