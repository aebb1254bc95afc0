// SPDX-License-Identifier: Apache-2.0

// The keychain as a dictionary, through FXKeychain: sessions, tokens and settings of an application.

import FXKeychain

/// A storage protocol. Its implementation sets the accessibility before each call.
private protocol SecureStorage {
    func updateObject(_ object: AnyObject, forKey key: String)
    func readObjectForKey(_ key: String) -> AnyObject?
    func deleteObjectForKey(_ key: String)
}

private final class KeychainStorage: SecureStorage {
    fileprivate let keychain = FXKeychain.default()

    func updateObject(_ object: AnyObject, forKey key: String) {
        keychain.accessibility = .accessibleAlways
        keychain.setObject(object, forKey: key)
    }

    func readObjectForKey(_ key: String) -> AnyObject? {
        keychain.accessibility = .accessibleAlways
        return keychain.object(forKey: key) as AnyObject?
    }

    func deleteObjectForKey(_ key: String) {
        keychain.accessibility = .accessibleAlways
        keychain.removeObject(forKey: key)
    }
}

/// A list of sessions, in the application's own keychain or in a shared one.
private class Sessions {
    var usesSharedCredentials = false {
        didSet {
            if usesSharedCredentials {
                keychain = FXKeychain(service: "com.example.shared-credentials", accessGroup: "com.example.shared")
            } else {
                keychain = FXKeychain.default()
            }
        }
    }

    private let clientsKey = "clients"
    private var keychain = FXKeychain.default()

    func saved() -> [[String: AnyObject]] {
        keychain.accessibility = FXKeychainAccess.accessibleAfterFirstUnlock
        let object = keychain.object(forKey: clientsKey)
        if let dictionaries = object as? [[String: AnyObject]] {
            return dictionaries
        }
        return []
    }

    func add(_ session: [String: Any]) {
        var sessions = saved()
        sessions.insert(session as [String: AnyObject], at: 0)
        keychain.setObject(sessions, forKey: clientsKey)
    }
}

/// A keychain with a constant in each method, and an extension for typed reading.
extension FXKeychain {
    fileprivate func bool(forKey defaultName: String) -> Bool? {
        if let value = object(forKey: defaultName) as? Bool {
            return value
        }
        return nil
    }
}

private class AppKeychain: FXKeychain, @unchecked Sendable {
    override init(service: String?, accessGroup: String?, accessibility: FXKeychainAccess) {
        super.init(service: service, accessGroup: accessGroup, accessibility: accessibility)
    }

    override func object(forKey key: Any) -> Any? {
        return super.object(forKey: "app.\(key)")
    }

    override func setObject(_ object: Any?, forKey key: Any) -> Bool {
        return super.setObject(object, forKey: "app.\(key)")
    }
}

private func setKeychainObject(_ object: Any?, forKey: String) {
    FXKeychain.default().setObject(object, forKey: forKey)
}

@Sendable func checkKeychainDictionary() throws {
    let storage = KeychainStorage()
    storage.updateObject("secret" as AnyObject, forKey: "token")
    try expectEqual(storage.readObjectForKey("token") as? String, "secret")
    storage.deleteObjectForKey("token")
    try expect(storage.readObjectForKey("token") == nil)

    let sessions = Sessions()
    try expectEqual(sessions.saved().count, 0)
    sessions.add(["user": "anna", "id": 7, "scale": CGFloat(1.5)])
    sessions.add(["user": "berta", "expires": Date(timeIntervalSince1970: 1)])
    try expectEqual(sessions.saved().compactMap { $0["user"] as? String }, ["berta", "anna"])
    try expectEqual(sessions.saved().last?["scale"] as? Double, 1.5)
    sessions.usesSharedCredentials = true
    try expectEqual(sessions.saved().count, 0)

    setKeychainObject(true, forKey: "launched")
    try expectEqual(FXKeychain.default().bool(forKey: "launched"), true)
    setKeychainObject(nil, forKey: "launched")
    try expectEqual(FXKeychain.default().bool(forKey: "launched"), nil)

    let keychain = FXKeychain(service: Bundle.main.bundleIdentifier, accessGroup: nil)
    let isStored: Bool = keychain.setObject(CGFloat(2), forKeyedSubscript: "size")
    try expect(isStored)
    try expectEqual(keychain.objectForKeyedSubscript("size") as? Double, 2)
    keychain["name"] = "anna"
    if let name = keychain["name"] as? String { try expectEqual(name, "anna") }
    if keychain.setObject(NSNull(), forKey: "nothing") { try expect(false, "null is no property list") }

    let own = AppKeychain(service: "com.example.app", accessGroup: nil, accessibility: .accessibleAfterFirstUnlock)
    _ = own.setObject(["a", "b"], forKey: "list")
    try expectEqual(own.object(forKey: "list") as? [String], ["a", "b"])
    try expectEqual(own.accessibility, .accessibleAfterFirstUnlock)
    FXKeychain.default().accessibility = .accessibleWhenUnlocked
    // The names from the wrapper's imports are available too.
    try expectEqual(SecItemDelete([kSecClass: kSecClassGenericPassword] as CFDictionary), errSecSuccess)
}
