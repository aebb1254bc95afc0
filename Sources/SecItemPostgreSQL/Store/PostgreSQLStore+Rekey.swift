// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Foundation
    import SecItemSealing
    import SecItemStore

    extension PostgreSQLStore {
        package func rekey(
            keychains others: [String], removing removed: [[UInt8]], passphrase: Secret?, withoutDamaged: Bool
        ) throws(StoreError) -> RekeyedItems {
            try requireTables()
            let names = [name] + Set(others).subtracting([name]).sorted()
            try requireRemovable(removed)
            let opened = try names.map { (name) throws(StoreError) in try openForRekeying(name, passphrase) }
            if passphrase != nil && !opened.contains(where: \.own.needsPassphrase) { throw Self.takesNoPassphrase }
            // Only now, when the passphrase is known to be right. Without it, no key file would open the new state.
            let former = try becomeMember()
            guard case .member(let own)? = try keyFile.content() else { throw keyFileHasChanged }
            let deviceKey = try DeviceKey()
            let keychains = try opened.map { (old) throws(StoreError) in try Rekeying(old, deviceKey) }
            let database = PostgreSQLDatabase(server.allowing(seconds: Self.rekeyingTime))
            defer { database.close() }
            var items = RekeyedItems()
            do throws(StoreError) {
                try database.transaction(.serializable) { (transaction) throws(StoreError) in
                    // Another attempt begins anew.
                    items = RekeyedItems()
                    items.formerKeyFile = former
                    try rekey(
                        keychains, to: deviceKey, own, removing: removed, withoutDamaged: withoutDamaged, &items,
                        transaction)
                }
                reopen()
                return items
            } catch {
                reopen()
                guard error.postgreSQL?.kind == .commitUnknown else { throw error }
                // This machine's row tells.
                let stored = try self.database.transaction(.snapshot) { (transaction) throws(StoreError) in
                    try self.deviceKey(.member(own), transaction).id
                }
                guard stored == deviceKey.id else { throw error }
                return items
            }
        }

        /// The seconds that replacing all keys may take. Programs that add or change items wait as long as they may for a
        /// lock.
        private static var rekeyingTime: Double { 1_800 }

        private func reopen() {
            if let keychain = state.withLock({ $0.keychain }) { forget(keychain) }
        }

        /// Checks that all of those are there and none is this machine.
        private func requireRemovable(_ removed: [[UInt8]]) throws(StoreError) {
            guard !removed.isEmpty else { return }
            let members = try members()
            for id in removed {
                guard let member = members.first(where: { $0.id == id }) else {
                    throw StoreError(.unavailable, "there is no such member")
                }
                if member.isThisMachine {
                    throw StoreError(
                        .unavailable, "a machine cannot remove itself: do it on another one that stays a member")
                }
            }
        }

        private func openForRekeying(_ name: String, _ given: Secret?) throws(StoreError) -> Rekeying.Opened {
            guard let found = try readKeychain(name), let row = found.row else {
                throw StoreError(.unavailable, "there is no keychain \"\(name)\" in the database")
            }
            var passphrase: Secret?
            let configured = try Self.protector(of: row.header, configured: protector)
            if configured.needsPassphrase {
                if let given { passphrase = given } else { passphrase = try configured.passphrase(mayAsk: true) }
                if passphrase == nil {
                    throw StoreError(.locked, "the keychain \"\(name)\" needs its passphrase, and none was found")
                }
            }
            let root: Secret, own: any RootKeyProtector
            do throws(StoreError) {
                (root, own) = try rootKey(row, found.deviceKey, name, passphrase, mayAsk: true)
            } catch {
                guard error.code == .authenticationFailed else { throw error }
                throw StoreError(
                    .authenticationFailed,
                    "the passphrase does not open the keychain \"\(name)\": all keychains of the database that have one need "
                        + "the same one for this (security set-keychain-password postgresql:\(name))")
            }
            let device = try row.header.check(found.deviceKey, name: found.deviceKey.blind(ofKeychain: name))
            let all = try row.header.alwaysKeys(device).adding(row.header.otherKeys(root))
            let keys = try KeySet(all)
            return Rekeying.Opened(
                name: name, row: row, deviceKey: found.deviceKey, keys: keys, own: own, passphrase: passphrase)
        }

        private func rekey(
            _ keychains: [Rekeying], to new: DeviceKey, _ own: MemberKey, removing removed: [[UInt8]],
            withoutDamaged: Bool, _ items: inout RekeyedItems, _ transaction: PostgreSQLTransaction
        ) throws(StoreError) {
            // Before the transaction sees anything: afterwards nobody else changes what it sees. Look-ups go on.
            _ = try transaction.run(
                .unprepared(
                    "LOCK TABLE secitem.item, secitem.store, secitem.keys, secitem.member IN SHARE ROW EXCLUSIVE MODE"))
            let numbers = Set(keychains.map(\.old.row.number))
            let present = try transaction.run(PostgreSQLCommand("SELECT id FROM secitem.store"))
            let found = try (0..<present.count).map { (index) throws(StoreError) in try present.integer(index, 0) }
            // First: with new keys, all keychains have other numbers, and seem not to be named.
            guard numbers.isSubset(of: found) else {
                throw StoreError(.unavailable, "the keychains have got new keys meanwhile: try again")
            }
            guard numbers.isSuperset(of: found) else { throw Self.notNamed(found.filter { !numbers.contains($0) }) }
            for keychain in keychains { try keychain.old.row.requireRoot(transaction) }
            guard let old = keychains.first?.old.deviceKey else { return }
            try replaceMembers(old, new, own, removing: removed, transaction)
            for keychain in keychains { try keychain.run(transaction, withoutDamaged: withoutDamaged, &items) }
            _ = try transaction.finish(
                keychains.map { announcement(storeID: $0.old.row.header.storeID) })
        }

        /// The error for keychains whose names nobody gave. Only a person can know that nobody uses one: a member may have
        /// made it under a name that it tells nobody.
        private static func notNamed(_ numbers: [Int64]) -> StoreError {
            StoreError(
                .unavailable,
                "\(numbers.count) keychains in the database are not named: name all of them (--also), because all have the same "
                    + "device key. If nobody knows their names, delete them with their items: "
                    + KeychainRow.deletion(of: numbers))
        }

        /// Seals the new device key to all members but the removed ones. Invitations, and rows that no member has written, are
        /// dropped.
        private func replaceMembers(
            _ old: DeviceKey, _ new: DeviceKey, _ own: MemberKey, removing removed: [[UInt8]],
            _ transaction: PostgreSQLTransaction
        ) throws(StoreError) {
            var rows: [MemberRow] = []
            for row in try MemberTable.all(transaction) where row.kind == .member && !removed.contains(row.id) {
                guard let details = row.opened(old) else { continue }
                rows.append(try MemberRow(member: row.id, details, new))
            }
            guard rows.contains(where: { $0.id == own.id }) else {
                throw StoreError(.unavailable, "this machine is not a member of the fleet any more")
            }
            _ = try transaction.run([PostgreSQLCommand("DELETE FROM secitem.member")] + rows.map(MemberTable.insertion))
        }
    }

    /// New keys for one keychain.
    private struct Rekeying {
        /// A keychain with all its keys.
        struct Opened {
            let name: String
            let row: KeychainRow
            let deviceKey: DeviceKey
            let keys: KeySet
            let own: any RootKeyProtector
            let passphrase: Secret?
        }

        let old: Opened
        private let header: StoreHeader
        private let keys: KeySet
        private let nameBlind: Blind

        init(_ old: Opened, _ deviceKey: DeviceKey) throws(StoreError) {
            self.old = old
            nameBlind = try deviceKey.blind(ofKeychain: old.name)
            // The keychain keeps its own number, so that whoever listens to its changes goes on.
            let made = try StoreHeader.make(
                deviceKey: deviceKey, name: nameBlind, protector: old.own,
                passphrase: old.passphrase, storeID: old.row.header.storeID)
            header = made.header
            let keys = try KeySet(made.keys.keys)
            self.keys = keys
        }

        private static let batchSize = 200
        private static let batchBytes = 16 << 20

        /// Seals all items again, under a new number of the keychain, and removes the old ones.
        ///
        /// - Parameters:
        ///   - withoutDamaged: Whether damaged items are left out.
        ///   - items: Counts the items.
        func run(
            _ transaction: PostgreSQLTransaction, withoutDamaged: Bool, _ items: inout RekeyedItems
        ) throws(StoreError) {
            let storeID = header.storeID
            // The number is unique; the old row gives way.
            _ = try transaction.run(
                PostgreSQLCommand(
                    "UPDATE secitem.store SET uuid = $2, name = $2 WHERE id = $1", .integer(old.row.number),
                    .bytes(RandomBytes.bytes(16))
                ).affecting(1))
            let number = try KeychainRow.insert(header, nameBlind: nameBlind, transaction)
            let oldItems = PostgreSQLItems(old.row.number, in: transaction)
            let writer = RowWriter(keys: keys, storeID: storeID)
            var batch: [PostgreSQLCommand] = []
            var bytes = 0, count = 0, leftOut = 0
            var claims: Set<[UInt8]> = []
            try StoreError.translating {
                try RowSurvey(keys: old.keys, storeID: storeID).run(oldItems) { (item) throws(StoreError) in
                    guard let record = try Self.opened(item, withoutDamaged) else { return leftOut += 1 }
                    let sealed = try writer.sealed(record)
                    let claim = try sealed.claim(record, keys)
                    // Nothing else compares the column `claim` with the item.
                    guard claims.insert(claim.bytes).inserted else {
                        guard withoutDamaged else { throw Self.damaged("number \(count + leftOut + 1) is there twice") }
                        return leftOut += 1
                    }
                    count += 1
                    // Numbers in order keep the order of the items.
                    batch.append(try sealed.insertion(id: Int64(count), store: number, claim: claim))
                    bytes += sealed.ciphertextByteCount
                    if batch.count >= Self.batchSize || bytes >= Self.batchBytes {
                        _ = try transaction.run(batch)
                        (batch, bytes) = ([], 0)
                    }
                }
            }
            _ = try transaction.run(batch)
            _ = try transaction.run(
                PostgreSQLCommand("DELETE FROM secitem.store WHERE id = $1", .integer(old.row.number)).affecting(1))
            // Read back before anything old is gone for good.
            var found = 0
            try StoreError.translating {
                try RowSurvey(keys: keys, storeID: storeID).run(PostgreSQLItems(number, in: transaction)) {
                    (item) throws(StoreError) in
                    _ = try Self.opened(item, false)
                    found += 1
                }
            }
            guard found == count else { throw StoreError(.io, "PostgreSQL: the items with new keys are not complete") }
            items.sealed += count
            items.leftOut += leftOut
        }

        /// The item; nil if it is damaged and is to be left out.
        private static func opened(_ item: SurveyedItem, _ withoutDamaged: Bool) throws(StoreError) -> ItemRecord? {
            switch item {
            case .item(let record): return record
            case .guarded, .locked: throw .locked
            case .damaged(let item):
                if withoutDamaged { return nil }
                throw damaged("\(item.place) \(item.damage)")
            }
        }

        private static func damaged(_ how: String) -> StoreError {
            StoreError(
                .corrupt,
                "the item \(how): no item can be encrypted again while it exists. Delete it, or leave all damaged items out "
                    + "(--without-damaged)")
        }
    }
#endif
