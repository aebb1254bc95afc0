// SPDX-License-Identifier: Apache-2.0

// Core Foundation's functions on dictionaries.

internal import CoreFoundation
import Foundation

/// The callbacks of a dictionary for its keys. They are ignored: keys are always objects, and the dictionary retains
/// them.
public struct CFDictionaryKeyCallBacks: Sendable {
    /// Zero.
    public var version: CFIndex = 0

    /// Makes default callbacks.
    public init() {}
}

/// The callbacks of a dictionary for its values. They are ignored: values are always objects, and the dictionary
/// retains them.
public struct CFDictionaryValueCallBacks: Sendable {
    /// Zero.
    public var version: CFIndex = 0

    /// Makes default callbacks.
    public init() {}
}

/// The callbacks for keys that are objects.
public let kCFTypeDictionaryKeyCallBacks = CFDictionaryKeyCallBacks()

/// The callbacks for keys that are strings, and are copied.
public let kCFCopyStringDictionaryKeyCallBacks = CFDictionaryKeyCallBacks()

/// The callbacks for values that are objects.
public let kCFTypeDictionaryValueCallBacks = CFDictionaryValueCallBacks()

// MARK: - Making dictionaries

/// Makes a dictionary.
///
/// - Parameters:
///   - allocator: Not used.
///   - keys: The addresses of the keys, which are hashable. Of equal keys, the first one counts.
///   - values: The addresses of the values.
///   - numValues: The number of keys, and of values.
///   - keyCallBacks: Not used.
///   - valueCallBacks: Not used.
/// - Returns: The dictionary, or `nil` if the number is negative or an object is missing.
@discardableResult
public func CFDictionaryCreate(
    _ allocator: CFAllocator!, _ keys: UnsafeMutablePointer<UnsafeRawPointer?>!,
    _ values: UnsafeMutablePointer<UnsafeRawPointer?>!, _ numValues: CFIndex,
    _ keyCallBacks: UnsafePointer<CFDictionaryKeyCallBacks>!,
    _ valueCallBacks: UnsafePointer<CFDictionaryValueCallBacks>!
) -> CFDictionary! {
    guard numValues >= 0, (keys != nil && values != nil) || numValues == 0 else { return nil }
    let result = NSMutableDictionary()
    for index in 0..<numValues {
        guard key(at: keys[index]) != nil, values[index] != nil else { return nil }
        CFDictionaryAddValue(result, keys[index], values[index])
    }
    return result.copy() as? NSDictionary
}

/// Makes a dictionary with the same entries.
@discardableResult
public func CFDictionaryCreateCopy(_ allocator: CFAllocator!, _ theDict: CFDictionary!) -> CFDictionary! {
    theDict?.copy() as? NSDictionary
}

/// Makes an empty mutable dictionary.
///
/// - Returns: The dictionary, or `nil` if the capacity is negative. The capacity has no other use.
@discardableResult
public func CFDictionaryCreateMutable(
    _ allocator: CFAllocator!, _ capacity: CFIndex, _ keyCallBacks: UnsafePointer<CFDictionaryKeyCallBacks>!,
    _ valueCallBacks: UnsafePointer<CFDictionaryValueCallBacks>!
) -> CFMutableDictionary! {
    capacity < 0 ? nil : NSMutableDictionary()
}

/// Makes a mutable dictionary with the same entries.
///
/// - Returns: The dictionary, or `nil` if the capacity is negative. The capacity has no other use.
@discardableResult
public func CFDictionaryCreateMutableCopy(
    _ allocator: CFAllocator!, _ capacity: CFIndex, _ theDict: CFDictionary!
) -> CFMutableDictionary! {
    capacity < 0 ? nil : theDict?.mutableCopy() as? NSMutableDictionary
}

// MARK: - Reading dictionaries

/// Gives the number of entries.
@discardableResult
public func CFDictionaryGetCount(_ theDict: CFDictionary!) -> CFIndex {
    theDict?.count ?? 0
}

/// Gives the address of the value under a key; `nil` if there is none. The dictionary retains the value.
@discardableResult
public func CFDictionaryGetValue(_ theDict: CFDictionary!, _ key: UnsafeRawPointer!) -> UnsafeRawPointer! {
    guard let dictionary = theDict, let object = SecItemObjects.key(at: key) else { return nil }
    let table = unsafeBitCast(dictionary, to: CoreFoundation.CFDictionary.self)
    let stored = withStoredObject(key) { CoreFoundation.CFDictionaryGetValue(table, $0) }
    return stored.flatMap { address(of: $0, dictionary.object(forKey: object)) }
}

