// SPDX-License-Identifier: Apache-2.0

import SecItemStore

extension ItemQuery {
    /// The calls that find items before they act.
    enum Verb {
        case copyMatching
        case update
        case delete
    }

    /// - Throws: Apple's status for the mistake in the dictionary: see `docs/compatibility.md`.
    init(parsing dictionary: CallerDictionary, for verb: Verb) throws(KeychainError) {
        let request = try RequestParser(dictionary, for: verb == .copyMatching ? .lookUp : .change)
        if verb != .copyMatching { try request.use.requireNoSkipping() }
        try request.use.requireNoItemList()
        try Self.checkReference(request, verb)
        var attributes = request.attributes
        if let live = request.live { try attributes.add(identityOf: live) }
        var conditions = attributes.attributes
        var rules = request.match.rules
        rules.digest = conditions.removeValue(forKey: .sha1)?.matchKey
        rules.secrets = attributes.secrets.filter { $0.key != .valueData }
        self.init(
            itemClass: request.itemClass,
            reference: request.reference?.item,
            namesNoItem: request.reference.map { $0.item == nil } ?? false,
            attributes: conditions,
            synchronizable: Self.scope(request),
            rules: rules,
            limit: request.limit(for: verb),
            kinds: request.returned.kinds,
            asking: request.use.asking(for: verb == .copyMatching ? .opening : .changing),
            namesIdentity: request.itemClass == .identity && (request.reference != nil || request.live != nil),
            leavesTombstones: request.use.leavesTombstones
        )
    }

    private static func checkReference(_ request: RequestParser, _ verb: Verb) throws(KeychainError) {
        guard let reference = request.reference, request.namesAttributes else { return }
        // An update or delete by UUID combines the reference with the attributes. In all other cases the two contradict
        // each other.
        if verb == .copyMatching || reference.item == nil {
            throw .param("a persistent reference and attributes exclude each other")
        }
    }

    private static func scope(_ request: RequestParser) -> SynchronizableScope {
        request.attributes.synchronizable ?? (request.reference == nil ? .localOnly : .any)
    }
}

extension RequestParser {
    /// The number of items that a call affects without a limit in the query: one for a look-up, all for an update or
    /// delete.
    fileprivate func limit(for verb: ItemQuery.Verb) -> MatchLimit {
        match.limit ?? (verb == .copyMatching ? .one : .all)
    }
}
