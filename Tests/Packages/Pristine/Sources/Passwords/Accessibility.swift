// SPDX-License-Identifier: Apache-2.0

import Foundation

/// When a password can be read.
public enum Accessibility: CaseIterable, Sendable {
    case whenUnlocked
    case afterFirstUnlock
    case whenUnlockedThisDeviceOnly

    var attribute: CFString {
        switch self {
        case .whenUnlocked: kSecAttrAccessibleWhenUnlocked
        case .afterFirstUnlock: kSecAttrAccessibleAfterFirstUnlock
        case .whenUnlockedThisDeviceOnly: kSecAttrAccessibleWhenUnlockedThisDeviceOnly
        }
    }

    init?(attribute: String?) {
        guard let found = Self.allCases.first(where: { $0.attribute as String == attribute }) else { return nil }
        self = found
    }
}
