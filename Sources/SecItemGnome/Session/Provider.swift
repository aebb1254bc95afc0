// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The program that implements the Secret Service, and its peculiarities.
package struct Provider: Sendable {
    /// The known programs.
    package enum Kind: Sendable {
        case gnomeKeyring
        case keePassXC
        case kWallet
        case other
    }

    package let kind: Kind
    /// The name of the program, as the system gives it.
    package let name: String
    /// Its unique name on the bus, which changes with a restart.
    package let owner: String

    init(processName: String?, owner: String) {
        self.owner = owner
        name = processName ?? "unknown"
        kind =
            switch processName ?? "" {
            case let name where name.hasPrefix("gnome-keyring"): .gnomeKeyring
            case let name where name.hasPrefix("keepassxc"): .keePassXC
            case let name where name.hasPrefix("kwalletd") || name.hasPrefix("ksecretd"): .kWallet
            default: .other
            }
    }

    /// Whether it signals every change of an item's attributes before it answers the next call, and never reuses a
    /// path. Only then may attributes be cached.
    var announcesChanges: Bool { kind == .gnomeKeyring }

    /// Whether a search without attributes finds every item.
    var findsAllWithEmptySearch: Bool { kind != .keePassXC }

    /// Whether a search also finds locked items, and distinguishes them. KeePassXC finds nothing in a locked database,
    /// or shows its own dialog.
    var findsLockedItems: Bool { kind == .gnomeKeyring || kind == .kWallet }

    /// Whether it answers its own prompt before a write as long as nothing is locked. KeePassXC does, unless its user
    /// wants to confirm each deletion. KWallet creates a prompt even if there is nothing to ask.
    var answersByItself: Bool { kind == .keePassXC || kind == .kWallet }

    /// Whether its file holds every text. gnome-keyring's file of a keyring without a password does not, and nobody knows
    /// the files of other programs.
    var keepsEveryText: Bool { kind == .keePassXC || kind == .kWallet }

    /// The greatest size of a value to search for, in bytes. KeePassXC converts each value to a regular expression, and
    /// finds nothing if it is too large.
    var longestTerm: Int { kind == .keePassXC ? 4096 : .max }

    /// Whether the provider makes the attribute from the fields of its entries, and does not let programs write it.
    func isReserved(_ name: String) -> Bool {
        kind == .keePassXC && Self.keePassXCFields.contains(name)
    }

    /// Whether writing an item's attributes keeps those that are not written. According to the specification they
    /// should be removed; KeePassXC (2.7.4) keeps them.
    var keepsUnwrittenAttributes: Bool { kind == .keePassXC }

    /// The fields that KeePassXC shows as attributes.
    static let keePassXCFields: Set<String> = ["Title", "UserName", "URL", "Notes", "Path", "Uuid", "Password"]

    /// The name of a process, if it can be determined. Across the border of a sandbox it cannot.
    static func processName(_ identifier: UInt64) -> String? {
        let file = open("/proc/\(identifier)/comm", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        // The kernel returns at most 16 bytes and a line break.
        var name = [UInt8](repeating: 0, count: 64)
        let count = read(file, &name, name.count)
        guard count > 0 else { return nil }
        let isBlank = { (byte: UInt8) in byte == UInt8(ascii: "\n") || byte == UInt8(ascii: " ") }
        let end = name[..<count].lastIndex { !isBlank($0) }.map { $0 + 1 } ?? 0
        return String(decoding: name[..<end].drop(while: isBlank), as: UTF8.self)
    }
}
