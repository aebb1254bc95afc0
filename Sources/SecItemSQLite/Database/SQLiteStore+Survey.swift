// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

extension SQLiteStore: SurveyableStore {
    package func survey(
        interaction: Interaction, _ visit: (SurveyedItem) throws(StoreError) -> Void
    ) throws(StoreError) {
        try perform(interaction, isLookUp: true) { (keys, mayUnlock, _) throws(StoreError) in
            if !keys.isUnlocked && (interaction != .skipped || mayUnlock) { throw StoreError.locked }
            try connection.read { database in
                try RowSurvey(keys: keys, storeID: storeID).run(database, visit)
            }
        }
    }
}

extension LazySQLiteStore: SurveyableStore {
    package func survey(
        interaction: Interaction, _ visit: (SurveyedItem) throws(StoreError) -> Void
    ) throws(StoreError) {
        try existing(mayAsk: interaction == .allowed)?.survey(interaction: interaction, visit)
    }
}

/// Reads every row, each as far as the keys allow.
struct RowSurvey {
    private let keys: KeySet
    let storeID: [UInt8]
    private let reader: RowReader

    init(keys: KeySet, storeID: [UInt8]) throws(StoreError) {
        self.keys = keys
        self.storeID = storeID
        // The class does not matter, because the survey does not compare rows with the filter.
        reader = try RowReader(
            plan: LookupPlan(RecordFilter(itemClass: .genericPassword)), keys: keys, storeID: storeID)
    }

    /// Calls `visit` with each row's item, in the order of row numbers. One statement sees one state of the database,
    /// and everything that is read during it sees the same state.
    func run(_ database: any StatementSource, _ visit: (SurveyedItem) throws(StoreError) -> Void) throws {
        let query = try PreparedQuery(
            database, "SELECT i.id, \(StoredRow.columns(true, true)) FROM item AS i ORDER BY i.id")
        defer { query.finish() }
        while try query.step() { try visit(item(database, StoredRow(query))) }
    }

    /// The item in the row of that number; nil if there is none.
    func item(_ database: any StatementSource, _ number: Int64) throws -> SurveyedItem? {
        let query = try PreparedQuery(
            database, "SELECT i.id, \(StoredRow.columns(true, true)) FROM item AS i WHERE i.id = ?1")
        defer { query.finish() }
        try query.bind(number, at: 1)
        return try query.step() ? item(database, StoredRow(query)) : nil
    }

    private func item(_ database: any StatementSource, _ row: StoredRow) throws -> SurveyedItem {
        guard let header = row.header else { return damaged(row, nil, "has columns of no use") }
        guard let metadata = keys.metadata(header.domain) else { return .locked(header.reference) }
        guard header.isAuthentic(row, keys: metadata, storeID: storeID) else {
            return damaged(row, header, "was changed by someone without the key")
        }
        guard let attributes = reader.attributes(row, header, metadata) else {
            return damaged(row, header, "has attributes that do not open")
        }
        var record = ItemRecord(reference: header.reference, attributes: attributes, secrets: [:])
        let index = try ItemIndex(itemClass: record.itemClass, attributes: record.attributes, keys: metadata)
        guard record.accessible == header.accessible, index.primaryKey == header.primaryKey,
            row.slots.elementsEqual(index.slots)
        else { return damaged(row, header, "has other attributes than its look-up values say") }
        guard RowReader.hasConstraints(record, of: header) else {
            return damaged(row, header, "has constraints that cannot be read")
        }
        if let how = try reader.forgery(database, row, header, attributes) { return damaged(row, header, how) }
        switch reader.secrets(row, header) {
        case .opened(let secrets): record.secrets = secrets
        case .guarded(let secrets):
            record.guardedSecrets = secrets
            return .guarded(record)
        case .locked: return .locked(header.reference)
        case .damaged: return damaged(row, header, "has secrets that do not open")
        }
        return .item(record)
    }

    private func damaged(_ row: StoredRow, _ header: RowHeader?, _ how: String) -> SurveyedItem {
        .damaged(DamagedItem(place: "in row \(row.wantedID)", reference: header?.reference, damage: how))
    }
}
