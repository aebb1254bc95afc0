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

    /// The rows that match each step of an update or deletion.
    ///
    /// - Parameters:
    ///   - steps: The steps.
    ///   - rows: As in ``all(_:in:keys:storeID:reading:for:_:)``, as are the other parameters.
    ///   - parts: The parts of a step's rows to read in addition to those that its filter needs.
    /// - Returns: The rows of each step, or nil if a step matches none. Then the whole change does nothing.
    /// - Throws: ``StoreError/Code/tooMany`` if a step matches more rows than it allows; ``StoreError/Code/locked`` if
    ///   locked rows may match.
    package static func all<Step: RecordStep>(
        ofEach steps: [Step], in rows: any SealedRows, keys: KeySet, storeID: [UInt8],
        reading parts: (Step) -> RecordParts = { _ in [] }, for purpose: RowSearch.Purpose,
        _ damage: inout DamageReport
    ) throws -> [[RowMatch]]? {
        var matches: [[RowMatch]] = []
        for step in steps {
            let found = try all(
                LookupPlan(step.filter), in: rows, keys: keys, storeID: storeID, reading: parts(step), for: purpose,
                &damage)
            try step.requireCount(found.count)
            matches.append(found)
        }
        return matches.contains(where: \.isEmpty) ? nil : matches
    }

    /// Deletes the rows of each step of a deletion, unless another row keeps them (``RecordDeletion/unless``).
    ///
    /// - Parameters:
    ///   - steps: As in ``all(ofEach:in:keys:storeID:reading:for:_:)``, as are the other parameters.
    ///   - body: Deletes a row, at once or later in the same transaction. A row that two steps match comes twice.
    /// - Returns: How many rows the steps match, without those that were kept.
    /// - Throws: As ``all(ofEach:in:keys:storeID:reading:for:_:)``, and what `body` throws.
    package static func delete(
        _ steps: [RecordDeletion], in rows: any SealedRows, keys: KeySet, storeID: [UInt8],
        _ damage: inout DamageReport, _ body: (RowMatch) throws -> Void
    ) throws -> Int {
        let found = try all(ofEach: steps, in: rows, keys: keys, storeID: storeID, for: .delete, &damage)
        guard let found else { return 0 }
        let meant = Set(found.joined().map(\.header.id))
        var count = 0
        for (step, matches) in zip(steps, found) {
            if let unless = step.unless {
                let others = try all(
                    LookupPlan(unless), in: rows, keys: keys, storeID: storeID, for: .change, &damage)
                if !others.allSatisfy({ meant.contains($0.header.id) }) { continue }
            }
            for match in matches { try body(match) }
            count += matches.count
        }
        return count
    }
}
