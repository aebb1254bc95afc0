// SPDX-License-Identifier: Apache-2.0

import SecItemStore

extension SynchronizingStore {
    package func update(_ steps: [RecordUpdate], interaction: Interaction) throws(StoreError) -> Int {
        let filters = steps.map(\.filter)
        let mayMove = steps.contains { $0.changes.mayMove($0.filter) }
        if !mayMove, filters.allSatisfy(\.isLocalOnly) { return try local.update(steps, interaction: interaction) }
        // How many records of each step an interrupted move had brought where the step moves them.
        var finished = [Int](repeating: 0, count: steps.count)
        return try tryingAgain { () throws(StoreError) in
            let matches = try matches(of: steps, interaction)
            if zip(matches, finished).contains(where: { $0.isEmpty && $1 == 0 }) { return 0 }
            if try mend(matches, interaction) { return nil }
            let plan = try UpdatePlan(steps, matches)
            if let mended = try mend(plan, steps, interaction) {
                if mended.isFinished { finished[mended.step] += 1 }
                return nil
            }
            try requireUnique(plan, matches)
            guard let count = try run(plan, matches, interaction) else { return nil }
            return count + finished.reduce(0, +)
        }
    }

    // MARK: Matches

    /// The records that a step selects in each place.
    struct Matches {
        var own: [ItemRecord] = []
        var others: [ItemRecord] = []

        var isEmpty: Bool { own.isEmpty && others.isEmpty }
        var count: Int { own.count + others.count }
    }

    /// Evaluates all filters, never in the replica.
    ///
    /// - Throws: ``StoreError/Code/tooMany`` if a step selects more than it may.
    func matches(of steps: [some RecordStep], _ interaction: Interaction) throws(StoreError) -> [Matches] {
        try steps.map { (step) throws(StoreError) in
            let found = try matches(of: step.filter, interaction)
            try step.requireCount(found.count)
            return found
        }
    }

    func matches(of filter: RecordFilter, _ interaction: Interaction) throws(StoreError) -> Matches {
        // What is locked is left as it is, and a deletion needs no secrets. Undoing does its best then.
        func find(_ store: any KeychainStore, _ filter: RecordFilter) throws(StoreError) -> [ItemRecord] {
            do throws(StoreError) {
                return try store.records(
                    matching: filter, parts: [.attributes, .secrets], limit: nil, interaction: interaction)
            } catch {
                guard error.code == .locked || error.code == .corrupt else { throw error }
                if error.code == .corrupt { return [] }
                return try store.records(
                    matching: filter, parts: .attributes, limit: nil, interaction: interaction)
            }
        }
        var result = Matches(own: try find(local, filter))
        if let filter = filter.inSharedPlace { result.others = try find(shared, filter) }
        return result
    }

    /// Runs `body` again if somebody has changed the records between its look and its change.
    ///
    /// - Parameter body: Returns nil in that case, after it has undone everything.
    func tryingAgain(_ body: () throws(StoreError) -> Int?) throws(StoreError) -> Int {
        for _ in 0..<8 {
            if let count = try body() { return count }
        }
        throw StoreError(.unavailable, "other programs keep changing the items")
    }

    // MARK: The plan

    /// The parts of an update, by place.
    struct UpdatePlan {
        /// Steps in each place, with the index of the step that each comes from.
        var ownUpdates: [(index: Int, update: RecordUpdate)] = []
        var otherUpdates: [(index: Int, update: RecordUpdate)] = []
        /// Records that move to this machine, as they will be, and as they are in the shared place.
        var arriving: [(index: Int, new: ItemRecord, old: ItemRecord, filter: RecordFilter)] = []
        /// Records that move to the shared place.
        var leaving: [(index: Int, new: ItemRecord, old: ItemRecord, filter: RecordFilter)] = []

        /// Whether anything changes in the shared place.
        var reachesSharedPlace: Bool { !otherUpdates.isEmpty || !arriving.isEmpty || !leaving.isEmpty }

        init(_ steps: [RecordUpdate], _ matches: [Matches]) throws(StoreError) {
            for (index, (step, found)) in zip(steps, matches).enumerated() {
                guard step.changes.mayMove(step.filter) else {
                    // The store evaluates the filter again, as part of the change.
                    if !found.own.isEmpty {
                        ownUpdates.append((index, step.limited(to: step.filter, besides: found.others.count)))
                    }
                    if !found.others.isEmpty, let filter = step.filter.inSharedPlace {
                        otherUpdates.append((index, step.limited(to: filter, besides: found.own.count)))
                    }
                    continue
                }
                for record in found.own {
                    let new = try record.applying(step.changes)
                    let filter = step.filter.narrowed(to: record)
                    // An item that stays synchronizable stays where it is: it may be older than this store.
                    if Place(of: new) == .local || Place(of: record) == .shared {
                        ownUpdates.append((index, RecordUpdate(filter, applying: step.changes)))
                    } else {
                        leaving.append((index, new, record, step.filter.narrowed(toUnchanged: record)))
                    }
                }
                for record in found.others {
                    let new = try record.applying(step.changes)
                    guard let filter = step.filter.inSharedPlace else { continue }
                    if Place(of: new) == .shared {
                        otherUpdates.append((index, RecordUpdate(filter.narrowed(to: record), applying: step.changes)))
                    } else {
                        arriving.append((index, new, record, filter.narrowed(toUnchanged: record)))
                    }
                }
            }
            if leaving.contains(where: { $0.old.guardedSecrets != nil }) {
                throw StoreError(
                    .unsupported, "secrets that only an authentication opens cannot be moved to another store")
            }
        }
    }

