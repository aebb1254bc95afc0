// SPDX-License-Identifier: Apache-2.0

// Objects in an archive, as libraries from the time before `Codable` store them.

import Foundation
import Security

private func save(_ object: NSDictionary, account: String) throws -> OSStatus {
    let data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: false)
    let query = NSMutableDictionary()
    query[kSecClass as String] = kSecClassGenericPassword
    query[kSecAttrAccount as String] = account
    SecItemDelete(query as CFDictionary)
    query.setObject(data, forKey: kSecValueData as String as NSString)
    return SecItemAdd(query as CFDictionary, nil)
}

private func load(account: String) throws -> [String: Any]? {
    let query: NSDictionary = [
        kSecClass as String: kSecClassGenericPassword, kSecAttrAccount as String: account,
        kSecReturnData as String: NSNumber(value: true), kSecReturnAttributes as String: NSNumber(value: true),
    ]
    var result: AnyObject?
    guard SecItemCopyMatching(query, &result) == errSecSuccess, let item = result as? NSDictionary,
        let data = item[kSecValueData as String] as? Data
    else { return nil }
    let classes = [NSDictionary.self, NSString.self, NSNumber.self, NSDate.self]
    return try NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: data) as? [String: Any]
}

@Sendable func checkArchivedObjects() throws {
    let date = Date(timeIntervalSinceReferenceDate: 700_000_000)
    try expectEqual(try save(["name": "anna", "count": 7, "date": date], account: "object"), errSecSuccess)
    let object = try load(account: "object")
    try expectEqual(object?["name"] as? String, "anna")
    try expectEqual(object?["count"] as? Int, 7)
    try expectEqual(object?["date"] as? Date, date)
    try expect(try load(account: "nothing") == nil)
}
