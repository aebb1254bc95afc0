// SPDX-License-Identifier: Apache-2.0

// Items of an older version of the application, which are found by their attributes and rewritten.

import Foundation
import Security

private enum MigrationResult { case success, keyToMigrateNotFound, duplicateKeyInResult }

private func migrate(from old: [String: AnyHashable], to service: String) -> MigrationResult {
    var query = old
    query[kSecMatchLimit as String] = kSecMatchLimitAll as String
    query[kSecReturnAttributes as String] = true
    query[kSecReturnPersistentRef as String] = true
    var result: AnyObject?
    guard SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess,
        let items = result as? [[String: AnyHashable]]
    else { return .keyToMigrateNotFound }
    var seen = Set<String>()
    for item in items {
        guard let account = item[kSecAttrAccount as String] as? String, seen.insert(account).inserted,
            let reference = item[kSecValuePersistentRef as String] as? Data
        else { return .duplicateKeyInResult }
        var data: AnyObject?
        SecItemCopyMatching(
            [kSecValuePersistentRef: reference, kSecReturnData: true] as [CFString: Any] as CFDictionary, &data)
        let new: [String: AnyHashable] = [
            kSecClass as String: kSecClassGenericPassword as String, kSecAttrService as String: service,
            kSecAttrAccount as String: account, kSecValueData as String: data as? Data,
        ]
        guard SecItemAdd(new as CFDictionary, nil) == errSecSuccess else { return .duplicateKeyInResult }
        SecItemDelete([kSecValuePersistentRef: reference] as CFDictionary)
    }
    return .success
}

@Sendable func checkMigration() throws {
    let old: [String: AnyHashable] = [
        kSecClass as String: kSecClassGenericPassword as String, kSecAttrService as String: "old",
    ]
    try expect(migrate(from: old, to: "new") == .keyToMigrateNotFound)
    for account in ["anna", "bert"] {
        let item = old.merging([kSecAttrAccount as String: account, kSecValueData as String: Data(account.utf8)]) { $1 }
        try expectEqual(SecItemAdd(item as CFDictionary, nil), errSecSuccess)
    }
    try expect(migrate(from: old, to: "new") == .success)
    try expectEqual(SecItemCopyMatching(old as CFDictionary, nil), errSecItemNotFound)
    var result: AnyObject?
    let query: [CFString: Any] = [
        kSecClass: kSecClassGenericPassword, kSecAttrService: "new", kSecAttrAccount: "bert", kSecReturnData: true,
    ]
    try expectEqual(SecItemCopyMatching(query as CFDictionary, &result), errSecSuccess)
    try expectEqual(result as? Data, Data("bert".utf8))
}
