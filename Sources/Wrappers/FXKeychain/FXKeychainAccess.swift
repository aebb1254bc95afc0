// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// When a value of an ``FXKeychain`` can be read.
///
/// The names are those that Swift derives from the constants in the original's header.
public enum FXKeychainAccess: Int, Sendable, CaseIterable {
    /// While the keychain is unlocked. The default.
    case accessibleWhenUnlocked = 0
    /// From the first unlock until the machine restarts.
    case accessibleAfterFirstUnlock
    /// Always, even before the first unlock.
    case accessibleAlways
    /// As ``accessibleWhenUnlocked``, but the item never leaves this machine.
    case accessibleWhenUnlockedThisDeviceOnly
    /// As ``accessibleAfterFirstUnlock``, but the item never leaves this machine.
    case accessibleAfterFirstUnlockThisDeviceOnly
    /// As ``accessibleAlways``, but the item never leaves this machine.
    case accessibleAlwaysThisDeviceOnly

    /// The value of `kSecAttrAccessible`.
    var attribute: CFString {
        switch self {
        case .accessibleWhenUnlocked: kSecAttrAccessibleWhenUnlocked
        case .accessibleAfterFirstUnlock: kSecAttrAccessibleAfterFirstUnlock
        case .accessibleAlways: kSecAttrAccessibleAlways
        case .accessibleWhenUnlockedThisDeviceOnly: kSecAttrAccessibleWhenUnlockedThisDeviceOnly
        case .accessibleAfterFirstUnlockThisDeviceOnly: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
        case .accessibleAlwaysThisDeviceOnly: kSecAttrAccessibleAlwaysThisDeviceOnly
        }
    }
}
