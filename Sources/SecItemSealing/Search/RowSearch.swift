// SPDX-License-Identifier: Apache-2.0

import SecItemStore

/// One run through the rows that match a filter. Look-up, update and delete all use it.
package struct RowSearch {
    /// The purpose of the search. It decides what happens to rows that cannot be read completely.
    package enum Purpose {
        /// Locked secrets are an error, or the whole row is left out.
        case lookUp(skipsLocked: Bool)
        /// Locked secrets stay unread unless the filter's condition needs them. Whether they matter is not known before
        /// the change.
        case change
        /// As for a change, but damaged rows count if their unencrypted columns match the filter.
        case delete
    }

    /// A matching row. Valid during one call of the closure of ``run(_:_:)``.
    struct Found {
        let row: StoredRow
        let header: RowHeader
        /// The item, as far as it was read.
        let record: ItemRecord
        var isDamaged = false
    }

    private var reader: RowReader
    private let parts: RecordParts
    /// The parts of a row to open: those requested, and those that decide whether it matches.
    private let read: RecordParts
    private let limit: Int
    private let purpose: Purpose
    /// The damaged rows that were found.
    package var damage = DamageReport()

    /// - Parameter parts: The parts to read in addition to those that the filter needs.
    package init(reader: RowReader, parts: RecordParts, limit: Int = .max, purpose: Purpose) {
        self.reader = reader
        self.parts = parts
        read = parts.union(reader.plan.neededParts)
        self.limit = limit
        self.purpose = purpose
    }

    /// The records of all matching rows, oldest first.
    package mutating func records(_ rows: any SealedRows) throws -> [ItemRecord] {
        var records: [ItemRecord] = []
        try run(rows) { records.append($0.record) }
        return records
    }

    /// Calls `take` with each matching row, oldest first.
    mutating func run(_ rows: any SealedRows, _ take: (Found) throws -> Void) throws {
        var count = 0
        try rows.forEachRow(reader.source, RowColumns(read)) { row in
            if let found = try found(rows, row) {
                try take(found)
                count += 1
            }
            return count < limit
        }
        try end(rows, count: count)
    }

    /// Decides what missing or unreadable rows mean for the result.
    private mutating func end(_ rows: any SealedRows, count: Int) throws {
        if count < limit, !skipsLocked, !isByReference,
            try rows.hasHiddenItems(reader.plan.filter.itemClass, reader.keys)
        {
            throw StoreError.lockedBeforeFirstUnlock
        }
        if count == 0 && !damage.isEmpty { throw StoreError(.corrupt, "all matching items are damaged") }
    }

    private var skipsLocked: Bool {
        if case .lookUp(skipsLocked: true) = purpose { true } else { false }
    }

    /// Whether no hidden row can match too, because a reference belongs to one item.
    private var isByReference: Bool {
        if case .reference = reader.plan.probe { true } else { false }
    }

    // MARK: One row

    /// The row in the form that this search needs, or nil if it is left out.
    private mutating func found(_ rows: any SealedRows, _ row: StoredRow) throws -> Found? {
        switch try reader.examine(row) {
        case .mismatch: return nil
        case .hidden:
            if skipsLocked { return nil }
            throw StoreError.lockedBeforeFirstUnlock
        case .damaged(let how): return try damaged(row, how)
        case .candidate(let header, let metadata): return try opened(rows, row, header, metadata)
        }
    }

    private mutating func damaged(_ row: StoredRow, _ how: RowDamage) throws(StoreError) -> Found? {
        guard case .delete = purpose, try reader.isMeant(row), let header = row.header else {
            damage.note(row, how)
            return nil
        }
        let record = ItemRecord(reference: header.reference, attributes: [:], secrets: [:])
        return Found(row: row, header: header, record: record, isDamaged: true)
    }

    private mutating func opened(
        _ rows: any SealedRows, _ row: StoredRow, _ header: RowHeader, _ metadata: MetadataKeys
    ) throws -> Found? {
        let filter = reader.plan.filter
        var record = ItemRecord(reference: header.reference, attributes: [:], secrets: [:])
        var opened: OpenedAttributes?
        // Secrets are never returned without their constraints.
        if read.contains(.attributes) || (header.mark != nil && read.contains(.secrets)) {
            guard let attributes = reader.attributes(row, header, metadata) else {
                damage.note(row, .attributes)
                return nil
            }
            record = ItemRecord(reference: header.reference, attributes: attributes, secrets: [:])
            opened = attributes
            guard header.mark == nil || RowReader.hasConstraints(record, of: header) else {
                damage.note(row, .constraints)
                return nil
            }
            if !reader.plan.isDecidedBySlots && !filter.matchesIgnoringCondition(record) { return nil }
        }
        if try isForged(rows, row, header, opened) { return nil }
        if read.contains(.secrets) {
            guard try readSecrets(row, header, &record) else { return nil }
        }
        if let condition = filter.condition, !condition.holds(for: record) { return nil }
        if !parts.contains(.attributes) && header.mark == nil { record.attributes = [:] }
        if !parts.contains(.secrets) { (record.secrets, record.guardedSecrets) = ([:], nil) }
        return Found(row: row, header: header, record: record)
    }

    /// Reads the secrets of the row into the record; none if they may stay locked.
    ///
    /// - Returns: False if the row is left out.
    private mutating func readSecrets(
        _ row: StoredRow, _ header: RowHeader, _ record: inout ItemRecord
    ) throws(StoreError) -> Bool {
        let looksAtSecrets = reader.plan.neededParts.contains(.secrets)
        switch (reader.secrets(row, header), purpose) {
        case (.opened(let secrets), _): record.secrets = secrets
        case (.guarded(let secrets), _): record.guardedSecrets = secrets
        case (.locked, .lookUp(skipsLocked: true)): return false
        case (.locked, .lookUp(skipsLocked: false)): throw StoreError.locked
        case (.locked, .change), (.locked, .delete): if looksAtSecrets { throw StoreError.locked }
        case (.damaged, _):
            damage.note(row, .secrets)
            return false
        }
        return true
    }

    private mutating func isForged(
        _ rows: any SealedRows, _ row: StoredRow, _ header: RowHeader, _ opened: OpenedAttributes?
    ) throws -> Bool {
        // A delete may remove it.
        if case .delete = purpose { return false }
        guard let how = try reader.forgery(rows, row, header, opened) else { return false }
        damage.note(row, how)
        return true
    }
}
