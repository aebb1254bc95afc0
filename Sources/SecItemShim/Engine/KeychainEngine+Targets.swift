// SPDX-License-Identifier: Apache-2.0

import SecItemStore

/// The records that one step of an update or delete acts on.
struct Target {
    var filter: RecordFilter
    /// What keeps the records of a delete.
    var unless: RecordFilter?
    /// How many records these may be, or nil for any number.
    var greatestCount: Int?
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
        switch try meaning(of: query, in: groups) {
        case .nothing: throw .itemNotFound()
        case .records(let filter): return try targets(filter, limit: query.limit.maximum, query.interaction)
        case .identities(let filter):
            return try filter.isOfPairs
                ? pairs(of: filter, query, setting: set) : halves(of: filter, query, setting: set)
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
        // alone unless the query names their owner. And others may add one that matches before the change is made: the
        // store counts again.
        return [Target(filter: filter, greatestCount: limit)]
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

    /// The certificates and keys of the identities that a look-up finds; a delete keeps a key while another certificate is of
    /// it.
    private func pairs(
        of filter: IdentityFilter, _ query: ItemQuery, setting set: some Collection<ItemAttribute>
    ) throws(KeychainError) -> [Target] {
        let found = try identities(filter, [], query.interaction)
        if found.isEmpty { throw .itemNotFound() }
        if let limit = query.limit.maximum, query.reference == nil, found.count > limit {
            throw .param("more identities match than kSecMatchLimit allows")
        }
        for half in [ItemClass.certificate, .key] { try requireAttributes(set, of: half) }
        // Another certificate of the key may be in a group that the query does not name.
        let groups = try application.readableGroups(naming: nil)
        var targets: [Target] = []
        var keys: Set<PersistentReference> = []
        for identity in found {
            guard let key = identity.privateKey, let hash = identity.record.attributes[.publicKeyHash] else { continue }
            let ofThatKey = [ItemAttribute.publicKeyHash: hash]
            targets.append(Target(filter: filter.certificates.narrowed(to: identity.record, with: ofThatKey)))
            guard keys.insert(key.reference).inserted else { continue }
            let others = RecordFilter(
                itemClass: .certificate, attributes: ofThatKey, accessGroups: groups)
            targets.append(
                Target(filter: filter.keys.narrowed(to: key, with: [.applicationLabel: hash]), unless: others))
        }
        return targets
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
    func narrowed(
        to record: ItemRecord, with more: [ItemAttribute: AttributeValue] = [:]
    ) -> RecordFilter {
        RecordFilter(
            itemClass: itemClass, reference: record.reference, attributes: attributes.merging(more) { $1 },
            accessGroups: accessGroups, condition: condition)
    }
}
