// SPDX-License-Identifier: Apache-2.0

// Core Foundation's functions on universally unique identifiers.

import Foundation

/// Makes a new random identifier.
@discardableResult
public func CFUUIDCreate(_ alloc: CFAllocator!) -> CFUUID! {
    NSUUID()
}

/// Parses an identifier.
///
/// - Returns: The identifier, or `nil` if the string is not one.
@discardableResult
public func CFUUIDCreateFromString(_ alloc: CFAllocator!, _ uuidStr: CFString!) -> CFUUID! {
    uuidStr.flatMap { NSUUID(uuidString: $0 as String) }
}

/// Gives an identifier as a string.
@discardableResult
public func CFUUIDCreateString(_ alloc: CFAllocator!, _ uuid: CFUUID!) -> CFString! {
    uuid.map { NSString(string: $0.uuidString) }
}
