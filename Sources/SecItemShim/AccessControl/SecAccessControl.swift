// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// The conditions under which an item may be used: a protection class, and the proofs that the user must give.
///
/// ``SecAccessControlCreateWithFlags(_:_:_:_:)`` makes it, and an item has it under `kSecAttrAccessControl`. Two access
/// controls are equal if their protection and their flags are equal.
public final class SecAccessControl: _CFObject, @unchecked Sendable {
    /// The protection class, as the value of a `kSecAttrAccessible…` constant.
    package let protection: String

    /// The conditions beyond the protection class, as the caller gave them.
    package let flags: SecAccessControlCreateFlags

    /// Makes an access control of parts that the caller has checked.
    package init(protection: String, flags: SecAccessControlCreateFlags) {
        self.protection = protection
        self.flags = flags
    }

    /// Whether there are conditions beyond the protection class. Without any, it means the same as `kSecAttrAccessible`.
    package var hasConstraints: Bool { !flags.isEmpty }

    /// Whether the user must prove something (a finger, the passcode, a password) before the item may be used.
    ///
    /// False if the flags only say what a key is for, or how conditions combine.
    package var requiresAuthentication: Bool { !constraints.isDisjoint(with: .proofs) }
}

extension SecAccessControl: CoreFoundationObject {
    package static let typeIdentifier = TypeIdentifier.accessControl

    package func isEqual(to other: SecAccessControl) -> Bool {
        protection == other.protection && flags == other.flags
    }

    package var hashCode: Int {
        var hasher = Hasher()
        hasher.combine(protection)
        hasher.combine(flags.rawValue)
        return hasher.finalize()
    }

    package var summary: String {
        "<SecAccessControl: \(protection), flags 0x\(String(flags.rawValue, radix: 16))>"
    }
}

/// Gives the type identifier of access controls, to compare with what `CFGetTypeID` gives for an object.
@discardableResult
public func SecAccessControlGetTypeID() -> CFTypeID {
    SecAccessControl.typeIdentifier
}
