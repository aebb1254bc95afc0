// SPDX-License-Identifier: Apache-2.0

import SecItemStore

/// A key that a store keeps wrapped in its file.
enum KeyName: String, CaseIterable, Sendable {
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

    /// Opens guarded secrets. A store has it from the first guarded item on, while a passphrase protects it.
    case guardKey = "guard"

    /// The key that seals secrets of that protection class, or nil when no store keeps such items.
    init?(sealingSecretsOf accessible: Accessible) {
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

    /// When the key is at hand.
    enum Availability: Sendable {
        /// From opening the store.
        case always
        /// From the first unlock until the machine restarts.
        case afterFirstUnlock
        /// While the store is unlocked.
        case whenUnlocked
        /// For one authentication at a time: no set of keys ever has it.
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

    /// Those that every store has.
    static let required = allCases.filter { $0 != .guardKey }

    /// The keys kept between first unlock and restart, in the order in which they are cached.
    static let cached = allCases.filter { $0.availability == .afterFirstUnlock }

    /// Those that the root key opens.
    static let belowRoot = required.filter { $0.availability != .always && $0 != .root }
}

/// Which of the two sets of metadata keys an item is under.
///
/// Items that are always accessible have metadata keys of their own, which the device key alone protects. So they can
/// be found before the first unlock, and the names of all other items stay behind the passphrase.
enum KeyDomain: Hashable, Sendable, CaseIterable {
    case main
    case always

    init(_ accessible: Accessible) {
        switch accessible {
        case .always, .alwaysThisDeviceOnly: self = .always
        default: self = .main
        }
    }

    var other: KeyDomain {
        switch self {
        case .main: .always
        case .always: .main
        }
    }
}
