// SPDX-License-Identifier: Apache-2.0

import SecItemStore

extension KeychainEngine {
    /// Deletes every item that matches the query, or none.
    ///
    /// - Throws: `errSecItemNotFound` if no item matches, `errSecParam` if more items match than its limit allows.
    func delete(_ query: ItemQuery) throws(KeychainError) {
        let groups = try application.writableGroups(naming: query.accessGroup)
        let targets = try targets(of: query, in: groups)
        let tombstones = query.leavesTombstones ? try tombstones(of: targets, query.interaction) : []
        let steps = targets.map { target in
            RecordDeletion(target.filter, unless: target.unless, atMost: target.greatestCount)
        }
        let count = try forClient { () throws(StoreError) in
            try store.delete(steps, interaction: query.interaction)
        }
        if count == 0 { throw .itemNotFound() }
        try leave(tombstones, query.interaction)
    }
}
