// SPDX-License-Identifier: Apache-2.0

// One object for the whole application, in the style of Objective-C: methods that return `Bool`, and a last status.
// swift-format-ignore-file: NeverForceUnwrap

import Foundation
import Security

private class LegacyKeychain: NSObject {
    nonisolated(unsafe) static let standard = LegacyKeychain()

    private var prefix = ""
    var lastError: NSError = NSError()

    class func sharedInstance() -> LegacyKeychain { standard }

    @discardableResult
    func setObject(_ object: String, forKey key: String) -> Bool {
        let query = self.query(key)
        var status = SecItemCopyMatching(query as CFDictionary, nil)
        if status == errSecSuccess {
            status = SecItemUpdate(
                query as CFDictionary,
                NSDictionary(object: object.data(using: .utf8)!, forKey: kSecValueData as NSString))
        } else {
            query.setValue(object.data(using: String.Encoding.utf8), forKey: kSecValueData as String)
            status = SecItemAdd(query as CFDictionary, nil)
        }
        if status != noErr { lastError = NSError(domain: NSOSStatusErrorDomain, code: Int(status), userInfo: nil) }
        return status == noErr
    }

    func object(forKey key: String) -> String? {
        let query = self.query(key)
        query.setValue(kCFBooleanTrue, forKey: kSecReturnData as String)
        query.setValue(kSecMatchLimitOne, forKey: kSecMatchLimit as String)
        var value: AnyObject?
        let status = SecItemCopyMatching(query as CFDictionary, &value)
        guard status == noErr, let data = value as? NSData else {
            lastError = NSError(domain: NSOSStatusErrorDomain, code: Int(status), userInfo: nil)
            return nil
        }
        return NSString(data: data as Data, encoding: String.Encoding.utf8.rawValue) as String?
    }

    func clear() {
        for itemClass in [kSecClassGenericPassword, kSecClassInternetPassword] {
            SecItemDelete(NSDictionary(dictionary: [kSecClass as String: itemClass]))
        }
    }

    private func query(_ key: String) -> NSMutableDictionary {
        NSMutableDictionary(
            objects: [kSecClassGenericPassword as String, prefix + key], forKeys: [kSecClass, kSecAttrAccount])
    }
}

@Sendable func checkSharedInstance() throws {
    let keychain = LegacyKeychain.sharedInstance()
    try expectEqual(keychain.object(forKey: "name"), nil)
    try expectEqual(keychain.lastError.code, Int(errSecItemNotFound))
    try expect(keychain.setObject("anna", forKey: "name"))
    try expect(keychain.setObject("bert", forKey: "name"))
    try expectEqual(keychain.object(forKey: "name"), "bert")
    keychain.clear()
    try expectEqual(keychain.object(forKey: "name"), nil)
}
