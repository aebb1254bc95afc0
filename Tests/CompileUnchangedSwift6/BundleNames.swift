// SPDX-License-Identifier: Apache-2.0

// The bundle identifier as the service, and keys from the bundle's property list.
// swift-format-ignore-file: NeverForceUnwrap

import Foundation
import Security

@Sendable func checkBundleNames() throws {
    let service = Bundle.main.bundleIdentifier!
    try expectEqual(Bundle.main.infoDictionary?[kCFBundleIdentifierKey as String] as? String, service)
    try expectEqual(Bundle.main.object(forInfoDictionaryKey: "CFBundleIdentifier") as? String, service)
    let item: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecAttrService: service]
    try expectEqual(SecItemAdd(item as CFDictionary, nil), errSecSuccess)
    var result: CFTypeRef?
    let query = item.merging([kSecReturnAttributes: true]) { $1 }
    try expectEqual(SecItemCopyMatching(query as CFDictionary, &result), errSecSuccess)
    // The application's own access group has its name.
    try expectEqual((result as? [String: Any])?[kSecAttrAccessGroup as String] as? String, service)
}
