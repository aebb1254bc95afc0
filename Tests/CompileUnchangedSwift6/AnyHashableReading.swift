// SPDX-License-Identifier: Apache-2.0

// Results read as `[AnyHashable: Any]`, looked up by constant.
// swift-format-ignore-file: NeverForceUnwrap

import Foundation
import Security

@Sendable func checkAnyHashableReading() throws {
    for account in ["anna", "bert"] {
        let item: [AnyHashable: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrAccount: account, kSecAttrService: "any",
            kSecAttrGeneric: Data(account.utf8), kSecValueData: Data("secret".utf8),
        ]
        try expectEqual(SecItemAdd(item as CFDictionary, nil), errSecSuccess)
    }
    let query: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword, kSecReturnAttributes as String: kCFBooleanTrue!,
        kSecMatchLimit as String: kSecMatchLimitAll,
    ]
    var result: AnyObject?
    try expectEqual(SecItemCopyMatching(query as CFDictionary, &result), errSecSuccess)
    guard let items = result as? [[AnyHashable: Any]] else { throw Failure(description: "no dictionaries") }
    var keys = Set<String>()
    for item in items {
        guard let data = item[kSecAttrGeneric] as? Data, let key = String(data: data, encoding: .utf8),
            key == item[kSecAttrAccount] as? String, key == item["acct"] as? String
        else { throw Failure(description: "an attribute is missing: \(item)") }
        keys.insert(key)
    }
    try expectEqual(keys, ["anna", "bert"])
    try expect(AnyHashable(kSecAttrAccount) == AnyHashable("acct" as String))
    try expect(AnyHashable(kSecAttrAccount as NSString).hashValue == AnyHashable(kSecAttrAccount as String).hashValue)
}
