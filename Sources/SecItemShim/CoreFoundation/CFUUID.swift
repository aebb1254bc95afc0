// SPDX-License-Identifier: Apache-2.0

// What Core Foundation offers on universally unique identifiers.

import Foundation

/// Makes an identifier that nobody else has.
@discardableResult
public func CFUUIDCreate(_ alloc: CFAllocator!) -> CFUUID! {
    NSUUID()
}

/// Reads an identifier.
///
/// - Returns: The identifier, or `nil` if the string is none.
@discardableResult
public func CFUUIDCreateFromString(_ alloc: CFAllocator!, _ uuidStr: CFString!) -> CFUUID! {
    uuidStr.flatMap { NSUUID(uuidString: $0 as String) }
}

/// Writes an identifier.
@discardableResult
public func CFUUIDCreateString(_ alloc: CFAllocator!, _ uuid: CFUUID!) -> CFString! {
    uuid.map { NSString(string: $0.uuidString) }
}
