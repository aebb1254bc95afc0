// SPDX-License-Identifier: Apache-2.0

// Items that are remembered by their persistent reference, as in VPN preferences.

import Foundation
import Security

private func store(_ password: Data) -> Data? {
    var reference: CFTypeRef?
    let status = SecItemAdd(
        [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: UUID().uuidString,
            kSecValueData as String: password, kSecReturnPersistentRef as String: true,
        ] as [String: Any] as CFDictionary, &reference)
    return status == errSecSuccess ? reference as? Data : nil
}

private func password(_ reference: Data) -> Data? {
    var result: CFTypeRef?
    let query = [kSecValuePersistentRef: reference, kSecReturnData: kCFBooleanTrue as Any] as CFDictionary
    return SecItemCopyMatching(query, &result) == errSecSuccess ? result as? Data : nil
}

@Sendable func checkPersistentReferences() throws {
    guard let first = store(Data("one".utf8)), let second = store(Data("two".utf8)) else {
        throw Failure(description: "no reference")
    }
    try expect(first != second)
    try expectEqual(password(first), Data("one".utf8))
    let query = [kSecValuePersistentRef: first] as CFDictionary
    try expectEqual(SecItemUpdate(query, [kSecValueData: Data("three".utf8)] as CFDictionary), errSecSuccess)
    try expectEqual(password(first), Data("three".utf8))
    try expectEqual(SecItemDelete(query), errSecSuccess)
    try expectEqual(password(first), nil)
    try expectEqual(password(second), Data("two".utf8))
}
