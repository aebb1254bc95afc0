// SPDX-License-Identifier: Apache-2.0

import SecItemStore

/// One run through the rows that a filter means. A look-up, an update and a delete find them by these same rules.
struct RowSearch {
    /// What the rows are for, which decides what becomes of those that cannot be read whole.
    enum Purpose {
        /// Secrets that are locked are an error, or the whole row is left out.
        case lookUp(skipsLocked: Bool)
        /// Secrets that are locked stay unread unless the filter's condition looks at them: whether they matter is not
        /// known before the change is made.
        case change
        /// As for a change, and damaged rows count when their clear columns are what the filter means.
        case delete
    }

    /// A row that is meant. Valid during one call of ``run(_:_:)``'s closure.
    struct Found {
        let row: StoredRow
        let header: RowHeader
        /// The item, as far as it was read.
        let record: ItemRecord
        /// The attributes, where they were read.
        var opened: OpenedAttributes?
        var isDamaged = false
        /// Whether it may be forged, which ``isForged(_:_:)`` finds out.
        var isDoubtful = false
    }

    var reader: RowReader
    private let parts: RecordParts
    /// What has to be opened of a row: what is wanted, and what tells whether it matches.
    let read: RecordParts
    let limit: Int
    private let purpose: Purpose
    var damage = DamageReport()

    /// - Parameter parts: What has to be read of the rows beyond what the filter needs.
    init(reader: RowReader, parts: RecordParts, limit: Int = .max, purpose: Purpose) {
        self.reader = reader
        self.parts = parts
        read = parts.union(reader.plan.neededParts)
        self.limit = limit
        self.purpose = purpose
    }

    /// Calls `take` with each row that is meant, oldest first.
    mutating func run(_ database: any StatementSource, _ take: (Found) throws -> Void) throws {
        var count = 0
        try SQLiteStore.forEachRow(
            database, reader, attributes: !read.isEmpty, secrets: read.contains(.secrets)
        ) { row in
            if let found = try found(database, row) {
                try take(found)
                count += 1
            }
            return count < limit
        }
        try end(database, count: count)
    }

    /// What the rows that were not found, or could not be read, mean for the whole.
    mutating func end(_ database: any StatementSource, count: Int) throws {
        if count < limit, !skipsLocked, !isByReference,
            try SQLiteStore.hasHiddenItems(database, reader.plan.filter.itemClass, reader.keys)
        {
            throw StoreError.lockedBeforeFirstUnlock
        }
        if count == 0 && !damage.isEmpty { throw StoreError(.corrupt, "all matching items are damaged") }
    }

    private var skipsLocked: Bool {
        if case .lookUp(skipsLocked: true) = purpose { true } else { false }
    }

    /// Whether nothing hidden can be meant too: a reference is one item's.
    private var isByReference: Bool {
        if case .reference = reader.plan.probe { true } else { false }
    }

    // MARK: One row

    /// The row as a search of its kind takes it, or nil when it is left out.
    ///
    /// - Parameter database: Nil for a thread that does not have the database: then ``Found/isDoubtful`` says what is still
    ///   to be done.
    mutating func found(_ database: (any StatementSource)?, _ row: StoredRow) throws -> Found? {
        switch try reader.examine(row) {
        case .mismatch: return nil
        case .hidden:
            if skipsLocked { return nil }
            throw StoreError.lockedBeforeFirstUnlock
        case .damaged(let how): return try damaged(row, how)
        case .candidate(let header, let metadata): return try opened(database, row, header, metadata)
        }
    }

    private mutating func damaged(_ row: StoredRow, _ how: String) throws(StoreError) -> Found? {
        guard case .delete = purpose, try reader.isMeant(row), let header = row.header else {
            damage.note(row, how)
            return nil
        }
        let record = ItemRecord(reference: header.reference, attributes: [:], secrets: [:])
        return Found(row: row, header: header, record: record, isDamaged: true)
    }

    private mutating func opened(
        _ database: (any StatementSource)?, _ row: StoredRow, _ header: RowHeader, _ metadata: MetadataKeys
    ) throws -> Found? {
        let filter = reader.plan.filter
        var record = ItemRecord(reference: header.reference, attributes: [:], secrets: [:])
        var opened: OpenedAttributes?
        // Nobody is given secrets without the constraints that go with them.
        if read.contains(.attributes) || (header.mark != nil && read.contains(.secrets)) {
            guard let attributes = reader.attributes(row, header, metadata) else {
                damage.note(row, "has attributes that do not open")
                return nil
            }
            record = ItemRecord(reference: header.reference, attributes: attributes, secrets: [:])
            opened = attributes
            guard header.mark == nil || RowReader.hasConstraints(record, of: header) else {
                damage.note(row, "has constraints that cannot be read")
                return nil
            }
            if !reader.plan.isDecidedBySlots && !filter.matchesIgnoringCondition(record) { return nil }
        }
        let found = Found(row: row, header: header, record: record, opened: opened)
        if let database, try isForged(database, found) { return nil }
        if read.contains(.secrets) {
            guard try readSecrets(row, header, &record) else { return nil }
        }
        if let condition = filter.condition, !condition.holds(for: record) { return nil }
        if !parts.contains(.attributes) && header.mark == nil { record.attributes = [:] }
        if !parts.contains(.secrets) { (record.secrets, record.guardedSecrets) = ([:], nil) }
        return Found(
            row: row, header: header, record: record, opened: opened,
            isDoubtful: database == nil && reader.mayBeForged(header))
    }

    /// Gives the record the secrets of its row, none where they may stay locked.
    ///
    /// - Returns: False where the row is left out.
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
            damage.note(row, "has secrets that do not open")
            return false
        }
        return true
    }

    mutating func isForged(_ database: any StatementSource, _ found: Found) throws -> Bool {
        // A delete may take it: then it is gone.
        if case .delete = purpose { return false }
        guard let how = try reader.forgery(database, found.row, found.header, found.opened) else { return false }
        damage.note(found.row, how)
        return true
    }
}
