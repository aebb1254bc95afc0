// SPDX-License-Identifier: Apache-2.0

import SecItemStore

/// A row that an update or delete matches. All of them are collected before any is changed.
package struct RowMatch {
    /// The unsealed columns.
    package let header: RowHeader
    /// The item, as far as it was read.
    package let record: ItemRecord
    /// The nonce of the secrets; empty if there are none.
    let secretsNonce: [UInt8]
    /// The blinds under which the row is listed.
    package let lookups: [Blind]
    /// Whether the row cannot be read completely. Only a deletion has such matches.
    package let isDamaged: Bool

    private init(_ found: RowSearch.Found) {
        header = found.header
        record = found.record
        secretsNonce = Array(found.row.secretsNonce)
        lookups = ItemIndex.lookups(in: found.row.slots, itemClass: found.header.reference.itemClass)
        isDamaged = found.isDamaged
    }

    /// The rows that match one step of an update or deletion, oldest first.
    ///
    /// - Parameters:
    ///   - plan: How to find them.
    ///   - rows: The store's rows, in the transaction of the change.
    ///   - keys: The available keys.
    ///   - storeID: The store's own number.
    ///   - parts: The parts to read in addition to those that the filter needs.
    ///   - purpose: What is done with them.
    ///   - damage: Receives what is damaged.
    /// - Throws: ``StoreError/Code/locked`` if locked rows may match.
    package static func all(
        _ plan: LookupPlan, in rows: any SealedRows, keys: KeySet, storeID: [UInt8], reading parts: RecordParts = [],
        for purpose: RowSearch.Purpose, _ damage: inout DamageReport
    ) throws -> [RowMatch] {
        var search = RowSearch(
            reader: try RowReader(plan: plan.refined(rows, keys), keys: keys, storeID: storeID), parts: parts,
            purpose: purpose)
        defer { damage.add(search.damage) }
        var found: [RowMatch] = []
        try search.run(rows) { found.append(RowMatch($0)) }
        return found
    }
}
