import SecItemStore

/// The records that one step of an update or delete acts on.
struct Target {
    let filter: RecordFilter
    /// What keeps the records of a delete.
    var unless: RecordFilter?
}

extension KeychainEngine {
    /// What an update or delete acts on: every step of it must find something.
    ///
    /// - Parameter set: The attributes that an update sets.
    /// - Throws: `errSecItemNotFound` when the query means nothing, `errSecParam` when it means more items than its limit
    ///   allows, `errSecNoSuchAttr` when one half of an identity does not have an attribute.
    func targets(
        of query: ItemQuery, in groups: [String]?, setting set: some Collection<ItemAttribute> = []
    ) throws(KeychainError) -> [Target] {
        switch QueryMeaning(query, in: groups) {
        case .nothing: throw .itemNotFound()
        case .records(let filter): return try targets(filter, limit: query.limit.maximum, query.interaction)
        case .identities(let filter):
            return try filter.isNamed
                ? targets(of: filter, setting: set, query.interaction) : halves(of: filter, query, setting: set)
        }
    }

    /// A limit does not choose among the matches: an update or delete of fewer items than match is refused.
    private func targets(
        _ filter: RecordFilter, limit: Int?, _ interaction: Interaction
    ) throws(KeychainError) -> [Target] {
        guard let limit, filter.reference == nil else { return [Target(filter: filter)] }
        let (more, isTooLarge) = limit.addingReportingOverflow(1)
        let found = try records(filter, [], limit: isTooLarge ? nil : more, interaction)
        if found.isEmpty { throw .itemNotFound() }
        if found.count > limit { throw .param("more items match than kSecMatchLimit allows") }
        // Not the records found: a look-up on the Secret Service also finds other programs' items, which a change leaves
        // alone unless the query names their owner.
        return [Target(filter: filter)]
    }

    /// All certificates and then all keys, each with everything that the query says.
    private func halves(
        of filter: IdentityFilter, _ query: ItemQuery, setting set: some Collection<ItemAttribute>
    ) throws(KeychainError) -> [Target] {
        if query.limit.maximum != nil { throw .param("an update or delete of identities has no limit") }
        let named = filter.attributes + set
        try requireAttributes(named, of: .certificate)
        do throws(KeychainError) {
            try requireAttributes(named, of: .key)
        } catch {
            // Apple's keychain looks for certificates before it reads what the keys should be.
            if try records(filter.certificates, [], limit: 1, query.interaction).isEmpty { throw .itemNotFound() }
            throw error
        }
        return [Target(filter: filter.certificates), Target(filter: filter.keysAlone)]
    }

    /// One certificate and its key; a delete keeps the key while another certificate is of it.
    private func targets(
        of filter: IdentityFilter, setting set: some Collection<ItemAttribute>, _ interaction: Interaction
    ) throws(KeychainError) -> [Target] {
        let found = try identities(filter, [], interaction).first
        guard let certificate = found?.record, let key = found?.privateKey,
            let hash = certificate.attributes[.publicKeyHash]
        else { throw .itemNotFound() }
        for half in [ItemClass.certificate, .key] { try requireAttributes(set, of: half) }
        let ofThatKey = [ItemAttribute.publicKeyHash: hash]
        let others = RecordFilter(
            itemClass: .certificate, attributes: ofThatKey, accessGroups: filter.certificates.accessGroups)
        return [
            Target(filter: filter.certificates.narrowed(to: certificate, with: ofThatKey)),
            Target(filter: filter.keys.narrowed(to: key, with: [.applicationLabel: hash]), unless: others),
        ]
    }

    private func requireAttributes(
        _ attributes: some Collection<ItemAttribute>, of itemClass: ItemClass
    ) throws(KeychainError) {
        let schema = ItemSchema.schema(of: itemClass)
        if let other = attributes.first(where: { schema[$0] == nil }) {
            throw .noSuchAttr("the class '\(itemClass.rawValue)' has no attribute '\(other.code)'")
        }
    }
}

extension RecordFilter {
    /// That record alone, and only while the filter, with those attributes more, still matches it.
    fileprivate func narrowed(
        to record: ItemRecord, with more: [ItemAttribute: AttributeValue] = [:]
    ) -> RecordFilter {
        RecordFilter(
            itemClass: itemClass, reference: record.reference, attributes: attributes.merging(more) { $1 },
            accessGroups: accessGroups, condition: condition)
    }
}
