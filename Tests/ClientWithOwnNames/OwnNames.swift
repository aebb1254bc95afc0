// SPDX-License-Identifier: Apache-2.0

// An app that declares common names itself, as many do. `Security` must not conflict with them.

import Foundation
import Security

enum ItemClass { case genericPassword }
enum Accessibility { case whenUnlocked }
struct Attributes { var label: String? }
enum Status: Equatable { case success, failure(OSStatus) }
struct KeychainError: Error { let status: OSStatus }
struct StoreError: Error {}
struct Secret: Equatable { let text: String }
struct ItemRecord { let secret: Secret }
struct ItemQuery { let account: String }
struct PrimaryKey {}
struct ItemAttribute {}
struct ItemSchema {}
struct Interaction {}
struct PersistentReference { let data: Data }
struct AttributeValue {}
struct Accessible {}
struct MatchRules {}
struct NewItem {}
protocol KeychainStore { func read(_ query: ItemQuery) throws -> ItemRecord }

final class Keychain: KeychainStore {
    func write(_ secret: Secret, _ attributes: Attributes, for query: ItemQuery) -> Status {
        let item: [String: Any] = [
            kSecClass as String: name(of: .genericPassword), kSecAttrAccount as String: query.account,
            kSecAttrLabel as String: attributes.label as Any, kSecValueData as String: Data(secret.text.utf8),
            kSecAttrAccessible as String: name(of: .whenUnlocked),
        ]
        let status = SecItemAdd(item as CFDictionary, nil)
        return status == errSecSuccess ? .success : .failure(status)
    }

    func read(_ query: ItemQuery) throws -> ItemRecord {
        var result: CFTypeRef?
        let status = SecItemCopyMatching(
            [
                kSecClass: kSecClassGenericPassword, kSecAttrAccount: query.account, kSecReturnData: true,
            ] as CFDictionary, &result)
        guard status == errSecSuccess, let data = result as? Data else { throw KeychainError(status: status) }
        return ItemRecord(secret: Secret(text: String(decoding: data, as: UTF8.self)))
    }

    private func name(of itemClass: ItemClass) -> CFString {
        switch itemClass {
        case .genericPassword: kSecClassGenericPassword
        }
    }

    private func name(of accessibility: Accessibility) -> CFString {
        switch accessibility {
        case .whenUnlocked: kSecAttrAccessibleWhenUnlocked
        }
    }
}

@main
struct OwnNames {
    static func main() throws {
        let keychain = Keychain()
        let query = ItemQuery(account: "anna")
        let secret = Secret(text: "secret")
        guard keychain.write(secret, Attributes(label: "label"), for: query) == .success,
            keychain.write(secret, Attributes(label: "label"), for: query) == .failure(errSecDuplicateItem),
            try keychain.read(query).secret == secret
        else {
            print("the app's own keychain does not work")
            exit(1)
        }
        do {
            _ = try keychain.read(ItemQuery(account: "nobody"))
            exit(1)
        } catch let error as KeychainError {
            guard error.status == errSecItemNotFound else { exit(1) }
        }
        print("all clients work")
    }
}
