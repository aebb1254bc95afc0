// SPDX-License-Identifier: Apache-2.0

import SecItemStore

/// Checks every item of a store: whether it can be read, and whether it is unchanged since a holder of the keys wrote
/// it.
package enum StoreCheckup {
    /// The result of a check.
    package struct Report: Sendable, Equatable {
        /// The number of undamaged items, by class.
        package var items: [ItemClass: Int] = [:]
        /// Items that are locked at least in part.
        package var locked = 0
        /// Items that cannot be read.
        package var damaged: [DamagedItem] = []
        /// The damage to the store as a whole, in words; nil if there is none.
        package var damage: String?

        /// The number of undamaged items.
        package var count: Int { items.values.reduce(0, +) }
        /// Whether nothing is wrong.
        package var isInOrder: Bool { damaged.isEmpty && damage == nil }
    }

    /// Checks all items.
    ///
    /// - Parameters:
    ///   - store: The store. Others may use it meanwhile, and nothing in it changes.
    ///   - interaction: What to do about locked items. Skipped items are counted.
    /// - Throws: ``StoreError/Code/locked`` if the store is locked and locked items are not skipped;
    ///   ``StoreError/Code/unavailable`` if it cannot be read at all.
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
            // Checks the entries that look-ups use.
            try store.embedded?.verify()
        } catch {
            if error.code != .corrupt { throw error }
            report.damage = error.message
        }
        return report
    }
}
