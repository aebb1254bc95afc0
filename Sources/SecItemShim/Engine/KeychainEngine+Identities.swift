import SecItemStore

extension KeychainEngine {
    /// Joins certificates with their private keys: the hash of the certificate's public key is the key's label.
    ///
    /// An attribute that both classes have is the certificate's, as on Apple's.
    func identities(matching query: ItemQuery, in groups: [String]?) throws(KeychainError) -> [FoundItem] {
        if query.limit.maximum == 0 { return [] }
        let certificates = try records(.certificate, matching: query, in: groups)
        if certificates.isEmpty { return [] }
        let keys = try records(.key, matching: query, in: groups).filter(\.isPrivateKey)
        let keysByLabel = Dictionary(
            keys.compactMap { key in key.attributes[.applicationLabel].map { ($0.matchKey, key) } },
            uniquingKeysWith: { first, _ in first }
        )
        let found = certificates.compactMap { certificate -> FoundItem? in
            guard let hash = certificate.attributes[.publicKeyHash]?.matchKey else { return nil }
            return keysByLabel[hash].map { FoundItem(certificate, privateKey: $0) }
        }
        return Array(found.prefix(query.limit.maximum ?? .max))
    }

    private func records(
        _ itemClass: ItemClass, matching query: ItemQuery, in groups: [String]?
    ) throws(KeychainError) -> [ItemRecord] {
        let filter = query.filter(in: groups, of: itemClass)
        return try asking { () throws(StoreError) in
            try store.records(
                matching: filter, parts: query.parts.union(.attributes), limit: nil, interaction: query.interaction
            )
        }
    }
}

extension ItemQuery {
    /// The half of an identity query that is about that class.
    func filter(in groups: [String]?, of itemClass: ItemClass) -> RecordFilter {
        var conditions = storedAttributes(of: itemClass)
        if itemClass == .key {
            let certificateSchema = ItemSchema.schema(of: .certificate)
            conditions = conditions.filter { certificateSchema[$0.key] == nil || $0.key == .tombstone }
        }
        let isNamed = itemClass == .certificate
        return RecordFilter(
            itemClass: itemClass,
            reference: isNamed ? reference.map { PersistentReference(itemClass: .certificate, uuid: $0.uuid) } : nil,
            attributes: conditions,
            accessGroups: groups
        )
    }
}

extension ItemRecord {
    fileprivate var isPrivateKey: Bool {
        attributes[.isPrivate]?.integer == 1 || attributes[.keyClass]?.integer == 1
    }
}
