// SPDX-License-Identifier: Apache-2.0

import SecItemStore

/// Where an item lives.
enum Place {
    case local
    case shared

    /// The place of new items like this one.
    init(of record: ItemRecord) {
        self = record.isSynchronizable && !record.accessible.isOfThisDeviceOnly ? .shared : .local
    }
}

extension ItemRecord {
    /// Whether the item is marked as synchronizable. Only such items are in the shared place.
    var isSynchronizable: Bool { attributes[.synchronizable]?.integer == 1 }
}

extension RecordFilter {
    /// Whether it excludes synchronizable items, and with them the shared place.
    var isLocalOnly: Bool {
        guard let wanted = attributes[.synchronizable] else { return false }
        return wanted.integer != 1
    }

    /// The filter in the shared place; nil if it excludes that.
    var inSharedPlace: RecordFilter? {
        if isLocalOnly { return nil }
        var attributes = attributes
        attributes[.synchronizable] = .integer(1)
        return RecordFilter(
            itemClass: itemClass, reference: reference, attributes: attributes, accessGroups: accessGroups,
            condition: condition)
    }

    /// The same filter, for that record only.
    func narrowed(to record: ItemRecord) -> RecordFilter {
        RecordFilter(
            itemClass: itemClass, reference: record.reference, attributes: attributes, accessGroups: accessGroups,
            condition: condition)
    }

    /// Selects exactly these records of the class.
    init(_ itemClass: ItemClass, anyOf references: Set<PersistentReference>) {
        if references.count == 1, let only = references.first {
            self.init(itemClass: itemClass, reference: only)
        } else {
            self.init(
                itemClass: itemClass, condition: RecordCondition(on: []) { references.contains($0.reference) })
        }
    }
}

extension RecordChanges {
    /// Whether they may give a record that the filter matches another place.
    func mayMove(_ filter: RecordFilter) -> Bool {
        let synchronizable = attributes[.synchronizable]
        if synchronizable == nil && attributes[.accessible] == nil { return false }
        return !(filter.isLocalOnly && synchronizable?.integer != 1)
    }

    /// Whether the primary key of a record may change.
    func mayChangeKey(_ itemClass: ItemClass) -> Bool {
        let schema = ItemSchema.schema(of: itemClass)
        return attributes.keys.contains { schema[$0]?.roles.contains(.primaryKey) == true }
    }
}
