// SPDX-License-Identifier: Apache-2.0

// Settings in a dictionary that is stored in the keychain, through KCMutableDictionary.

import KCMutableDictionary

/// Passwords of servers, in the application's own dictionary.
private struct Servers {
    static func setPassword(_ password: String?, forServer name: String) {
        let dictionary: KCMutableDictionary = KCMutableDictionary()
        if let password = password {
            dictionary.setObject(password, forKey: name as NSString)
        } else {
            dictionary.removeObject(forKey: name)
        }
    }

    static func password(forServer name: String) -> String? {
        return KCMutableDictionary()[name] as? String
    }
}

/// A dictionary with typed properties.
private final class Preferences: KCMutableDictionary {
    var token: String? {
        get { return self["token"] as? String }
        set { self["token"] = newValue }
    }
}

/// A protocol for types that store values by key, such as the dictionary.
private protocol KeyValueStore {
    func setObject(_ anObject: Any, forKey aKey: AnyHashable)
    func object(forKey aKey: Any) -> Any?
    func removeObject(forKey aKey: Any)
}

extension KCMutableDictionary: KeyValueStore {}

@Sendable func checkKeychainMutableDictionary() throws {
    Servers.setPassword("secret", forServer: "a.example.com")
    try expectEqual(Servers.password(forServer: "a.example.com"), "secret")
    Servers.setPassword(nil, forServer: "a.example.com")
    try expectEqual(Servers.password(forServer: "a.example.com"), nil)

    guard let named = KCMutableDictionary(name: "settings") else { return try expect(false, "no dictionary") }
    named["list"] = ["a", "b"]
    named["scale"] = CGFloat(2)
    let mutable: NSMutableDictionary = named
    mutable.setObject(Date(timeIntervalSince1970: 1), forKey: "date" as NSString)
    try expectEqual(KCMutableDictionary(name: "settings").count, 3)
    try expectEqual(named.object(forKey: "list") as? [String], ["a", "b"])
    try expect(KCMutableDictionary(name: "settings") === named)
    try expect(KCMutableDictionary(capacity: 10) === KCMutableDictionary())

    let store: KeyValueStore = named
    store.setObject(7, forKey: "number")
    try expectEqual(store.object(forKey: "number") as? Int, 7)
    store.removeObject(forKey: "number")
    try expect(named["number"] == nil)

    let preferences = Preferences()
    preferences.token = "secret"
    try expectEqual(KCMutableDictionary()["token"] as? String, "secret")
    let others = Preferences(name: "settings")
    try expectEqual(others?.count, 3)

    named.forget()
    try expectEqual(named.count, 0)
    try expectEqual(KCMutableDictionary(name: "settings").count, 3)
    KCMutableDictionary(name: "settings").removeAllObjects()
    KCMutableDictionary(name: "settings").forget()
    preferences.removeAllObjects()
    preferences.forget()
}
