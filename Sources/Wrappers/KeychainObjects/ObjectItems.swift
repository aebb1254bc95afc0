// SPDX-License-Identifier: Apache-2.0

import Foundation
internal import SecItemShim
import Security

/// The items of a store: generic passwords of one service in one access group, each with a different account.
struct ObjectItems: Sendable {
    let service: String
    /// The access group, or nil for the default group of new items.
    let accessGroup: String?
    let accessibility: KeychainObjectAccessibility

    struct Found {
        let reference: Data
        let data: Data
    }

    func add(_ data: Data) throws(KeychainObjectError) -> Data {
        var item = query
        // The account makes objects with the same contents different items.
        item[kSecAttrAccount] = try Self.newAccount()
        item[kSecAttrAccessible] = accessibility.attribute
        item[kSecValueData] = data
        item[kSecReturnPersistentRef] = true
        var result: CFTypeRef?
        let status = SecItemAdd(item as CFDictionary, &result)
        guard status == errSecSuccess else { throw KeychainObjectError(status: status) }
        guard let reference = result as? Data else { throw KeychainObjectError(status: errSecInternalError) }
        return reference
    }

    /// Thirty-two random digits. (Not a `UUID()`, which is the same one each time if `/dev/urandom` cannot be opened.)
    private static func newAccount() throws(KeychainObjectError) -> String {
        var bytes = [UInt8](repeating: 0, count: 16)
        let status = SecRandomCopyBytes(kSecRandomDefault, bytes.count, &bytes)
        guard status == errSecSuccess else { throw KeychainObjectError(status: status) }
        return bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    func all() throws(KeychainObjectError) -> [Found] {
        try found([kSecReturnData: true, kSecReturnPersistentRef: true]).compactMap {
            guard let reference = $0[kSecValuePersistentRef as String] as? Data else { return nil }
            return Found(reference: reference, data: $0[kSecValueData as String] as? Data ?? Data())
        }
    }

    func references() throws(KeychainObjectError) -> [Data] {
        try found([kSecReturnAttributes: true, kSecReturnPersistentRef: true])
            .compactMap { $0[kSecValuePersistentRef as String] as? Data }
    }

    private func found(_ returned: [CFString: Any]) throws(KeychainObjectError) -> [[String: Any]] {
        var all = query.merging(returned) { _, value in value }
        all[kSecMatchLimit] = kSecMatchLimitAll
        var result: CFTypeRef?
        let status = SecItemCopyMatching(all as CFDictionary, &result)
        if status == errSecItemNotFound { return [] }
        guard status == errSecSuccess else { throw KeychainObjectError(status: status) }
        return result as? [[String: Any]] ?? []
    }

    /// The data of one item; empty if it was stored without data. Nil if the item is gone or belongs to another store.
    func data(at reference: Data) throws(KeychainObjectError) -> Data? {
        var query = query
        // A look-up by `kSecValuePersistentRef` ignores attributes, so it would also find another store's item.
        query[kSecMatchItemList] = [reference]
        query[kSecReturnData] = true
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        if status == errSecItemNotFound { return nil }
        guard status == errSecSuccess else { throw KeychainObjectError(status: status, reference: reference) }
        return result as? Data ?? Data()
    }

    func update(_ data: Data, at reference: Data) throws(KeychainObjectError) {
        let status = SecItemUpdate(query(reference), [kSecValueData: data] as CFDictionary)
        guard status == errSecSuccess else { throw KeychainObjectError(status: status, reference: reference) }
    }

    /// - Returns: Whether there was one.
    func remove(at reference: Data) throws(KeychainObjectError) -> Bool {
        let status = SecItemDelete(query(reference))
        if status == errSecItemNotFound { return false }
        guard status == errSecSuccess else { throw KeychainObjectError(status: status, reference: reference) }
        return true
    }

    func removeAll() throws(KeychainObjectError) {
        let status = SecItemDelete(query as CFDictionary)
        guard status == errSecSuccess || status == errSecItemNotFound else {
            throw KeychainObjectError(status: status)
        }
    }

    /// The query of all calls. It always names the group: a query without one searches all groups of the application,
    /// which may have items of the same service that belong to others.
    private var query: [CFString: Any] {
        var query: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecAttrService: service]
        query[kSecAttrAccessGroup] = accessGroup ?? LinuxKeychain.groupOfNewItems
        return query
    }

    private func query(_ reference: Data) -> CFDictionary {
        query.merging([kSecValuePersistentRef: reference]) { _, value in value } as CFDictionary
    }
}
