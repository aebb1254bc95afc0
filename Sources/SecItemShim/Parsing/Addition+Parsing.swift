// SPDX-License-Identifier: Apache-2.0

import SecItemStore

extension Addition {
    /// - Throws: Apple's status for the mistake in the dictionary: see `docs/compatibility.md`.
    init(parsing dictionary: CallerDictionary) throws(KeychainError) {
        let request = try RequestParser(dictionary, for: .newItem)
        try request.use.requireNoSkipping()
        try request.use.requireNoItemList()
        if case .row = request.reference { throw .param("a new item has no persistent reference yet") }
        var attributes = request.attributes
        try attributes.resolveAccessControl(ofChip: request.live?.isOfChip ?? false)
        switch request.live {
        case .identity(let certificate, let key):
            self = .identity(
                certificate: try request.half(certificate, attributes), key: try request.half(key, attributes))
        case _ where request.itemClass == .identity: throw .param("an identity can only be added with kSecValueRef")
        case .item(let live):
            try attributes.add(itemOf: live)
            self = .item(try request.item(request.itemClass, attributes, isOfChip: live.isOfChip))
        case nil: self = .item(try request.item(request.itemClass, attributes, isOfChip: false))
        }
    }
}

extension NewItem {
    /// Reads an item that is not an identity.
    ///
    /// - Throws: As an ``Addition``; `errSecParam` for an identity.
    init(parsing dictionary: CallerDictionary) throws(KeychainError) {
        guard case .item(let item) = try Addition(parsing: dictionary) else {
            throw .param("an identity is not a single item")
        }
        self = item
    }
}

extension RequestParser {
    /// - Throws: The errors of ``AttributeParser/requireToken(ofChip:)``.
    fileprivate func item(
        _ itemClass: ItemClass, _ attributes: AttributeParser, isOfChip: Bool
    ) throws(KeychainError) -> NewItem {
        try attributes.requireToken(ofChip: isOfChip)
        return NewItem(
            itemClass: itemClass, attributes: attributes.attributes, secrets: attributes.secrets,
            constraints: attributes.constraints, kinds: returned.kinds, asking: use.asking(for: .adding))
    }

    /// Reads one half of an identity. The caller's attributes apply to both halves.
    ///
    /// - Throws: `errSecNoSuchAttr` for an attribute that the half's class does not have.
    fileprivate func half(_ live: LiveObject, _ common: AttributeParser) throws(KeychainError) -> NewItem {
        let schema = ItemSchema.schema(of: live.itemClass)
        if let other = common.attributes.keys.first(where: { schema[$0] == nil }) {
            throw .noSuchAttr("the class '\(live.itemClass.rawValue)' has no attribute '\(other.code)'")
        }
        var attributes = common
        try attributes.add(itemOf: live)
        return try item(live.itemClass, attributes, isOfChip: live.isOfChip)
    }
}
