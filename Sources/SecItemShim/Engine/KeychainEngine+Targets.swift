// SPDX-License-Identifier: Apache-2.0

import SecItemStore

/// The records that one step of an update or delete changes.
struct Target {
    var filter: RecordFilter
    /// If this filter matches another record, the step deletes nothing.
    var unless: RecordFilter?
    /// The greatest number of records that may match, or nil for any number.
    var greatestCount: Int?
}

extension KeychainEngine {
    /// The targets of an update or delete. Every step must match a record.
    ///
    /// - Parameter set: The attributes that an update sets.
    /// - Throws: `errSecItemNotFound` if no item matches, `errSecParam` if more items match than the limit allows,
    ///   `errSecNoSuchAttr` if one half of an identity does not have an attribute.
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

    /// A limit does not choose among the matches: the call is refused if more items match than the limit.
    private func targets(
        _ filter: RecordFilter, limit: Int?, _ interaction: Interaction
    ) throws(KeychainError) -> [Target] {
        guard let limit, filter.reference == nil else { return [Target(filter: filter)] }
        let (more, isTooLarge) = limit.addingReportingOverflow(1)
        let found = try records(filter, [], limit: isTooLarge ? nil : more, interaction)
        if found.isEmpty { throw .itemNotFound() }
        if found.count > limit { throw .param("more items match than kSecMatchLimit allows") }
        // The filter is used instead of the found records. A look-up on the Secret Service also finds items of other
        // programs, which a change does not touch unless the query names their owner. The store counts again, because
        // others may add a matching item before the change.
        return [Target(filter: filter, greatestCount: limit)]
    }

    /// All certificates and then all keys, each with all conditions of the query.
    private func halves(
        of filter: IdentityFilter, _ query: ItemQuery, setting set: some Collection<ItemAttribute>
    ) throws(KeychainError) -> [Target] {
        if query.limit.maximum != nil { throw .param("an update or delete of identities has no limit") }
        let named = filter.attributes + set
        try requireAttributes(named, of: .certificate)
        do throws(KeychainError) {
            try requireAttributes(named, of: .key)
        } catch {
            // Apple's keychain looks for certificates before it checks the attributes of the keys.
            if try records(filter.certificates, [], limit: 1, query.interaction).isEmpty { throw .itemNotFound() }
            throw error
        }
        return [Target(filter: filter.certificates), Target(filter: filter.keysAlone)]
    }

    /// The certificates and keys of the identities that a look-up finds. A delete keeps a key while another certificate
    /// belongs to it.
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
