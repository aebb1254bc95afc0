// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// The reason why a ``KCMutableDictionary`` could not be read or changed. It never contains a value, which may be a
/// secret.
public struct KCMutableDictionaryError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure. It is a struct, not an enum, so that a new kind does not break existing code.
    public struct Code: Hashable, Sendable {
        /// A short name for logs.
        public let name: String

        /// A value, or one inside it, is not of a type that a property list can hold, or a key is not text.
        public static let notPropertyList = Code(name: "notPropertyList")
        /// The keychain gave the status in ``KCMutableDictionaryError/status``, such as `errSecInteractionNotAllowed`
        /// while it is locked.
        public static let keychain = Code(name: "keychain")
        /// The item in the keychain holds no dictionary. The item does not change.
        public static let damaged = Code(name: "damaged")
        /// The dictionary was dropped with ``KCMutableDictionary/forget()``. Ask for it by name again.
        public static let forgotten = Code(name: "forgotten")
        /// The dictionary must not be archived: its values would leave the keychain.
        public static let notArchivable = Code(name: "notArchivable")
    }

    /// The kind of failure.
    public let code: Code
    /// The status of the keychain, or the one that fits best.
    public let status: OSStatus

    init(_ code: Code, status: OSStatus) {
        self.code = code
        self.status = status
    }

    static let notPropertyList = KCMutableDictionaryError(.notPropertyList, status: errSecParam)
    static let damaged = KCMutableDictionaryError(.damaged, status: errSecDecode)
    static let forgotten = KCMutableDictionaryError(.forgotten, status: errSecNoSuchKeychain)
    static let notArchivable = KCMutableDictionaryError(.notArchivable, status: errSecUnimplemented)

    static func keychain(_ status: OSStatus) -> KCMutableDictionaryError {
        KCMutableDictionaryError(.keychain, status: status)
    }

    /// A description of the failure.
    public var description: String {
        let text = SecCopyErrorMessageString(status, nil).map { $0 as String } ?? ""
        return "\(code.name) (\(status)): \(text)"
    }
}
