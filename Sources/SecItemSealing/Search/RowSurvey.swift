// SPDX-License-Identifier: Apache-2.0

import SecItemStore

/// Reads every row, each as far as the keys allow.
package struct RowSurvey {
    private let keys: KeySet
    /// The store's own number.
    package let storeID: [UInt8]
    private let reader: RowReader

    /// - Parameters:
    ///   - keys: The available keys.
    ///   - storeID: The store's own number.
    package init(keys: KeySet, storeID: [UInt8]) throws(StoreError) {
        self.keys = keys
        self.storeID = storeID
        // The class does not matter, because the survey does not compare rows with the filter.
        reader = try RowReader(
            plan: LookupPlan(RecordFilter(itemClass: .genericPassword)), keys: keys, storeID: storeID)
    }

    /// Calls `visit` with each row's item, in the order of row numbers. One fetch sees one state of the store, and
    /// everything that is read during it must see the same state.
    package func run(_ rows: any SealedRows, _ visit: (SurveyedItem) throws(StoreError) -> Void) throws {
        try rows.forEachRow(.all, RowColumns(attributes: true, secrets: true)) { row in
            try visit(item(rows, row))
            return true
        }
    }

    /// The item in the row of that number; nil if there is none.
    package func item(_ rows: any SealedRows, _ number: Int64) throws -> SurveyedItem? {
        var result: SurveyedItem?
        try rows.forEachRow(.number(number), RowColumns(attributes: true, secrets: true)) { row in
            result = try item(rows, row)
            return false
        }
        return result
    }

    private func item(_ rows: any SealedRows, _ row: StoredRow) throws -> SurveyedItem {
        guard let header = row.header else { return damaged(row, nil, .columns) }
        guard let metadata = keys.metadata(header.domain) else { return .locked(header.reference) }
        guard header.isAuthentic(row, keys: metadata, storeID: storeID) else {
            return damaged(row, header, .code)
        }
        guard let attributes = reader.attributes(row, header, metadata) else {
            return damaged(row, header, .attributes)
        }
        var record = ItemRecord(reference: header.reference, attributes: attributes, secrets: [:])
        guard try RowReader.isIndexed(record, in: row, header, metadata) else { return damaged(row, header, .slots) }
        guard RowReader.hasConstraints(record, of: header) else {
            return damaged(row, header, .constraints)
        }
        if let how = try reader.forgery(rows, row, header, attributes) { return damaged(row, header, how) }
        switch reader.secrets(row, header) {
        case .opened(let secrets): record.secrets = secrets
        case .guarded(let secrets):
            record.guardedSecrets = secrets
            return .guarded(record)
        case .locked: return .locked(header.reference)
        case .damaged: return damaged(row, header, .secrets)
        }
        return .item(record)
    }

    private func damaged(_ row: StoredRow, _ header: RowHeader?, _ how: RowDamage) -> SurveyedItem {
        .damaged(DamagedItem(place: "in row \(row.wantedID)", reference: header?.reference, damage: how.rawValue))
    }
}
