// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// One item that a query found. An identity has a key beside its certificate.
struct FoundItem {
    let record: ItemRecord
    var privateKey: ItemRecord?
    /// The object that `kSecReturnRef` gives, where it was asked for.
    var live: AnyObject?

    init(_ record: ItemRecord, privateKey: ItemRecord? = nil) {
        self.record = record
        self.privateKey = privateKey
    }
}

extension KeychainEngine {
    /// Finds the items that a query means.
    ///
    /// - Throws: `errSecItemNotFound` when there are none, `errSecInteractionNotAllowed` when one is locked,
    ///   `errSecDataNotAvailable` when nothing but data is wanted and no key found may leave.
    func copyMatching(_ query: ItemQuery) throws(KeychainError) -> [FoundItem] {
        let groups = try application.readableGroups(naming: query.accessGroup)
        let found = try find(query, in: groups, parts: query.parts, limit: query.limit.maximum)
        if found.isEmpty { throw .itemNotFound() }
        if query.kinds == .data, !found.contains(where: \.mayLeave) { throw .mayNotLeave }
        return query.wantsLiveObjects ? try withLiveObjects(found, query, in: groups) : found
    }

    /// The records or identities that a query means, oldest first.
    func find(
        _ query: ItemQuery, in groups: [String]?, parts: RecordParts, limit: Int?
    ) throws(KeychainError) -> [FoundItem] {
        switch try meaning(of: query, in: groups) {
        case .nothing: return []
        case .records(let filter):
            return try records(filter.naming(query.rules.items?.onlyReference), parts, limit: limit, query.interaction)
                .map { FoundItem($0) }
        case .identities(let filter):
            let pairs = try identities(filter, parts, query.interaction)
            return Array(pairs.prefix(limit ?? .max))
        }
    }

    func records(
        _ filter: RecordFilter, _ parts: RecordParts, limit: Int? = nil, _ interaction: Interaction
    ) throws(KeychainError) -> [ItemRecord] {
        try asking { () throws(StoreError) in
            try store.records(matching: filter, parts: parts, limit: limit, interaction: interaction)
        }
    }

    /// The items that can be had as objects. The others are left out, as damaged ones are, and do not count for a limit.
    ///
    /// - Throws: When there is none, why the first is none.
    private func withLiveObjects(
        _ found: [FoundItem], _ query: ItemQuery, in groups: [String]?
    ) throws(KeychainError) -> [FoundItem] {
        var (alive, failure) = livingItems(of: found)
        if failure != nil, let limit = query.limit.maximum {
            let all = try find(query, in: groups, parts: query.parts, limit: nil)
            alive = Array(livingItems(of: all).alive.prefix(limit))
        }
        if let failure, alive.isEmpty { throw failure }
        return alive
    }

    /// The items with their objects, and why the first of the others has none.
    private func livingItems(of items: [FoundItem]) -> (alive: [FoundItem], failure: KeychainError?) {
        var failure: KeychainError?
        var alive = [FoundItem]()
        for item in items {
            do throws(KeychainError) {
                var item = item
                item.live = try item.liveObject()
                alive.append(item)
            } catch {
                failure = failure ?? error
            }
        }
        return (alive, failure)
    }
}

extension ItemQuery {
    /// Passwords have no live form, on Apple's either.
    var wantsLiveObjects: Bool { kinds.contains(.reference) && itemClass.hasLiveForm }

    /// What of each record the result needs.
    fileprivate var parts: RecordParts {
        var parts: RecordParts = []
        if kinds.contains(.data) || wantsLiveObjects { parts.insert(.secrets) }
        if shape.includesAttributes || wantsLiveObjects { parts.insert(.attributes) }
        // Whether a key's data may leave is one of its attributes.
        if kinds.contains(.data), itemClass == .key || itemClass == .identity { parts.insert(.attributes) }
        return parts
    }
}

extension RecordFilter {
    /// The same records, found by the one reference that a list of items consists of: the store need not go through all.
    fileprivate func naming(_ only: PersistentReference?) -> RecordFilter {
        guard let only, reference == nil, only.itemClass == itemClass else { return self }
        return RecordFilter(
            itemClass: itemClass, reference: only, attributes: attributes, accessGroups: accessGroups,
            condition: condition)
    }
}

extension ItemClass {
    var hasLiveForm: Bool {
        switch self {
        case .genericPassword, .internetPassword: false
        case .certificate, .key, .identity: true
        }
    }
}
