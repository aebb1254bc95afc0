// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// Why a ``KeychainObjectStore`` could not do what it was asked. It never holds an object, which may be a secret.
public struct KeychainObjectError: Error, Sendable, CustomStringConvertible {
    /// What kind of failure it is. A struct, not an enum: a new kind breaks nobody's code.
    public struct Code: Hashable, Sendable {
        /// A short name for logs.
        public let name: String

        /// There is no object with that reference, or no longer, or it is another store's.
        public static let notFound = Code(name: "notFound")
        /// The object cannot be encoded.
        public static let notEncodable = Code(name: "notEncodable")
        /// What is stored cannot be decoded as this type: the type has changed, or the item is somebody else's.
        public static let notDecodable = Code(name: "notDecodable")
        /// The keychain is locked, and nobody can or may unlock it now.
        public static let locked = Code(name: "locked")
        /// The person asked to unlock the keychain said no.
        public static let cancelled = Code(name: "cancelled")
        /// The keychain answered with another ``KeychainObjectError/status``.
        public static let keychain = Code(name: "keychain")
    }

    /// What kind of failure it is.
    public let code: Code
    /// The status that the keychain gave, or the one that fits best.
    public let status: OSStatus
    /// The bytes of the reference of the object that it is about, where it is about one.
    public let reference: Data?
    /// The error of the encoder or decoder. It may quote values: keep it out of logs.
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

    /// The failure in words, without any value.
    public var description: String {
        let text = SecCopyErrorMessageString(status, nil).map { $0 as String } ?? ""
        return "\(code.name) (\(status)): \(text)"
    }
}
