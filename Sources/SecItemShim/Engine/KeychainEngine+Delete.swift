import SecItemStore

extension KeychainEngine {
    /// Deletes every item that the query means.
    ///
    /// - Throws: `errSecItemNotFound` when the query means no item.
    func delete(_ query: ItemQuery) throws(KeychainError) {
        let groups = try application.writableGroups(naming: query.accessGroup)
        var count = 0
        for filter in query.filters(in: groups) {
            count += try asking { () throws(StoreError) in
                try store.delete(matching: filter, interaction: query.interaction)
            }
        }
        if count == 0 { throw .itemNotFound() }
    }
}

extension ItemQuery {
    /// What an update or delete does one after the other: for an identity its certificate, then its key.
    func filters(in groups: [String]?) -> [RecordFilter] {
        if limit.maximum == 0 { return [] }
        if itemClass != .identity { return [filter(in: groups)] }
        let certificates = filter(in: groups, of: .certificate)
        if reference != nil { return [certificates] }
        return [certificates, filter(in: groups, of: .key)]
    }
}
