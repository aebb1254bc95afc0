// SPDX-License-Identifier: Apache-2.0

// Internet passwords for a URL.
// swift-format-ignore-file: NeverForceUnwrap

import Foundation
import Security

private enum ProtocolType: CaseIterable {
    case https, ssh

    var constant: CFString {
        switch self {
        case .https: kSecAttrProtocolHTTPS
        case .ssh: kSecAttrProtocolSSH
        }
    }
}

@Sendable func checkInternetPasswords() throws {
    let url = URL(string: "https://mail.example.org:8443/inbox")!
    for type in ProtocolType.allCases {
        let item: [String: Any] = [
            kSecClass as String: kSecClassInternetPassword, kSecAttrServer as String: url.host!,
            kSecAttrPort as String: url.port!, kSecAttrPath as String: url.path,
            kSecAttrProtocol as String: type.constant, kSecAttrAccount as String: "anna",
            kSecAttrAuthenticationType as String: kSecAttrAuthenticationTypeHTTPBasic,
            kSecAttrSecurityDomain as String: "", kSecValueData as String: Data("\(type)".utf8),
        ]
        try expectEqual(SecItemAdd(item as CFDictionary, nil), errSecSuccess)
    }
    let query: [String: Any] = [
        kSecClass as String: kSecClassInternetPassword, kSecAttrProtocol as String: kSecAttrProtocolSSH as String,
        kSecReturnAttributes as String: true, kSecReturnData as String: true,
    ]
    var result: CFTypeRef?
    try expectEqual(SecItemCopyMatching(query as CFDictionary, &result), errSecSuccess)
    let item = result as? [String: Any]
    try expectEqual(item?[kSecAttrServer as String] as? String, "mail.example.org")
    try expectEqual(item?[kSecAttrPort as String] as? Int, 8443)
    try expectEqual(item?[kSecAttrProtocol as String] as? String, kSecAttrProtocolSSH as String)
    try expectEqual(item?[kSecValueData as String] as? Data, Data("ssh".utf8))
}
