// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Foundation
    import SecItemSealing
    import SecItemStore

    extension PostgreSQLStore: SurveyableStore {
        package func records(
            matching filter: RecordFilter, parts: RecordParts, limit: Int?, interaction: Interaction
        ) throws(StoreError) -> [ItemRecord] {
            let limit = limit ?? .max
            guard limit > 0 else { return [] }
            let plan = LookupPlan(filter)
            let found = try perform(interaction) { (access, damage) throws(StoreError) in
                try reading(access, plan) { (items) throws(StoreError) in
                    var found = DamageReport()
                    defer { damage = found }
                    return try noticingNewKeys(items, isSuspicious: { $0.isEmpty || !found.lines.isEmpty }) {
                        var search = RowSearch(
                            reader: try RowReader(
                                plan: plan.refined(items, access.keys), keys: access.keys, storeID: access.storeID),
                            parts: parts, limit: limit,
                            purpose: .lookUp(skipsLocked: interaction == .skipped && !access.mayUnlock))
                        defer { found = search.damage }
                        return try search.records(items)
                    }
                }
            }
            return found ?? []
        }

        /// Runs a look-up. One statement is one round trip; a look-up that reads all rows, page by page, is a transaction
        /// that sees one moment.
        private func reading<Result>(
            _ access: Access, _ plan: LookupPlan, _ body: (PostgreSQLItems) throws(StoreError) -> Result
        ) throws(StoreError) -> Result {
            if plan.readsAllRows {
                return try database.transaction(.snapshot) { (transaction) throws(StoreError) in
                    try body(access.items(in: transaction))
                }
            }
            let database = database
            return try body(
                PostgreSQLItems(
                    read: { (command) throws(StoreError) in try database.read(command) }, store: access.store,
                    answerBytes: server.limits.answerBytes))
        }

        package func survey(
            interaction: Interaction, _ visit: (SurveyedItem) throws(StoreError) -> Void
        ) throws(StoreError) {
            _ = try perform(interaction) { (access, _) throws(StoreError) in
                if !access.keys.isUnlocked && (interaction != .skipped || access.mayUnlock) { throw StoreError.locked }
                var hasVisited = false
                // Nobody could back up a keychain that takes longer than a call. Each page arrives within the limit.
                try database.transaction(.snapshot, isLong: true) { (transaction) throws(StoreError) in
                    // Nobody may see an item twice.
                    if hasVisited {
                        throw StoreError(.unavailable, "PostgreSQL: the connection was lost while items were read")
                    }
                    let items = access.items(in: transaction)
                    try StoreError.translating {
                        try RowSurvey(keys: access.keys, storeID: access.storeID).run(items) {
                            (item) throws(StoreError) in
                            hasVisited = true
                            try visit(item)
                        }
                    }
                    if !hasVisited { try items.requireKeychain() }
                }
            }
        }

        /// Runs a look-up. If it finds nothing or damage, checks whether the keychain is still there: after another program
        /// has given it new keys, its rows are elsewhere.
        ///
        /// - Throws: The errors of `body`; ``PostgreSQLFailure/Kind/missingKeychain``.
        private func noticingNewKeys<Result>(
            _ items: PostgreSQLItems, isSuspicious: (Result) -> Bool, _ body: () throws -> Result
        ) throws(StoreError) -> Result {
            do throws(StoreError) {
                let result = try StoreError.translating(body)
                if isSuspicious(result) { try items.requireKeychain() }
                return result
            } catch {
                if error.code == .corrupt { try items.requireKeychain() }
                throw error
            }
        }
    }

    extension PostgreSQLStore.Access {
        /// The keychain's rows in a transaction.
        func items(in transaction: PostgreSQLTransaction) -> PostgreSQLItems {
            PostgreSQLItems(store, in: transaction)
        }
    }
#endif
