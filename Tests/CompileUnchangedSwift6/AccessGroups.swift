// SPDX-License-Identifier: Apache-2.0

// Access groups that applications share, and synchronized items.
// swift-format-ignore-file: NeverForceUnwrap

import Foundation
import Security

@Sendable func checkAccessGroups() throws {
    let group = "com.example.shared"
    for (group, secret) in [(nil, "own"), (group, "shared")] {
        var item: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecAttrAccount as String: "anna",
            kSecValueData as String: secret.data(using: .utf8)!,
        ]
        if let group { item[kSecAttrAccessGroup as String] = group as AnyObject }
        try expectEqual(SecItemAdd(item as CFDictionary, nil), errSecSuccess)
    }
    var query: [String: AnyObject] = [
        kSecClass as String: kSecClassGenericPassword, kSecReturnData as String: kCFBooleanTrue,
        kSecAttrAccessGroup as String: group as AnyObject,
    ]
    var result: AnyObject?
    try expectEqual(SecItemCopyMatching(query as CFDictionary, &result), errSecSuccess)
    try expectEqual(result as? Data, Data("shared".utf8))

    let synchronized: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword, kSecAttrAccount as String: "synchronized",
        kSecAttrSynchronizable as String: true,
    ]
    try expectEqual(SecItemAdd(synchronized as CFDictionary, nil), errSecSuccess)
    query = [kSecClass as String: kSecClassGenericPassword, kSecAttrAccount as String: "synchronized" as NSString]
    try expectEqual(SecItemCopyMatching(query as CFDictionary, nil), errSecItemNotFound)
    query[kSecAttrSynchronizable as String] = kSecAttrSynchronizableAny
    query[kSecReturnAttributes as String] = kCFBooleanTrue
    try expectEqual(SecItemCopyMatching(query as CFDictionary, &result), errSecSuccess)
    try expectEqual((result as? [String: Any])?[kSecAttrSynchronizable as String] as? Bool, true)
    try expectEqual((result as? [String: Any])?[kSecAttrSynchronizable as String] as? Int, 1)
}
