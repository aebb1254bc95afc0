import SecItemStore

extension KeychainEngine {
    /// Deletes every item that the query means, or none.
    ///
    /// - Throws: `errSecItemNotFound` when the query means no item.
    func delete(_ query: ItemQuery) throws(KeychainError) {
        let groups = try application.writableGroups(naming: query.accessGroup)
        let steps = try targets(of: query, in: groups).map { RecordDeletion($0.filter, unless: $0.unless) }
        let count = try asking { () throws(StoreError) in
            try store.delete(steps, interaction: query.interaction)
        }
        if count == 0 { throw .itemNotFound() }
    }
}
