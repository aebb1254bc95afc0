// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim

/// Looks for items in keychains, one after another.
struct ItemSearch {
    /// What the items have to be like: Apple's keys and values.
    var query: [CFString: Any]
    var wantsData = false

    /// The items of all applications, synchronizable or not.
    init(_ itemClass: CFString, _ attributes: [CFString: Any] = [:], accessGroup: String? = nil) {
        query = attributes.merging([
            kSecClass: itemClass, kSecAttrSynchronizable: kSecAttrSynchronizableAny,
            kSecReturnAttributes: true, kSecReturnPersistentRef: true,
        ]) { $1 }
        if let accessGroup { query[kSecAttrAccessGroup] = accessGroup }
    }

    /// The item that was found, with its data.
    private init(_ entry: FoundEntry) {
        query = [
            kSecValuePersistentRef: entry.reference ?? Data(), kSecReturnAttributes: true,
            kSecReturnPersistentRef: true, kSecUseOperationPrompt: "to read \(entry.description)",
        ]
        wantsData = true
    }

    /// The first item that the keychains have, which are opened one after another. What kept one of them from being looked
    /// through is said on standard error, as its item may be newer.
    ///
    /// - Parameter forDeletion: Whether the item is to be deleted. Then it is not taken from behind a keychain that could not
    ///   be looked through: the one in there is meant, if there is one.
    /// - Throws: ``CommandFailure`` with `errSecItemNotFound` when none has one; with the first failure where one of them
    ///   could not be looked through.
    func first(in keychains: [KeychainName], forDeletion: Bool = false) throws -> FoundEntry {
        var failures = KeychainFailures()
        for name in keychains {
            let found: FoundEntry?
            do {
                found = try Keychain.openIfAny(name).flatMap { try first(in: $0) }
            } catch let error as CommandFailure {
                failures.add(error, of: name)
                continue
            }
            guard let found else { continue }
            failures.tell()
            if forDeletion, let failure = failures.first { throw failure.withNothingDeleted }
            return found
        }
        if failures.first == nil { hint(besides: keychains) }
        throw failures.first ?? CommandFailure("SecKeychainSearchCopyNext", errSecItemNotFound)
    }

    /// Says if another store of this user has such an item.
    private func hint(besides keychains: [KeychainName]) {
        let query = query.merging([
            kSecMatchLimit: kSecMatchLimitOne, kSecReturnData: false,
            kSecUseAuthenticationUI: kSecUseAuthenticationUIFail,
        ]) { $1 }
        KeychainsElsewhere.hint(besides: keychains) { try $0.calls.copy(matching: query as CFDictionary) != nil }
    }

    /// All items of one keychain, oldest first. None is no failure.
    func all(in keychain: Keychain) throws -> [FoundEntry] {
        try entries(in: keychain, limit: kSecMatchLimitAll)
    }

    /// The first item of one keychain. For the data of a guarded item somebody is asked, who is told which item it is.
    private func first(in keychain: Keychain) throws -> FoundEntry? {
        guard wantsData else { return try entries(in: keychain, limit: kSecMatchLimitOne).first }
        var attributes = self
        attributes.wantsData = false
        guard let entry = try attributes.first(in: keychain) else { return nil }
        return entry.isGuarded ? try reading(entry) : try entries(in: keychain, limit: kSecMatchLimitOne).first
    }

    /// The same item with its data.
    ///
    /// - Throws: ``CommandFailure`` with `errSecItemNotFound` when it has gone meanwhile.
    func reading(_ entry: FoundEntry) throws -> FoundEntry {
        var search = ItemSearch(entry)
        search.query[kSecClass] = query[kSecClass]
        let call = "SecKeychainItemCopyAttributesAndData"
        let found = try search.entries(in: entry.keychain, limit: kSecMatchLimitOne, call).first
        return try found ?? { throw CommandFailure(call, errSecItemNotFound) }()
    }

    /// The same items with their data, by their references: without those that are guarded, and those that cannot be read.
    func readingUnguarded(_ entries: [FoundEntry], in keychain: Keychain) throws -> [Data: FoundEntry] {
        var search = self
        search.wantsData = true
        return try search.repeated(for: entries.filter { !$0.isGuarded }, of: entries, in: keychain)
    }

    /// The objects of some of the items that were found, by their references.
    ///
    /// An item that has no object is left out: a damaged certificate, or a key of an unknown kind.
    ///
    /// - Parameter chosen: None that is guarded, for which somebody would be asked.
    func objects(
        of chosen: [FoundEntry], among all: [FoundEntry], in keychain: Keychain
    ) throws -> [Data: AnyObject] {
        var search = self
        search.query[kSecReturnRef] = true
        return try search.repeated(for: chosen, of: all, in: keychain)
            .compactMapValues { $0[kSecValueRef] as AnyObject? }
    }

    /// Looks again for some of the items that were found, and gives them by their references. Damaged ones are left out.
    private func repeated(
        for chosen: [FoundEntry], of all: [FoundEntry], in keychain: Keychain
    ) throws -> [Data: FoundEntry] {
        if chosen.isEmpty { return [:] }
        var search = self
        if chosen.count < all.count { search.query[kSecMatchItemList] = chosen.compactMap(\.reference) }
        do {
            let found = try search.all(in: keychain).compactMap { entry in entry.reference.map { ($0, entry) } }
            return Dictionary(found) { $1 }
        } catch let failure as CommandFailure where failure.status == errSecDecode {
            // All of them are damaged.
            return [:]
        }
    }

    private func entries(
        in keychain: Keychain, limit: CFString, _ call: String = "SecKeychainSearchCopyNext"
    ) throws -> [FoundEntry] {
        let query = query.merging([kSecMatchLimit: limit, kSecReturnData: wantsData]) { $1 }
        let found = try keychain.perform(call) { calls throws(KeychainError) -> AnyObject? in
            do throws(KeychainError) {
                return try calls.copy(matching: query as CFDictionary)
            } catch {
                if error.status == errSecItemNotFound { return nil }
                throw error
            }
        }
        if let array = found as? NSArray { return array.compactMap { FoundEntry($0, in: keychain) } }
        return FoundEntry(found, in: keychain).map { [$0] } ?? []
    }
}

extension CommandFailure {
    /// This failure of a keychain, which was said, as that of a deletion.
    fileprivate var withNothingDeleted: CommandFailure {
        CommandFailure(
            "nothing was deleted: the item may also be in a keychain that cannot be read or is locked; name one to delete from",
            exit: exitStatus)
    }
}
