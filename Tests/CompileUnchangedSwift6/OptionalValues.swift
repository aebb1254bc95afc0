// SPDX-License-Identifier: Apache-2.0

// Optional values in a query.

import Foundation
import Security

private func item(_ account: String, label: String?, group: String?) -> [String: Any?] {
    [
        kSecClass as String: kSecClassGenericPassword, kSecAttrAccount as String: account,
        kSecAttrLabel as String: label, kSecAttrAccessGroup as String: group,
    ]
}

@Sendable func checkOptionalValues() throws {
    let absent: String? = nil
    // Nil values are left out, as intended.
    let cleaned = item("anna", label: "label", group: absent).compactMapValues { $0 }
    try expectEqual(SecItemAdd(cleaned as CFDictionary, nil), errSecSuccess)
    // Nil values become null objects, and are refused as on Apple's platforms.
    let wrapped = item("bert", label: absent, group: nil).mapValues { $0 as Any }
    try expectEqual(SecItemAdd(wrapped as CFDictionary, nil), errSecParam)
    var result: AnyObject? = "before" as NSString
    try expectEqual(SecItemCopyMatching([kSecClass as String: absent as Any] as CFDictionary, &result), errSecParam)
    try expectEqual(result as? String, "before")
    let optional: [String: Any?]? = cleaned
    try expectEqual(SecItemCopyMatching((optional ?? [:]) as CFDictionary, nil), errSecSuccess)
}
