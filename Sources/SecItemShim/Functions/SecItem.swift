// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Adds an item to the keychain.
///
/// ```swift
/// let status = SecItemAdd(
///     [
///         kSecClass: kSecClassGenericPassword,
///         kSecAttrService: "com.example.app",
///         kSecAttrAccount: "anna",
///         kSecValueData: Data("secret".utf8),
///     ] as CFDictionary, nil)
/// ```
///
/// - Parameters:
///   - attributes: The item's class, its attributes, its data, and what to return.
///   - result: Where the result goes, when a `kSecReturn…` key asks for one. Not touched on failure.
/// - Returns: `errSecSuccess`; `errSecDuplicateItem` when an item with the same primary key is there; `errSecParam`,
///   `errSecNoSuchClass` or `errSecNoSuchAttr` for a dictionary that makes no sense; `errSecMissingEntitlement` for an
///   access group that is not the application's; `errSecInteractionNotAllowed` while the store is locked;
///   `errSecDataTooLarge` for data of more than 16 MiB or an attribute of more than 1 MiB; `errSecNotAvailable` when
///   there is no store, or none that can protect the item as asked.
///
/// Writes to the store before it returns, and may be called on any thread.
/// Source: `SecItemAdd` in Apple's *SecItem.h*; the rules are those of `docs/compatibility.md`.
@discardableResult
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    withDefaultStore { $0.add(attributes, result) }
}

/// Finds items in the keychain.
///
/// - Parameters:
///   - query: The class and attributes of the items wanted, `kSecMatch…` rules, and what to return of them.
///   - result: Where the result goes: one object, or an array when `kSecMatchLimit` is anything but one. Not touched on
///     failure, nor when no `kSecReturn…` key is true.
/// - Returns: `errSecSuccess`; `errSecItemNotFound` when nothing matches; `errSecParam`, `errSecNoSuchClass` or
///   `errSecNoSuchAttr` for a query that makes no sense; `errSecMissingEntitlement` for an access group that is not the
///   application's; `errSecInteractionNotAllowed` when a matching item is locked; `errSecDecode` when all that matches
///   is damaged; `errSecNotAvailable` when there is no store.
///
/// May be called on any thread.
/// Source: `SecItemCopyMatching` in Apple's *SecItem.h*; the rules are those of `docs/compatibility.md`.
@discardableResult
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    withDefaultStore { $0.copyMatching(query, result) }
}

/// Changes every item that matches a query, or none of them.
///
/// - Parameters:
///   - query: Which items.
///   - attributesToUpdate: The attributes, and the data, to set in each of them.
/// - Returns: `errSecSuccess`; `errSecItemNotFound` when nothing matches; `errSecDuplicateItem` when two items would
///   have the same primary key; otherwise as ``SecItemAdd(_:_:)``.
///
/// Writes to the store before it returns, and may be called on any thread.
/// Source: `SecItemUpdate` in Apple's *SecItem.h*; the rules are those of `docs/compatibility.md`.
@discardableResult
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus {
    withDefaultStore { $0.update(query, attributesToUpdate) }
}

/// Deletes every item that matches a query.
///
/// - Parameter query: Which items. With a class alone, all items of that class that are the application's.
/// - Returns: `errSecSuccess`; `errSecItemNotFound` when nothing matches; otherwise as ``SecItemCopyMatching(_:_:)``.
///
/// Writes to the store before it returns, and may be called on any thread.
/// Source: `SecItemDelete` in Apple's *SecItem.h*; the rules are those of `docs/compatibility.md`.
@discardableResult
public func SecItemDelete(_ query: CFDictionary) -> OSStatus {
    withDefaultStore { $0.delete(query) }
}
