// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Foundation
    import SecItemSealing
    import SecItemStore

    extension PostgreSQLStore {
        package func rekey(
            keychains others: [String], removing removed: [[UInt8]], passphrase: Secret?
        ) throws(StoreError) -> Int {
            try requireTables()
            let names = [name] + Set(others).subtracting([name]).sorted()
            try requireRemovable(removed)
            let opened = try names.map { (name) throws(StoreError) in try openForRekeying(name, passphrase) }
            // Only now, when the passphrase is known to be right. Without it, no key file would open the new state.
            try becomeMember()
            guard case .member(let own)? = try keyFile.content() else {
                throw StoreError(.unavailable, "the key file \(keyFile.path) has changed meanwhile: try again")
            }
            let deviceKey = try DeviceKey()
            let keychains = try opened.map { (old) throws(StoreError) in try Rekeying(old, deviceKey) }
            let database = PostgreSQLDatabase(server.allowing(seconds: Self.rekeyingTime))
            defer { database.close() }
            do throws(StoreError) {
                let count = try database.transaction(.serializable) { (transaction) throws(StoreError) in
                    try rekey(keychains, to: deviceKey, own, removing: removed, transaction)
                }
                reopen()
                return count
            } catch {
                reopen()
                guard error.postgreSQL?.kind == .commitUnknown else { throw error }
                // This machine's row tells.
                let stored = try self.database.transaction(.snapshot) { (transaction) throws(StoreError) in
                    try self.deviceKey(.member(own), transaction).id
                }
                guard stored == deviceKey.id else { throw error }
                var count = 0
                for keychain in keychains { count += try keychain.count(self.database) }
                return count
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
            } else if given != nil && name == self.name {
                throw Self.takesNoPassphrase
            }
            let (root, own) = try rootKey(row, found.deviceKey, name, passphrase, mayAsk: true)
            let device = try row.header.check(found.deviceKey, name: found.deviceKey.blind(ofKeychain: name))
            let all = try row.header.alwaysKeys(device).adding(row.header.otherKeys(root))
            guard let keys = try KeySet(all) else { throw StoreHeader.damaged }
            return Rekeying.Opened(
                name: name, row: row, deviceKey: found.deviceKey, keys: keys, own: own, passphrase: passphrase)
        }

        /// Does all of it, in one transaction.
        private func rekey(
            _ keychains: [Rekeying], to new: DeviceKey, _ own: MemberKey, removing removed: [[UInt8]],
            _ transaction: PostgreSQLTransaction
        ) throws(StoreError) -> Int {
            // Before the transaction sees anything: afterwards nobody else changes what it sees. Look-ups go on.
            _ = try transaction.run(
                .unprepared(
                    "LOCK TABLE secitem.item, secitem.store, secitem.keys, secitem.member IN SHARE ROW EXCLUSIVE MODE"))
            let numbers = Set(keychains.map(\.old.row.number))
            let present = try transaction.run(PostgreSQLCommand("SELECT id FROM secitem.store"))
            let found = try (0..<present.count).map { (index) throws(StoreError) in try present.integer(index, 0) }
            guard numbers.isSuperset(of: found) else {
                throw StoreError(
                    .unavailable,
                    "the database has \(found.count) keychains, and \(numbers.count) are named: name all of them, because all "
                        + "have the same device key")
            }
            guard numbers.isSubset(of: found) else {
                throw StoreError(.unavailable, "the keychains have got new keys meanwhile: try again")
            }
            for keychain in keychains { try keychain.old.row.requireRoot(transaction) }
            guard let old = keychains.first?.old.deviceKey else { return 0 }
            try replaceMembers(old, new, own, removing: removed, transaction)
            var count = 0
            for keychain in keychains { count += try keychain.run(transaction) }
            _ = try transaction.finish(
                keychains.map { announcement(storeID: $0.old.row.header.storeID) })
            return count
        }

        /// Seals the new device key to all members but the removed ones. Invitations, and rows that no member has written, are
        /// dropped.
        private func replaceMembers(
            _ old: DeviceKey, _ new: DeviceKey, _ own: MemberKey, removing removed: [[UInt8]],
            _ transaction: PostgreSQLTransaction
        ) throws(StoreError) {
            var rows: [MemberRow] = []
            for row in try MemberTable.all(transaction) where row.kind == .member && !removed.contains(row.id) {
                guard let details = try row.opened(old) else { continue }
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

        /// Makes the new keys.
        init(_ old: Opened, _ deviceKey: DeviceKey) throws(StoreError) {
            self.old = old
            nameBlind = try deviceKey.blind(ofKeychain: old.name)
            // Old methods can be opened, but are never written again.
            let successor: RootKeyMethod = old.own.method == .passphraseAlone ? .passphrase : old.own.method
            // The keychain keeps its own number, so that whoever listens to its changes goes on.
            let made = try StoreHeader.make(
                deviceKey: deviceKey, name: nameBlind, protector: old.own.protector(for: successor) ?? old.own,
                passphrase: old.passphrase, storeID: old.row.header.storeID)
            header = made.header
            guard let keys = try KeySet(made.keys.keys) else { throw StoreHeader.damaged }
            self.keys = keys
        }

        private static let batchSize = 200

        /// Seals all items again, under a new number of the keychain, and removes the old ones.
        func run(_ transaction: PostgreSQLTransaction) throws(StoreError) -> Int {
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
            var commands: [PostgreSQLCommand] = []
            var count = 0
            try StoreError.translating {
                try RowSurvey(keys: old.keys, storeID: storeID).run(oldItems) { (item) throws(StoreError) in
                    let record = try Self.opened(item)
                    let sealed = try writer.sealed(record)
                    count += 1
                    // Numbers in order keep the order of the items.
                    commands.append(
                        try sealed.insertion(id: Int64(count), store: number, claim: sealed.claim(record, keys)))
                    if commands.count >= Self.batchSize {
                        _ = try transaction.run(commands)
                        commands = []
                    }
                }
            }
            _ = try transaction.run(commands)
            _ = try transaction.run(
                PostgreSQLCommand("DELETE FROM secitem.store WHERE id = $1", .integer(old.row.number)).affecting(1))
            // Read back before anything old is gone for good.
            var found = 0
            try StoreError.translating {
                try RowSurvey(keys: keys, storeID: storeID).run(PostgreSQLItems(number, in: transaction)) {
                    (item) throws(StoreError) in
                    _ = try Self.opened(item)
                    found += 1
                }
            }
            guard found == count else { throw StoreError(.io, "PostgreSQL: the items with new keys are not complete") }
            return count
        }

        private static func opened(_ item: SurveyedItem) throws(StoreError) -> ItemRecord {
            switch item {
            case .item(let record): return record
            case .guarded, .locked: throw .locked
            case .damaged(let item):
                throw StoreError(
                    .corrupt,
                    "the item \(item.place) \(item.damage): no item can be encrypted again while it exists. Delete it first"
                )
            }
        }

        /// The number of items that are stored now.
        func count(_ database: PostgreSQLDatabase) throws(StoreError) -> Int {
            let rows = try database.read(
                PostgreSQLCommand(
                    "SELECT count(*) FROM secitem.item AS i JOIN secitem.store AS s ON s.id = i.store WHERE s.name = $1",
                    .bytes(nameBlind.bytes)))
            return Int(clamping: try rows.integer(0, 0))
        }
    }
#endif
