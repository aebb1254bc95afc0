// The few functions of Core Foundation that keychain code calls on its queries and results.

import Foundation

/// Tells whether two objects are equal.
@discardableResult
public func CFEqual(_ cf1: CFTypeRef!, _ cf2: CFTypeRef!) -> Bool {
    guard let first = cf1, let second = cf2 else { return cf1 == nil && cf2 == nil }
    if first === second { return true }
    // Truth values and numbers share a class here, but on Apple's platforms they are never equal.
    guard CFGetTypeID(first) == CFGetTypeID(second) else { return false }
    return (first as? NSObject)?.isEqual(second) ?? false
}

/// Gives a hash of an object, the same for objects that are equal.
@discardableResult
public func CFHash(_ cf: CFTypeRef!) -> CFHashCode {
    guard let object = cf else { return 0 }
    return CFHashCode(bitPattern: (object as? NSObject)?.hash ?? ObjectIdentifier(object).hashValue)
}

/// Describes an object for developers.
@discardableResult
public func CFCopyDescription(_ cf: CFTypeRef!) -> CFString! {
    guard let object = cf else { return nil }
    return NSString(string: (object as? NSObject)?.description ?? String(describing: object))
}

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
