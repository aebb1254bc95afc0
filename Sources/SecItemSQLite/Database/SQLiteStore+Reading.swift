// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemSealing
import SecItemStore

extension SQLiteStore: SurveyableStore {
    package func records(
        matching filter: RecordFilter, parts: RecordParts, limit: Int?, interaction: Interaction
    ) throws(StoreError) -> [ItemRecord] {
        do throws(StoreError) {
            let limit = limit ?? .max
            guard limit > 0, try open(mayAsk: interaction == .allowed) else { return [] }
            let plan = LookupPlan(filter)
            return try perform(interaction) { (keys, mayUnlock, damage) throws(StoreError) in
                let connection = try self.connection
                return try connection.read { database in
                    var search = RowSearch(
                        reader: try RowReader(
                            plan: plan.refined(database, keys), keys: keys, storeID: connection.storeID),
                        parts: parts, limit: limit,
                        purpose: .lookUp(skipsLocked: interaction == .skipped && !mayUnlock)
                    )
                    defer { damage = search.damage }
                    return try search.records(database)
                }
            }
        } catch {
            // Locked items should be left out, and everything here is locked.
            if error.code == .locked && interaction == .skipped { return [] }
            throw error
        }
    }

    package func survey(
        interaction: Interaction, _ visit: (SurveyedItem) throws(StoreError) -> Void
    ) throws(StoreError) {
        guard try open(mayAsk: interaction == .allowed) else { return }
        try perform(interaction) { (keys, mayUnlock, _) throws(StoreError) in
            if !keys.isUnlocked && (interaction != .skipped || mayUnlock) { throw StoreError.locked }
            try connection.read { database in
                try RowSurvey(keys: keys, storeID: storeID).run(database, visit)
            }
        }
    }

    /// Checks the whole store for damage, whatever its size. Items are not opened.
    ///
    /// - Throws: ``StoreError/Code/corrupt`` for damage that a look-up may not notice.
    package func verify() throws(StoreError) {
        try perform(.forbidden) { (_, _, _) throws(StoreError) in
            // Statements that see one state, as others may write meanwhile.
            try connection.read { database in
                try database.inTransaction(forWriting: false) { try StoreCheck.check(database) }
            }
        }
    }

    // MARK: Shared with writing

    static func hasItems(_ database: Database, accessible: Accessible) throws -> Bool {
        let query = try PreparedQuery(database, "SELECT 1 FROM item WHERE accessible = ?1 LIMIT 1")
        defer { query.finish() }
        try query.bind(accessible.rawValue, at: 1)
        return try query.step()
    }
}
