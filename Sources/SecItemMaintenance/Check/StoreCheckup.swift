// SPDX-License-Identifier: Apache-2.0

import SecItemStore

/// Looks at every item of a store: whether it can be read, and whether it is as somebody with the keys wrote it.
package enum StoreCheckup {
    /// What was found.
    package struct Report: Sendable, Equatable {
        /// The number of items that are in order, by class.
        package var items: [ItemClass: Int] = [:]
        /// Items of which something is locked.
        package var locked = 0
        /// Items that cannot be read.
        package var damaged: [DamagedItem] = []
        /// What is wrong with the store as a whole, in words; nil where nothing is.
        package var damage: String?

        package init() {}

        /// How many items are in order.
        package var count: Int { items.values.reduce(0, +) }
        /// Whether nothing is wrong.
        package var isInOrder: Bool { damaged.isEmpty && damage == nil }
    }

    /// Looks at all items.
    ///
    /// - Parameters:
    ///   - store: The store, which others may use meanwhile. Nothing in it is changed.
    ///   - interaction: What to do about items that are locked; those that are skipped are counted.
    /// - Throws: ``StoreError/Code/locked`` when the store is, and locked items are not skipped;
    ///   ``StoreError/Code/unavailable`` when it cannot be read at all.
    package static func run(
        _ store: any KeychainStore, interaction: Interaction = .allowed, progress: MaintenanceProgress = .unwatched
    ) throws(StoreError) -> Report {
        var report = Report()
        var done = 0
        try StoreSurvey.run(store, interaction: interaction) { (item) throws(StoreError) in
            switch item {
            case .item(let record), .guarded(let record): report.items[record.itemClass, default: 0] += 1
            case .locked: report.locked += 1
            case .damaged(let item): report.damaged.append(item)
            }
            done += 1
            progress.tell(done)
        }
        do throws(StoreError) {
            // What look-ups go by.
            try store.embedded?.verify()
        } catch {
            if error.code != .corrupt { throw error }
            report.damage = error.message
        }
        return report
    }
}
