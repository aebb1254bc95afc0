// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim

/// Adds a password to a keychain, or changes the one that is there.
struct AddPassword {
    let itemClass: CFString
    /// What tells it from others.
    let primaryKey: [CFString: Any]
    let attributes: [CFString: Any]
    let defaultLabel: String?
    let password: Data?
    /// Where to add it; nil for the command's own group.
    let accessGroup: String?
    /// Whether one that is there is changed.
    let updates: Bool

    /// A keychain of a Mac has one item of a key, whoever made it. Here each application has its own. So that a script finds
    /// what it has added, an item of another application counts as being there, unless a group is named.
    func run(in keychain: Keychain) throws {
        guard updates else { return try attempt(in: keychain) }
        for _ in 0..<Self.attempts {
            do {
                return try attempt(in: keychain)
            } catch let failure as CommandFailure
                where [errSecDuplicateItem, errSecItemNotFound].contains(failure.status)
            {}
        }
        throw CommandFailure("the item could not be stored: other processes keep adding and deleting it")
    }

    /// Other processes may add or delete the same item after this one has looked. Where they do nothing else, an attempt fails
    /// in a third of the cases.
    private static let attempts = 50

    private func attempt(in keychain: Keychain) throws {
        let same = try entries(primaryKey, in: keychain)
        if same.isEmpty && !updates { return try add(to: keychain) }
        guard updates else { throw CommandFailure("SecKeychainItemCreateFromContent", errSecDuplicateItem) }
        // As on a Mac, what was not given may be anything in the item that is changed.
        let given = primaryKey.filter { attributes[$0.key] != nil }
        let candidates = same.isEmpty ? try entries(given, in: keychain) : same
        guard let first = own(candidates) ?? candidates.first else { return try add(to: keychain) }
        guard candidates.count == 1 || own(candidates) != nil && !same.isEmpty else {
            throw Self.ambiguous(candidates)
        }
        try update(first)
    }

    /// What tells the items apart is listed. Those that differ by their group alone can be told apart by it alone.
    private static func ambiguous(_ candidates: [FoundEntry]) -> CommandFailure {
        for entry in candidates.prefix(greatestList) { Console.error("security: it may be \(entry.distinction)") }
        if candidates.count > greatestList {
            Console.error("security: and \(candidates.count - greatestList) others")
        }
        let groups = Set(candidates.compactMap { $0[kSecAttrAccessGroup] as? String }).sorted()
        guard groups.count > 1 else { return .usage("several items may be meant: say more of the one that is") }
        let names = groups.map { "\"\($0)\"" }.joined(separator: ", ")
        return .usage(
            "several items may be meant, of the access groups \(names): name one with --access-group, or say more of it"
        )
    }

    /// Longer lists help nobody to choose.
    private static let greatestList = 20

    private func entries(_ key: [CFString: Any], in keychain: Keychain) throws -> [FoundEntry] {
        try ItemSearch(itemClass, key, accessGroup: accessGroup).all(in: keychain)
    }

    private func own(_ entries: [FoundEntry]) -> FoundEntry? {
        entries.first { $0[kSecAttrAccessGroup] as? String == accessGroup ?? Keychain.group }
    }

    private func add(to keychain: Keychain) throws {
        var item = attributes.merging(primaryKey) { own, _ in own }
        item[kSecClass] = itemClass
        item[kSecAttrAccessGroup] = accessGroup
        item[kSecValueData] = password ?? Data()
        if item[kSecAttrLabel] == nil { item[kSecAttrLabel] = defaultLabel }
        let new = item as CFDictionary
        _ = try keychain.perform("SecKeychainItemCreateFromContent") { calls throws(KeychainError) in
            try calls.add(item: new)
        }
    }

    private func update(_ entry: FoundEntry) throws {
        var changes = attributes.filter { primaryKey[$0.key] == nil }
        if let password { changes[kSecValueData] = password }
        if changes.isEmpty { return }
        let query: [CFString: Any] = [
            kSecValuePersistentRef: entry.reference ?? Data(),
            kSecUseOperationPrompt: "to change \(entry.description)",
        ]
        try entry.keychain.perform("SecKeychainItemModifyContent") { calls throws(KeychainError) in
            try calls.update(matching: query as CFDictionary, with: changes as CFDictionary)
        }
    }
}
