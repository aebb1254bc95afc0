// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

extension KeychainEngine {
    /// Stores a new item or identity.
    ///
    /// - Returns: The item as stored, with its live object if one is requested.
    /// - Throws: As ``add(_:)-(NewItem)`` and ``add(certificate:key:)``.
    func add(_ addition: Addition) throws(KeychainError) -> FoundItem {
        switch addition {
        case .item(let item): try add(item)
        case .identity(let certificate, let key): try add(certificate: certificate, key: key)
        }
    }

    /// Completes a new item with its defaults and stores it.
    ///
    /// - Returns: The item as stored, with its live object if one is requested.
    /// - Throws: `errSecDuplicateItem` if an item with its primary key exists, `errSecMissingEntitlement` if the
    ///   application may not use the group, `errSecInteractionNotAllowed` if the store is locked or nobody can be asked
    ///   for the item's password, `errSecParam` if that password is empty, `errSecDecode` if the item has no live
    ///   object, `errSecDataNotAvailable` if the only requested result is the data of a key that may not be exported.
    func add(_ item: NewItem) throws(KeychainError) -> FoundItem {
        let added = try prepared(FoundItem(record(of: item)), item)
        try insert([added.record], newPassword(item.asking), item.interaction)
        return added
    }

    /// Adds all items of one call, or none. A person is asked once for the password of all of them.
    ///
    /// - Throws: As ``add(_:)-(NewItem)``, for the first that cannot be added.
    func add(all items: [NewItem]) throws(KeychainError) {
        guard let first = items.first else { return }
        var records: [ItemRecord] = []
        for item in items { records.append(try record(of: item)) }
        // The private key of a pair may have a context that the public key lacks.
        let asking = items.first { $0.constraints?.contains(.applicationPassword) == true }?.asking ?? first.asking
        try insert(records, newPassword(asking), asking.interaction)
    }

    /// Stores new records, all or none.
    ///
    /// Before a person is asked for a new password, this opens the store and looks for items with the same primary keys.
    func insert(
        _ new: [ItemRecord], _ password: ItemPassword, _ interaction: Interaction
    ) throws(KeychainError) {
        if interaction == .allowed, !password.isAtHand, try demandPassword(new) {
            for record in new where try !records(RecordFilter(twinOf: record), [], limit: 1, interaction).isEmpty {
                throw KeychainError(errSecDuplicateItem, "an item with that primary key exists")
            }
        }
        var sealed: [ItemRecord] = []
        for record in new { sealed.append(try password.sealed(record)) }
        try insertOverTombstones(sealed, interaction)
    }

    /// The password for new items of one call.
    func newPassword(_ asking: Asking) -> ItemPassword { ItemPassword(asking, self, isNew: true) }

    /// Whether any of the records is sealed under a password.
    func demandPassword(_ records: [ItemRecord]) throws(KeychainError) -> Bool {
        for record in records where try record.demandsPassword { return true }
        return false
    }

    /// Adds both halves of an identity, or the one that does not exist yet.
    ///
    /// - Returns: The identity, represented by the certificate that exists now.
    /// - Throws: `errSecDuplicateItem` if both exist, or if the key exists with another protection than requested;
    ///   otherwise as ``add(_:)-(NewItem)``. Then neither was added.
    func add(certificate: NewItem, key: NewItem) throws(KeychainError) -> FoundItem {
        let pair = FoundItem(try record(of: certificate), privateKey: try record(of: key))
        let added = try prepared(pair, certificate)
        return try insert(added, certificate.asking) { $0.isProtected(as: key) }
    }

    /// Prepares the result before the item is stored: if there can be no result, nothing is stored.
    private func prepared(_ found: FoundItem, _ item: NewItem) throws(KeychainError) -> FoundItem {
        if item.kinds == .data, !found.mayLeave { throw .mayNotLeave }
        var found = found
        if item.kinds.contains(.reference) { found.live = try found.liveObject() }
        return found
    }

    func record(of item: NewItem) throws(KeychainError) -> ItemRecord {
        let group = try application.groupForNewItem(naming: item.attributes[.accessGroup]?.string)
        var record = record(of: item, in: group)
        try checkProtection(record.accessible)
        if let flags = item.constraints { record = try record.constrained(by: newConstraints(flags)) }
        try forClient { () throws(StoreError) in try record.requireSize() }
        return record
    }

    private func record(of item: NewItem, in group: String) -> ItemRecord {
        let schema = ItemSchema.schema(of: item.itemClass)
        var attributes = item.attributes.filter { schema.keepsValue(of: $0.key) }
        attributes[.accessGroup] = .string(group)
        attributes[.accessible] = attributes[.accessible] ?? .string(schema.defaultAccessible.rawValue)
        for row in schema.requiredRows where attributes[row.attribute] == nil {
            attributes[row.attribute] = row.kind.emptyValue
        }
        let now = Date()
        attributes[.creationDate] = .date(now)
        attributes[.modificationDate] = .date(now)
        return ItemRecord(
            reference: PersistentReference(itemClass: item.itemClass), attributes: attributes, secrets: item.secrets
        )
    }
}
