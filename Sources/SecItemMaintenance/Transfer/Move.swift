// SPDX-License-Identifier: Apache-2.0

import SecItemSQLite
import SecItemStore

/// Copies the items of one store into another. On request, deletes the copied items from the source.
package enum Move {
    package struct Options: Sendable {
        /// Whether to delete items from the source after they were copied.
        package var deletesSource = false
        /// Whether items that exist in the target with different content get the source's content.
        package var replaces = false

        package init() {}
    }

    package struct Summary: Sendable {
        /// What happened to the items in the target.
        package var tally = TransferTally()
        /// Items that were deleted from the source.
        package var deleted = 0
        /// Items of the source that cannot be read. They stay there.
        package var damaged: [DamagedItem] = []
        package var accessGroups: Set<String> = []

        /// Whether the target has all items of the source.
        package var isComplete: Bool { tally.isComplete && damaged.isEmpty }
    }

    /// Moves all items.
    ///
    /// Each item is read back from the target. Items are deleted from the source only after all were copied, and each
    /// only if the target has it unchanged. If any was not copied, nothing is deleted. The move can be repeated after a
    /// crash; the result is the same.
    ///
    /// - Throws: ``StoreError/Code/unsupported`` if both are the same store; ``StoreError/Code/unavailable`` if that cannot be
    ///   told; ``StoreError/Code/locked`` if one is
    ///   locked. Items copied until then stay in the target. No item is lost: each is in the source or in the target.
    package static func run(
        from source: any KeychainStore, to target: any KeychainStore, _ options: Options = Options(),
        interaction: Interaction = .allowed, progress: MaintenanceProgress = .unwatched
    ) throws(StoreError) -> Summary {
        guard try !source.isSamePlace(as: target) else {
            throw StoreError(.unsupported, "the two names mean the same keychain")
        }
        var summary = Summary()
        var references: [PersistentReference] = []
        try StoreSurvey.run(source, interaction: interaction) { (item) throws(StoreError) in
            switch item {
            case .item(let record) where record.isTombstone: return
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

/// The source and the target of a move.
private struct MoveUnderWay {
    let source: any KeychainStore
    let target: any KeychainStore
    let interaction: Interaction

    /// The source's item with that reference, if it still exists.
    func item(_ reference: PersistentReference) throws(StoreError) -> ItemRecord? {
        try source.records(
            matching: RecordFilter(itemClass: reference.itemClass, reference: reference),
            parts: [.attributes, .secrets], limit: 1, interaction: interaction
        ).first
    }

    /// Deletes an item from the source if the target has it as it is now.
    func deleteIfArrived(_ reference: PersistentReference) throws(StoreError) -> Bool {
        guard let record = try item(reference), try hasArrived(record) else { return false }
        let step = RecordDeletion(record.unchangedFilter, atMost: 1)
        guard try source.delete([step], interaction: interaction) == 1 else { return false }
        // If both names lead to one store, nothing else would show that.
        guard try hasArrived(record) else {
            try source.insert(record, interaction: interaction)
            throw StoreError(.unsupported, "both names mean the same store, where the deleted item is gone too")
        }
        return true
    }

    private func hasArrived(_ record: ItemRecord) throws(StoreError) -> Bool {
        try target.records(
            matching: RecordFilter(primaryKeyOf: record), parts: [.attributes, .secrets], limit: nil,
            interaction: interaction
        ).contains { $0.hasSameContent(as: record) }
    }
}
