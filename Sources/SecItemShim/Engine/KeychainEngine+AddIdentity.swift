// SPDX-License-Identifier: Apache-2.0

import SecItemStore

extension KeychainEngine {
    /// Stores the halves of an identity that are not there yet, both or neither.
    ///
    /// - Parameter isAsked: Whether a key that is there already is protected as the caller wants it.
    /// - Returns: The identity, by the halves that are there now.
    /// - Throws: `errSecDuplicateItem` when both were there, or the key with another protection than was asked for.
    func insert(
        _ identity: FoundItem, _ asking: Asking, isAsked: (ItemRecord) -> Bool
    ) throws(KeychainError) -> FoundItem {
        guard let key = identity.privateKey else { throw .param("the identity has no private key") }
        let interaction = asking.interaction
        let password = ItemPassword(asking, authenticator, isNew: true)
        let halves = [try password.sealed(identity.record), try password.sealed(key)]
        var missing = halves
        // Another program may add or delete a half in between.
        for _ in 0..<Self.attempts {
            do throws(KeychainError) {
                try self.asking { () throws(StoreError) in try store.insert(missing, interaction: interaction) }
                guard let twin = try twin(of: identity.record, except: missing, interaction) else { return identity }
                var found = FoundItem(twin, privateKey: key)
                // What is there may be guarded; the caller gets what they gave.
                if twin.isConstrained { found.record.secrets = identity.record.secrets }
                found.live = identity.live
                return found
            } catch  where error.status == errSecDuplicateItem {
                missing = []
                for half in halves {
                    guard let twin = try twin(of: half, except: [], interaction) else {
                        missing.append(half)
                        continue
                    }
                    if twin.itemClass == .key, !isAsked(twin) { throw .otherProtection }
                }
                if missing.isEmpty { throw error }
            }
        }
        throw KeychainError(
            errSecDuplicateItem, "other programs keep changing one half of the identity, or it is damaged")
    }

    private static var attempts: Int { 3 }

    /// Adds an item, unless it is there already.
    ///
    /// - Throws: `errSecDuplicateItem` for a key that is there with another protection than was asked for; otherwise as
    ///   ``add(_:)-(NewItem)``.
    func addUnlessThere(_ item: NewItem) throws(KeychainError) {
        do throws(KeychainError) {
            _ = try add(item)
        } catch  where error.status == errSecDuplicateItem {
            guard item.itemClass == .key else { return }
            guard let twin = try twin(of: record(of: item), except: [], item.interaction), twin.isProtected(as: item)
            else { throw .otherProtection }
        }
    }

    /// The item that has the primary key of a record, unless the record is one of those that were added.
    private func twin(
        of record: ItemRecord, except added: [ItemRecord], _ interaction: Interaction
    ) throws(KeychainError) -> ItemRecord? {
        if added.contains(where: { $0.reference == record.reference }) { return nil }
        var attributes: [ItemAttribute: AttributeValue] = [:]
        for row in ItemSchema.schema(of: record.itemClass).primaryKeyRows where row.attribute != .accessGroup {
            attributes[row.attribute] = record.attributes[row.attribute] ?? row.kind.emptyValue
        }
        let filter = RecordFilter(
            itemClass: record.itemClass, attributes: attributes,
            accessGroups: record.attributes[.accessGroup]?.string.map { [$0] })
        return try records(filter, [.attributes, .secrets], limit: 1, interaction).first
    }
}

extension ItemRecord {
    /// Whether a key is protected as the caller wants a new one to be. What the caller says nothing of is left as it is.
    func isProtected(as item: NewItem) -> Bool {
        if let asked = item.attributes[.accessible]?.string, asked != accessible.rawValue { return false }
        // Not even conditions that it cannot tell are those that were asked for.
        if let asked = item.constraints, (try? constraints)?.flags != asked { return false }
        let asked = KeyPermissions(item.attributes, isPrivate: true)
        return KeyPermissions(attributes, isPrivate: true).isAsStrict(as: asked)
    }
}

extension KeychainError {
    fileprivate static var otherProtection: KeychainError {
        KeychainError(errSecDuplicateItem, "the key exists already, with another protection than requested")
    }
}
