// SPDX-License-Identifier: Apache-2.0

// A property that is stored in the keychain.

import Foundation
import Security

@propertyWrapper
private struct Stored<Value: Codable> {
    let key: String
    let defaultValue: Value

    init(wrappedValue: Value, _ key: String) {
        self.key = key
        defaultValue = wrappedValue
    }

    var wrappedValue: Value {
        get {
            var result: AnyObject?
            let query = attributes.merging([kSecReturnData: true, kSecMatchLimit: kSecMatchLimitOne]) { $1 }
            guard SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess, let data = result as? Data
            else { return defaultValue }
            return (try? JSONDecoder().decode(Value.self, from: data)) ?? defaultValue
        }
        nonmutating set {
            guard let data = try? JSONEncoder().encode(newValue) else { return }
            let change: [CFString: Any] = [kSecValueData: data]
            if SecItemUpdate(attributes as CFDictionary, change as CFDictionary) == errSecItemNotFound {
                SecItemAdd(attributes.merging(change) { $1 } as CFDictionary, nil)
            }
        }
    }

    var projectedValue: OSStatus { SecItemCopyMatching(attributes as CFDictionary, nil) }

    private var attributes: [CFString: Any] {
        [kSecClass: kSecClassGenericPassword, kSecAttrAccount: key]
    }
}

private struct Settings {
    @Stored("token") var token: String? = nil
    @Stored("tries") var tries = 3
}

@Sendable func checkPropertyWrapper() throws {
    let settings = Settings()
    try expectEqual(settings.token, nil)
    try expectEqual(settings.$token, errSecItemNotFound)
    settings.token = "one"
    settings.tries -= 1
    settings.tries -= 1
    try expectEqual(Settings().token, "one")
    try expectEqual(Settings().tries, 1)
    try expectEqual(settings.$tries, errSecSuccess)
}
