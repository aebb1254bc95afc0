import SecItemStore

extension NewItem {
    /// - Throws: The status that Apple gives for what is wrong with the dictionary: see `docs/compatibility.md`.
    init(parsing dictionary: CallerDictionary) throws(KeychainError) {
        let request = try RequestParser(dictionary, for: .newItem)
        try request.use.requireNoSkipping()
        try request.use.requireNoItemList()
        if case .row = request.reference { throw .param("a new item has no persistent reference yet") }
        if request.itemClass == .identity { throw .param("an identity is added as a certificate and a key") }
        var attributes = request.attributes
        try attributes.resolveAccessControl(ofChip: request.live?.isOfChip ?? false)
        if let live = request.live { try attributes.add(itemOf: live) }
        try attributes.requireToken(ofChip: request.live?.isOfChip ?? false)
        self.init(
            itemClass: request.itemClass,
            attributes: attributes.attributes,
            secrets: attributes.secrets,
            kinds: request.returned.kinds,
            interaction: request.use.interaction
        )
    }
}
