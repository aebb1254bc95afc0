// SPDX-License-Identifier: Apache-2.0

// Access controls: conditions are stored, or refused if they cannot be checked. They are never dropped.
// swift-format-ignore-file: NeverForceUnwrap

import Foundation
import Security

private func add(_ flags: SecAccessControlCreateFlags, account: String) throws -> OSStatus {
    var error: Unmanaged<CFError>?
    guard
        let control = SecAccessControlCreateWithFlags(
            kCFAllocatorDefault, kSecAttrAccessibleWhenUnlockedThisDeviceOnly as CFTypeRef, flags, &error)
    else { throw error!.takeRetainedValue() as Error }
    let item: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword, kSecAttrAccount as String: account,
        kSecAttrAccessControl as String: control, kSecValueData as String: Data("secret".utf8),
    ]
    return SecItemAdd(item as CFDictionary, nil)
}

@Sendable func checkProtection() throws {
    try expectEqual(try add([], account: "bare"), errSecSuccess)
    var result: AnyObject?
    let query: [CFString: Any] = [
        kSecClass: kSecClassGenericPassword, kSecReturnAttributes: true, kSecReturnData: true,
        kSecUseAuthenticationUI: kSecUseAuthenticationUIFail,
    ]
    try expectEqual(SecItemCopyMatching(query as CFDictionary, &result), errSecSuccess)
    let item = result as? [String: Any]
    try expectEqual(
        item?[kSecAttrAccessible as String] as? String, kSecAttrAccessibleWhenUnlockedThisDeviceOnly as String)
    let control = item?[kSecAttrAccessControl as String].map { $0 as! SecAccessControl }
    try expect(control.map(CFGetTypeID) == SecAccessControlGetTypeID())
    // No finger is enrolled to which the items could be bound.
    for flags in [SecAccessControlCreateFlags.biometryCurrentSet, .touchIDCurrentSet] {
        try expectEqual(try add(flags, account: "set"), errSecNotAvailable)
    }
    let conditions: [SecAccessControlCreateFlags] = [
        .userPresence, .biometryAny, .devicePasscode, [.biometryAny, .or, .devicePasscode], .touchIDAny,
    ]
    for (number, flags) in conditions.enumerated() {
        try expectEqual(try add(flags, account: "asked \(number)"), errSecSuccess)
        var guarded = query
        guarded[kSecAttrAccount] = "asked \(number)"
        try expectEqual(SecItemCopyMatching(guarded as CFDictionary, &result), errSecInteractionNotAllowed)
        guarded[kSecReturnData] = nil
        try expectEqual(SecItemCopyMatching(guarded as CFDictionary, &result), errSecSuccess)
    }
}
