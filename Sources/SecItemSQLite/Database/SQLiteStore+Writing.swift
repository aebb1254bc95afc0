import Foundation
import GRDB
import SecItemStore

extension SQLiteStore {
    // MARK: Insert

    package func insert(_ record: ItemRecord, interaction: Interaction) throws(StoreError) {
        try perform(interaction) { (keys, _, _) throws(StoreError) in
            try Self.requireKey(for: record.accessible, keys)
            // Sealed before the database is held.
            let item = try SealedItem(record, keys: keys, storeID: storeID)
            try connection.write { database in
                try Self.requirePassphrase(database, for: item.accessible)
                try requireNoTwin(database, of: record, in: item.domain, keys)
                try Self.insert(database, item)
            }
        }
    }

    private static func requireKey(for accessible: Accessible, _ keys: KeySet) throws(StoreError) {
        if KeyName(sealingSecretsOf: accessible) != nil && keys.secretKey(for: accessible) == nil { throw .locked }
    }

    /// Items "when passcode set" are nothing for a store without a passphrase.
    private static func requirePassphrase(_ database: Database, for accessible: Accessible) throws {
        guard accessible == .whenPasscodeSetThisDeviceOnly else { return }
        let query = try PreparedQuery(database, "SELECT wrapper FROM keys WHERE name = ?1")
        defer { query.finish() }
        try query.bind(KeyName.root.rawValue, at: 1)
        guard try query.step(), query.text(0) != RootKeyMethod.keyFile.name else {
            throw StoreError(.unavailable, "no passphrase protects this store")
        }
    }

    /// The unique index sees one domain; a twin may be in the other.
    private func requireNoTwin(
        _ database: Database, of record: ItemRecord, in domain: KeyDomain, _ keys: KeySet
    ) throws {
        guard let metadata = keys.metadata(domain.other) else {
            guard try !Self.hasHiddenItems(database, record.itemClass, keys) else {
                throw StoreError.lockedBeforeFirstUnlock
            }
            return
        }
        let query = try PreparedQuery(database, "SELECT 1 FROM item WHERE primary_key = ?1")
        defer { query.finish() }
        try query.bind(metadata.blind(record.primaryKey), at: 1)
        if try query.step() { throw StoreError(.duplicate, "an item with this primary key exists") }
    }

    private static func insert(_ database: Database, _ item: SealedItem) throws {
        let last = try PreparedQuery(database, "SELECT max(id) FROM item")
        defer { last.finish() }
        _ = try last.step()
        let (id, isTooMany) = last.integer(0).addingReportingOverflow(1)
        guard !isTooMany else { throw StoreError(.full, "item numbers are used up") }
        last.finish()
        let query = try PreparedQuery(
            database,
            """
            INSERT INTO item (accessible, primary_key, slots, nonces, code, attributes, secrets, id, class, reference)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
            """)
        defer { query.finish() }
        try query.bind(item.reference.itemClass.rawValue, at: 9)
        try withUnsafeBytes(of: item.reference.uuid.uuid) { try query.bind(copying: Array($0), at: 10) }
        try run(query, item, id: id)
        try insertLookups(database, item.index.lookups, id: id)
    }

    /// Binds what insert and update have in common, as 1 to 8, and runs the statement.
    private static func run(_ query: PreparedQuery, _ item: SealedItem, id: Int64) throws {
        try query.bind(item.accessible.rawValue, at: 1)
        try query.bind(item.index.primaryKey, at: 2)
        try query.bind(copying: item.index.slots, at: 3)
        try query.bind(copying: item.nonces, at: 4)
        try query.bind(item.code(id: id), at: 5)
        try query.bind(id, at: 8)
        try item.attributes.ciphertext.withUnsafeBytes { attributes in
            try query.bind(borrowing: attributes, at: 6)
            if case .sealed(let secrets) = item.secrets {
                try secrets.ciphertext.withUnsafeBytes { secrets in
                    try query.bind(borrowing: secrets, at: 7)
                    try query.run()
                }
            } else {
                try query.bindNull(at: 7)
                try query.run()
            }
        }
    }

    private static func insertLookups(_ database: Database, _ blinds: some Sequence<Blind>, id: Int64) throws {
        let query = try PreparedQuery(database, "INSERT OR IGNORE INTO lookup (blind, item) VALUES (?1, ?2)")
        for blind in blinds {
            try query.bind(blind, at: 1)
            try query.bind(id, at: 2)
            try query.run()
        }
    }

    private static func deleteLookups(_ database: Database, _ blinds: some Sequence<Blind>, id: Int64) throws {
        let query = try PreparedQuery(database, "DELETE FROM lookup WHERE blind = ?1 AND item = ?2")
        for blind in blinds {
            try query.bind(blind, at: 1)
            try query.bind(id, at: 2)
            try query.run()
        }
    }

    // MARK: Update

    package func update(
        matching filter: RecordFilter, applying changes: RecordChanges, interaction: Interaction
    ) throws(StoreError) -> Int {
        let plan = LookupPlan(filter)
        return try perform(interaction) { (keys, _, damage) throws(StoreError) in
            try connection.write { database in
                var matches = RowMatches(
                    reader: try RowReader(plan: plan.refined(database, keys), keys: keys, storeID: storeID))
                defer { damage = matches.damage }
                // Secrets are read only where they have to be sealed anew.
                let resealing = !changes.secrets.isEmpty || changes.attributes[.accessible] != nil
                try matches.collect(database, attributes: true, secrets: resealing)
                var renamed: [ItemRecord] = []
                for match in matches.found {
                    let changed = try update(database, match, changes, keys)
                    try Self.requirePassphrase(database, for: changed.accessible)
                    if changed.primaryKey != match.record.primaryKey { renamed.append(changed) }
                }
                // Only now, for a twin may have been among those that changed.
                for record in renamed {
                    try requireNoTwin(database, of: record, in: KeyDomain(record.accessible), keys)
                }
                return matches.found.count
            }
        }
    }

