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
///   - attributes: The item's class, attributes and data, and the `kSecReturn…` keys that say what to return.
///   - result: Receives the result if a `kSecReturn…` key is true. A call that fails does not change it.
/// - Returns: `errSecSuccess`, or one of these:
///   - `errSecDuplicateItem`: an item with the same primary key exists.
///   - `errSecParam`, `errSecNoSuchClass` or `errSecNoSuchAttr`: the dictionary is not valid.
///   - `errSecMissingEntitlement`: the application may not use the access group that the dictionary names.
///   - `errSecInteractionNotAllowed`: the store is locked, and nobody may be asked to unlock it.
///   - `errSecUserCanceled` or `errSecAuthFailed`: the user dismissed a prompt, or failed to authenticate.
///   - `errSecDataTooLarge`: the data is larger than 16 MiB, an attribute is larger than 1 MiB, or all attributes
///     together are larger than 8 MiB.
///   - `errSecNotAvailable`: no store is available, or the store cannot protect the item as requested.
///
/// The item is in the store when the call returns. Any thread may call this function.
/// Source: `SecItemAdd` in Apple's *SecItem.h*; the rules are in `docs/compatibility.md`.
@discardableResult
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    withDefaultStore { $0.add(attributes, result) }
}

/// Finds items in the keychain.
///
/// - Parameters:
///   - query: The class and attributes of the items to find, `kSecMatch…` rules, and the `kSecReturn…` keys that say
///     what to return.
///   - result: Receives one object, or an array if `kSecMatchLimit` is present and not one. The call does not change it
///     if it fails, or if no `kSecReturn…` key is true.
/// - Returns: `errSecSuccess`, or one of these:
///   - `errSecItemNotFound`: no item matches.
///   - `errSecParam`, `errSecNoSuchClass` or `errSecNoSuchAttr`: the query is not valid.
///   - `errSecMissingEntitlement`: the application may not use the access group that the query names.
///   - `errSecInteractionNotAllowed`: a matching item is locked, and nobody may be asked to unlock it.
///   - `errSecUserCanceled` or `errSecAuthFailed`: the user dismissed a prompt, or failed to authenticate.
///   - `errSecDecode`: every matching item is damaged.
///   - `errSecNotAvailable`: no store is available.
///
/// Any thread may call this function.
/// Source: `SecItemCopyMatching` in Apple's *SecItem.h*; the rules are in `docs/compatibility.md`.
@discardableResult
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    withDefaultStore { $0.copyMatching(query, result) }
}

/// Changes every item that matches a query, or none of them.
///
/// - Parameters:
///   - query: Selects the items to change.
///   - attributesToUpdate: The attributes, and the data, to set in each of these items.
/// - Returns: `errSecSuccess`; `errSecItemNotFound` if no item matches; `errSecDuplicateItem` if two items would have
///   the same primary key; otherwise a status of ``SecItemAdd(_:_:)``.
///
/// The changes are in the store when the call returns. Any thread may call this function.
/// Source: `SecItemUpdate` in Apple's *SecItem.h*; the rules are in `docs/compatibility.md`.
@discardableResult
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus {
    withDefaultStore { $0.update(query, attributesToUpdate) }
}

/// Deletes every item that matches a query.
///
/// - Parameter query: Selects the items to delete. A query that holds only a class selects all items of that class in
///   the application's access groups.
/// - Returns: `errSecSuccess`; `errSecItemNotFound` if no item matches; otherwise a status of
///   ``SecItemCopyMatching(_:_:)``.
///
/// The items are gone from the store when the call returns. Any thread may call this function.
/// Source: `SecItemDelete` in Apple's *SecItem.h*; the rules are in `docs/compatibility.md`.
@discardableResult
public func SecItemDelete(_ query: CFDictionary) -> OSStatus {
    withDefaultStore { $0.delete(query) }
}
