// SPDX-License-Identifier: Apache-2.0

import SecItemStore

extension SynchronizingStore {
    package func insert(_ record: ItemRecord, interaction: Interaction) throws(StoreError) {
        try insert([record], interaction: interaction)
    }

    package func insert(_ records: [ItemRecord], interaction: Interaction) throws(StoreError) {
        let own = records.filter { !$0.belongsInSharedPlace }, others = records.filter(\.belongsInSharedPlace)
        try requireUnique(own, others, reachesBoth: !own.isEmpty && !others.isEmpty)
        if !others.isEmpty { try remote.insert(others, interaction: interaction) }
        if own.isEmpty { return }
        try secondHalf(after: !others.isEmpty) { () throws(StoreError) in
            try local.insert(own, interaction: interaction)
        }
    }

    /// Checks that no item of the other place has the primary key of one of these.
    ///
    /// - Parameters:
    ///   - own: Records of this machine, as they will be.
    ///   - others: Records of the shared place.
    ///   - reachesBoth: Whether both places change. Then the place of each record is looked into as well, before the
    ///     first change.
    /// - Throws: ``StoreError/Code/duplicate`` if there is one, or if two of them have the same key.
    func requireUnique(
        _ own: [ItemRecord], _ others: [ItemRecord], reachesBoth: Bool
    ) throws(StoreError) {
        let changing = Set((own + others).map(\.reference))
        if changing.count > 1, Set((own + others).map(\.primaryKey)).count < changing.count {
            throw StoreError(.duplicate, "two items would have the same primary key")
        }
        for (records, home, other) in [(own, local, shared), (others, shared, local)] {
            for record in records {
                for store in (record.isSynchronizable ? [other] : []) + (reachesBoth ? [home] : []) {
                    let found = try store.records(
                        matching: RecordFilter(primaryKeyOf: record), parts: [], limit: 2, interaction: .skipped)
                    guard found.allSatisfy({ changing.contains($0.reference) }) else {
                        throw StoreError(.duplicate, "an item with this primary key exists")
                    }
                }
            }
        }
    }
}
