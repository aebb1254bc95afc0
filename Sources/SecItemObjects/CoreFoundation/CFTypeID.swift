// SPDX-License-Identifier: Apache-2.0

// Tells a program at run time what type an object has.
//
// Foundation's classes on Linux have no Core Foundation identifiers, and booleans and numbers share a class. So the
// identifiers are this library's own. Their numbers have no meaning; they only differ from each other.

import Foundation

/// The identifiers.
package enum TypeIdentifier {
    /// Not an object.
    package static let none: CFTypeID = 0
    /// An object of a class that Core Foundation does not know.
    package static let other: CFTypeID = 1

    static let string: CFTypeID = 2
    static let data: CFTypeID = 3
    static let number: CFTypeID = 4
    static let boolean: CFTypeID = 5
    static let date: CFTypeID = 6
    static let dictionary: CFTypeID = 7
    static let array: CFTypeID = 8
    static let set: CFTypeID = 9
    static let null: CFTypeID = 10
    static let error: CFTypeID = 11
    static let url: CFTypeID = 12
    static let uuid: CFTypeID = 13

    // The identifiers of this library's classes are all here, so that no two are equal.
    package static let accessControl: CFTypeID = 32
    package static let key: CFTypeID = 33
    package static let certificate: CFTypeID = 34
    package static let identity: CFTypeID = 35
    package static let trust: CFTypeID = 36
    package static let policy: CFTypeID = 37
    package static let access: CFTypeID = 38
    package static let trustedApplication: CFTypeID = 39
    package static let keychain: CFTypeID = 40
    package static let task: CFTypeID = 41
}

/// Gives the identifier of an object's type.
///
/// Compare it with the result of `CFStringGetTypeID()`, `SecKeyGetTypeID()` and similar functions. Mutable objects have
/// the identifier of their immutable type. A Swift value that was passed as an object has the identifier of the object
/// that it is bridged to: a `Bool` that of `CFBooleanGetTypeID()`, any other number that of `CFNumberGetTypeID()`.
///
/// - Returns: The identifier; 1 if the object's type is not known here, 0 for `nil`.
@discardableResult
public func CFGetTypeID(_ cf: CFTypeRef!) -> CFTypeID {
    guard let object = cf.map(withoutBox) else { return TypeIdentifier.none }
    switch object {
    case let ours as any CoreFoundationObject: return type(of: ours).typeIdentifier
    case is NSString: return TypeIdentifier.string
    case is NSData: return TypeIdentifier.data
    case let number as NSNumber: return number.isTruthValue ? TypeIdentifier.boolean : TypeIdentifier.number
    case is NSDictionary: return TypeIdentifier.dictionary
    case is NSArray: return TypeIdentifier.array
    case is NSDate: return TypeIdentifier.date
    case is NSNull: return TypeIdentifier.null
    case is NSSet: return TypeIdentifier.set
    case is NSURL: return TypeIdentifier.url
    case is NSUUID: return TypeIdentifier.uuid
    // A Swift error passed as an object is in a box that is not an NSError, although `as CFError` would make one.
    case is any Error: return TypeIdentifier.error
    default: return TypeIdentifier.other
    }
}

extension NSNumber {
    /// Whether the number is a truth value, rather than the number 1 or 0, to which it is equal.
    ///
    /// Foundation has a single object for each truth value, so object identity decides.
    package var isTruthValue: Bool {
        self === kCFBooleanTrue || self === kCFBooleanFalse
    }
}

// MARK: - Identifiers of the types

/// Gives the identifier of strings.
@discardableResult
public func CFStringGetTypeID() -> CFTypeID { TypeIdentifier.string }

/// Gives the identifier of data.
@discardableResult
public func CFDataGetTypeID() -> CFTypeID { TypeIdentifier.data }

/// Gives the identifier of numbers other than truth values.
@discardableResult
public func CFNumberGetTypeID() -> CFTypeID { TypeIdentifier.number }

/// Gives the identifier of truth values.
@discardableResult
public func CFBooleanGetTypeID() -> CFTypeID { TypeIdentifier.boolean }

/// Gives the identifier of dates.
@discardableResult
public func CFDateGetTypeID() -> CFTypeID { TypeIdentifier.date }

/// Gives the identifier of dictionaries.
@discardableResult
public func CFDictionaryGetTypeID() -> CFTypeID { TypeIdentifier.dictionary }

/// Gives the identifier of arrays.
@discardableResult
public func CFArrayGetTypeID() -> CFTypeID { TypeIdentifier.array }

/// Gives the identifier of sets.
@discardableResult
public func CFSetGetTypeID() -> CFTypeID { TypeIdentifier.set }

/// Gives the identifier of the null object.
@discardableResult
public func CFNullGetTypeID() -> CFTypeID { TypeIdentifier.null }

/// Gives the identifier of errors.
@discardableResult
public func CFErrorGetTypeID() -> CFTypeID { TypeIdentifier.error }

/// Gives the identifier of URLs.
@discardableResult
public func CFURLGetTypeID() -> CFTypeID { TypeIdentifier.url }

/// Gives the identifier of universally unique identifiers.
@discardableResult
public func CFUUIDGetTypeID() -> CFTypeID { TypeIdentifier.uuid }
