// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

extension SynchronizingStore {
    package func update(_ steps: [RecordUpdate], interaction: Interaction) throws(StoreError) -> Int {
        let mayMove = steps.contains { $0.changes.mayMove($0.filter) }
        if !mayMove, steps.allSatisfy(\.filter.isLocalOnly) {
            return try local.update(steps, interaction: interaction)
        }
        // A place that is locked refuses before the other one changes.
        let needsSecrets = mayMove || steps.contains { !$0.changes.secrets.isEmpty }
        let parts: RecordParts = needsSecrets ? [.attributes, .secrets] : .attributes
        return try lookingAgain { () throws(StoreError) in
            let matches = try matches(of: steps, parts, interaction)
            if matches.contains(where: \.isEmpty) { return 0 }
            if try settle(matches, interaction) { return nil }
            let plan = try UpdatePlan(steps, matches)
            if try settle(plan, interaction) { return nil }
            try requireUnique(plan.newKeys.own, plan.newKeys.others, reachesBoth: plan.reachesBoth)
            return try run(plan, interaction)
        }
    }

    // MARK: The plan

    /// An item that leaves one place for the other one.
    private struct Move {
        let old: ItemRecord
        /// The item as it will be, but dated before `old`.
        ///
        /// While an item is in both places, the one that changed last counts. So it is the old one, or else what somebody
        /// has made of the new one.
        let copy: ItemRecord
        /// Selects the old one as long as nobody has changed it.
        let filter: RecordFilter

        init(_ old: ItemRecord, _ new: ItemRecord, _ filter: RecordFilter) {
            var copy = new
            copy.attributes[.modificationDate] = .date(old.lastChange.addingTimeInterval(-0.000_002))
            (self.old, self.copy, self.filter) = (old, copy, filter.narrowed(toUnchanged: old))
        }
    }

    /// The parts of an update, by place.
    private struct UpdatePlan {
        var ownUpdates: [RecordUpdate] = []
        var otherUpdates: [RecordUpdate] = []
        /// Items that move to this machine.
        var arriving: [Move] = []
        /// Items that move to the shared place.
        var leaving: [Move] = []
        /// The records that get another primary key or place, as they will be.
        var newKeys = Matches()

        var reachesBoth: Bool {
            !arriving.isEmpty || !leaving.isEmpty || (!ownUpdates.isEmpty && !otherUpdates.isEmpty)
        }

        init(_ steps: [RecordUpdate], _ matches: [Matches]) throws(StoreError) {
            for (step, found) in zip(steps, matches) {
                if step.changes.mayMove(step.filter) { try addMoves(step, found) } else { try addUpdates(step, found) }
            }
            if leaving.contains(where: { $0.old.guardedSecrets != nil }) {
                throw StoreError(
                    .unsupported, "secrets that only an authentication opens cannot be moved to another store")
            }
        }

        /// Adds a step that moves nothing. The stores evaluate its filter again, as part of the change.
        private mutating func addUpdates(_ step: RecordUpdate, _ found: Matches) throws(StoreError) {
            if !found.own.isEmpty { ownUpdates.append(step.limited(to: step.filter, besides: found.others.count)) }
            if !found.others.isEmpty, let filter = step.filter.inSharedPlace {
                otherUpdates.append(step.limited(to: filter, besides: found.own.count))
            }
            guard step.changes.mayChangeKey(step.filter.itemClass) else { return }
            for record in found.own { newKeys.own.append(try record.applying(step.changes)) }
            for record in found.others { newKeys.others.append(try record.applying(step.changes)) }
        }

        /// Adds a step that may move records, each by itself.
        private mutating func addMoves(_ step: RecordUpdate, _ found: Matches) throws(StoreError) {
            let changesKey = step.changes.mayChangeKey(step.filter.itemClass)
            for record in found.own {
                let new = try record.applying(step.changes)
                // An item that stays synchronizable stays where it is: it may be older than this store.
                if !new.belongsInSharedPlace || record.belongsInSharedPlace {
                    ownUpdates.append(RecordUpdate(step.filter.narrowed(to: record), applying: step.changes))
                    if changesKey { newKeys.own.append(new) }
                } else {
                    leaving.append(Move(record, new, step.filter))
                    newKeys.others.append(new)
                }
            }
            guard let filter = step.filter.inSharedPlace else { return }
            for record in found.others {
                let new = try record.applying(step.changes)
                if new.belongsInSharedPlace {
                    otherUpdates.append(RecordUpdate(filter.narrowed(to: record), applying: step.changes))
                    if changesKey { newKeys.others.append(new) }
                } else {
                    arriving.append(Move(record, new, filter))
                    newKeys.own.append(new)
                }
            }
        }
    }

