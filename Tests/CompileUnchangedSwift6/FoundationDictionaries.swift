// SPDX-License-Identifier: Apache-2.0

// Queries as `NSMutableDictionary`, filled with `NSCopying` keys.
// swift-format-ignore-file: NeverForceUnwrap

import Foundation
import Security

private func copying(_ key: Any) -> NSCopying { key as! NSCopying }

private func lookupDictionary(_ service: String) -> NSMutableDictionary {
    let dictionary = NSMutableDictionary()
    dictionary.setObject(kSecClassGenericPassword, forKey: copying(kSecClass))
    dictionary.setObject(service as NSString, forKey: kSecAttrService as NSString)
    dictionary.setObject(service.data(using: .utf8)!, forKey: kSecAttrGeneric as any NSCopying)
    return dictionary
}

@Sendable func checkFoundationDictionaries() throws {
    let item = lookupDictionary("mutable")
    item[kSecValueData] = Data("secret".utf8)
    item[kSecAttrLabel as String] = "label"
    try expectEqual(SecItemAdd(item, nil), errSecSuccess)

    let query = lookupDictionary("mutable")
    query.setObject(kCFBooleanTrue!, forKey: copying(kSecReturnData))
    query.setObject(kSecMatchLimitOne, forKey: copying(kSecMatchLimit))
    var result: AnyObject?
    try expectEqual(SecItemCopyMatching(query as CFMutableDictionary, &result), errSecSuccess)
    try expectEqual(result as? NSData, NSData(data: Data("secret".utf8)))
    query.removeObject(forKey: kSecReturnData as String)

    let changes = NSMutableDictionary(dictionary: [kSecValueData as String: Data("other".utf8)])
    query.removeObject(forKey: kSecMatchLimit as String)
    try expectEqual(SecItemUpdate(query as CFDictionary, changes as CFDictionary), errSecSuccess)
    let copy = NSMutableDictionary(dictionary: query as! [String: Any])
    copy[kSecReturnData as String] = NSNumber(value: true)
    try expectEqual(SecItemCopyMatching(copy, &result), errSecSuccess)
    try expectEqual(result as? Data, Data("other".utf8))
    try expectEqual(SecItemDelete(query as CFDictionary), errSecSuccess)
}
