// SPDX-License-Identifier: Apache-2.0

import GRDB
import SecItemStore

extension SQLiteStore {
    /// Row numbers that no store reaches by itself: beyond them, somebody without the key may have chosen one.
    private static let plausibleIDs: Range<Int64> = 0..<1 << 53

    /// The number of a new row: one more than the greatest, so that numbers rise with age.
    ///
    /// The greatest must not be believed blindly. Whoever can write the file, without any key, could put a row at the end
    /// of all numbers, and no add would ever succeed again. So a very great number counts only if the row is authentic.
    func nextID(_ database: Database, _ keys: KeySet) throws -> Int64 {
        let greatest = try PreparedQuery(database, "SELECT max(id) FROM item")
        defer { greatest.finish() }
        _ = try greatest.step()
        let last = greatest.integer(0)
        if Self.plausibleIDs.contains(last) { return last + 1 }
        var id = try greatestAuthenticID(database, keys) + 1
        // What the stranger left may lie in the way.
        while try Self.isTaken(id, database) {
            guard id < .max else { throw StoreError(.corrupt, "no row number is left") }
            id += 1
        }
        return id
    }

    /// The greatest number of a row that a holder of the key wrote, or 0.
    private func greatestAuthenticID(_ database: Database, _ keys: KeySet) throws -> Int64 {
        let sql = "SELECT i.id, \(StoredRow.columns(false, false)) FROM item AS i ORDER BY i.id DESC"
        let query = try PreparedQuery(database, sql)
        defer { query.finish() }
        while try query.step() {
            let row = StoredRow(query)
            guard let header = row.header, header.id >= 0, header.id < .max else { continue }
            // What cannot be checked before the first unlock counts if it may be real.
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
