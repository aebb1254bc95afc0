// SPDX-License-Identifier: Apache-2.0

import SecItemStore

/// The reason why a call failed: the status to return, a message, and the underlying error.
///
/// Parsing, the engine, stores and keys throw it. ``KeychainCalls`` turns it into the `OSStatus` of the four calls, and
/// each other function of Apple's into its own result. The message goes to the log, so it never contains a caller's
/// value.
package struct KeychainError: Error, CustomStringConvertible {
    package let status: OSStatus
    package let message: String
    /// What the application can do about it, in the words of its programmers; nil if the message says it.
    package let remedy: String?
    package let underlying: (any Error)?

    package init(_ status: OSStatus, _ message: String, remedy: String? = nil, underlying: (any Error)? = nil) {
        self.status = status
        self.message = message
        self.remedy = remedy
        self.underlying = underlying
    }

    package var description: String {
        // Not the same sentence twice.
        if let failure = underlying as? StoreError, failure.message == message {
            return "\(statusDescription(status)): \(failure)"
        }
        let cause = underlying.map { ": \($0)" } ?? ""
        let advice = remedy.map { ": \($0)" } ?? ""
        return "\(statusDescription(status)): \(message)\(advice)\(cause)"
    }
}

extension KeychainError {
    package static func param(_ message: String) -> KeychainError { KeychainError(errSecParam, message) }
    package static func noSuchAttr(_ message: String) -> KeychainError { KeychainError(errSecNoSuchAttr, message) }
    package static func noSuchClass(_ message: String) -> KeychainError { KeychainError(errSecNoSuchClass, message) }
    package static func itemNotFound() -> KeychainError { KeychainError(errSecItemNotFound, "no item matches") }
    package static func notAvailable(_ message: String) -> KeychainError { KeychainError(errSecNotAvailable, message) }
    package static func unimplemented(_ message: String) -> KeychainError {
        KeychainError(errSecUnimplemented, message)
    }
    package static func missingEntitlement(_ message: String) -> KeychainError {
        KeychainError(errSecMissingEntitlement, message)
    }

    /// Converts a store's error for a client.
    package init(_ error: StoreError) {
        self.init(Self.status(of: error.code), error.message, underlying: error)
    }

    private static func status(of code: StoreError.Code) -> OSStatus {
        switch code {
        case .duplicate: errSecDuplicateItem
        case .locked: errSecInteractionNotAllowed
        case .cancelled: errSecUserCanceled
        case .authenticationFailed: errSecAuthFailed
        case .corrupt: errSecDecode
        case .readOnly: errSecReadOnly
        case .tooLarge: errSecDataTooLarge
        case .unrepresentable, .tooMany: errSecParam
        case .unsupported: errSecUnimplemented
        case .io: errSecIO
        case .full: errSecDiskFull
        default: errSecNotAvailable
        }
    }
}

/// Runs an operation of a store, and converts its error for the client.
package func forClient<Result>(_ operation: () throws(StoreError) -> Result) throws(KeychainError) -> Result {
    do throws(StoreError) { return try operation() } catch { throw KeychainError(error) }
}
