// SPDX-License-Identifier: Apache-2.0

// Programs in C were mostly written for macOS's file-based keychain. These functions take the forms that it takes and
// the data protection keychain refuses.

import CoreFoundation
import Foundation
import SecItemShim

/// `SecItemAdd` for programs in C. It takes a string as `kSecValueData` too, and stores its UTF-8.
@_cdecl("SecItemAdd")
public func cSecItemAdd(_ attributes: UnsafeRawPointer?, _ result: ReceivedObject?) -> OSStatus {
    guard var attributes = argument(attributes, NSDictionary.self) else { return errSecParam }
    if let text = attributes.object(forKey: kSecValueData) as? String {
        attributes = attributes.changed { copy in
            consume(copied(kSecValueData)) { key in
                consume(copied(Data(text.utf8) as NSData)) { CoreFoundation.CFDictionarySetValue(copy, key, $0) }
            }
        }
    }
    return receive(result) { SecItemAdd(attributes, $0) }
}

/// `SecItemCopyMatching` for programs in C. A number is a boolean for `kSecReturn…`, too. A list of references to passwords has
/// their persistent references, which `kSecMatchItemList` takes.
@_cdecl("SecItemCopyMatching")
public func cSecItemCopyMatching(_ query: UnsafeRawPointer?, _ result: ReceivedObject?) -> OSStatus {
    guard let query = argument(query, NSDictionary.self)?.withBooleans else { return errSecParam }
    guard query.asksForReferencesToPasswords else { return receive(result) { SecItemCopyMatching(query, $0) } }
    let persistent = query.changed { copy in
        consume(copied(kSecReturnPersistentRef)) { setBoolean(true, $0, in: copy) }
    }
    return receive(result) { result in
        let status = SecItemCopyMatching(persistent, result)
        // One password has no reference.
        result?.pointee = (result?.pointee as? NSArray)
            .map { $0.compactMap { ($0 as? NSDictionary)?.object(forKey: kSecValuePersistentRef) } as NSArray }
        return status
    }
}

/// `SecItemUpdate` for programs in C. The changes may repeat the query's `kSecClass`.
@_cdecl("SecItemUpdate")
public func cSecItemUpdate(_ query: UnsafeRawPointer?, _ attributesToUpdate: UnsafeRawPointer?) -> OSStatus {
    guard let query = argument(query, NSDictionary.self),
        var changes = argument(attributesToUpdate, NSDictionary.self)
    else { return errSecParam }
    if let itemClass = changes.object(forKey: kSecClass) as? String,
        itemClass == query.object(forKey: kSecClass) as? String
    {
        changes = changes.changed { copy in
            consume(copied(kSecClass)) { CoreFoundation.CFDictionaryRemoveValue(copy, $0) }
        }
    }
    return SecItemUpdate(query, changes)
}

private func setBoolean(
    _ value: Bool, _ key: UnsafeRawPointer?, in dictionary: CoreFoundation.CFMutableDictionary
) {
    let value = value ? CoreFoundation.kCFBooleanTrue : CoreFoundation.kCFBooleanFalse
    withExtendedLifetime(value) {
        CoreFoundation.CFDictionarySetValue(dictionary, key, unsafeBitCast(value, to: UnsafeRawPointer?.self))
    }
}

extension NSDictionary {
    /// The same query with a boolean in place of each number that says whether a result is wanted.
    fileprivate var withBooleans: NSDictionary {
        var query = self
        for key in [kSecReturnData, kSecReturnAttributes, kSecReturnRef, kSecReturnPersistentRef] {
            guard let number = query.number(forKey: key) else { continue }
            query = query.changed { copy in
                consume(copied(key)) { setBoolean(number.int64Value != 0, $0, in: copy) }
            }
        }
        return query
    }

    fileprivate var asksForReferencesToPasswords: Bool {
        func has(_ key: NSString, in values: [NSString]) -> Bool {
            (object(forKey: key) as? String).map { values.contains($0 as NSString) } ?? false
        }
        func isTrue(_ key: NSString) -> Bool { object(forKey: key) as? Bool ?? false }
        return isTrue(kSecReturnRef) && !isTrue(kSecReturnData) && !isTrue(kSecReturnAttributes)
            && !isTrue(kSecReturnPersistentRef)
            && has(kSecClass, in: [kSecClassGenericPassword, kSecClassInternetPassword])
    }

    /// The value if it is a number, and no boolean.
    private func number(forKey key: NSString) -> NSNumber? {
        let value = consume(copied(key)) {
            CoreFoundation.CFDictionaryGetValue(unsafeBitCast(self, to: CoreFoundation.CFDictionary.self), $0)
        }
        guard let value else { return nil }
        let object = Unmanaged<AnyObject>.fromOpaque(value).takeUnretainedValue()
        guard CoreFoundation.CFGetTypeID(object) == CoreFoundation.CFNumberGetTypeID() else { return nil }
        return object as? NSNumber
    }

    /// A changed copy. Core Foundation copies dictionaries with `NULL` in them, too.
    fileprivate func changed(_ body: (CoreFoundation.CFMutableDictionary) -> Void) -> NSDictionary {
        let copy = CoreFoundation.CFDictionaryCreateMutableCopy(
            nil, 0, unsafeBitCast(self, to: CoreFoundation.CFDictionary.self))
        guard let copy else { return self }
        body(copy)
        return unsafeBitCast(copy, to: NSDictionary.self)
    }
}
