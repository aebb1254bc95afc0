// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The program that answers as the Secret Service, and what must be known about it.
package struct Provider: Sendable {
    /// The programs whose ways are known.
    package enum Kind: Sendable {
        case gnomeKeyring
        case keePassXC
        case kWallet
        case other
    }

    package let kind: Kind
    /// The name of the program, as the system gives it.
    package let name: String
    /// Its unique name on the bus: another one after a restart.
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

    /// Whether it sends a signal for every change of an item's attributes before it answers the next call, and never
    /// uses a path twice in one life: only then may attributes be remembered.
    var announcesChanges: Bool { kind == .gnomeKeyring }

    /// Whether a search for no attributes finds every item.
    var findsAllWithEmptySearch: Bool { kind != .keePassXC }

    /// Whether a search finds locked items too, and tells them apart. KeePassXC finds nothing in a locked database, or
    /// shows a dialog of its own for it.
    var findsLockedItems: Bool { kind == .gnomeKeyring || kind == .kWallet }

    /// Whether it answers what it asks before a write by itself, as long as nothing is locked. KeePassXC does unless its
    /// user has it confirm each deletion; KWallet asks even where there is nothing to say.
    var answersByItself: Bool { kind == .keePassXC || kind == .kWallet }

    /// The most bytes of a value that a search can be made for. KeePassXC makes a regular expression of each value, and
    /// finds nothing when it gets too large.
    var longestTerm: Int { kind == .keePassXC ? 4096 : .max }

    /// Whether an attribute is one that the provider makes up from the fields of its entries, and lets nobody write.
    func isReserved(_ name: String) -> Bool {
        kind == .keePassXC && Self.keePassXCFields.contains(name)
    }

    /// Whether writing an item's attributes leaves those that are not among them. The specification means them to go;
    /// KeePassXC (2.7.4) changes what it is given and keeps the rest.
    var keepsUnwrittenAttributes: Bool { kind == .keePassXC }

    /// The fields that KeePassXC shows as attributes.
    static let keePassXCFields: Set<String> = ["Title", "UserName", "URL", "Notes", "Path", "Uuid", "Password"]

    /// The name of a process, where it can be told: not across the border of a sandbox.
    static func processName(_ identifier: UInt64) -> String? {
        let file = open("/proc/\(identifier)/comm", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        // The kernel gives at most 16 bytes, and the end of the line.
        var name = [UInt8](repeating: 0, count: 64)
        let count = read(file, &name, name.count)
        guard count > 0 else { return nil }
        let isBlank = { (byte: UInt8) in byte == UInt8(ascii: "\n") || byte == UInt8(ascii: " ") }
        let end = name[..<count].lastIndex { !isBlank($0) }.map { $0 + 1 } ?? 0
        return String(decoding: name[..<end].drop(while: isBlank), as: UTF8.self)
    }
}
