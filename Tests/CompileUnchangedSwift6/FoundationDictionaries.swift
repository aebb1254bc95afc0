// SPDX-License-Identifier: Apache-2.0

// Queries as `NSDictionary` and `NSMutableDictionary`, made of `NSCopying` keys and of each other.
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

private func classAndService() -> [NSCopying] { [copying(kSecClass), kSecAttrService as NSString] }

private func foundSecret(_ query: NSDictionary) throws -> Data? {
    let asking = NSMutableDictionary(dictionary: query)
    asking[copying(kSecReturnData)] = kCFBooleanTrue
    asking[kSecMatchLimit as NSCopying] = kSecMatchLimitOne
    try expect(query[kSecReturnData] == nil, "the copy is another dictionary")
    var result: CFTypeRef?
    let status = SecItemCopyMatching(asking, &result)
    asking[copying(kSecReturnData)] = nil
    try expectEqual(asking.count, query.count + 1)
    return status == errSecSuccess ? result as? Data : nil
}

private func checkCopyingKeys() throws {
    let values: [Any] = [kSecClassGenericPassword, "copying"]
    let query = NSDictionary(objects: values, forKeys: classAndService())
    let item = NSMutableDictionary(objects: values, forKeys: classAndService())
    item.addEntries(from: [kSecValueData as String: Data("copied".utf8)])
    try expectEqual(SecItemAdd(item, nil), errSecSuccess)
    try expectEqual(try foundSecret(query), Data("copied".utf8))
    try expectEqual(try foundSecret(NSDictionary(dictionary: query as CFDictionary)), Data("copied".utf8))

    let key: Any = kSecAttrLabel
    let changes = NSMutableDictionary()
    changes[key] = "label"
    try expectEqual(changes[key] as? String, "label")
    try expectEqual(SecItemUpdate(query, NSDictionary(dictionary: changes)), errSecSuccess)

    // A key is copied.
    let name = NSMutableString(string: kSecClass as String)
    let copied = NSDictionary(objects: [kSecClassGenericPassword], forKeys: [name as NSCopying])
    name.append("changed")
    try expectEqual(copied[kSecClass] as? String, kSecClassGenericPassword as String)

    let found = NSMutableArray(array: [query, item] as CFArray)
    found.add(changes)
    try expectEqual(found.count, 3)
    try expectEqual(NSMutableSet(set: NSSet(array: [1, 2, 2])).count, 2)
    try expectEqual(SecItemDelete(query), errSecSuccess)
}

@Sendable func checkFoundationDictionaries() throws {
    try checkCopyingKeys()
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
