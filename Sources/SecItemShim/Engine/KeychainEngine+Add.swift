import Foundation
import SecItemStore

extension KeychainEngine {
    /// Completes a new item with its defaults and stores it.
    ///
    /// - Returns: The item as stored, with its live object where one is wanted.
    /// - Throws: `errSecDuplicateItem` when an item with its primary key is there, `errSecMissingEntitlement` for a
    ///   group that is not the application's, `errSecInteractionNotAllowed` when the store is locked, `errSecDecode`
    ///   when the item has no live object to give, `errSecDataNotAvailable` when nothing but the data of a key is wanted
    ///   that may not leave.
    func add(_ item: NewItem) throws(KeychainError) -> FoundItem {
        let group = try application.groupForNewItem(naming: item.attributes[.accessGroup]?.string)
        let record = record(of: item, in: group)
        try checkProtection(record.accessible)
        try asking { () throws(StoreError) in try record.requireSize() }
        var added = FoundItem(record)
        if item.kinds == .data, !added.mayLeave { throw .mayNotLeave }
        if item.kinds.contains(.reference) { added.live = try added.liveObject() }
        try asking { () throws(StoreError) in try store.insert(record, interaction: item.interaction) }
        return added
    }

    /// Adds the items one after another. When one fails, those before it are deleted again; if the process ends in between, or
    /// they cannot be deleted, they stay.
    ///
    /// - Throws: As ``add(_:)-(NewItem)``, for the first that cannot be added.
    func add(all items: [NewItem]) throws(KeychainError) {
        var added: [ItemRecord] = []
        for item in items {
            do throws(KeychainError) {
                added.append(try add(item).record)
            } catch {
                for record in added { takeBack(record, item.interaction) }
                throw error
            }
        }
    }

    /// Deletes an item that was added a moment ago, and nothing else.
    private func takeBack(_ record: ItemRecord, _ interaction: Interaction) {
        let filter = RecordFilter(itemClass: record.itemClass, reference: record.reference)
        do throws(StoreError) {
            _ = try store.delete([RecordDeletion(filter)], interaction: interaction)
        } catch {
            KeychainCalls.logger.error(
                "A key that was stored before the other of its pair could not be is still there",
                metadata: ["reason": "\(error.message)"])
        }
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
