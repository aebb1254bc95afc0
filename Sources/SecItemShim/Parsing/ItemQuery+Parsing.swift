import SecItemStore

extension ItemQuery {
    /// The verbs that find items before they act, and what each of them lets pass.
    enum Verb {
        case copyMatching
        case update
        case delete

        fileprivate var leniency: RequestParser.Leniency {
            switch self {
            case .copyMatching: []
            case .update, .delete: [.matchKeys, .returnKeys]
            }
        }
    }

    /// - Throws: The status that Apple gives for what is wrong with the dictionary: see `docs/compatibility.md`.
    init(parsing dictionary: CallerDictionary, for verb: Verb) throws(KeychainError) {
        let request = try RequestParser(dictionary, ignoring: verb.leniency)
        if verb != .copyMatching { try request.use.requireNoSkipping() }
        if verb != .delete { try request.use.requireNoItemList() }
        try Self.checkReference(request, verb)
        var attributes = request.attributes
        if let live = request.live { try attributes.add(identityOf: live) }
        self.init(
            itemClass: request.itemClass,
            reference: request.reference?.item,
            attributes: attributes.attributes,
            synchronizable: Self.scope(request),
            rules: Self.rules(request),
            limit: request.limit(for: verb),
            kinds: request.returned.kinds,
            interaction: request.use.interaction
        )
    }

    private static func checkReference(_ request: RequestParser, _ verb: Verb) throws(KeychainError) {
        guard let reference = request.reference, request.namesAttributes else { return }
        // An update or delete by UUID narrows the reference by the attributes; everything else is a contradiction.
        if verb == .copyMatching || reference.item == nil {
            throw .param("a persistent reference and attributes exclude each other")
        }
    }

    private static func scope(_ request: RequestParser) -> SynchronizableScope {
        request.attributes.synchronizable ?? (request.reference == nil ? .localOnly : .any)
    }

    private static func rules(_ request: RequestParser) -> MatchRules {
        var rules = request.match.rules
        rules.digest = request.attributes.attributes[.sha1]
        return rules
    }
}

extension RequestParser {
    fileprivate func limit(for verb: ItemQuery.Verb) -> MatchLimit {
        // A reference of the old form is well formed and names no item.
        if case .row = reference { return MatchLimit.none(like: match.limit) }
        return verb == .copyMatching ? match.limit : .all
    }
}
