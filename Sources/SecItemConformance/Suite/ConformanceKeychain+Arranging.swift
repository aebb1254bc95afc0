// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim
import SecItemStore

// Functions that prepare the keychain before the call under test.
extension ConformanceKeychain {
    /// Adds a generic password with the service "service" and the usual secret. The attributes in `more` are added, or
    /// replace these.
    func addPassword(
        _ account: String, _ more: [CFString: Any] = [:], file: StaticString = #fileID, line: UInt = #line
    ) throws {
        let item: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrService: "service", kSecAttrAccount: account,
            kSecValueData: secret,
        ]
        let all = item.merging(more) { _, given in given }
        try expect(add(all as CFDictionary), errSecSuccess, "add of \(account):", file: file, line: line)
    }

    /// Adds an item, expects success, and returns the item's persistent reference.
    func addForReference(
        _ attributes: CFDictionary, file: StaticString = #fileID, line: UInt = #line
    ) throws -> Data {
        var result: CFTypeRef?
        try expect(add(attributes.with(kSecReturnPersistentRef, true), &result), file: file, line: line)
        return try expectValue(result as? Data, "a persistent reference", file: file, line: line)
    }

    /// The accounts of all generic passwords that the application sees, in alphabetical order.
    func accounts(file: StaticString = #fileID, line: UInt = #line) throws -> [String] {
        try items(file: file, line: line).compactMap { $0[kSecAttrAccount as String] as? String }.sorted()
    }

    /// Adds a certificate and the private key that belongs to it.
    func addIdentity(hash: UInt8, file: StaticString = #fileID, line: UInt = #line) throws {
        let certificate =
            [
                kSecClass: kSecClassCertificate, kSecAttrSerialNumber: Data([hash]),
                kSecAttrLabel: "certificate \(hash)",
                kSecAttrPublicKeyHash: Data([hash]), kSecValueData: Data("certificate \(hash)".utf8),
            ] as CFDictionary
        let key =
            [
                kSecClass: kSecClassKey, kSecAttrKeyClass: kSecAttrKeyClassPrivate, "priv": true,
                kSecAttrApplicationLabel: Data([hash]), kSecAttrApplicationTag: "tag \(hash)",
                kSecAttrLabel: "key \(hash)", kSecValueData: Data("key \(hash)".utf8),
            ] as CFDictionary
        try expect(add(certificate), errSecSuccess, "certificate:", file: file, line: line)
        try expect(add(key), errSecSuccess, "key:", file: file, line: line)
    }

    /// Makes the next operation of the store fail with this code.
    func failNext(_ code: StoreError.Code) throws {
        let store = try expectValue(store as? InMemoryStore, "a store that fails when told to")
        store.failNext(StoreError(code, "told to"))
    }
}

func accessControl(
    _ protection: CFString, _ flags: SecAccessControlCreateFlags = []
) throws -> SecAccessControl {
    try expectValue(SecAccessControlCreateWithFlags(nil, protection, flags, nil), "an access control")
}
