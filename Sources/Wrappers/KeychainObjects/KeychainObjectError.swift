// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// The reason why an operation of a ``KeychainObjectStore`` failed. It never contains an object, which may be a secret.
public struct KeychainObjectError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure. It is a struct, not an enum, so that a new kind does not break existing code.
    public struct Code: Hashable, Sendable {
        /// A short name for logs.
        public let name: String

        /// No object has that reference: it was removed, never existed, or belongs to another store.
        public static let notFound = Code(name: "notFound")
        /// The object cannot be encoded.
        public static let notEncodable = Code(name: "notEncodable")
        /// The stored data cannot be decoded as this type: the type has changed, or another program wrote the item.
        public static let notDecodable = Code(name: "notDecodable")
        /// The keychain is locked, and nobody can or may unlock it now.
        public static let locked = Code(name: "locked")
        /// The person dismissed the prompt to unlock the keychain.
        public static let cancelled = Code(name: "cancelled")
        /// The keychain gave another status, which is in ``KeychainObjectError/status``.
        public static let keychain = Code(name: "keychain")
    }

    /// The kind of failure.
    public let code: Code
    /// The status of the keychain, or the one that fits best.
    public let status: OSStatus
    /// The bytes of the reference of the object concerned, if there is one.
    public let reference: Data?
    /// The error of the encoder or decoder. It may quote values, so keep it out of logs.
    public let underlying: (any Error)?

    init(_ code: Code, status: OSStatus, reference: Data? = nil, underlying: (any Error)? = nil) {
        self.code = code
        self.status = status
        self.reference = reference
        self.underlying = underlying
    }

    init(status: OSStatus, reference: Data? = nil) {
        let code: Code =
            switch status {
            case errSecItemNotFound: .notFound
            case errSecInteractionNotAllowed: .locked
            case errSecUserCanceled: .cancelled
            default: .keychain
            }
        self.init(code, status: status, reference: reference)
    }

    /// A description of the failure, without any value.
    public var description: String {
        let text = SecCopyErrorMessageString(status, nil).map { $0 as String } ?? ""
        return "\(code.name) (\(status)): \(text)"
    }
}

extension KeychainObjectError: LocalizedError {
    /// The failure as a sentence, without any value.
    public var errorDescription: String? {
        "The keychain cannot store, find or remove the object (\(description))."
    }
}
