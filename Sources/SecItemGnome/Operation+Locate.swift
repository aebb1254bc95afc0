// SPDX-License-Identifier: Apache-2.0

import SecItemStore

/// Finds where items are now. A path is valid for one run of the service and one life of an item; an item that is
/// created again has another path.
extension Operation {
    /// Reads this library's item with that reference; its stored id confirms it. Nil if it does not exist.
    ///
    /// - Throws: ``Need/unlocking(_:)`` if the item may be among locked ones whose attributes cannot be read.
    func locate(_ reference: PersistentReference) throws -> StoredItem? {
        let id = [SecretSchema.identifierName: reference.uuid.uuidString.lowercased()]
        try requireSearchable()
        let hits = try session.search([id])
        let reading = try session.readOwn(hits.unlocked + hits.locked)
        if let item = reading.items.first(where: { $0.record.reference == reference }) { return item }
        if !reading.unreadable.isEmpty { throw Need.unlocking(reading.unreadable) }
        return nil
    }

    /// Reads an item again that was found before; nil if it does not exist. An item of another program is identified by
    /// its earlier attributes, or by those that it may have been given since.
    func locate(_ item: StoredItem, changedTo changed: [[String: String]] = []) throws -> StoredItem? {
        if !item.isForeign { return try locate(item.record.reference) }
        var known = [item.attributes]
        for attributes in changed where !known.contains(where: attributes.isByteEqual) { known.append(attributes) }
        let states = known.map(foreignIdentity)
        let searches = known.map { attributes in
            attributes.filter { !session.provider.isReserved($0.key) && $0.key != SecretSchema.schemaName }
        }
        try requireSearchable()
        let hits = try session.search(searches)
        let paths = hits.unlocked + hits.locked
        let group = item.record.attributes[.accessGroup]?.string ?? ""
        let reading = try session.readAny(paths, as: item.record.itemClass, in: group)
        let same = reading.items.filter { candidate in
            candidate.isForeign && states.contains { $0.isByteEqual(to: foreignIdentity(candidate.attributes)) }
        }
        if let found = same.first(where: { $0.path == item.path }) ?? (same.count == 1 ? same.first : nil) {
            return found
        }
        if !same.isEmpty { throw StoreError(.io, "several items of another program look the same") }
        if !reading.unreadable.isEmpty { throw Need.unlocking(reading.unreadable) }
        return nil
    }

    /// Reads an item again that matched a filter before; nil if it does not exist or no longer matches.
    func find(_ item: StoredItem, again filter: RecordFilter) throws -> StoredItem? {
        // The reference of another program's item depends on its path, which may have changed.
        if item.isForeign { return try locate(item) }
        let one = RecordFilter(
            itemClass: filter.itemClass, reference: item.record.reference, attributes: filter.attributes,
            accessGroups: filter.accessGroups, condition: filter.condition)
        return try find(one, for: .writing).items.first
    }

    /// The attributes that identify another program's item, without those that a service makes.
    private func foreignIdentity(_ attributes: [String: String]) -> [String: String] {
        attributes.filter { !Provider.keePassXCFields.contains($0.key) && $0.key != SecretSchema.schemaName }
    }

    /// Removes a record that was written for an item that is not there, unless another item of its access group is: then
    /// somebody else has stored that one since, and relies on the record.
    func takeBack(_ record: (@Sendable () -> Void)?, of item: ItemRecord) throws {
        guard let record else { return }
        let name = SecretSchema.schema(of: item.itemClass).name(of: .accessGroup)
        let group = item.ownAttributes().filter { $0.key == name }
        if try session.search([group]).isEmpty { record() }
    }

    /// - Throws: `StoreError` with `.duplicate` if another item, except those in `own`, has the record's primary key.
    func requireNoOther(_ record: ItemRecord, except own: [StoredItem] = []) throws {
        let hits = try session.search([SearchPlan.conflicts(with: record)])
        let ownPaths = Set(own.filter(\.isForeign).map(\.path))
        let ownReferences = Set(own.map(\.record.reference))
        let paths = (hits.unlocked + hits.locked).filter { !ownPaths.contains($0) }
        if paths.isEmpty { return }
        let group = record.attributes[.accessGroup]?.string ?? ""
        let reading = try session.readAny(paths, as: record.itemClass, in: group)
        let key = record.primaryKey
        let others = reading.items.filter { !ownReferences.contains($0.record.reference) }
        if others.contains(where: { $0.record.itemClass == record.itemClass && $0.record.primaryKey == key }) {
            throw StoreError(.duplicate, "an item with this primary key exists")
        }
        if !reading.unreadable.isEmpty { throw Need.unlocking(reading.unreadable) }
    }
}

extension StoredItem {
    /// The collection of the item: an item's path begins with that of its collection.
    var collection: String {
        path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    }
}
