// SPDX-License-Identifier: Apache-2.0

// The keychain behind an actor, and live objects that cross tasks.

import Foundation
import Security

private actor ActorKeychain {
    static let shared = ActorKeychain()
    private let service = "actor"
    private let accessible = kSecAttrAccessibleAfterFirstUnlock

    func set(_ secret: String?, for account: String) throws {
        var query = query(account)
        SecItemDelete(query as CFDictionary)
        guard let secret else { return }
        query[kSecValueData as String] = Data(secret.utf8)
        query[kSecAttrAccessible as String] = accessible
        let status = SecItemAdd(query as CFDictionary, nil)
        guard status == errSecSuccess else { throw NSError(domain: NSOSStatusErrorDomain, code: Int(status)) }
    }

    func get(_ account: String) -> String? {
        var result: AnyObject?
        let query = query(account).merging([kSecReturnData as String: true]) { $1 }
        guard SecItemCopyMatching(query as CFDictionary, &result) == noErr else { return nil }
        return (result as? Data).map { String(decoding: $0, as: UTF8.self) }
    }

    nonisolated func count() -> Int {
        let all: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrService: "actor", kSecReturnAttributes: true,
            kSecMatchLimit: kSecMatchLimitAll,
        ]
        var result: AnyObject?
        SecItemCopyMatching(all as CFDictionary, &result)
        return (result as? [Any])?.count ?? 0
    }

    private func query(_ account: String) -> [String: Any] {
        [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: service,
            kSecAttrAccount as String: account,
        ]
    }
}

@Sendable func checkActorKeychain() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<10 {
            group.addTask { try await ActorKeychain.shared.set("secret \(number)", for: "account \(number)") }
        }
        try await group.waitForAll()
    }
    try expectEqual(ActorKeychain.shared.count(), 10)
    let found = await ActorKeychain.shared.get("account 3")
    try expectEqual(found, "secret 3")
    try await ActorKeychain.shared.set(nil, for: "account 3")
    let gone = await ActorKeychain.shared.get("account 3")
    try expectEqual(gone, nil)

    let control = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .privateKeyUsage, nil)
    let key = SecKeyCreateRandomKey(
        [kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeySizeInBits: 256] as CFDictionary, nil)
    let isThere = await Task.detached { control != nil && key.flatMap(SecKeyCopyPublicKey) != nil }.value
    try expect(isThere)
}
