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
    /// As ``whenUnlocked``, but the item never leaves this machine.
    case whenUnlockedThisDeviceOnly = "aku"
    /// As ``afterFirstUnlock``, but the item never leaves this machine.
    case afterFirstUnlockThisDeviceOnly = "cku"
    /// As ``always``, but the item never leaves this machine.
    case alwaysThisDeviceOnly = "dku"
    /// As ``whenUnlockedThisDeviceOnly``, but only in a store that a passphrase protects.
    case whenPasscodeSetThisDeviceOnly = "akpu"
    /// Apple's private "until reboot" class. Queries may name it, but no store keeps such items.
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

    /// Whether the secret cannot be read while the store is locked.
    public var needsUnlockedStore: Bool {
        switch self {
        case .whenUnlocked, .whenUnlockedThisDeviceOnly, .whenPasscodeSetThisDeviceOnly: true
        case .afterFirstUnlock, .afterFirstUnlockThisDeviceOnly, .always, .alwaysThisDeviceOnly, .untilReboot: false
        }
    }
}
