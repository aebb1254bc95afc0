import SecItemStore

extension KeychainEngine {
    /// Stores the halves of an identity that are not there yet, both or neither.
    ///
    /// - Returns: The identity, by the halves that are there now.
    /// - Throws: `errSecDuplicateItem` when both were there.
    func insert(_ identity: FoundItem, _ interaction: Interaction) throws(KeychainError) -> FoundItem {
        guard let key = identity.privateKey else { throw .param("an identity has a key") }
        let halves = [identity.record, key]
        var missing = halves
        // Another program may add or delete a half in between.
        for _ in 0..<Self.attempts {
            do throws(KeychainError) {
                try asking { () throws(StoreError) in try store.insert(missing, interaction: interaction) }
                guard let twin = try twin(of: identity.record, except: missing, interaction) else { return identity }
                var found = FoundItem(twin, privateKey: key)
                found.live = identity.live
                return found
            } catch  where error.status == errSecDuplicateItem {
                missing = []
                for half in halves where try twin(of: half, except: [], interaction) == nil { missing.append(half) }
                if missing.isEmpty { throw error }
            }
        }
        throw KeychainError(errSecDuplicateItem, "one half changes all the time, or is damaged")
    }

    private static var attempts: Int { 3 }

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
