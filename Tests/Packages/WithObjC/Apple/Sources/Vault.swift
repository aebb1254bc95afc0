// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Passwords of one service, for callers in Swift and in Objective-C.
@objc(EXVault)
@objcMembers
public final class Vault: NSObject, @unchecked Sendable {
    /// The service whose passwords these are.
    public let service: String

    /// Is told of changes.
    @objc public weak var delegate: VaultDelegate?

    /// Where this class is written.
    @nonobjc public static var sourceFile: String { #filePath }

    /// Makes a vault of a service's passwords; touches nothing yet.
    @objc(initWithService:)
    public init(service: String) {
        self.service = service
        super.init()
    }

    /// Stores a password, or replaces the one that is there.
    @objc(setPassword:forAccount:error:)
    public func set(_ password: String, for account: String) throws {
        var status = SecItemAdd(query(account, [kSecValueData: Data(password.utf8)]), nil)
        if status == errSecDuplicateItem {
            status = SecItemUpdate(query(account), [kSecValueData: Data(password.utf8)] as CFDictionary)
        }
        try check(status)
        delegate?.vault(self, didChange: account)
    }

    /// Gives an account's password, or an empty text if there is none.
    @objc(passwordForAccount:error:)
    public func password(for account: String) throws -> String {
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query(account, [kSecReturnData: true]), &result)
        if status == errSecItemNotFound { return "" }
        try check(status)
        return String(decoding: result as? Data ?? Data(), as: UTF8.self)
    }

    /// Removes an account's password, if there is one.
    @objc public dynamic func remove(_ account: String) throws {
        let status = SecItemDelete(query(account))
        if status != errSecItemNotFound { try check(status) }
        delegate?.vault(self, didChange: account)
    }

    private func query(_ account: String, _ additions: [CFString: Any] = [:]) -> CFDictionary {
        let item: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: account,
        ]
        return item.merging(additions) { $1 } as CFDictionary
    }

    private func check(_ status: OSStatus) throws {
        if status != errSecSuccess { throw VaultError(status: status) }
    }
}
