// SPDX-License-Identifier: Apache-2.0

// Apple's constants as cases of enumerations whose raw values are `String` or `CFString`.

import Foundation
import Security

private enum Accessibility: CaseIterable {
    case whenUnlocked, afterFirstUnlock, afterFirstUnlockThisDeviceOnly

    var rawValue: String { constant as String }

    private var constant: CFString {
        switch self {
        case .whenUnlocked: return kSecAttrAccessibleWhenUnlocked
        case .afterFirstUnlock: return kSecAttrAccessibleAfterFirstUnlock
        case .afterFirstUnlockThisDeviceOnly: return kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
        }
    }

    init?(_ value: CFTypeRef) {
        guard
            let found = Self.allCases.first(where: {
                $0.rawValue as CFTypeRef === value || $0.rawValue == value as? String
            })
        else { return nil }
        self = found
    }
}

private enum ItemClass: RawRepresentable {
    case genericPassword, internetPassword

    init?(rawValue: String) {
        switch rawValue {
        case String(kSecClassGenericPassword): self = .genericPassword
        case String(kSecClassInternetPassword): self = .internetPassword
        default: return nil
        }
    }

    var rawValue: String {
        switch self {
        case .genericPassword: return String(kSecClassGenericPassword)
        case .internetPassword: return String(kSecClassInternetPassword)
        }
    }
}

private enum Keys {
    static let account = kSecAttrAccount as String
    static let accessible = String(kSecAttrAccessible)
    static let itemClass: String! = kSecClass as String?
}

@Sendable func checkEnumeratedConstants() throws {
    try expect(ItemClass(rawValue: "genp") == .genericPassword)
    for accessibility in Accessibility.allCases {
        let item: [String: AnyObject] = [
            Keys.itemClass: ItemClass.internetPassword.rawValue as CFTypeRef,
            Keys.account: "\(accessibility)" as NSString,
            Keys.accessible: accessibility.rawValue as CFTypeRef,
        ]
        try expectEqual(SecItemAdd(item as CFDictionary, nil), errSecSuccess)
        var result: AnyObject?
        let query = item.merging([kSecReturnAttributes as String: kCFBooleanTrue]) { $1 }
        try expectEqual(SecItemCopyMatching(query as CFDictionary, &result), errSecSuccess)
        let value = (result as? [String: AnyObject])?[Keys.accessible]
        try expectEqual(value.flatMap(Accessibility.init), accessibility)
    }
}
