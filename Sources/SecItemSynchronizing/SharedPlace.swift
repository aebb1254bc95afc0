// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

extension ItemRecord {
    /// Whether the item is marked as synchronizable. Only such items are in the shared place.
    var isSynchronizable: Bool { attributes[.synchronizable]?.integer == 1 }

    /// Whether a new item like this one is stored in the shared place.
    var belongsInSharedPlace: Bool { isSynchronizable && !accessible.isOfThisDeviceOnly }

    var lastChange: Date { attributes[.modificationDate]?.date ?? .distantPast }

    /// Whether the attributes have equal values, and the secrets too if the other record has any.
    fileprivate func hasValues(of other: ItemRecord) -> Bool {
        attributes.mapValues(\.matchKey) == other.attributes.mapValues(\.matchKey)
            && (other.secrets.isEmpty || hasSecrets(of: other))
    }

    private func hasSecrets(of other: ItemRecord) -> Bool {
        secrets.count == other.secrets.count
            && other.secrets.allSatisfy { secrets[$0]?.hasSameBytes(as: $1) ?? false }
    }
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

    /// The same filter, for that record only, and only as long as nobody has changed it.
    ///
    /// - Parameter record: The record as it was read, perhaps without its secrets.
    func narrowed(toUnchanged record: ItemRecord) -> RecordFilter {
        let parts: RecordParts = record.secrets.isEmpty ? .attributes : [.attributes, .secrets]
        return narrowed(to: record).meeting(RecordCondition(on: parts) { $0.hasValues(of: record) })
    }

    /// Selects exactly that record, as long as nobody has changed it.
    ///
    /// - Parameter record: The record as it was read, perhaps without its secrets.
    init(unchanged record: ItemRecord) {
        self = RecordFilter(itemClass: record.itemClass).narrowed(toUnchanged: record)
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
