// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemSealing
import SecItemStore
import Synchronization

extension SQLiteStore {
    // MARK: Insert

    package func insert(_ record: ItemRecord, interaction: Interaction) throws(StoreError) {
        try insert([record], interaction: interaction)
    }

    package func insert(_ records: [ItemRecord], interaction: Interaction) throws(StoreError) {
        if records.contains(where: { $0.guardedSecrets != nil }) {
            throw StoreError(.unsupported, "secrets that only an authentication opens cannot be stored as another item")
        }
        try recording { () throws(StoreError) in
            try AskedOnce.during { () throws(StoreError) in
                try make(mayAsk: interaction == .allowed)
                try add(records, interaction)
            }
        }
    }

    /// Runs `body`, which stores or moves items, with the record of that before it. If that fails, nothing is there, and no
    /// record either.
    private func recording<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        guard let record, !isRecorded.load(ordering: .relaxed) else { return try body() }
        let takeBack = try record()
        do throws(StoreError) {
            let result = try body()
            isRecorded.store(true, ordering: .relaxed)
            return result
        } catch {
            // A duplicate is an item that is there, stored by another process.
            if error.code != .duplicate { takeBack?() }
            // Another thread may have stored an item meanwhile. Its next one is recorded again.
            isRecorded.store(false, ordering: .relaxed)
            throw error
        }
    }

    private func add(_ records: [ItemRecord], _ interaction: Interaction) throws(StoreError) {
        try perform(interaction) { (keys, _, _) throws(StoreError) in
            // Sealed before the database is locked. The database then decides how guarded items are sealed.
            let writer = try RowWriter(keys: keys, storeID: storeID)
            let items = try records.map { (record) throws(StoreError) in
                try writer.requireKey(for: record.accessible)
                return try record.isToBeGuarded ? nil : writer.sealed(record)
            }
            try connection.write { database in
                for (item, record) in zip(items, records) {
                    let item = try item ?? writer.sealed(record, guardSeal: guardSeal(for: record, keys, database))
                    try insert(database, item, of: record, keys)
                }
            }
        }
    }

    private func insert(_ database: Database, _ item: SealedItem, of record: ItemRecord, _ keys: KeySet) throws {
        try Self.requirePassphrase(database, for: item.accessible)
        try requireNoTwin(database, of: record, in: item.domain, keys)
        try Self.insert(database, item, id: Self.nextRowNumber(database))
    }

    /// The number of a new row: one more than the greatest, so that numbers increase with time. After a row with the
    /// greatest possible number, which anyone who can write the file could add, it is the first one that is free.
    private static func nextRowNumber(_ database: Database) throws -> Int64 {
        let greatest = try database.number("SELECT max(id) FROM item")
        if greatest < .max { return max(greatest, 0) + 1 }
        let free = try database.number(
            """
            SELECT min(i.id) + 1 FROM item AS i LEFT JOIN item AS j ON j.id = i.id + 1
            WHERE i.id BETWEEN 0 AND 9223372036854775806 AND j.id IS NULL
            """)
        return max(free, 1)
    }

    /// A store without a passphrase never holds "when passcode set" items, whatever else protects it. Another process
    /// may have removed the passphrase since this one checked.
    private static func requirePassphrase(_ database: Database, for accessible: Accessible) throws {
        guard accessible == .whenPasscodeSetThisDeviceOnly else { return }
        let query = try PreparedQuery(database, "SELECT wrapper FROM keys WHERE name = ?1")
        defer { query.finish() }
        try query.bind(KeyName.root.rawValue, at: 1)
        guard try query.step(), query.text(0).map(RootKeyMethod.init)?.takesPassphrase == true else {
            throw StoreError(.unavailable, "no passphrase protects this store")
        }
    }

    /// The unique index covers one domain; an item with the same key may be in the other one.
    private func requireNoTwin(
        _ database: Database, of record: ItemRecord, in domain: KeyDomain, _ keys: KeySet
    ) throws {
        guard let metadata = keys.metadata(domain.other) else {
            guard try !database.hasHiddenItems(record.itemClass, keys) else {
                throw StoreError.lockedBeforeFirstUnlock
            }
            return
        }
        if try database.hasRow(primaryKey: metadata.blind(record.primaryKey)) {
            throw StoreError(.duplicate, "an item with this primary key exists")
        }
    }

    static func insert(_ database: Database, _ item: SealedItem, id: Int64) throws {
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
        try forEach(item.index.lookups, id: id, database, listing)
    }

    /// Binds the values that insert and update have in common, as 1 to 8, and runs the statement.
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
                // Nothing is bound as 7, so it is NULL.
                try query.run()
            }
        }
    }

    private static let listing = "INSERT OR IGNORE INTO lookup (blind, item) VALUES (?1, ?2)"
    private static let unlisting = "DELETE FROM lookup WHERE blind = ?1 AND item = ?2"

    /// Runs the statement for each of the blinds.
    private static func forEach(_ blinds: some Sequence<Blind>, id: Int64, _ database: Database, _ sql: String) throws {
        let query = try PreparedQuery(database, sql)
        for blind in blinds {
            try query.bind(blind, at: 1)
            try query.bind(id, at: 2)
            try query.run()
        }
    }

    // MARK: Update

    package func update(_ steps: [RecordUpdate], interaction: Interaction) throws(StoreError) -> Int {
        guard try open(mayAsk: interaction == .allowed) else { return 0 }
        guard steps.contains(where: \.bringsItems) else { return try change(steps, interaction) }
        return try recording { () throws(StoreError) in try change(steps, interaction) }
    }

    private func change(_ steps: [RecordUpdate], _ interaction: Interaction) throws(StoreError) -> Int {
        try perform(interaction) { (keys, _, damage) throws(StoreError) in
            try connection.write { database in
                guard
                    let matches = try RowMatch.all(
                        ofEach: steps, in: database, keys: keys, storeID: storeID,
                        reading: { RowWriter.partsToRead(for: $0.changes) }, for: .change, &damage)
                else { return 0 }
                var renamed: [ItemRecord] = []
                for (step, matches) in zip(steps, matches) {
                    for match in matches {
                        let changed = try update(database, match, step.changes, keys)
                        try Self.requirePassphrase(database, for: changed.accessible)
                        if changed.primaryKey != match.record.primaryKey { renamed.append(changed) }
                    }
                }
                // Checked only now, because the other item may have been among those that changed.
                for record in renamed {
                    try requireNoTwin(database, of: record, in: KeyDomain(record.accessible), keys)
                }
                return matches.reduce(0) { $0 + $1.count }
            }
        }
    }

    private func update(
        _ database: Database, _ match: RowMatch, _ changes: RecordChanges, _ keys: KeySet
    ) throws -> ItemRecord {
        let change = try RowWriter(keys: keys, storeID: storeID).change(match, changes) { record in
            try guardSeal(for: record, keys, database)
        }
        let id = match.header.id
        try Self.replace(database, change.item, id: id, keepingSecrets: change.keepsSecrets)
        try Self.forEach(change.removedLookups, id: id, database, Self.unlisting)
        try Self.forEach(change.addedLookups, id: id, database, Self.listing)
        return change.record
    }

    /// Replaces the item with that number, except for its look-up values.
    static func replace(_ database: Database, _ item: SealedItem, id: Int64, keepingSecrets: Bool) throws {
        let columns = "accessible = ?1, primary_key = ?2, slots = ?3, nonces = ?4, code = ?5, attributes = ?6"
        // If the secrets stay, nothing is bound as ?7, which is then NULL.
        let query = try PreparedQuery(
            database,
            keepingSecrets
                ? "UPDATE item SET \(columns) WHERE id = ?8 AND ?7 IS NULL"
                : "UPDATE item SET \(columns), secrets = ?7 WHERE id = ?8"
        )
        defer { query.finish() }
        try run(query, item, id: id)
    }

    // MARK: Delete

    package func delete(_ steps: [RecordDeletion], interaction: Interaction) throws(StoreError) -> Int {
        guard try open(mayAsk: interaction == .allowed) else { return 0 }
        return try perform(interaction) { (keys, _, damage) throws(StoreError) in
            try connection.write { database in
                try RowMatch.delete(steps, in: database, keys: keys, storeID: storeID, &damage) { match in
                    try Self.delete(database, match)
                }
            }
        }
    }

    /// Deletes the record of a step and stores another one, both or neither.
    ///
    /// - Returns: False if the step matched no record. Then nothing has changed.
    /// - Throws: As ``delete(_:interaction:)`` and ``insert(_:interaction:)``. Then nothing has changed.
    package func exchange(
        _ step: RecordDeletion, for record: ItemRecord, interaction: Interaction
    ) throws(StoreError) -> Bool {
        let plan = LookupPlan(step.filter)
        return try perform(interaction) { (keys, _, damage) throws(StoreError) in
            let writer = try RowWriter(keys: keys, storeID: storeID)
            try writer.requireKey(for: record.accessible)
            let item = try writer.sealed(record)
            return try connection.write { database in
                let matches = try RowMatch.all(
                    plan, in: database, keys: keys, storeID: storeID, for: .delete, &damage)
                try step.requireCount(matches.count)
                if matches.isEmpty { return false }
                for match in matches { try Self.delete(database, match) }
                try insert(database, item, of: record, keys)
                return true
            }
        }
    }

    private static func delete(_ database: Database, _ match: RowMatch) throws {
        let query = try PreparedQuery(database, "DELETE FROM item WHERE id = ?1")
        try query.bind(match.header.id, at: 1)
        try query.run()
        if match.isDamaged {
            // Its present slots may differ from those under which it was entered.
            let query = try PreparedQuery(database, "DELETE FROM lookup WHERE item = ?1")
            try query.bind(match.header.id, at: 1)
            try query.run()
        } else {
            try forEach(match.lookups, id: match.header.id, database, unlisting)
        }
    }
}