    private func update(
        _ database: Database, _ match: RowMatches.Match, _ changes: RecordChanges, _ keys: KeySet
    ) throws -> ItemRecord {
        let changed = match.record.applying(changes)
        var keptSecrets: [UInt8]? = match.secretsNonce
        if !changes.secrets.isEmpty || changed.accessible != match.header.accessible {
            try Self.requireKey(for: match.header.accessible, keys)
            try Self.requireKey(for: changed.accessible, keys)
            keptSecrets = nil
        }
        let item = try SealedItem(changed, keys: keys, storeID: storeID, keptSecrets: keptSecrets)
        let columns = "accessible = ?1, primary_key = ?2, slots = ?3, nonces = ?4, code = ?5, attributes = ?6"
        // With secrets that stay, ?7 is bound and unused but for its test of being null.
        let query = try PreparedQuery(
            database,
            keptSecrets == nil
                ? "UPDATE item SET \(columns), secrets = ?7 WHERE id = ?8"
                : "UPDATE item SET \(columns) WHERE id = ?8 AND ?7 IS NULL"
        )
        defer { query.finish() }
        let id = match.header.id
        try Self.run(query, item, id: id)
        let old = Set(match.lookups), new = Set(item.index.lookups)
        try Self.deleteLookups(database, old.subtracting(new), id: id)
        try Self.insertLookups(database, new.subtracting(old), id: id)
        return changed
    }

    // MARK: Delete

    package func delete(matching filter: RecordFilter, interaction: Interaction) throws(StoreError) -> Int {
        let plan = LookupPlan(filter)
        return try perform(interaction) { (keys, _, damage) throws(StoreError) in
            try connection.write { database in
                let plan = try plan.refined(database, keys)
                var matches = RowMatches(reader: try RowReader(plan: plan, keys: keys, storeID: storeID))
                matches.includesMeantDamage = true
                defer { damage = matches.damage }
                try matches.collect(database, attributes: !plan.isDecidedBySlots, secrets: false)
                for match in matches.found {
                    let query = try PreparedQuery(database, "DELETE FROM item WHERE id = ?1")
                    try query.bind(match.header.id, at: 1)
                    try query.run()
                    if match.isDamaged {
                        // Its slots may not be those it was put under.
                        let query = try PreparedQuery(database, "DELETE FROM lookup WHERE item = ?1")
                        try query.bind(match.header.id, at: 1)
                        try query.run()
                    } else {
                        try Self.deleteLookups(database, match.lookups, id: match.header.id)
                    }
                }
                return matches.found.count
            }
        }
    }
}

/// The rows that an update or delete means, collected before any of them is touched.
private struct RowMatches {
    struct Match {
        let header: RowHeader
        /// The item, as far as it was read.
        let record: ItemRecord
        let secretsNonce: [UInt8]
        /// What `lookup` has for the row.
        let lookups: [Blind]
        let isDamaged: Bool
    }

    var reader: RowReader
    /// Whether a damaged row counts when its clear columns are what the filter means.
    var includesMeantDamage = false
    private(set) var found: [Match] = []
    private(set) var damage = DamageReport()

    init(reader: RowReader) {
        self.reader = reader
    }

    mutating func collect(_ database: Database, attributes: Bool, secrets: Bool) throws {
        let plan = reader.plan
        try SQLiteStore.forEachRow(database, reader, attributes: attributes, secrets: secrets) { row in
            try collect(row, attributes: attributes, secrets: secrets)
            return true
        }
        if try SQLiteStore.hasHiddenItems(database, plan.filter.itemClass, reader.keys), !isDone {
            throw StoreError.lockedBeforeFirstUnlock
        }
        if found.isEmpty && !damage.isEmpty { throw StoreError(.corrupt, "what matched is damaged") }
    }

    /// Whether nothing hidden can be meant too: a reference is one item's.
    private var isDone: Bool {
        if case .reference = reader.plan.probe { true } else { false }
    }

    private mutating func collect(_ row: StoredRow, attributes: Bool, secrets: Bool) throws(StoreError) {
        switch try reader.examine(row) {
        case .mismatch: return
        case .hidden: throw .lockedBeforeFirstUnlock
        case .damaged(let how):
            if includesMeantDamage, try reader.isMeant(row), let header = row.header {
                append(
                    row, ItemRecord(reference: header.reference, attributes: [:], secrets: [:]), header, isDamaged: true
                )
            } else {
                damage.note(row, how)
            }
        case .candidate(let header, let metadata):
            var record = ItemRecord(reference: header.reference, attributes: [:], secrets: [:])
            if attributes {
                guard let attributes = reader.attributes(row, header, metadata) else {
                    return damage.note(row, "has attributes that do not open")
                }
                record.attributes = attributes
                if !reader.plan.isDecidedBySlots && !reader.plan.filter.matches(record) { return }
            }
            if secrets {
                switch reader.secrets(row, header) {
                case .opened(let secrets): record.secrets = secrets
                // Whether that matters is not known before the change is made.
                case .locked: break
                case .damaged: return damage.note(row, "has secrets that do not open")
                }
            }
            append(row, record, header, isDamaged: false)
        }
    }

    private mutating func append(_ row: StoredRow, _ record: ItemRecord, _ header: RowHeader, isDamaged: Bool) {
        found.append(
            Match(
                header: header, record: record, secretsNonce: Array(row.secretsNonce),
                lookups: ItemIndex.lookups(in: row.slots, itemClass: header.reference.itemClass), isDamaged: isDamaged
            )
        )
    }
}
