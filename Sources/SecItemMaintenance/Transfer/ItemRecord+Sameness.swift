// SPDX-License-Identifier: Apache-2.0

import SecItemStore

extension ItemRecord {
    /// Whether the other record has the same attributes and secrets. The references may differ.
    ///
    /// - Parameter ignoring: Attributes that may differ.
    func isSame(as other: ItemRecord, ignoring: Set<ItemAttribute> = []) -> Bool {
        let own = attributes.filter { !ignoring.contains($0.key) }.mapValues(\.matchKey)
        let others = other.attributes.filter { !ignoring.contains($0.key) }.mapValues(\.matchKey)
        guard itemClass == other.itemClass, own == others, secrets.count == other.secrets.count else { return false }
        return secrets.allSatisfy { attribute, secret in other.secrets[attribute]?.hasSameBytes(as: secret) ?? false }
    }

    /// Whether the other record is the same item with the same content, regardless of dates.
    func hasSameContent(as other: ItemRecord) -> Bool {
        isSame(as: other, ignoring: [.creationDate, .modificationDate])
    }

    /// The filter for this item, as long as it is unchanged.
    var unchangedFilter: RecordFilter {
        RecordFilter(
            itemClass: itemClass, reference: reference,
            condition: RecordCondition(on: [.attributes, .secrets]) { $0.isSame(as: self) })
    }

    /// Whether it is what a delete with `kSecUseTombstones` has left of an item, if the record has all of its secrets.
    ///
    /// Such a record stays in its store: it is no item to copy, and must not replace one elsewhere.
    var isTombstone: Bool { (attributes[.tombstone]?.integer ?? 0) != 0 && secrets.isEmpty }
}
