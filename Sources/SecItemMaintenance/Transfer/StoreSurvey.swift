// SPDX-License-Identifier: Apache-2.0

import SecItemStore

#if Gnome || Desktop
    import SecItemGnome
#endif

/// Reads all items of any store, as of one moment.
package enum StoreSurvey {
    /// Calls `visit` with each item, of all classes and access groups.
    ///
    /// If items live in two places, each is read as of one moment. A store that supports surveys does this itself. Any other store is read repeatedly until two readings agree.
    ///
    /// - Throws: ``StoreError/Code/unavailable`` if the items of such a store keep changing; otherwise as
    ///   ``SurveyableStore/survey(interaction:_:)``.
    package static func run(
        _ store: any KeychainStore, interaction: Interaction,
        _ visit: (SurveyedItem) throws(StoreError) -> Void
    ) throws(StoreError) {
        if let store = store.innermost as? any DividedStore {
            try run(store.local, interaction: interaction, visit)
            return try run(store.shared, interaction: interaction) { (item) throws(StoreError) in
                switch item {
                case .item(let record), .guarded(let record): if store.isShared(record) { try visit(item) }
                case .locked, .damaged: try visit(item)
                }
            }
        }
        if let store = store.innermost as? any SurveyableStore {
            return try store.survey(interaction: interaction, visit)
        }
        let records = try agreedRecords(store, interaction)
        // Reported first, before anything is done with the other items.
        for item in try damagedItems(store) { try visit(.damaged(item)) }
        if interaction == .skipped {
            for _ in 0..<(try lockedCount(store)) { try visit(.locked(nil)) }
        }
        for record in records { try visit(.item(record)) }
    }

    /// The items that look-ups in such a store leave out.
    private static func damagedItems(_ store: any KeychainStore) throws(StoreError) -> [DamagedItem] {
        #if Gnome || Desktop
            return try (store.innermost as? LibsecretStore)?.damagedItems() ?? []
        #else
            return []
        #endif
    }

    private static func lockedCount(_ store: any KeychainStore) throws(StoreError) -> Int {
        #if Gnome || Desktop
            return try (store.innermost as? LibsecretStore)?.countLockedItems() ?? 0
        #else
            return 0
        #endif
    }

    private static let attempts = 10

    private static func agreedRecords(
        _ store: any KeychainStore, _ interaction: Interaction
    ) throws(StoreError) -> [ItemRecord] {
        var last = try allRecords(store, interaction)
        for _ in 0..<attempts {
            let next = try allRecords(store, interaction)
            if isSame(last, next) { return next }
            last = next
        }
        throw StoreError(.unavailable, "other programs keep changing the items")
    }

    private static func allRecords(
        _ store: any KeychainStore, _ interaction: Interaction
    ) throws(StoreError) -> [ItemRecord] {
        var records: [ItemRecord] = []
        for itemClass in ItemClass.stored {
            records += try store.records(
                matching: RecordFilter(itemClass: itemClass), parts: [.attributes, .secrets], limit: nil,
                interaction: interaction)
        }
        return records
    }

    private static func isSame(_ records: [ItemRecord], _ others: [ItemRecord]) -> Bool {
        guard records.count == others.count else { return false }
        let others = Dictionary(others.map { ($0.reference, $0) }, uniquingKeysWith: { first, _ in first })
        return records.allSatisfy { record in others[record.reference].map { record.isSame(as: $0) } ?? false }
    }
}

extension KeychainStore {
    /// The store behind all forwarding stores.
    package var innermost: any KeychainStore {
        var store: any KeychainStore = self
        while let front = store as? any ForwardingStore { store = front.base }
        return store
    }
}
