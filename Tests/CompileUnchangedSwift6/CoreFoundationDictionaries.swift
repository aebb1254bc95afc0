// SPDX-License-Identifier: Apache-2.0

// Dictionaries with `CFString` keys, and each way to cast a result to one.
// swift-format-ignore-file: NeverForceUnwrap

import Foundation
import Security

@Sendable func checkCoreFoundationDictionaries() throws {
    let base: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecAttrService: "cf" as CFString]
    var item = base
    item[kSecAttrAccount] = "anna"
    item[kSecValueData] = Data("secret".utf8) as CFData
    let none: CFDictionary? = nil
    try expect(none == nil)
    try expectEqual(SecItemAdd(item as CFDictionary, nil), errSecSuccess)
    try expectEqual(SecItemAdd(item as CFDictionary, nil), errSecDuplicateItem)

    var result: CFTypeRef?
    var query = base
    query[kSecReturnData] = kCFBooleanTrue!
    query[kSecReturnAttributes] = kCFBooleanTrue as Any
    try expectEqual(SecItemCopyMatching(query as CFDictionary, &result), errSecSuccess)
    try expectEqual((result as? [CFString: Any])?[kSecAttrAccount] as? String, "anna")
    try expectEqual((result as? [String: AnyObject])?[kSecAttrAccount as String] as? String, "anna")
    try expectEqual((result as? NSDictionary)?[kSecAttrAccount] as? String, "anna")
    try expectEqual((result as? [String: AnyHashable])?[kSecAttrAccount as String] as? String, "anna")
    guard let found = result, CFGetTypeID(found) == CFDictionaryGetTypeID() else {
        throw Failure(description: "no dictionary")
    }
    let dictionary = found as! CFDictionary
    try expectEqual((dictionary as? [String: Any])?[kSecValueData as String] as? Data, Data("secret".utf8))
    try expectEqual(dictionary.value(forKey: kSecAttrService as String) as? String, "cf")

    let all: NSDictionary = [
        kSecClass: kSecClassGenericPassword, kSecMatchLimit: kSecMatchLimitAll, kSecReturnData: true,
    ]
    try expectEqual(SecItemCopyMatching(all as CFDictionary, &result), errSecSuccess)
    try expectEqual(result as? [Data], [Data("secret".utf8)])
    try expectEqual((result as? NSArray)?.count, 1)
    try expectEqual((result as? [Any])?.first as? Data, Data("secret".utf8))
    try expectEqual((result as? [[String: Any]])?.count, nil)
    try expectEqual(SecItemDelete(base as CFDictionary), errSecSuccess)
    let bytes = "bytes" as CFTypeRef
    try expect(bytes is CFString)
}
