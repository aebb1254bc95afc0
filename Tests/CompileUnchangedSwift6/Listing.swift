// SPDX-License-Identifier: Apache-2.0

// Lists all accounts of a service, and deletes them.

import Foundation
import Security

private func allKeys(_ service: String) -> [String] {
    let query: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: service,
        kSecReturnData as String: true, kSecReturnAttributes as String: true,
        kSecReturnPersistentRef as String: true, kSecMatchLimit as String: kSecMatchLimitAll,
    ]
    var result: AnyObject?
    let status = withUnsafeMutablePointer(to: &result) {
        SecItemCopyMatching(query as CFDictionary, UnsafeMutablePointer($0))
    }
    guard status == noErr else { return [] }
    return (result as? [[String: Any]])?.compactMap { $0[kSecAttrAccount as String] as? String } ?? []
}

@Sendable func checkListing() throws {
    try expectEqual(allKeys("list"), [])
    for number in 0..<30 {
        let item: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrService: "list", kSecAttrAccount: "account \(number)",
            kSecValueData: Data(count: number),
        ]
        try expectEqual(SecItemAdd(item as CFDictionary, nil), errSecSuccess)
    }
    try expectEqual(Set(allKeys("list")).count, 30)
    for secClass in [kSecClassGenericPassword, kSecClassInternetPassword, kSecClassCertificate, kSecClassKey] {
        let status = SecItemDelete([kSecClass: secClass] as NSDictionary)
        try expect(status == errSecSuccess || status == errSecItemNotFound)
    }
    try expectEqual(allKeys("list"), [])
}
