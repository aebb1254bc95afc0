// SPDX-License-Identifier: Apache-2.0

import SecItemStore

extension LibsecretStore {
    /// The passwords of other programs in all collections that can be searched, with their secrets. `secret-tool
    /// search` finds the same.
    ///
    /// - Parameter group: The access group that their records get.
    /// - Throws: ``SecItemStore/StoreError/Code/locked`` when some are locked and `interaction` says neither to ask nor to
    ///   skip.
    package func foreignPasswords(in group: String, interaction: Interaction) throws(StoreError) -> [ItemRecord] {
        try reading(interaction) { operation in
            try operation.requireSearchable()
            return try operation.foreignPasswords(in: group)
        }
    }
}

extension Operation {
    fileprivate func foreignPasswords(in group: String) throws -> [ItemRecord] {
        var hits = try session.search([[:]])
        if !session.provider.findsAllWithEmptySearch, let collection = try session.defaultCollection() {
            hits.unlocked = try session.property("Items", of: "Collection", at: collection, type: "ao").strings
        }
        if !hits.locked.isEmpty && interaction != .skipped { throw Need.unlocking(hits.locked) }
        var items: [StoredItem] = []
        for itemClass in [ItemClass.genericPassword, .internetPassword] {
            items += try session.readAny(hits.unlocked, as: itemClass, in: group).items.filter(\.isForeign)
        }
        let secrets = try session.secrets(of: items)
        return items.sorted(by: StoredItem.isOlder).compactMap { item in
            secrets[item.path].map { item.record($0, [.attributes, .secrets]).named(by: item.attributes) }
        }
    }
}

extension ItemRecord {
    /// Names that programs give the account's attribute, beside `username`, which look-ups know.
    private static let accountNames = ["account", "user", "login"]

    /// The record with an account, if the item has one under another name: else items of several accounts would be one.
    fileprivate func named(by attributes: [String: String]) -> ItemRecord {
        guard (self.attributes[.account]?.string ?? "").isEmpty,
            let account = Self.accountNames.lazy.compactMap({ attributes[$0] }).first
        else { return self }
        var new = self.attributes
        new[.account] = .string(account)
        return ItemRecord(reference: reference, attributes: new, secrets: secrets)
    }
}