    /// Leaves one record of each item that is about to move, and is at its new place already.
    ///
    /// - Returns: Whether there are such items. Then the caller looks again.
    private func settle(_ plan: UpdatePlan, _ interaction: Interaction) throws(StoreError) -> Bool {
        func twin(of record: ItemRecord, in store: any KeychainStore) throws(StoreError) -> ItemRecord? {
            try store.records(
                matching: RecordFilter(itemClass: record.itemClass, reference: record.reference),
                parts: [.attributes, .secrets], limit: 1, interaction: interaction
            ).first
        }
        var isAny = false
        for move in plan.leaving {
            guard let other = try twin(of: move.old, in: shared) else { continue }
            try settle(move.old, other, interaction)
            isAny = true
        }
        for move in plan.arriving {
            guard let own = try twin(of: move.old, in: local) else { continue }
            try settle(own, move.old, interaction)
            isAny = true
        }
        return isAny
    }

    // MARK: The change

    /// Makes the changes: in the shared place, then here, and at last the deletion of what has moved here.
    ///
    /// - Returns: The number of changed records; nil if somebody was faster, and nothing has changed.
    private func run(_ plan: UpdatePlan, _ interaction: Interaction) throws(StoreError) -> Int? {
        var count = 0
        if !plan.otherUpdates.isEmpty {
            count = try remote.update(plan.otherUpdates, interaction: interaction)
            if count == 0 { return nil }
        }
        if !plan.leaving.isEmpty {
            try secondHalf(after: count > 0) { () throws(StoreError) in
                try remote.insert(plan.leaving.map(\.copy), interaction: interaction)
            }
            count += plan.leaving.count
        }
        if !plan.ownUpdates.isEmpty {
            let changed = try secondHalf(after: count > 0) { () throws(StoreError) in
                let changed = try local.update(plan.ownUpdates, interaction: interaction)
                if changed == 0 && count > 0 && plan.ownUpdates.count > 1 { throw .overtaken }
                return changed
            }
            count += changed
            if count == 0 { return nil }
        }
        if !plan.arriving.isEmpty {
            try secondHalf(after: count > 0) { () throws(StoreError) in
                try local.insert(plan.arriving.map(\.copy), interaction: interaction)
            }
            count += plan.arriving.count
        }
        try finish(plan.leaving, from: local, to: remote, interaction)
        try finish(plan.arriving, from: remote, to: local, interaction)
        return count
    }

    /// Deletes what has moved, as it was read: a change that somebody was told is stored is not deleted with it.
    private func finish(
        _ moves: [Move], from old: any KeychainStore, to new: any KeychainStore, _ interaction: Interaction
    ) throws(StoreError) {
        if moves.isEmpty { return }
        try secondHalf(after: true) { () throws(StoreError) in
            let deleted = try old.delete(moves.map { RecordDeletion($0.filter) }, interaction: interaction)
            guard deleted == moves.count else { throw .overtaken }
        }
        // The move is done. If this fails, the item only seems to have changed earlier.
        _ = try? new.update(
            moves.map {
                RecordUpdate(
                    RecordFilter(itemClass: $0.old.itemClass, reference: $0.old.reference),
                    applying: RecordChanges(attributes: [:], secrets: [:]))
            }, interaction: .forbidden)
    }
}

extension RecordUpdate {
    /// The step in one place, if that many records match in the other one.
    fileprivate func limited(to filter: RecordFilter, besides count: Int) -> RecordUpdate {
        RecordUpdate(filter, applying: changes, atMost: greatestCount.map { max(0, $0 - count) })
    }
}
