// SPDX-License-Identifier: Apache-2.0

import SecItemStore

/// A key that a store's file contains in wrapped form.
package enum KeyName: String, CaseIterable, Sendable {
    /// Wraps the keys that need a first unlock.
    case root
    /// Seals attributes and blinds look-ups of all items but those of ``alwaysMetadata``.
    case metadata
    /// Seals attributes and blinds look-ups of items that are always accessible.
    case alwaysMetadata = "metadata-always"

    case whenUnlocked = "ak"
    case whenUnlockedThisDeviceOnly = "aku"
    case whenPasscodeSetThisDeviceOnly = "akpu"
    case afterFirstUnlock = "ck"
    case afterFirstUnlockThisDeviceOnly = "cku"
    case always = "dk"
    case alwaysThisDeviceOnly = "dku"

    /// Opens guarded secrets. An embedded store with a passphrase has it.
    case guardKey = "guard"

    /// The key that seals secrets of that protection class, or nil if no store holds such items.
    package init?(sealingSecretsOf accessible: Accessible) {
        switch accessible {
        case .whenUnlocked: self = .whenUnlocked
        case .whenUnlockedThisDeviceOnly: self = .whenUnlockedThisDeviceOnly
        case .whenPasscodeSetThisDeviceOnly: self = .whenPasscodeSetThisDeviceOnly
        case .afterFirstUnlock: self = .afterFirstUnlock
        case .afterFirstUnlockThisDeviceOnly: self = .afterFirstUnlockThisDeviceOnly
        case .always: self = .always
        case .alwaysThisDeviceOnly: self = .alwaysThisDeviceOnly
        case .untilReboot: return nil
        }
    }

    /// When the key is available.
    enum Availability: Sendable {
        /// As soon as the store is open.
        case always
        /// From the first unlock until the machine restarts.
        case afterFirstUnlock
        /// While the store is unlocked.
        case whenUnlocked
        /// For one authentication at a time. It is never in a set of keys.
        case uponAuthentication
    }

    var availability: Availability {
        switch self {
        case .always, .alwaysThisDeviceOnly, .alwaysMetadata: .always
        case .metadata, .afterFirstUnlock, .afterFirstUnlockThisDeviceOnly: .afterFirstUnlock
        case .root, .whenUnlocked, .whenUnlockedThisDeviceOnly, .whenPasscodeSetThisDeviceOnly: .whenUnlocked
        case .guardKey: .uponAuthentication
        }
    }

    /// The keys of every store.
    package static let required = allCases.filter { $0 != .guardKey }

    /// The keys kept between first unlock and restart, in the order in which they are cached.
    package static let cached = allCases.filter { $0.availability == .afterFirstUnlock }

    /// The keys that the root key opens.
    package static let belowRoot = required.filter { $0.availability != .always && $0 != .root }
}

/// The set of metadata keys of an item.
///
/// Items that are always accessible have separate metadata keys, which only the device key protects. So they can be
/// found before the first unlock, while the passphrase protects the names of all other items.
package enum KeyDomain: Hashable, Sendable, CaseIterable {
    case main
    case always

    /// The domain of items of that protection class.
    package init(_ accessible: Accessible) {
        switch accessible {
        case .always, .alwaysThisDeviceOnly: self = .always
        default: self = .main
        }
    }

    /// The other of the two domains.
    package var other: KeyDomain {
        switch self {
        case .main: .always
        case .always: .main
        }
    }
}
