import SecItemStore

extension KeychainEngine {
    /// Deletes every item that the query means.
    ///
    /// - Throws: `errSecItemNotFound` when the query means no item.
    func delete(_ query: ItemQuery) throws(KeychainError) {
        let groups = try application.writableGroups(naming: query.accessGroup)
        if query.itemClass == .identity && query.reference != nil { return try deleteIdentity(query, in: groups) }
        var count = 0
        for filter in query.filters(in: groups) {
            count += try asking { () throws(StoreError) in
                try store.delete(matching: filter, interaction: query.interaction)
            }
        }
        if count == 0 { throw .itemNotFound() }
    }

    /// Deletes the certificate that a reference means, and its key unless another certificate is of that key.
    private func deleteIdentity(_ query: ItemQuery, in groups: [String]?) throws(KeychainError) {
        let found = try identities(matching: query, in: groups).first
        guard let certificate = found?.record, let key = found?.privateKey else { throw .itemNotFound() }
        let ofSameKey = RecordFilter(
            itemClass: .certificate,
            attributes: certificate.attributes.filter { $0.key == .publicKeyHash },
            accessGroups: groups
        )
        try asking { () throws(StoreError) in
            let interaction = query.interaction
            _ = try store.delete(matching: RecordFilter(certificate), interaction: interaction)
            let others = try store.records(matching: ofSameKey, parts: [], limit: 1, interaction: interaction)
            if others.isEmpty { _ = try store.delete(matching: RecordFilter(key), interaction: interaction) }
        }
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

extension RecordFilter {
    /// That record and no other.
    fileprivate init(_ record: ItemRecord) {
        self.init(itemClass: record.itemClass, reference: record.reference)
    }
}
