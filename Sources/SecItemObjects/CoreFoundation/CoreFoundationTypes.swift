// SPDX-License-Identifier: Apache-2.0

// The Core Foundation types that Apple's signatures use, and the constant objects that belong to no other file.
//
// The types are the Foundation classes, not the toolchain's own Core Foundation types. So `[String: Any] as CFDictionary`,
// `"text" as CFString` and `result as? Data` work as on Apple's platforms.

import Foundation

// MARK: - Objects

/// Any Core Foundation or Foundation object.
public typealias CFTypeRef = AnyObject

/// A string.
public typealias CFString = NSString

/// A mutable string.
public typealias CFMutableString = NSMutableString

/// A dictionary, such as a query.
public typealias CFDictionary = NSDictionary

/// A mutable dictionary.
public typealias CFMutableDictionary = NSMutableDictionary

/// An array.
public typealias CFArray = NSArray

/// A mutable array.
public typealias CFMutableArray = NSMutableArray

/// A set.
public typealias CFSet = NSSet

/// Bytes, such as a secret.
public typealias CFData = NSData

/// Bytes that can change.
public typealias CFMutableData = NSMutableData

/// A number.
public typealias CFNumber = NSNumber

/// A truth value: `kCFBooleanTrue` or `kCFBooleanFalse`.
public typealias CFBoolean = NSNumber

/// A point in time.
public typealias CFDate = NSDate

/// The object that stands for no object in a collection.
public typealias CFNull = NSNull

/// A URL.
public typealias CFURL = NSURL

/// A universally unique identifier.
public typealias CFUUID = NSUUID

// MARK: - Scalars

/// Identifies a Core Foundation type at run time.
public typealias CFTypeID = UInt

/// A count or position.
public typealias CFIndex = Int

/// A hash value.
public typealias CFHashCode = UInt

/// Bits of an option set.
public typealias CFOptionFlags = UInt

/// Seconds.
public typealias CFTimeInterval = Double

/// Seconds since the start of 2001, in GMT.
public typealias CFAbsoluteTime = CFTimeInterval

// MARK: - Constants

/// The null object.
public let kCFNull: CFNull! = NSNull()

/// The entry of an information property list that holds the bundle identifier.
public nonisolated(unsafe) let kCFBundleIdentifierKey: CFString! = "CFBundleIdentifier"

/// A truth value of C functions. Apple:
/// [DarwinBoolean](https://developer.apple.com/documentation/swift/darwinboolean).
public struct DarwinBoolean: ExpressibleByBooleanLiteral, Equatable, Sendable, CustomStringConvertible {
    private var value: UInt8

    /// Makes one from a `Bool`.
    public init(_ value: Bool) {
        self.value = value ? 1 : 0
    }

    public init(booleanLiteral value: Bool) {
        self.init(value)
    }

    /// The value as a `Bool`.
    public var boolValue: Bool { value != 0 }

    public var description: String { boolValue.description }
}

/// The order of two objects.
public enum CFComparisonResult: CFIndex, Sendable {
    /// The first object comes before the second.
    case compareLessThan = -1
    /// The objects are equal.
    case compareEqualTo = 0
    /// The first object comes after the second.
    case compareGreaterThan = 1

    init(_ result: ComparisonResult) {
        switch result {
        case .orderedAscending: self = .compareLessThan
        case .orderedSame: self = .compareEqualTo
        case .orderedDescending: self = .compareGreaterThan
        }
    }
}

/// A whole number of the machine's size, as Objective-C names it; Foundation on Linux lacks the name.
public typealias NSInteger = Int

/// A whole number without a sign, as Objective-C names it; Foundation on Linux lacks the name.
public typealias NSUInteger = UInt
