import SecItemStore

extension KeychainEngine {
    /// Makes the changes in every item that the query means, or in none.
    ///
    /// - Throws: `errSecItemNotFound` when the query means no item, `errSecDuplicateItem` when two items would be the
    ///   same, `errSecMissingEntitlement` for a group that is not the application's.
    func update(_ query: ItemQuery, with changes: ItemChanges) throws(KeychainError) {
        let groups = try application.writableGroups(naming: query.accessGroup)
        try check(changes)
        let targets = try targets(of: query, in: groups, setting: changes.attributes.keys)
        let recordChanges = RecordChanges(attributes: changes.attributes, secrets: changes.secrets)
        let count = try asking { () throws(StoreError) in
            try store.update(
                targets.map { RecordUpdate($0.filter, applying: recordChanges) }, interaction: query.interaction)
        }
        if count == 0 { throw .itemNotFound() }
    }

    private func check(_ changes: ItemChanges) throws(KeychainError) {
        if let group = changes.attributes[.accessGroup]?.string {
            _ = try application.groupForNewItem(naming: group)
        }
        if let accessible = changes.attributes[.accessible]?.string.flatMap(Accessible.init) {
            try checkProtection(accessible)
        }
    }
}
