// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

extension KeychainEngine {
    /// Finds the items that match a query.
    ///
    /// - Throws: `errSecItemNotFound` if there are none, `errSecInteractionNotAllowed` if one is locked,
    ///   `errSecDataNotAvailable` if only data is requested and no found key may be exported; otherwise the errors of
    ///   ``usable(_:in:_:)``.
    func copyMatching(_ query: ItemQuery) throws(KeychainError) -> [FoundItem] {
        let groups = try application.readableGroups(naming: query.accessGroup)
        var check = PresenceCheck(query.asking, self)
        let found = try usable(query, in: groups, &check)
        if found.isEmpty { throw .itemNotFound() }
        if query.kinds == .data, !found.contains(where: \.mayLeave) { throw .mayNotLeave }
        return found
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
        try forClient { () throws(StoreError) in
            try store.records(matching: filter, parts: parts, limit: limit, interaction: interaction)
        }
    }
}

extension ItemQuery {
    /// The parts of each record that the result needs.
    ///
    /// A reference needs the secrets as data does. So it does of a password, which has no object, as on Apple's platforms.
    var parts: RecordParts {
        // The attributes decide whether secrets may be returned.
        if kinds.contains(.data) || kinds.contains(.reference) { return [.attributes, .secrets] }
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
