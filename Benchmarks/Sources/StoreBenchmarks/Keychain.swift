// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// The keychain as applications use it.
struct Keychain {
    struct Failure: Error {
        let status: OSStatus
    }

    /// Makes the keychain use the embedded store in that folder.
    static func use(folder: String) {
        LinuxKeychain.use(.embedded(directory: URL(fileURLWithPath: folder), passphrase: .none))
    }

    /// Closes the store's files.
    static func close() {
        LinuxKeychain.use(.inMemory)
    }

    private func check(_ status: OSStatus) throws {
        if status != errSecSuccess { throw Failure(status: status) }
    }

    private func item(_ number: Int) -> [String: Any] {
        [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "benchmark",
            kSecAttrAccount as String: "account \(number)",
        ]
    }

    func add(_ number: Int, _ secret: Data) throws {
        var attributes = item(number)
        attributes[kSecAttrLabel as String] = "label"
        attributes[kSecValueData as String] = secret
        try check(SecItemAdd(attributes as CFDictionary, nil))
    }

    @discardableResult
    func find(_ number: Int) throws -> Data {
        var query = item(number)
        query[kSecReturnData as String] = true
        var result: CFTypeRef?
        try check(SecItemCopyMatching(query as CFDictionary, &result))
        guard let data = result as? Data else { throw Failure(status: errSecDecode) }
        return data
    }

    /// - Parameter looking: Whether to convert each item to `[String: Any]`, instead of only counting the items.
    func findAll(looking: Bool = false) throws -> Int {
        let query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "benchmark",
            kSecMatchLimit as String: kSecMatchLimitAll, kSecReturnAttributes as String: true,
            kSecReturnData as String: true,
        ]
        var result: CFTypeRef?
        try check(SecItemCopyMatching(query as CFDictionary, &result))
        if looking { return (result as? [[String: Any]])?.count ?? 0 }
        return (result as? NSArray)?.count ?? 0
    }

    func update(_ number: Int, _ secret: Data) throws {
        try check(SecItemUpdate(item(number) as CFDictionary, [kSecValueData as String: secret] as CFDictionary))
    }

    func delete(_ number: Int) throws {
        try check(SecItemDelete(item(number) as CFDictionary))
    }
}
