// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// Keeps objects of one type in the keychain.
///
/// Each object is an item of its own, with the object's JSON as the secret. The persistent reference that ``add(_:label:)``
/// returns names the item for as long as it exists: save it, and find the object again in a later run.
///
/// Nothing here is special to Linux: the file compiles on Apple's platforms as it is.
struct ObjectKeychain<Object: Codable> {
    /// What tells these items from the application's others.
    let service: String

    /// Stores an object. Objects with the same contents are two items.
    ///
    /// - Parameter label: What a person sees in a list of items.
    /// - Returns: The item's persistent reference.
    func add(_ object: Object, label: String) throws -> Data {
        var attributes = allItems
        // Service and account are the item's primary key, so each item needs an account of its own.
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

    /// The object of a reference, or nil when its item is gone.
    func find(_ reference: Data) throws -> Object? {
        let query: [CFString: Any] = [kSecValuePersistentRef: reference, kSecReturnData: true]
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        if status == errSecItemNotFound { return nil }
        try check(status)
        guard let data = result as? Data else { throw KeychainError(status: errSecDecode) }
        return try JSONDecoder().decode(Object.self, from: data)
    }

    /// Replaces the object of a reference. The reference stays the same.
    func update(_ reference: Data, to object: Object, label: String) throws {
        let query: [CFString: Any] = [kSecValuePersistentRef: reference]
        let changes: [CFString: Any] = [kSecAttrLabel: label, kSecValueData: try JSONEncoder().encode(object)]
        try check(SecItemUpdate(query as CFDictionary, changes as CFDictionary))
    }

    /// Deletes the object of a reference.
    func remove(_ reference: Data) throws {
        let query: [CFString: Any] = [kSecValuePersistentRef: reference]
        try check(SecItemDelete(query as CFDictionary))
    }

    /// Deletes all objects. None to delete is no error.
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
