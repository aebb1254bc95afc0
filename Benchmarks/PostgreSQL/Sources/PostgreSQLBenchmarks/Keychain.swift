// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// The keychain as applications use it.
struct Keychain {
    struct Failure: Error {
        let status: OSStatus
    }

    /// Uses the keychain of that name in the database.
    init(_ connectionString: String, name: String, keyFile: String) {
        LinuxKeychain.use(
            .postgreSQL(
                connectionString, keychain: name, keyFile: URL(fileURLWithPath: keyFile), passphrase: .none))
    }

    private static let secret = Data("a secret of an ordinary length".utf8)

    private func check(_ status: OSStatus) throws {
        if status != errSecSuccess { throw Failure(status: status) }
    }

    private func item(_ name: String) -> [String: Any] {
        [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "benchmark",
            kSecAttrAccount as String: name,
        ]
    }

    func add(_ name: String) throws {
        var attributes = item(name)
        attributes[kSecAttrLabel as String] = "label"
        attributes[kSecValueData as String] = Self.secret
        try check(SecItemAdd(attributes as CFDictionary, nil))
    }

    func find(_ name: String) throws {
        var query = item(name)
        query[kSecReturnData as String] = true
        var result: CFTypeRef?
        try check(SecItemCopyMatching(query as CFDictionary, &result))
        guard result as? Data == Self.secret else { throw Failure(status: errSecDecode) }
    }

    func findAll() throws -> Int {
        let query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "benchmark",
            kSecMatchLimit as String: kSecMatchLimitAll, kSecReturnAttributes as String: true,
            kSecReturnData as String: true,
        ]
        var result: CFTypeRef?
        try check(SecItemCopyMatching(query as CFDictionary, &result))
        return (result as? NSArray)?.count ?? 0
    }
}
