// The few functions of Core Foundation that look into queries and results.

import Foundation

/// Gives a truth value as a `Bool`.
@discardableResult
public func CFBooleanGetValue(_ boolean: CFBoolean!) -> Bool {
    boolean?.boolValue ?? false
}

/// Gives the length of a string in UTF-16 units.
@discardableResult
public func CFStringGetLength(_ theString: CFString!) -> CFIndex {
    theString?.length ?? 0
}

/// Makes data of a copy of some bytes.
///
/// - Returns: The data, or `nil` if the length is negative.
@discardableResult
public func CFDataCreate(_ allocator: CFAllocator!, _ bytes: UnsafePointer<UInt8>!, _ length: CFIndex) -> CFData! {
    guard length >= 0 else { return nil }
    return NSData(bytes: bytes, length: bytes == nil ? 0 : length)
}

/// Gives the number of bytes.
@discardableResult
public func CFDataGetLength(_ theData: CFData!) -> CFIndex {
    theData?.length ?? 0
}

/// Gives the address of the bytes, valid as long as the data lives and does not change.
@discardableResult
public func CFDataGetBytePtr(_ theData: CFData!) -> UnsafePointer<UInt8>! {
    guard let data = theData, data.length > 0 else { return nil }
    return data.bytes.assumingMemoryBound(to: UInt8.self)
}

/// Gives the number of elements.
@discardableResult
public func CFArrayGetCount(_ theArray: CFArray!) -> CFIndex {
    theArray?.count ?? 0
}

/// Gives the number of entries.
@discardableResult
public func CFDictionaryGetCount(_ theDict: CFDictionary!) -> CFIndex {
    theDict?.count ?? 0
}
