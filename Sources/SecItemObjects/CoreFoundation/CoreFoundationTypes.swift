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
