// SPDX-License-Identifier: Apache-2.0

import SecItemStore

extension SynchronizingStore {
    package func insert(_ record: ItemRecord, interaction: Interaction) throws(StoreError) {
        try insert([record], interaction: interaction)
    }

    package func insert(_ records: [ItemRecord], interaction: Interaction) throws(StoreError) {
        let own = records.filter { Place(of: $0) == .local }, others = records.filter { Place(of: $0) == .shared }
        // Most items can have an equal only in their own place.
        if others.isEmpty && !own.contains(where: \.isSynchronizable) {
            return try local.insert(own, interaction: interaction)
        }
        try requireUnique(own, others)
        var undo = Undo()
        do throws(StoreError) {
            if !own.isEmpty {
                try local.insert(own, interaction: interaction)
                undo.delete(own, from: local)
            }
            if !others.isEmpty {
                try remote.insert(others, interaction: interaction)
                undo.delete(others, from: remote)
            }
            // Another program may have stored an equal item in the other place meanwhile. It looks too, so at least one of
            // the two notices.
            try requireUnique(own, others)
        } catch {
            if !error.isOutcomeUnknown { undo.run() }
            throw error
        }
    }

    /// Checks that no synchronizable item of the other place has the primary key of one of these.
    ///
    /// - Parameter leaving: Records that leave their places in the same change.
    /// - Throws: ``StoreError/Code/duplicate`` if there is one.
    func requireUnique(
        _ own: [ItemRecord], _ others: [ItemRecord], except leaving: Set<PersistentReference> = []
    ) throws(StoreError) {
        for (records, other) in [(own, shared), (others, local)] {
            for record in records where record.isSynchronizable {
                let found = try other.records(
                    matching: RecordFilter(equalTo: record), parts: [], limit: 2, interaction: .skipped)
                guard found.allSatisfy({ leaving.contains($0.reference) || $0.reference == record.reference }) else {
                    throw StoreError(.duplicate, "an item with this primary key exists in the other place")
                }
            }
        }
    }
}

extension RecordFilter {
    /// Selects the record with the same primary key.
    init(equalTo record: ItemRecord) {
        var attributes: [ItemAttribute: AttributeValue] = [:]
        for row in ItemSchema.schema(of: record.itemClass).primaryKeyRows {
            attributes[row.attribute] = record.attributes[row.attribute] ?? row.kind.emptyValue
        }
        self.init(itemClass: record.itemClass, attributes: attributes)
    }
}
