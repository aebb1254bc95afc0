// SPDX-License-Identifier: Apache-2.0

import SecItemSealing
import SecItemStore

/// Copies items into a store unchanged: with their attributes, data and dates, and with their persistent references.
///
/// Each item is read back. The transfer can be repeated after a crash: items that already exist are counted as such.
package struct ItemTransfer {
    private let target: any KeychainStore
    private let interaction: Interaction
    private let replaces: Bool
    /// What has happened to the items so far.
    package private(set) var tally = TransferTally()
    private var waiting: [ItemRecord] = []
    /// What has arrived. An item of the source never replaces another one of the same source.
    private var arrived: Set<PrimaryKey> = []
    private let batchSize: Int

    /// - Parameters:
    ///   - target: The store that receives the items.
    ///   - replaces: Whether existing items with different content get the new content.
    ///   - interaction: What to do if a person is needed.
    package init(into target: any KeychainStore, replacing replaces: Bool, interaction: Interaction) {
        self.target = target
        self.replaces = replaces
        self.interaction = interaction
        // Such a store adds all of them in one transaction.
        batchSize = target.innermost is any SurveyableStore ? 64 : 1
    }

    /// Adds an item to the store, now or together with later ones.
    ///
    /// - Throws: Errors that affect all items, such as a locked store or a full disk. Errors of this item alone are
    ///   counted.
    package mutating func put(_ record: ItemRecord) throws(StoreError) {
        do throws(StoreError) {
            try requireProtection(of: record)
        } catch {
            return tally.refuse(record, error)
        }
        waiting.append(record)
        if waiting.count >= batchSize { try flush() }
    }

    /// Adds the waiting items to the store.
    package mutating func flush() throws(StoreError) {
        let records = waiting
        waiting = []
        if records.count > 1, try insertTogether(records) { return }
        for record in records { try putAlone(record) }
    }

    /// An item never gets less protection than it was created with.
    private func requireProtection(of record: ItemRecord) throws(StoreError) {
        switch record.accessible {
        case .whenPasscodeSetThisDeviceOnly where !target.isPassphraseProtected:
            throw StoreError(.unavailable, "it needs a store that a passphrase protects")
        case .untilReboot: throw StoreError(.unrepresentable, "no store keeps items until the machine restarts")
        default: break
        }
        // Nothing that was written could be compared with it. The first store can have a passphrase instead.
        if target.guardedStore != nil, target.isPassphraseProtected, try record.isToBeGuarded {
            throw StoreError(
                .unsupported, "that keychain would seal it under its passphrase, where it cannot be read back")
        }
    }

    /// - Returns: False if nothing was added, because one of the items was refused.
    private mutating func insertTogether(_ records: [ItemRecord]) throws(StoreError) -> Bool {
        do throws(StoreError) {
            try target.insert(records, interaction: interaction)
        } catch {
            if Self.meansOneItem(error.code) { return false }
            throw error
        }
        for record in records { try verify(record) }
        arrived.formUnion(records.map(\.primaryKey))
        tally.added += records.count
        return true
    }

    /// Other programs may add, change or delete the same item after this one has looked.
    private mutating func putAlone(_ record: ItemRecord) throws(StoreError) {
        for _ in 1..<Self.attempts {
            do throws(StoreError) { return try attempt(record) } catch {
                guard error.code == .duplicate else { throw error }
            }
        }
        do throws(StoreError) { try attempt(record) } catch {
            guard error.code == .duplicate else { throw error }
            tally.refuse(record, error)
        }
    }

    private static let attempts = 20

    /// - Throws: ``StoreError/Code/duplicate`` if another program changed the item meanwhile; errors that affect all items.
    private mutating func attempt(_ record: ItemRecord) throws(StoreError) {
        var record = record
        let named = try find(RecordFilter(itemClass: record.itemClass, reference: record.reference))
        let isTaken = named.map { $0.primaryKey != record.primaryKey } ?? false
        if let named, !isTaken { return try settle(record, existing: named) }
        if isTaken {
            if record.isBoundToItsReference { return tally.refuse(record, Self.bound) }
            // After a restart, the program must recognise the items that it added before.
            if let existing = try find(RecordFilter(primaryKeyOf: record)) {
                return try settle(record, existing: existing)
            }
            record = ItemRecord(
                reference: PersistentReference(itemClass: record.itemClass), attributes: record.attributes,
                secrets: record.secrets)
        }
        do throws(StoreError) {
            try target.insert(record, interaction: interaction)
        } catch {
            if error.code == .duplicate, let existing = try find(RecordFilter(primaryKeyOf: record)) {
                return try settle(record, existing: existing)
            }
            guard Self.meansOneItem(error.code), error.code != .duplicate else { throw error }
            return tally.refuse(record, error)
        }
        try verify(record)
        arrived.insert(record.primaryKey)
        tally.added += 1
        if isTaken { tally.renamed += 1 }
    }

    private mutating func settle(_ record: ItemRecord, existing: ItemRecord) throws(StoreError) {
        if existing.reference != record.reference, record.isBoundToItsReference {
            tally.refuse(record, Self.bound)
        } else if existing.hasSameContent(as: record) {
            arrived.insert(existing.primaryKey)
            tally.same += 1
        } else if existing.isTombstone {
            try replace(existing, by: record)
        } else if replaces && !arrived.contains(existing.primaryKey) {
            try replace(existing, by: record)
        } else {
            tally.kept.append(ItemName(existing))
        }
    }

    // MARK: Replacing

    /// Replaces the content of the existing item. Its persistent reference stays.
    private mutating func replace(_ existing: ItemRecord, by record: ItemRecord) throws(StoreError) {
        let new = ItemRecord(reference: existing.reference, attributes: record.attributes, secrets: record.secrets)
        do throws(StoreError) {
            let isGrowing =
                existing.attributes.keys.allSatisfy { record.attributes[$0] != nil }
                && existing.secrets.keys.allSatisfy { record.secrets[$0] != nil }
            if isGrowing { try update(existing, to: new) } else { try exchange(existing, for: new) }
        } catch {
            guard Self.meansOneItem(error.code), error.code != .duplicate else { throw error }
            return tally.refuse(record, error)
        }
        arrived.insert(record.primaryKey)
        tally.replaced += 1
    }

    private func update(_ existing: ItemRecord, to new: ItemRecord) throws(StoreError) {
        let changes = RecordChanges(
            attributes: new.attributes, secrets: new.secrets,
            modificationDate: new.attributes[.modificationDate]?.date ?? .distantPast)
        let count = try target.update(
            [RecordUpdate(existing.unchangedFilter, applying: changes, atMost: 1)], interaction: interaction)
        guard count == 1 else { throw Self.changed }
        guard let found = try find(RecordFilter(itemClass: new.itemClass, reference: new.reference)),
            found.hasSameContent(as: new)
        else { throw Self.lost }
    }

    /// An update cannot remove attributes. The embedded store replaces the item in one transaction. With another store,
    /// if the process dies in between, the next transfer adds the item.
    private func exchange(_ existing: ItemRecord, for new: ItemRecord) throws(StoreError) {
        let step = RecordDeletion(existing.unchangedFilter, atMost: 1)
        if let store = try target.embedded {
            guard try store.exchange(step, for: new, interaction: interaction) else { throw Self.changed }
            return try verify(new)
        }
        guard try target.delete([step], interaction: interaction) == 1 else { throw Self.changed }
        do throws(StoreError) {
            try target.insert(new, interaction: interaction)
        } catch {
            try putBack(existing, after: error)
            throw error
        }
        try verify(new)
    }

    private func putBack(_ existing: ItemRecord, after failure: StoreError) throws(StoreError) {
        do throws(StoreError) {
            try target.insert(existing, interaction: interaction)
        } catch {
            throw StoreError(
                failure.code,
                "the item \(existing.reference.uuid) is lost: neither its new content (\(failure.message)) nor the old one could be stored. "
                    + "Run the command again")
        }
    }

    // MARK: Reading back

    private func find(_ filter: RecordFilter) throws(StoreError) -> ItemRecord? {
        try target.records(
            matching: filter, parts: [.attributes, .secrets], limit: 1, interaction: interaction
        ).first
    }

    private func verify(_ record: ItemRecord) throws(StoreError) {
        guard let found = try find(RecordFilter(itemClass: record.itemClass, reference: record.reference)),
            found.isSame(as: record)
        else { throw Self.lost }
    }

    private static let lost = StoreError(.io, "a stored item differs from what was written")
    private static let bound = StoreError(
        .unsupported, "its password opens it only under its own persistent reference, which it cannot have there")
    private static let changed = StoreError(.duplicate, "another program changed the item meanwhile")

    /// Whether an error concerns one item rather than the store.
    private static func meansOneItem(_ code: StoreError.Code) -> Bool {
        [.duplicate, .tooLarge, .unrepresentable, .unsupported].contains(code)
    }
}

extension ItemRecord {
    /// Whether its secrets are sealed under its own password, or whether that cannot be determined. They open only with
    /// this reference.
    fileprivate var isBoundToItsReference: Bool {
        guard isConstrained else { return false }
        guard let constraints = try? constraints else { return true }
        return constraints.password != nil
    }
}
