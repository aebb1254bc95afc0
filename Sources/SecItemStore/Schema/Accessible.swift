// SPDX-License-Identifier: Apache-2.0

/// When an item's secret can be read: the values of Apple's `kSecAttrAccessible`.
///
/// Source: `kSecAttrAccessible` in Apple's *SecItem.h*.
public enum Accessible: String, Sendable, Hashable, CaseIterable {
    /// While the store is unlocked.
    case whenUnlocked = "ak"
    /// From the first unlock until the machine restarts.
    case afterFirstUnlock = "ck"
    /// Always, even before the first unlock.
    case always = "dk"
    /// As ``whenUnlocked``; never leaves this machine.
    case whenUnlockedThisDeviceOnly = "aku"
    /// As ``afterFirstUnlock``; never leaves this machine.
    case afterFirstUnlockThisDeviceOnly = "cku"
    /// As ``always``; never leaves this machine.
    case alwaysThisDeviceOnly = "dku"
    /// As ``whenUnlockedThisDeviceOnly``, and only in a store that a passphrase protects.
    case whenPasscodeSetThisDeviceOnly = "akpu"
    /// Apple's private "until reboot". Understood in queries; no store keeps items of it.
    case untilReboot = "f"

    /// Whether the item must not leave this machine.
    package var isOfThisDeviceOnly: Bool {
        switch self {
        case .whenUnlockedThisDeviceOnly, .afterFirstUnlockThisDeviceOnly, .alwaysThisDeviceOnly,
            .whenPasscodeSetThisDeviceOnly:
            true
        case .whenUnlocked, .afterFirstUnlock, .always, .untilReboot: false
        }
    }

    /// Whether the secret is out of reach while the store is locked.
    public var needsUnlockedStore: Bool {
        switch self {
        case .whenUnlocked, .whenUnlockedThisDeviceOnly, .whenPasscodeSetThisDeviceOnly: true
        case .afterFirstUnlock, .afterFirstUnlockThisDeviceOnly, .always, .alwaysThisDeviceOnly, .untilReboot: false
        }
    }
}
