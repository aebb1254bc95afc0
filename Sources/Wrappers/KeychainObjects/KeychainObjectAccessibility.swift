// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// When the objects of a ``KeychainObjectStore`` can be read.
public enum KeychainObjectAccessibility: Sendable, CaseIterable {
    /// While the keychain is unlocked.
    case whenUnlocked
    /// From the first unlock until the machine restarts.
    case afterFirstUnlock
    /// As ``whenUnlocked``, but the object never leaves this machine.
    case whenUnlockedThisDeviceOnly
    /// As ``afterFirstUnlock``, but the object never leaves this machine.
    case afterFirstUnlockThisDeviceOnly
    /// As ``whenUnlockedThisDeviceOnly``, but only in a keychain that a passphrase protects.
    case whenPasscodeSetThisDeviceOnly

    var attribute: CFString {
        switch self {
        case .whenUnlocked: kSecAttrAccessibleWhenUnlocked
        case .afterFirstUnlock: kSecAttrAccessibleAfterFirstUnlock
        case .whenUnlockedThisDeviceOnly: kSecAttrAccessibleWhenUnlockedThisDeviceOnly
        case .afterFirstUnlockThisDeviceOnly: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
        case .whenPasscodeSetThisDeviceOnly: kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly
        }
    }
}
