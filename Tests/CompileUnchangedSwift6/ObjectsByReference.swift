// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file: NeverForceUnwrap
// Objects of one type as JSON in the keychain, found again by persistent references: class functions with dictionaries
// that are cast as needed.
//
// The compiler warns about some of these constructs, on Apple's platforms too. Many programs contain them all the same.
// `Scripts/test` allows warnings in this file, which it names.

import Foundation
import Security

private struct Account: Codable {
    var name: String
    var number: Int
    var persistentReference: Data?

    /// The object as text, which also distinguishes objects.
    var json: String? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        guard let data = try? encoder.encode(self) else { return nil }
        return String(data: data, encoding: .utf8)
    }
}

private enum AccountError: Error {
    case failed(OSStatus)
}

private class AccountKeychain {
    class func save(_ account: Account) throws -> Data {
        guard let data = account.json?.data(using: .utf8) else {
            throw fatalError("an account is always JSON")
        }
        let query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrAccount as String: account.json!,
            kSecValueData as String: data,
            kSecReturnPersistentRef as String: kCFBooleanTrue,
        ]
        var persistentRef: AnyObject?
        let status = SecItemAdd(query as CFDictionary, &persistentRef)
        guard status == errSecSuccess else { throw AccountError.failed(status) }
        guard let reference = persistentRef as? Data else { throw fatalError("no reference") }
        return reference
    }

    class func all() throws -> [Account] {
        let query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecMatchLimit as String: kSecMatchLimitAll,
            kSecReturnData as String: kCFBooleanTrue,
            kSecReturnPersistentRef as String: kCFBooleanTrue,
        ]
        var result: AnyObject?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        if status == errSecItemNotFound { return [] }
        guard status == errSecSuccess, let items = result as? [NSDictionary] else { throw AccountError.failed(status) }
        return items.compactMap { item in
            guard let data = item[kSecValueData] as? Data, let reference = item[kSecValuePersistentRef] as? Data else {
                return nil
            }
            var account = try? JSONDecoder().decode(Account.self, from: data)
            account?.persistentReference = reference
            return account
        }
    }

    class func find(_ reference: NSData) throws -> Account? {
        let query =
            [
                kSecClass: kSecClassGenericPassword,
                kSecValuePersistentRef: reference,
                kSecMatchLimit: kSecMatchLimitOne,
                kSecReturnData: kCFBooleanTrue as Any,
                kSecReturnPersistentRef: kCFBooleanTrue as Any,
            ] as [CFString: Any]
        var result: AnyObject?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        if status == errSecItemNotFound { return nil }
        guard status == errSecSuccess, let item = result as? NSDictionary,
            let data = item[kSecValueData] as? Data
        else { throw AccountError.failed(status) }
        try expectEqual(item[kSecValuePersistentRef] as? NSData, reference)
        return try JSONDecoder().decode(Account.self, from: data)
    }

    class func update(_ reference: Data, with account: Account) throws {
        let query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecValuePersistentRef as String: reference as NSData,
        ]
        let changes = [kSecValueData: account.json!.data(using: .utf8)!] as CFDictionary
        let status = SecItemUpdate(query as CFDictionary, changes)
        guard status == errSecSuccess else { throw AccountError.failed(status) }
    }

    class func delete(_ reference: Data) throws {
        let query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecValuePersistentRef as String: reference as NSData,
        ]
        let status = SecItemDelete(query as CFDictionary)
        guard status == errSecSuccess || status == errSecItemNotFound else { throw AccountError.failed(status) }
    }

    class func deleteAll() -> Bool {
        let status = SecItemDelete([kSecClass as String: kSecClassGenericPassword] as CFDictionary)
        return status == errSecSuccess || status == errSecItemNotFound
    }
}

@Sendable func checkObjectsByReference() throws {
    let anna = try AccountKeychain.save(Account(name: "Anna", number: 1))
    let berta = try AccountKeychain.save(Account(name: "Berta", number: 2))
    try expect(anna != berta)
    do {
        _ = try AccountKeychain.save(Account(name: "Anna", number: 1))
        try expect(false, "the same object was stored twice")
    } catch AccountError.failed(let status) {
        try expectEqual(status, errSecDuplicateItem)
    }
    try expectEqual(Set(try AccountKeychain.all().map(\.name)), ["Anna", "Berta"])
    try expectEqual(Set(try AccountKeychain.all().compactMap(\.persistentReference)), [anna, berta])
    try expectEqual(try AccountKeychain.find(anna as NSData)?.number, 1)
    try AccountKeychain.update(anna, with: Account(name: "Anna", number: 10))
    try expectEqual(try AccountKeychain.find(anna as NSData)?.number, 10)
    try expectEqual(try AccountKeychain.find(berta as NSData)?.number, 2)
    try AccountKeychain.delete(anna)
    try expect(try AccountKeychain.find(anna as NSData) == nil)
    try AccountKeychain.delete(anna)
    try expectEqual(try AccountKeychain.all().count, 1)
    try expect(AccountKeychain.deleteAll())
    try expectEqual(try AccountKeychain.all().count, 0)
}
