// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import SecItemStore

/// Items that only an authentication opens, in a store with a passphrase.
extension SQLiteStore {
    package func guardKey(passphrase: Secret) throws(StoreError) -> GuardKey {
        let header = try guarded { () throws(StoreError) in try connection.read(StoreHeader.read) }
        let device = try header.check(deviceKey())
        let own = try Self.protector(of: header, configured: protector)
        guard own.needsPassphrase else { throw Self.takesNoPassphrase }
        let (root, wrapping) = try header.unlocked(own, device: device, passphrase: passphrase)
        guard let row = GuardKeyRow(header) else {
            // The passphrase is at hand now, and the next call may be the first that adds a guarded item.
            try prepareGuardKey(
                header, sealedRoot: header.keys[.root]?.sealed, root, self.wrapping(wrapping, own.method, device))
            return try GuardKey(copying: nil)
        }
        return try GuardKey(copying: row.key(wrapping, storeID: storeID))
    }

    package func secrets(
        in guarded: GuardedSecrets, of record: ItemRecord, with key: GuardKey
    ) throws(StoreError) -> [ItemAttribute: Secret] {
        guard let key = try key.secret else {
            throw StoreError(.corrupt, "the guard key of the guarded items is missing")
        }
        return try guarded.opened(of: record, storeID: storeID, with: key)
    }

    // MARK: Sealing

    /// What a call finds out on its way: whether it needs a guard key that the store does not have yet.
    struct GuardKeyNeed {
        fileprivate(set) var isUnmet = false
    }

    /// Runs a change, and once more with a new guard key where it needs one that the store does not have yet: the passphrase
    /// that wraps it is taken from where the store was told to look.
    ///
    /// - Throws: ``StoreError/Code/locked`` when the passphrase cannot be had.
    func withGuardKey<Result>(
        _ interaction: Interaction, _ change: (inout GuardKeyNeed) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        var need = GuardKeyNeed()
        do throws(StoreError) {
            return try change(&need)
        } catch {
            guard need.isUnmet else { throw error }
        }
        let mayAsk = interaction == .allowed
        try makeGuardKey(mayAsk: mayAsk)
        need.isUnmet = false
        return try change(&need)
    }

    private func makeGuardKey(mayAsk: Bool) throws(StoreError) {
        try turn.take(mayAsk: mayAsk)
        defer { turn.leave() }
        // Another thread may have been first.
        let header = try guarded { () throws(StoreError) in try connection.read(StoreHeader.read) }
        if let new = newGuardKey, new.sealedRoot == header.keys[.root]?.sealed { return }
        guard let passphrase = try configuredPassphrase(mayAsk: mayAsk) else { throw Self.lacksGuardKey }
        _ = try guardKey(passphrase: passphrase)
    }

    private static let lacksGuardKey = StoreError(
        .locked, "adding the first guarded item needs the passphrase")

    /// What seals the record's secrets, in a transaction that may write; nil where no passphrase protects the store, or the
    /// record is not to be guarded. Where the store has no guard key yet, it gets one.
    ///
    /// - Throws: ``StoreError/Code/locked`` when there is none, and the passphrase is not at hand.
    func guardSeal(
        for record: ItemRecord, _ keys: KeySet, _ database: Database, _ need: inout GuardKeyNeed
    ) throws -> GuardSeal? {
        guard try record.isToBeGuarded else { return nil }
        // As it is now: another process may have changed the passphrase since this one looked.
        let header = try StoreHeader.read(database)
        _ = try header.check(deviceKey())
        let own = try Self.protector(of: header, configured: protector)
        guard own.needsPassphrase else {
            if !protector.isFulfilled(by: own) { throw protector.lack }
            return nil
        }
        if let row = GuardKeyRow(header) { return try row.seal(for: record.accessible, keys, storeID: storeID) }
        guard record.guardedSecrets == nil else { throw StoreError(.corrupt, "the guard key is missing") }
        guard let new = newGuardKey, new.sealedRoot == header.keys[.root]?.sealed else {
            need.isUnmet = true
            throw Self.lacksGuardKey
        }
        try new.row.wrapped.write(database)
        try StoreFormat.write(database, hasGuardKey: true)
        return try new.row.seal(for: record.accessible, keys, storeID: storeID)
    }
}

