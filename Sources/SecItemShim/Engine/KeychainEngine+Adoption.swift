// SPDX-License-Identifier: Apache-2.0

import SecItemStore

extension KeychainEngine {
    /// How many items of the application there are, of all classes.
    func countItems(interaction: Interaction) throws(KeychainError) -> Int {
        let groups = try application.readableGroups(naming: nil)
        var count = 0
        for itemClass in ItemClass.stored {
            let filter = RecordFilter(itemClass: itemClass, accessGroups: groups)
            count += try forClient { () throws(StoreError) in
                try store.records(matching: filter, parts: [], limit: nil, interaction: interaction).count
            }
        }
        return count
    }

    /// Moves all items from another identifier's access group into the application's own group, or none.
    ///
    /// - Returns: How many items were moved.
    /// - Throws: `errSecDuplicateItem` if the application already has one of the items, `errSecMissingEntitlement` if
    ///   it may not use the other group, `errSecParam` if the identifier is empty. Then nothing has changed.
    func adopt(itemsOf identifier: String) throws(KeychainError) -> Int {
        if identifier.isEmpty { throw .param("an identifier is empty") }
        _ = try application.writableGroups(naming: identifier)
        let own = try application.groupForNewItem(naming: nil)
        if own.utf8.elementsEqual(identifier.utf8) { return 0 }
        let changes = RecordChanges(attributes: [.accessGroup: .string(own)], secrets: [:])
        // A step without a match stops the whole update, so classes without items are left out. Another program may
        // delete the last item of a class after this check.
        for _ in 0..<Self.attempts {
            let filters = try filtersOfFilledClasses(in: identifier)
            if filters.isEmpty { return 0 }
            let steps = filters.map { RecordUpdate($0, applying: changes) }
            let count = try forClient { () throws(StoreError) in try store.update(steps, interaction: .allowed) }
            if count > 0 { return count }
        }
        throw .notAvailable("other programs keep changing the items: try again")
    }

    private static var attempts: Int { 10 }

    private func filtersOfFilledClasses(in group: String) throws(KeychainError) -> [RecordFilter] {
        var filters: [RecordFilter] = []
        for itemClass in ItemClass.stored {
            let filter = RecordFilter(itemClass: itemClass, accessGroups: [group])
            if try !records(filter, [], limit: 1, .allowed).isEmpty { filters.append(filter) }
        }
        return filters
    }
}