/// Gives the address of the value under a key.
///
/// - Parameters:
///   - theDict: The dictionary.
///   - key: The address of the key.
///   - value: Receives the address, unless `nil`. It does not change if there is no value.
/// - Returns: Whether there is a value.
@discardableResult
public func CFDictionaryGetValueIfPresent(
    _ theDict: CFDictionary!, _ key: UnsafeRawPointer!, _ value: UnsafeMutablePointer<UnsafeRawPointer?>!
) -> Bool {
    guard let found = CFDictionaryGetValue(theDict, key) else { return false }
    value?.pointee = found
    return true
}

/// Tells whether a key has a value.
@discardableResult
public func CFDictionaryContainsKey(_ theDict: CFDictionary!, _ key: UnsafeRawPointer!) -> Bool {
    CFDictionaryGetValue(theDict, key) != nil
}

/// Counts a key: 0 or 1.
@discardableResult
public func CFDictionaryGetCountOfKey(_ theDict: CFDictionary!, _ key: UnsafeRawPointer!) -> CFIndex {
    CFDictionaryContainsKey(theDict, key) ? 1 : 0
}

/// Tells whether an object is among the values.
@discardableResult
public func CFDictionaryContainsValue(_ theDict: CFDictionary!, _ value: UnsafeRawPointer!) -> Bool {
    CFDictionaryGetCountOfValue(theDict, value) > 0
}

/// Counts an object among the values.
@discardableResult
public func CFDictionaryGetCountOfValue(_ theDict: CFDictionary!, _ value: UnsafeRawPointer!) -> CFIndex {
    guard let dictionary = theDict, let searched = object(at: value) else { return 0 }
    return dictionary.allKeys.count { CFEqual(dictionary.object(forKey: $0) as AnyObject, searched) }
}

/// Gives the addresses of all keys and values, in the same order. Either buffer may be `nil`.
public func CFDictionaryGetKeysAndValues(
    _ theDict: CFDictionary!, _ keys: UnsafeMutablePointer<UnsafeRawPointer?>!,
    _ values: UnsafeMutablePointer<UnsafeRawPointer?>!
) {
    guard let dictionary = theDict, dictionary.count > 0 else { return }
    let table = unsafeBitCast(dictionary, to: CoreFoundation.CFDictionary.self)
    withUnsafeTemporaryAllocation(of: UnsafeRawPointer?.self, capacity: dictionary.count) { found in
        CoreFoundation.CFDictionaryGetKeysAndValues(table, found.baseAddress, nil)
        for (index, key) in found.enumerated() {
            keys?[index] = addressWithoutBox(key)
            values?[index] = CFDictionaryGetValue(dictionary, key)
        }
    }
}

// MARK: - Changing dictionaries

/// Stores a value under a key, if there is none yet.
public func CFDictionaryAddValue(_ theDict: CFMutableDictionary!, _ key: UnsafeRawPointer!, _ value: UnsafeRawPointer!)
{
    if !CFDictionaryContainsKey(theDict, key) { CFDictionarySetValue(theDict, key, value) }
}

/// Stores a value under a key. Does nothing if the key is not hashable.
public func CFDictionarySetValue(_ theDict: CFMutableDictionary!, _ key: UnsafeRawPointer!, _ value: UnsafeRawPointer!)
{
    guard let key = SecItemObjects.key(at: key), let object = object(at: value) else { return }
    theDict?.setObject(object, forKey: key)
}

/// Stores a value under a key, if there is one already.
public func CFDictionaryReplaceValue(
    _ theDict: CFMutableDictionary!, _ key: UnsafeRawPointer!, _ value: UnsafeRawPointer!
) {
    if CFDictionaryContainsKey(theDict, key) { CFDictionarySetValue(theDict, key, value) }
}

/// Removes the entry of a key, if there is one.
public func CFDictionaryRemoveValue(_ theDict: CFMutableDictionary!, _ key: UnsafeRawPointer!) {
    guard let key = SecItemObjects.key(at: key) else { return }
    theDict?.removeObject(forKey: key)
}

/// Removes all entries.
public func CFDictionaryRemoveAllValues(_ theDict: CFMutableDictionary!) {
    theDict?.removeAllObjects()
}
