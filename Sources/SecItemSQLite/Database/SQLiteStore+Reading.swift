import Foundation
import GRDB
import SecItemStore

extension SQLiteStore {
    package func records(
        matching filter: RecordFilter, parts: RecordParts, limit: Int?, interaction: Interaction
    ) throws(StoreError) -> [ItemRecord] {
        let limit = limit ?? .max
        guard limit > 0 else { return [] }
        let plan = LookupPlan(filter)
        return try perform(interaction) { (keys, mayUnlock, damage) throws(StoreError) in
            try connection.read { database in
                var search = RecordSearch(
                    reader: try RowReader(plan: plan.refined(database, keys), keys: keys, storeID: storeID),
                    parts: parts, limit: limit, skipsLocked: interaction == .skipped && !mayUnlock
                )
                defer { damage = search.damage }
                return try search.run(database)
            }
        }
    }

    /// Looks through the whole store for damage, however large it is. Items are not opened.
    ///
    /// - Throws: ``StoreError/Code/corrupt`` when something is damaged that a look-up may not notice by itself.
    package func verify() throws(StoreError) {
        try perform(.forbidden) { (_, _, _) throws(StoreError) in
            try connection.read(StoreCheck.check)
        }
    }

    // MARK: Shared with writing

    static func forEachRow(
        _ database: Database, _ reader: RowReader, attributes: Bool, secrets: Bool, _ body: (StoredRow) throws -> Bool
    ) throws {
        let plan = reader.plan
        let blinds = reader.probed.all
        let sql = plan.sql(attributes: attributes, secrets: secrets, armCount: blinds.count)
        let query = try PreparedQuery(database, sql)
        defer { query.finish() }
        if case .reference(let uuid) = plan.probe {
            try withUnsafeBytes(of: uuid.uuid) { try query.bind(copying: Array($0), at: 1) }
        }
        for (index, blind) in blinds.enumerated() { try query.bind(blind, at: Int32(index + 1)) }
        while try query.step() {
            guard try body(StoredRow(query)) else { return }
        }
    }

    /// Whether there are items of the class that cannot be looked at before the first unlock, nor told from others.
    static func hasHiddenItems(_ database: Database, _ itemClass: ItemClass, _ keys: KeySet) throws -> Bool {
        guard keys.metadata(.main) == nil else { return false }
        let query = try PreparedQuery(
            database, "SELECT 1 FROM item WHERE class = ?1 AND accessible NOT IN ('dk', 'dku') LIMIT 1")
        defer { query.finish() }
        try query.bind(itemClass.rawValue, at: 1)
        return try query.step()
    }

    static func hasItems(_ database: Database, accessible: Accessible) throws -> Bool {
        let query = try PreparedQuery(database, "SELECT 1 FROM item WHERE accessible = ?1 LIMIT 1")
        defer { query.finish() }
        try query.bind(accessible.rawValue, at: 1)
        return try query.step()
    }
}

/// One run through the rows of a plan, collecting records.
private struct RecordSearch {
    var reader: RowReader
    let parts: RecordParts
    let limit: Int
    /// Whether locked items are left out rather than an error.
    let skipsLocked: Bool
    var damage = DamageReport()

    init(reader: RowReader, parts: RecordParts, limit: Int, skipsLocked: Bool) {
        self.reader = reader
        self.parts = parts
        self.limit = limit
        self.skipsLocked = skipsLocked
    }

    mutating func run(_ database: Database) throws -> [ItemRecord] {
        let plan = reader.plan
        var found: [ItemRecord] = []
        try SQLiteStore.forEachRow(
            database, reader, attributes: parts.contains(.attributes) || !plan.isDecidedBySlots,
            secrets: parts.contains(.secrets)
        ) { row in
            if let record = try record(row) { found.append(record) }
            return found.count < limit
        }
        if found.count < limit, !skipsLocked, !isByReference,
            try SQLiteStore.hasHiddenItems(database, plan.filter.itemClass, reader.keys)
        {
            throw StoreError.lockedBeforeFirstUnlock
        }
        if found.isEmpty && !damage.isEmpty {
            throw StoreError(.corrupt, "what matched is damaged")
        }
        return found
    }

    private var isByReference: Bool {
        if case .reference = reader.plan.probe { true } else { false }
    }

    private mutating func record(_ row: StoredRow) throws(StoreError) -> ItemRecord? {
        switch try reader.examine(row) {
        case .mismatch: return nil
        case .hidden:
            if skipsLocked { return nil }
            throw .lockedBeforeFirstUnlock
        case .damaged(let how):
            damage.note(row, how)
            return nil
        case .candidate(let header, let metadata): return try record(row, header, metadata)
        }
    }

    private mutating func record(
        _ row: StoredRow, _ header: RowHeader, _ metadata: MetadataKeys
    ) throws(StoreError) -> ItemRecord? {
        var record = ItemRecord(reference: header.reference, attributes: [:], secrets: [:])
        if parts.contains(.attributes) || !reader.plan.isDecidedBySlots {
            guard let attributes = reader.attributes(row, header, metadata) else {
                damage.note(row, "has attributes that do not open")
                return nil
            }
            record.attributes = attributes
            if !reader.plan.isDecidedBySlots && !reader.plan.filter.matches(record) { return nil }
        }
        if parts.contains(.secrets) {
            switch reader.secrets(row, header) {
            case .opened(let secrets): record.secrets = secrets
            case .locked:
                if skipsLocked { return nil }
                throw .locked
            case .damaged:
                damage.note(row, "has secrets that do not open")
                return nil
            }
        }
        if !parts.contains(.attributes) { record.attributes = [:] }
        return record
    }
}
