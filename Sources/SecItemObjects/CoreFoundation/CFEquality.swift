// SPDX-License-Identifier: Apache-2.0

// Functions on any object: equality, hash, description.

import Foundation

/// Tells whether two objects are equal.
@discardableResult
public func CFEqual(_ cf1: CFTypeRef!, _ cf2: CFTypeRef!) -> Bool {
    guard let first = cf1.map(withoutBox), let second = cf2.map(withoutBox) else { return cf1 == nil && cf2 == nil }
    if first === second { return true }
    // Truth values and numbers have the same class here, but on Apple's platforms they are never equal.
    guard CFGetTypeID(first) == CFGetTypeID(second) else { return false }
    if let ours = first as? any CoreFoundationObject { return ours.isEqual(toObject: second) }
    return (first as? NSObject)?.isEqual(second) ?? false
}

/// Gives a hash of an object. Equal objects have equal hashes.
@discardableResult
public func CFHash(_ cf: CFTypeRef!) -> CFHashCode {
    guard let object = cf.map(withoutBox) else { return 0 }
    if let ours = object as? any CoreFoundationObject { return CFHashCode(bitPattern: ours.hashCode) }
    return CFHashCode(bitPattern: (object as? NSObject)?.hash ?? ObjectIdentifier(object).hashValue)
}

/// Describes an object for developers.
@discardableResult
public func CFCopyDescription(_ cf: CFTypeRef!) -> CFString! {
    guard let object = cf.map(withoutBox) else { return nil }
    if let ours = object as? any CoreFoundationObject { return NSString(string: ours.summary) }
    return NSString(string: (object as? NSObject)?.description ?? String(describing: object))
}

/// Describes an object for developers, on standard error.
public func CFShow(_ obj: CFTypeRef!) {
    let text = CFCopyDescription(obj).map { $0 as String } ?? "(null)"
    FileHandle.standardError.write(Data((text + "\n").utf8))
}
