// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What went wrong, in the few kinds that callers tell apart.
@objc(EXVaultFailure)
public enum VaultFailure: Int, Sendable {
    case locked
    case other

    @available(swift, obsoleted: 1.0)
    @objc case unavailable
}

/// A failure of the keychain.
public struct VaultError: Error {
    /// What the keychain answered.
    public let status: OSStatus

    /// The kind of failure.
    public var failure: VaultFailure { status == errSecInteractionNotAllowed ? .locked : .other }
}

@objc extension Vault {
    /// What Objective-C gets instead of an error.
    public func lastFailure(for status: OSStatus) -> VaultFailure { VaultError(status: status).failure }
}
