// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

// A tombstone is what a delete with kSecUseTombstones leaves of an item: a record with its primary key and without its data.
// Only queries that name kSecAttrTombstone find it.

extension KeychainEngine {
    /// The tombstones of the items that a delete is about to remove.
    func tombstones(of targets: [Target], _ interaction: Interaction) throws(KeychainError) -> [ItemRecord] {
        var tombstones: [ItemRecord] = []
        for target in targets {
            tombstones += try records(target.filter, .attributes, interaction).map(\.tombstone)
        }
        return tombstones
    }

    /// Stores the tombstones of items that were just deleted. Where another program has added an item meanwhile, there is none.
    func leave(_ tombstones: [ItemRecord], _ interaction: Interaction) throws(KeychainError) {
        for tombstone in tombstones {
            do throws(KeychainError) {
                try forClient { () throws(StoreError) in try store.insert(tombstone, interaction: interaction) }
            } catch  where error.status == errSecDuplicateItem {
                continue
            }
        }
    }

    /// Stores new records, all or none. Tombstones with the same primary keys are deleted before, in a step of their own.
    ///
    /// - Throws: `errSecDuplicateItem` if there is an item with one of the primary keys.
    func insertOverTombstones(_ records: [ItemRecord], _ interaction: Interaction) throws(KeychainError) {
        do throws(KeychainError) {
            try forClient { () throws(StoreError) in try store.insert(records, interaction: interaction) }
        } catch  where error.status == errSecDuplicateItem {
            var giveWay: [RecordDeletion] = []
            for record in records {
                if try !self.records(RecordFilter(twinOf: record), [], limit: 1, interaction).isEmpty { throw error }
                let filter = RecordFilter(twinOf: record, isTombstone: true)
                let found = try self.records(filter, [], limit: 1, interaction)
                if !found.isEmpty { giveWay.append(RecordDeletion(filter)) }
            }
            if giveWay.isEmpty { throw error }
            let steps = giveWay
            try forClient { () throws(StoreError) in
                _ = try store.delete(steps, interaction: interaction)
                try store.insert(records, interaction: interaction)
            }
        }
    }
}

extension RecordFilter {
    /// Selects the item, or the tombstone, that has the primary key of a record.
    init(twinOf record: ItemRecord, isTombstone: Bool = false) {
        let key = RecordFilter(primaryKeyOf: record)
        let marked: [ItemAttribute: AttributeValue] = [.tombstone: .integer(isTombstone ? 1 : 0)]
        self.init(itemClass: key.itemClass, attributes: key.attributes.merging(marked) { $1 })
    }
}

extension ItemRecord {
    /// What a delete leaves of the item.
    fileprivate var tombstone: ItemRecord {
        let schema = ItemSchema.schema(of: itemClass)
        var kept: [ItemAttribute: AttributeValue] = [:]
        for row in schema.primaryKeyRows + schema.requiredRows {
            kept[row.attribute] = attributes[row.attribute] ?? row.kind.emptyValue
        }
        kept[.accessible] = attributes[.accessible]
        kept[.creationDate] = attributes[.creationDate]
        kept[.modificationDate] = .date(Date())
        kept[.tombstone] = .integer(1)
        // The tombstone of another program's item is this library's own.
        let reference = reference.isOfAnotherProgram ? PersistentReference(itemClass: itemClass) : reference
        return ItemRecord(reference: reference, attributes: kept, secrets: [:])
    }
}
