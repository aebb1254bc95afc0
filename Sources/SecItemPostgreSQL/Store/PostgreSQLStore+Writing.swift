// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Foundation
    import SecItemSealing
    import SecItemStore

    extension PostgreSQLStore {
        // MARK: Insert

        package func insert(_ record: ItemRecord, interaction: Interaction) throws(StoreError) {
            try insert([record], interaction: interaction)
        }

        package func insert(_ records: [ItemRecord], interaction: Interaction) throws(StoreError) {
            if records.contains(where: { $0.guardedSecrets != nil }) {
                throw StoreError(
                    .unsupported, "secrets that only an authentication opens cannot be stored as another item")
            }
            guard !records.isEmpty else { return }
            // Also across new keys: an earlier attempt may have stored the items.
            var isUncertain = false
            _ = try perform(interaction, makesIt: true) { (access, _) throws(StoreError) in
                try insert(records, access, &isUncertain)
            }
        }

        /// More attempts would mean that numbers collide for another reason, or that no connection lasts.
        private static let mostAttempts = 4

        private func insert(
            _ records: [ItemRecord], _ access: Access, _ isUncertain: inout Bool
        ) throws(StoreError) {
            let writer = RowWriter(keys: access.keys, storeID: access.storeID)
            let sealed = try records.map { (record) throws(StoreError) in
                try writer.requireKey(for: record.accessible)
                let item = try writer.sealed(record)
                return (item: item, claim: try item.claim(record, access.keys))
            }
            for attempt in 1...Self.mostAttempts {
                let commands = try sealed.map { (item, claim) throws(StoreError) in
                    try item.insertion(id: ItemNumber.next(), store: access.store, claim: claim)
                }
                do throws(StoreError) {
                    try database.transaction(.serializable) { (transaction) throws(StoreError) in
                        for record in records { try requirePassphrase(for: record.accessible, access, transaction) }
                        _ = try transaction.finish(commands, then: notification(access))
                    }
                    return
                } catch {
                    switch error.postgreSQL?.kind {
                    case .commitUnknown:
                        // Either all are stored or none. If none, trying again is safe: should the lost transaction still
                        // come through, the unique index of references refuses the second.
                        if try isStored(records[0], access) { return }
                        isUncertain = true
                    case .duplicate:
                        if isUncertain, try isStored(records[0], access) { return }
                        // Another machine chose the same number.
                        guard error.postgreSQL?.constraint == "item_pkey" else { throw error }
                    default: throw error
                    }
                    if attempt == Self.mostAttempts { throw error }
                }
            }
        }

        /// Whether this very record is stored.
        private func isStored(_ record: ItemRecord, _ access: Access) throws(StoreError) -> Bool {
            try database.read(
                PostgreSQLCommand(
                    ItemStatements.hasReference, .integer(access.store), .bytes(record.reference.uuid.bytes))
            ).count > 0
        }

        /// A keychain without a passphrase never holds "when passcode set" items. Another program may have removed the
        /// passphrase since this one opened the keychain.
        private func requirePassphrase(
            for accessible: Accessible, _ access: Access, _ transaction: PostgreSQLTransaction
        ) throws(StoreError) {
            guard accessible == .whenPasscodeSetThisDeviceOnly else { return }
            let found = try transaction.run(
                PostgreSQLCommand(
                    "SELECT wrapper FROM secitem.keys WHERE store = $1 AND name = $2", .integer(access.store),
                    .text(KeyName.root.rawValue)))
            guard found.count == 1 else { throw .missingKeychain }
            guard RootKeyMethod(name: found.text(0, 0)).takesPassphrase else {
                throw StoreError(.unavailable, "no passphrase protects this store")
            }
        }

        // MARK: Update

        package func update(_ steps: [RecordUpdate], interaction: Interaction) throws(StoreError) -> Int {
            let count = try perform(interaction) { (access, damage) throws(StoreError) in
                try changing(access, &damage) { (transaction, damage) throws(StoreError) in
                    try update(steps, access, transaction, &damage)
                }
            }
            return count ?? 0
        }

        private func update(
            _ steps: [RecordUpdate], _ access: Access, _ transaction: PostgreSQLTransaction,
            _ damage: inout DamageReport
        ) throws(StoreError) -> Int {
            let items = access.items(in: transaction)
            let found = try StoreError.translating {
                try RowMatch.all(
                    ofEach: steps, in: items, keys: access.keys, storeID: access.storeID,
                    reading: { RowWriter.partsToRead(for: $0.changes) }, for: .change, &damage)
            }
            guard let found else {
                try items.requireKeychain()
                return 0
            }
            let writer = RowWriter(keys: access.keys, storeID: access.storeID)
            var commands: [PostgreSQLCommand] = []
            var count = 0
            for (step, matches) in zip(steps, found) {
                for match in matches {
                    let change = try StoreError.translating {
                        try writer.change(match, step.changes) { _ in nil }
                    }
                    try requirePassphrase(for: change.record.accessible, access, transaction)
                    let id = match.header.id
                    let claim = try change.item.claim(change.record, access.keys)
                    commands.append(
                        try change.item.replacement(
                            id: id, store: access.store, claim: claim, keepingSecrets: change.keepsSecrets))
                    if !change.removedLookups.isEmpty {
                        commands.append(lookups(ItemStatements.removeLookups, change.removedLookups, id, access))
                    }
                    if !change.addedLookups.isEmpty {
                        commands.append(
                            lookups(ItemStatements.addLookups, change.addedLookups, id, access)
                                .affecting(change.addedLookups.count))
                    }
                    count += 1
                }
            }
            _ = try transaction.finish(commands, then: notification(access))
            return count
        }

        private func lookups(
            _ sql: String, _ blinds: Set<Blind>, _ id: Int64, _ access: Access
        ) -> PostgreSQLCommand {
            PostgreSQLCommand(
                sql, .integer(access.store), .integer(id), .bytesList(blinds.map(\.bytes)))
        }

        // MARK: Delete

        package func delete(_ steps: [RecordDeletion], interaction: Interaction) throws(StoreError) -> Int {
            let count = try perform(interaction) { (access, damage) throws(StoreError) in
                try changing(access, &damage) { (transaction, damage) throws(StoreError) in
                    try delete(steps, access, transaction, &damage)
                }
            }
            return count ?? 0
        }

        private func delete(
            _ steps: [RecordDeletion], _ access: Access, _ transaction: PostgreSQLTransaction,
            _ damage: inout DamageReport
        ) throws(StoreError) -> Int {
            let items = access.items(in: transaction)
            var deleted: [Int64] = []
            let count = try StoreError.translating {
                try RowMatch.delete(
                    steps, in: items, keys: access.keys, storeID: access.storeID, &damage
                ) { deleted.append($0.header.id) }
            }
            if deleted.isEmpty {
                try items.requireKeychain()
                return 0
            }
            _ = try transaction.finish(
                [
                    PostgreSQLCommand(ItemStatements.delete, .integer(access.store), .integerList(deleted))
                        .affecting(Set(deleted).count)
                ], then: notification(access))
            return count
        }

        // MARK: Transactions

        /// Runs a change as one transaction, which may run several times.
        private func changing<Result>(
            _ access: Access, _ damage: inout DamageReport,
            _ body: (PostgreSQLTransaction, inout DamageReport) throws(StoreError) -> Result
        ) throws(StoreError) -> Result {
            var found = DamageReport()
            defer { damage = found }
            return try database.transaction(.serializable) { (transaction) throws(StoreError) in
                found = DamageReport()
                return try body(transaction, &found)
            }
        }
    }
#endif
