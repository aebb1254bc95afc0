// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemSealing
import SecItemStore

/// Items that only an authentication opens, in a store with a passphrase.
extension SQLiteStore {
    package func guardKey(passphrase: Secret) throws(StoreError) -> GuardKey {
        guard try open(mayAsk: false) else { throw Self.takesNoPassphrase }
        let (header, device, own) = try presentHeader()
        guard own.needsPassphrase else { throw Self.takesNoPassphrase }
        let (_, wrapping) = try header.unlocked(own, device: device, passphrase: passphrase)
        return try GuardKey(GuardKeyRow(header)?.key(wrapping, storeID: header.storeID))
    }

    package func secrets(
        in guarded: GuardedSecrets, of record: ItemRecord, with key: GuardKey
    ) throws(StoreError) -> [ItemAttribute: Secret] {
        guard let key = try key.secret else { throw Self.lacksGuardKey }
        return try guarded.opened(of: record, storeID: storeID, with: key)
    }

    // MARK: Sealing

    static let lacksGuardKey = StoreError(
        .corrupt, "the guard key of the guarded items is missing. If there are none yet, `security rekey` makes one")

    /// The seal for the record's secrets, in a transaction that may write. Nil if no passphrase protects the store, or
    /// the record is not guarded.
    ///
    /// - Throws: ``StoreError/Code/corrupt`` if the guard key is missing.
    func guardSeal(for record: ItemRecord, _ keys: KeySet, _ database: Database) throws -> GuardSeal? {
        guard try record.isToBeGuarded else { return nil }
        // The present header: another process may have changed the passphrase since this one read it.
        let header = try StoreHeader.read(database)
        _ = try header.check(deviceKey())
        let own = try Self.protector(of: header, configured: protector)
        guard own.needsPassphrase else {
            if !protector.isFulfilled(by: own) { throw protector.lack }
            return nil
        }
        guard let row = GuardKeyRow(header) else { throw Self.lacksGuardKey }
        return try row.seal(for: record.accessible, keys, storeID: storeID)
    }
}

/// The effect of a new passphrase on guarded items and their key, in one transaction.
struct GuardChange {
    let storeID: [UInt8]
    /// All keys that seal items.
    let keys: KeyTable<Secret>
    /// Wraps the guard key at present; nil without a passphrase.
    let old: Secret?
    /// Wraps the guard key after the change; nil without a passphrase.
    let new: GuardKeyRow.Wrapping?

    /// - Parameter header: The header in the database.
    /// - Throws: ``StoreError/Code/corrupt`` if an item does not open that would lose its key.
    func run(_ database: Database, _ header: StoreHeader) throws {
        let row = GuardKeyRow(header)
        let key = try row.map { row throws(StoreError) in try row.key(old, storeID: storeID) }
        switch (row, key, new) {
        case (let row?, let key?, let new?):
            try row.wrapped(anew: key, new).wrapped.write(database)
        case (_, let key?, nil):
            try seal(database, changing: .sealed, openedWith: key, nil)
            try database.execute("DELETE FROM keys WHERE name = '\(KeyName.guardKey.rawValue)'")
        case (_, _, let new?):
            // A new guard key opens nothing that was sealed to another one, whose row is missing.
            guard try Self.numbers(database, .sealed).isEmpty else { throw SQLiteStore.lacksGuardKey }
            let row = try GuardKeyRow.make(vouchedFor: keys, new).row
            try row.wrapped.write(database)
            try seal(database, changing: .rule, openedWith: nil, row)
        case (_, _, nil): break
        }
    }

    /// The rows that claim to have that mark.
    private static func numbers(_ database: Database, _ mark: ConstraintMark) throws -> [Int64] {
        let query = try PreparedQuery(database, "SELECT id, nonces FROM item WHERE length(nonces) IN (13, 25)")
        defer { query.finish() }
        var numbers: [Int64] = []
        while try query.step() {
            if query.bytes(1).last == mark.rawValue { numbers.append(query.integer(0)) }
        }
        return numbers
    }

    /// Seals the secrets of all items with that mark again, with or without a guard key.
    private func seal(
        _ database: Database, changing mark: ConstraintMark, openedWith key: Secret?, _ row: GuardKeyRow?
    ) throws {
        let keys = try KeySet(self.keys)
        let survey = try RowSurvey(keys: keys, storeID: storeID)
        for number in try Self.numbers(database, mark) {
            guard let item = try survey.item(database, number) else { continue }
            // An item that does not open stays as it is. It is only lost if the key that would open it is removed.
            if case .damaged = item, key == nil { continue }
            let record = try item.opened(storeID: storeID, with: key)
            if case .item = item, try !record.isToBeGuarded { continue }
            let seal = try row?.seal(for: record.accessible, keys, storeID: storeID)
            let sealed = try RowWriter(keys: keys, storeID: storeID).sealed(record, guardSeal: seal)
            try SQLiteStore.replace(database, sealed, id: number, keepingSecrets: false)
        }
    }
}

extension SurveyedItem {
    /// The item with its secrets, those of a guarded one opened, to be sealed again.
    func opened(storeID: [UInt8], with guardKey: Secret?) throws(StoreError) -> ItemRecord {
        switch self {
        case .item(let record): return record
        case .guarded(var record):
            guard let guardKey, let guarded = record.guardedSecrets else { throw .locked }
            record.guardedSecrets = nil
            record.secrets = try guarded.opened(of: record, storeID: storeID, with: guardKey)
            return record
        case .locked: throw .locked
        case .damaged(let item):
            throw StoreError(
                .corrupt,
                "the item \(item.place) \(item.damage): no key can be changed while it exists. Delete it first")
        }
    }
}
