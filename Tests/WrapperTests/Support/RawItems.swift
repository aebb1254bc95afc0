// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// Items as another library sees them, with the four calls alone.
enum RawItems {
    /// Adds a generic password in the way that KeychainAccess and similar libraries do.
    static func add(_ data: Data, service: String, account: String = "", group: String? = nil) -> OSStatus {
        var item = query(service, account)
        item[kSecValueData] = data
        item[kSecAttrAccessGroup] = group
        return SecItemAdd(item as CFDictionary, nil)
    }

    /// The data of a generic password.
    static func data(service: String, account: String? = nil) -> Data? {
        var query = query(service, account)
        query[kSecReturnData] = true
        query[kSecMatchLimit] = kSecMatchLimitOne
        var result: CFTypeRef?
        return SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess ? result as? Data : nil
    }

    /// One attribute of a generic password, as text.
    static func attribute(_ key: CFString, service: String, account: String? = nil) -> String? {
        var query = query(service, account)
        query[kSecReturnAttributes] = true
        query[kSecMatchLimit] = kSecMatchLimitOne
        var result: CFTypeRef?
        guard SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess else { return nil }
        return (result as? [String: Any])?[key as String] as? String
    }

    /// The number of generic passwords of the application.
    static var count: Int {
        var result: CFTypeRef?
        let query: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecMatchLimit: kSecMatchLimitAll, kSecReturnAttributes: true,
        ]
        guard SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess else { return 0 }
        return (result as? [[String: Any]])?.count ?? 0
    }

    private static func query(_ service: String, _ account: String?) -> [CFString: Any] {
        var query: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecAttrService: service]
        if let account { query[kSecAttrAccount] = account }
        return query
    }
}
