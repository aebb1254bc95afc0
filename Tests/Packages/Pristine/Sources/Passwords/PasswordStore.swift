// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import Security

/// The passwords of one service.
public struct PasswordStore: Sendable {
    /// The service whose passwords these are.
    public let service: String

    private let logger = Logger(label: "org.example.passwords")

    /// Makes a store of a service's passwords; touches nothing yet.
    public init(service: String) {
        self.service = service
    }

    /// Stores a password, or replaces the one that is there.
    public func set(_ password: String, for account: String, accessible: Accessibility = .whenUnlocked) throws {
        let values: [CFString: Any] = [
            kSecValueData: Data(password.utf8),
            kSecAttrAccessible: accessible.attribute,
        ]
        var status = SecItemAdd(query(account).merging(values) { $1 } as CFDictionary, nil)
        if status == errSecDuplicateItem {
            logger.debug("replaces a password")
            status = SecItemUpdate(query(account) as CFDictionary, values as CFDictionary)
        }
        try PasswordError.check(status)
    }

    /// Gives an account's password, or `nil` if there is none.
    public func password(for account: String) throws -> String? {
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query(account).merging([kSecReturnData: true]) { $1 } as CFDictionary, &result)
        if status == errSecItemNotFound { return nil }
        try PasswordError.check(status)
        return (result as? Data).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Gives the accounts that have a password, and when it can be read.
    public func accounts() throws -> [String: Accessibility] {
        let query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: service,
            kSecMatchLimit as String: kSecMatchLimitAll,
            kSecReturnAttributes as String: true,
        ]
        var result: AnyObject?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        if status == errSecItemNotFound { return [:] }
        try PasswordError.check(status)
        var accounts: [String: Accessibility] = [:]
        for item in result as? [[String: Any]] ?? [] {
            guard let account = item[kSecAttrAccount as String] as? String else { continue }
            accounts[account] = Accessibility(attribute: item[kSecAttrAccessible as String] as? String)
        }
        return accounts
    }

    /// Removes an account's password, if there is one.
    public func removePassword(for account: String) throws {
        let status = SecItemDelete(query(account) as CFDictionary)
        if status != errSecItemNotFound { try PasswordError.check(status) }
    }

    func query(_ account: String) -> [CFString: Any] {
        [kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: account]
    }
}
