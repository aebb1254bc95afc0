// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// One item that a query found. An identity has a key in addition to its certificate.
struct FoundItem {
    var record: ItemRecord
    var privateKey: ItemRecord?
    /// The object for `kSecReturnRef`, if it was requested.
    var live: AnyObject?

    init(_ record: ItemRecord, privateKey: ItemRecord? = nil) {
        self.record = record
        self.privateKey = privateKey
    }

    /// The item's records: one, or the two of an identity.
    var halves: [ItemRecord] { [record] + (privateKey.map { [$0] } ?? []) }
}

extension KeychainEngine {
    /// Finds the items that match a query.
    ///
    /// - Throws: `errSecItemNotFound` if there are none, `errSecInteractionNotAllowed` if one is locked,
    ///   `errSecDataNotAvailable` if only data is requested and no found key may be exported; for guarded items the
    ///   errors of ``PresenceCheck/admits(_:)``.
    func copyMatching(_ query: ItemQuery) throws(KeychainError) -> [FoundItem] {
        let groups = try application.readableGroups(naming: query.accessGroup)
        var check = PresenceCheck(query.asking, self)
        let found = try usable(query, in: groups, limit: query.limit.maximum, &check)
        if found.isEmpty { throw .itemNotFound() }
        if query.kinds == .data, !found.contains(where: \.mayLeave) { throw .mayNotLeave }
        return query.wantsLiveObjects ? try withLiveObjects(found, query, in: groups, &check) : found
    }

    /// The records or identities that match a query, oldest first.
    func find(
        _ query: ItemQuery, in groups: [String]?, parts: RecordParts, limit: Int?,
        meeting condition: RecordCondition? = nil
    ) throws(KeychainError) -> [FoundItem] {
        switch try meaning(of: query, in: groups) {
        case .nothing: return []
        case .records(let filter):
            let filter = condition.map(filter.meeting) ?? filter
            return try records(filter.naming(query.rules.items?.onlyReference), parts, limit: limit, query.interaction)
                .map { FoundItem($0) }
        case .identities(let filter):
            let pairs = try identities(filter, parts, query.interaction)
                .filter { pair in condition.map { pair.halves.allSatisfy($0.holds) } ?? true }
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

    /// The items that have live objects. Others are left out, as damaged items are, and do not count for a limit.
    ///
    /// - Throws: If no item has one, the reason for the first item.
    private func withLiveObjects(
        _ found: [FoundItem], _ query: ItemQuery, in groups: [String]?, _ check: inout PresenceCheck
    ) throws(KeychainError) -> [FoundItem] {
        var (alive, failure) = livingItems(of: found, query.asking)
        if failure != nil, let limit = query.limit.maximum {
            let all = try usable(query, in: groups, limit: nil, &check)
            alive = Array(livingItems(of: all, query.asking).alive.prefix(limit))
        }
        if let failure, alive.isEmpty { throw failure }
        return alive
    }

    /// The items with their objects, and the reason why the first of the others has none.
    private func livingItems(
        of items: [FoundItem], _ asking: Asking
    ) -> (alive: [FoundItem], failure: KeychainError?) {
        var failure: KeychainError?
        var alive = [FoundItem]()
        for item in items {
            do throws(KeychainError) {
                var item = item
                item.live = try item.liveObject { keyGuard(of: $0, asking) }
                alive.append(item)
            } catch {
                failure = failure ?? error
            }
        }
        return (alive, failure)
    }
}

extension ItemQuery {
    /// Passwords have no live form, as on Apple's platforms.
    var wantsLiveObjects: Bool { kinds.contains(.reference) && itemClass.hasLiveForm }

    /// The parts of each record that the result needs.
    var parts: RecordParts {
        // The attributes decide whether secrets may be returned.
        if kinds.contains(.data) || wantsLiveObjects { return [.attributes, .secrets] }
        return shape.includesAttributes ? .attributes : []
    }
}

extension RecordFilter {
    /// The same filter, limited to the one reference in a list of items, so that the store need not read all items.
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