    /// Checks the primary keys of what changes them or its place.
    private func requireUnique(_ plan: UpdatePlan, _ matches: [Matches]) throws(StoreError) {
        var own = plan.arriving.map(\.new), others = plan.leaving.map(\.new)
        for (index, update) in plan.ownUpdates where update.changes.mayChangeKey(update.filter.itemClass) {
            own += try matches[index].own.map { (record) throws(StoreError) in try record.applying(update.changes) }
        }
        for (index, update) in plan.otherUpdates where update.changes.mayChangeKey(update.filter.itemClass) {
            others += try matches[index].others.map { (record) throws(StoreError) in
                try record.applying(update.changes)
            }
        }
        if own.isEmpty && others.isEmpty { return }
        var keys: [PrimaryKey: PersistentReference] = [:]
        for record in own + others where record.isSynchronizable {
            let other = keys.updateValue(record.reference, forKey: record.primaryKey)
            // A record with a step of its own is listed once for each of them.
            if let other, other != record.reference {
                throw StoreError(.duplicate, "two items would have the same primary key")
            }
        }
        let changed = Set((own + others).map(\.reference))
        try requireUnique(own, others, except: changed)
    }

    /// Makes the changes.
    ///
    /// - Returns: The number of changed records; nil if somebody was faster, and nothing has changed.
    private func run(
        _ plan: UpdatePlan, _ matches: [Matches], _ interaction: Interaction
    ) throws(StoreError) -> Int? {
        var undo = Undo()
        var count = plan.arriving.count + plan.leaving.count
        do throws(StoreError) {
            if !plan.ownUpdates.isEmpty {
                if plan.reachesSharedPlace {
                    let exact = exact(plan.ownUpdates, matches.map(\.own))
                    guard try update(exact, in: local, interaction, &undo) else { return nil }
                    count += exact.count
                } else {
                    let changed = try local.update(plan.ownUpdates.map(\.update), interaction: interaction)
                    if changed == 0 { return nil }
                    count += changed
                }
            }
            if !plan.arriving.isEmpty {
                try local.insert(plan.arriving.map(\.new), interaction: interaction)
                undo.delete(plan.arriving.map(\.new), from: local)
            }
            if !plan.leaving.isEmpty {
                try remote.insert(plan.leaving.map(\.new), interaction: interaction)
                undo.delete(plan.leaving.map(\.new), from: remote)
            }
            if !plan.otherUpdates.isEmpty {
                if plan.leaving.isEmpty && plan.arriving.isEmpty {
                    // The last part: nothing can fail after it.
                    let changed = try remote.update(plan.otherUpdates.map(\.update), interaction: interaction)
                    if changed == 0 {
                        undo.run()
                        return nil
                    }
                    count += changed
                } else {
                    let exact = exact(plan.otherUpdates, matches.map(\.others))
                    guard try update(exact, in: remote, interaction, &undo) else {
                        undo.run()
                        return nil
                    }
                    count += exact.count
                }
            }
            if !plan.arriving.isEmpty {
                guard try remove(plan.arriving.map(\.filter), from: remote, interaction) else {
                    undo.run()
                    return nil
                }
                undo.insert(plan.arriving.map(\.old), into: remote)
            }
            if !plan.leaving.isEmpty {
                guard try remove(plan.leaving.map(\.filter), from: local, interaction) else {
                    undo.run()
                    return nil
                }
            }
            return count
        } catch {
            if !error.isOutcomeUnknown { undo.run() }
            throw error
        }
    }

    /// The updates of each record by itself, as it was read. Only so is it known what an undone update gives back.
    private func exact(
        _ updates: [(index: Int, update: RecordUpdate)], _ records: [[ItemRecord]]
    ) -> [(record: ItemRecord, update: RecordUpdate)] {
        updates.flatMap { (index, update) in
            records[index].filter { update.filter.reference == nil || update.filter.reference == $0.reference }
                .map { ($0, RecordUpdate(update.filter.narrowed(toUnchanged: $0), applying: update.changes)) }
        }
    }

    /// Makes updates that may have to be undone.
    ///
    /// - Returns: False if somebody has changed or deleted one of the records. Then this has changed none.
    private func update(
        _ updates: [(record: ItemRecord, update: RecordUpdate)], in store: any KeychainStore,
        _ interaction: Interaction, _ undo: inout Undo
    ) throws(StoreError) -> Bool {
        guard try store.update(updates.map(\.update), interaction: interaction) == updates.count else { return false }
        for (record, update) in updates { undo.restore(record, changedBy: update.changes, in: store) }
        return true
    }

    /// Deletes the records that were moved, as they were read: a change that somebody was told is stored is not deleted
    /// with them.
    ///
    /// - Returns: False if somebody has changed or deleted one of them. Then this has deleted none.
    private func remove(
        _ filters: [RecordFilter], from store: any KeychainStore, _ interaction: Interaction
    ) throws(StoreError) -> Bool {
        try store.delete(filters.map { RecordDeletion($0) }, interaction: interaction) == filters.count
    }
}

extension RecordUpdate {
    /// The step in one place, if that many records match in the other one.
    fileprivate func limited(to filter: RecordFilter, besides count: Int) -> RecordUpdate {
        RecordUpdate(filter, applying: changes, atMost: greatestCount.map { max(0, $0 - count) })
    }
}
