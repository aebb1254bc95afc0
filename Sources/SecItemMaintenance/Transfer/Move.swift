// SPDX-License-Identifier: Apache-2.0

import SecItemSQLite
import SecItemStore

/// Copies the items of one store into another, and deletes those that have arrived where they came from if that is wanted.
package enum Move {
    /// What to do.
    package struct Options: Sendable {
        /// Whether items that are in the other store now are deleted from the source.
        package var deletesSource = false
        /// Whether items that are in the other store with another content get the source's.
        package var replaces = false

        package init() {}
    }

    /// What was done.
    package struct Summary: Sendable {
        /// What became of the items in the other store.
        package var tally = TransferTally()
        /// Items that were deleted from the source.
        package var deleted = 0
        /// Items of the source that cannot be read. They stay.
        package var damaged: [DamagedItem] = []
        /// The access groups of the items.
        package var accessGroups: Set<String> = []

        /// Whether all that the source had is in the other store.
        package var isComplete: Bool { tally.isComplete && damaged.isEmpty }
    }

    /// Moves all items.
    ///
    /// Each item is read back from the other store. Only when all were copied are items deleted from the source, each only
    /// while it is as the other store has it; if one was not, nothing is deleted. It may be done again after a crash, to the same end.
    ///
    /// - Throws: ``StoreError/Code/unsupported`` when the two are the same store; ``StoreError/Code/locked`` when one is
    ///   locked. What was copied until then stays, and the source has all it had or the other store has it.
    package static func run(
        from source: any KeychainStore, to target: any KeychainStore, _ options: Options = Options(),
        interaction: Interaction = .allowed, progress: MaintenanceProgress = .unwatched
    ) throws(StoreError) -> Summary {
        guard !source.isSamePlace(as: target) else {
            throw StoreError(.unsupported, "the two names mean the same keychain")
        }
        var summary = Summary()
        var references: [PersistentReference] = []
        try StoreSurvey.run(source, interaction: interaction) { (item) throws(StoreError) in
            switch item {
            case .item(let record):
                references.append(record.reference)
                if let group = record.attributes[.accessGroup]?.string { summary.accessGroups.insert(group) }
            case .locked: throw StoreError(.locked, "the store is locked")
            case .guarded: throw StoreError(.locked, "the keychain has an item that only an authentication opens")
            case .damaged(let item): summary.damaged.append(item)
            }
        }
        let move = MoveUnderWay(source: source, target: target, interaction: interaction)
        let steps = references.count * (options.deletesSource ? 2 : 1)
        var transfer = ItemTransfer(into: target, replacing: options.replaces, interaction: interaction)
        for (index, reference) in references.enumerated() {
            // Somebody may have deleted it meanwhile.
            if let record = try move.item(reference) { try transfer.put(record) }
            progress.tell(index + 1, of: steps)
        }
        try transfer.flush()
        summary.tally = transfer.tally
        guard options.deletesSource, summary.isComplete else { return summary }
        for (index, reference) in references.enumerated() {
            if try move.deleteIfArrived(reference) { summary.deleted += 1 }
            progress.tell(references.count + index + 1, of: steps)
        }
        return summary
    }
}

/// The two ends of a move.
private struct MoveUnderWay {
    let source: any KeychainStore
    let target: any KeychainStore
    let interaction: Interaction

    /// The source's item of that reference, if it is still there.
    func item(_ reference: PersistentReference) throws(StoreError) -> ItemRecord? {
        try source.records(
            matching: RecordFilter(itemClass: reference.itemClass, reference: reference),
            parts: [.attributes, .secrets], limit: 1, interaction: interaction
        ).first
    }

    /// Deletes an item from the source if the other store has it as it is now.
    func deleteIfArrived(_ reference: PersistentReference) throws(StoreError) -> Bool {
        guard let record = try item(reference), try hasArrived(record) else { return false }
        let step = RecordDeletion(record.unchangedFilter, atMost: 1)
        guard try source.delete([step], interaction: interaction) == 1 else { return false }
        // Two ways to one store would be told apart nowhere else.
        guard try hasArrived(record) else {
            try source.insert(record, interaction: interaction)
            throw StoreError(.unsupported, "both names mean the same store, where the deleted item is gone too")
        }
        return true
    }

    private func hasArrived(_ record: ItemRecord) throws(StoreError) -> Bool {
        try target.records(
            matching: record.primaryKeyFilter, parts: [.attributes, .secrets], limit: nil, interaction: interaction
        ).contains { $0.hasSameContent(as: record) }
    }
}
