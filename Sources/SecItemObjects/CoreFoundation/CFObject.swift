// SPDX-License-Identifier: Apache-2.0

import Foundation

/// An object of one of Core Foundation's classes that Foundation does not have, such as `SecKey`.
///
/// These classes do not descend from `NSObject`, so that a program may give them members of its own with the names
/// `description`, `debugDescription` and `hash`, and conform them to `CustomStringConvertible`, as on Apple's platforms.
/// Foundation's collections keep them in boxes, which `as`, `CFEqual` and the other functions on objects see through.
public protocol _CFObject: AnyObject, Hashable, TextOutputStreamable {}

extension _CFObject {
    public static func == (left: Self, right: Self) -> Bool {
        CFEqual(left, right)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(CFHash(self))
    }

    /// Writes the program's own description, or else that of `CFCopyDescription`.
    public func write<Target: TextOutputStream>(to target: inout Target) {
        target.write((self as? any CustomStringConvertible)?.description ?? CFCopyDescription(self) as String)
    }
}

/// A class of this library that has a type identifier in Core Foundation.
package protocol CoreFoundationObject: _CFObject {
    /// The result of `CFGetTypeID` for an object of the class.
    static var typeIdentifier: CFTypeID { get }

    /// The result of `CFEqual` for two objects of the class.
    func isEqual(to other: Self) -> Bool

    /// The result of `CFHash`.
    var hashCode: Int { get }

    /// The result of `CFCopyDescription`. Never contains a secret.
    var summary: String { get }
}

extension CoreFoundationObject {
    package func isEqual(to other: Self) -> Bool { self === other }

    package var hashCode: Int { ObjectIdentifier(self).hashValue }

    package var summary: String { "<\(Self.self)>" }

    /// The result of `CFEqual` for an object of any class.
    func isEqual(toObject other: AnyObject) -> Bool {
        (other as? Self).map(isEqual(to:)) ?? false
    }
}
