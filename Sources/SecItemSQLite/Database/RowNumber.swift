// SPDX-License-Identifier: Apache-2.0

import SecItemSealing
import SecItemStore

extension SQLiteStore {
    /// Row numbers that a store can reach on its own. A greater one may have been chosen by somebody without the key.
    private static let plausibleIDs: Range<Int64> = 0..<1 << 53

    /// The number of a new row: one more than the greatest, so that numbers increase with time.
    ///
    /// The greatest number cannot simply be trusted. Anyone who can write the file could add a row with the greatest
    /// possible number, and no later add would succeed. So a very great number counts only if the row is authentic.
    func nextID(_ database: Database, _ keys: KeySet) throws -> Int64 {
        let greatest = try PreparedQuery(database, "SELECT max(id) FROM item")
        defer { greatest.finish() }
        _ = try greatest.step()
        let last = greatest.integer(0)
        if Self.plausibleIDs.contains(last) { return last + 1 }
        var id = try greatestAuthenticID(database, keys) + 1
        // The number may be taken by a row that somebody else left.
        while try Self.isTaken(id, database) {
            guard id < .max else { throw StoreError(.corrupt, "no row number is left") }
            id += 1
        }
        return id
    }

    /// The greatest number of a row that a holder of the key wrote, or 0.
    private func greatestAuthenticID(_ database: Database, _ keys: KeySet) throws -> Int64 {
        let sql =
            "SELECT i.id, \(StoredRow.columns(RowColumns(attributes: false, secrets: false))) FROM item AS i ORDER BY i.id DESC"
        let query = try PreparedQuery(database, sql)
        defer { query.finish() }
        while try query.step() {
            let row = StoredRow(query)
            guard let header = row.header, header.id >= 0, header.id < .max else { continue }
            // A row that cannot be checked before the first unlock counts, because it may be real.
            guard let metadata = keys.metadata(header.domain) else {
                if Self.plausibleIDs.contains(header.id) { return header.id }
                continue
            }
            if header.isAuthentic(row, keys: metadata, storeID: storeID) { return header.id }
        }
        return 0
    }

    private static func isTaken(_ id: Int64, _ database: Database) throws -> Bool {
        let query = try PreparedQuery(database, "SELECT 1 FROM item WHERE id = ?1")
        defer { query.finish() }
        try query.bind(id, at: 1)
        return try query.step()
    }
}
