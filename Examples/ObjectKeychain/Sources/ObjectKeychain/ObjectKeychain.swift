// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// Stores objects of one type in the keychain.
///
/// Each object has its own item, whose secret is the object's JSON. ``add(_:label:)`` returns a persistent reference,
/// which names the item for as long as the item exists. Save it, and find the object again in a later run.
///
/// Nothing here is specific to Linux: the file also compiles on Apple's platforms.
struct ObjectKeychain<Object: Codable> {
    /// Distinguishes these items from the application's others.
    let service: String

    /// Stores an object. Objects with the same contents are two items.
    ///
    /// - Parameter label: The text that people see in a list of items.
    /// - Returns: The item's persistent reference.
    func add(_ object: Object, label: String) throws -> Data {
        var attributes = allItems
        // Service and account are the item's primary key, so each item needs its own account.
        attributes[kSecAttrAccount] = UUID().uuidString
        attributes[kSecAttrLabel] = label
        attributes[kSecAttrAccessible] = kSecAttrAccessibleWhenUnlockedThisDeviceOnly
        attributes[kSecValueData] = try JSONEncoder().encode(object)
        attributes[kSecReturnPersistentRef] = true

        var result: CFTypeRef?
        try check(SecItemAdd(attributes as CFDictionary, &result))
        guard let reference = result as? Data else { throw KeychainError(status: errSecInternalError) }
        return reference
    }

    /// All objects with their references, oldest first.
    func all() throws -> [(reference: Data, object: Object)] {
        var query = allItems
        query[kSecMatchLimit] = kSecMatchLimitAll
        query[kSecReturnData] = true
        query[kSecReturnPersistentRef] = true

        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        if status == errSecItemNotFound { return [] }
        try check(status)
        guard let items = result as? [[CFString: Any]] else { throw KeychainError(status: errSecInternalError) }
        return try items.map { item in
            guard let reference = item[kSecValuePersistentRef] as? Data, let data = item[kSecValueData] as? Data else {
                throw KeychainError(status: errSecDecode)
            }
            return (reference, try JSONDecoder().decode(Object.self, from: data))
        }
    }

    /// The object with that reference, or nil if its item no longer exists.
    func find(_ reference: Data) throws -> Object? {
        let query: [CFString: Any] = [kSecValuePersistentRef: reference, kSecReturnData: true]
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        if status == errSecItemNotFound { return nil }
        try check(status)
        guard let data = result as? Data else { throw KeychainError(status: errSecDecode) }
        return try JSONDecoder().decode(Object.self, from: data)
    }

    /// Replaces the object with that reference. The reference stays the same.
    func update(_ reference: Data, to object: Object, label: String) throws {
        let query: [CFString: Any] = [kSecValuePersistentRef: reference]
        let changes: [CFString: Any] = [kSecAttrLabel: label, kSecValueData: try JSONEncoder().encode(object)]
        try check(SecItemUpdate(query as CFDictionary, changes as CFDictionary))
    }

    /// Deletes the object with that reference.
    func remove(_ reference: Data) throws {
        let query: [CFString: Any] = [kSecValuePersistentRef: reference]
        try check(SecItemDelete(query as CFDictionary))
    }

    /// Deletes all objects. It is not an error if there are none.
    func removeAll() throws {
        let status = SecItemDelete(allItems as CFDictionary)
        if status != errSecItemNotFound { try check(status) }
    }

    private var allItems: [CFString: Any] {
        [kSecClass: kSecClassGenericPassword, kSecAttrService: service]
    }

    private func check(_ status: OSStatus) throws {
        guard status == errSecSuccess else { throw KeychainError(status: status) }
    }
}