/// What a change of the passphrase does to guarded items and their key, in its transaction.
struct GuardChange {
    let storeID: [UInt8]
    /// All keys that seal items.
    let keys: KeyTable<Secret>
    /// What wraps the guard key until now; nil without a passphrase.
    let old: Secret?
    /// How it is wrapped from now on; nil without a passphrase.
    let new: GuardKeyRow.Wrapping?

    /// - Parameter header: As the database has it.
    /// - Throws: ``StoreError/Code/corrupt`` when an item does not open that would lose its key.
    func run(_ database: Database, _ header: StoreHeader) throws {
        let row = GuardKeyRow(header)
        let key = try row.map { row throws(StoreError) in try row.key(old, storeID: storeID) }
        switch (row, key, new) {
        case (let row?, let key?, let new?):
            try row.wrapped(anew: key, new).wrapped.write(database)
        case (_, let key?, nil):
            try seal(database, changing: .sealed, openedWith: key, nil)
            try database.execute(sql: "DELETE FROM keys WHERE name = ?", arguments: [KeyName.guardKey.rawValue])
            try StoreFormat.write(database, hasGuardKey: false)
        case (_, _, let new?):
            guard try hasItems(database, .rule) else { return }
            let row = try GuardKeyRow.make(vouchedFor: keys, new).row
            if try seal(database, changing: .rule, openedWith: nil, row) == 0 { return }
            try row.wrapped.write(database)
            try StoreFormat.write(database, hasGuardKey: true)
        case (_, _, nil): break
        }
    }

    /// Whether a row has that mark, as far as it says itself.
    private func hasItems(_ database: Database, _ mark: ConstraintMark) throws -> Bool {
        try !numbers(database, mark).isEmpty
    }

    private func numbers(_ database: Database, _ mark: ConstraintMark) throws -> [Int64] {
        let query = try PreparedQuery(database, "SELECT id, nonces FROM item WHERE length(nonces) IN (13, 25)")
        defer { query.finish() }
        var numbers: [Int64] = []
        while try query.step() {
            if query.bytes(1).last == mark.rawValue { numbers.append(query.integer(0)) }
        }
        return numbers
    }

    /// Seals the secrets of all items with that mark anew, under a guard key or without one.
    ///
    /// - Returns: How many these were.
    @discardableResult
    private func seal(
        _ database: Database, changing mark: ConstraintMark, openedWith key: Secret?, _ row: GuardKeyRow?
    ) throws -> Int {
        guard let keys = try KeySet(keys) else { throw StoreError(.corrupt, "keys are missing") }
        let survey = try RowSurvey(keys: keys, storeID: storeID)
        var count = 0
        for number in try numbers(database, mark) {
            guard let item = try survey.item(database, number) else { continue }
            var record: ItemRecord
            switch item {
            case .guarded(let guarded):
                record = guarded
                guard let key, let secrets = guarded.guardedSecrets else { throw StoreError.locked }
                record.guardedSecrets = nil
                record.secrets = try secrets.opened(of: record, storeID: storeID, with: key)
            case .item(let found):
                guard try found.isToBeGuarded else { continue }
                record = found
            case .locked: throw StoreError.locked
            case .damaged(let item):
                // What does not open is not laid open either. It is lost only where the key goes that would open it.
                guard key != nil else { continue }
                throw StoreError(
                    .corrupt,
                    "the item \(item.place) \(item.damage): no key can be changed while it exists. Delete it first")
            }
            let seal = try row?.seal(for: record.accessible, keys, storeID: storeID)
            let sealed = try SealedItem(record, keys: keys, storeID: storeID, guardSeal: seal)
            try SQLiteStore.replace(database, sealed, id: number, keepingSecrets: false)
            count += 1
        }
        return count
    }
}
