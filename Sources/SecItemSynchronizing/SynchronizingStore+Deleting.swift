// SPDX-License-Identifier: Apache-2.0

import SecItemStore

extension SynchronizingStore {
    package func delete(_ steps: [RecordDeletion], interaction: Interaction) throws(StoreError) -> Int {
        let filters = steps.flatMap { [$0.filter] + ($0.unless.map { [$0] } ?? []) }
        if filters.allSatisfy(\.isLocalOnly) { return try local.delete(steps, interaction: interaction) }
        return try lookingAgain { () throws(StoreError) in
            let matches = try matches(of: steps, .attributes, interaction)
            if matches.contains(where: \.isEmpty) { return 0 }
            if try settle(matches, interaction) { return nil }
            let meant = Set(matches.flatMap { $0.own + $0.others }.map(\.reference))
            var own: [RecordDeletion] = [], others: [RecordDeletion] = []
            for (step, found) in zip(steps, matches) {
                if let unless = step.unless {
                    let keepers = try self.matches(of: unless, .attributes, interaction)
                    if !(keepers.own + keepers.others).allSatisfy({ meant.contains($0.reference) }) { continue }
                }
                // The stores evaluate the filter again, as part of the deletion.
                if !found.own.isEmpty { own.append(step.limited(to: step.filter, besides: found.others.count)) }
                if !found.others.isEmpty, let filter = step.filter.inSharedPlace {
                    others.append(step.limited(to: filter, besides: found.own.count))
                }
            }
            if own.isEmpty && others.isEmpty { return 0 }
            var count = 0
            if !others.isEmpty {
                count = try remote.delete(others, interaction: interaction)
                if count == 0 { return nil }
            }
            if own.isEmpty { return count }
            return try secondHalf(after: count > 0) { () throws(StoreError) in
                let deleted = try local.delete(own, interaction: interaction)
                if deleted > 0 { return count + deleted }
                if count == 0 { return nil }
                // Somebody has deleted those of this machine, or changed them so that they match no longer.
                if own.count > 1 { throw .overtaken }
                return count
            }
        }
    }
}

extension RecordDeletion {
    /// The step in one place, if that many records match in the other one. What keeps the records was looked for in both.
    fileprivate func limited(to filter: RecordFilter, besides count: Int) -> RecordDeletion {
        RecordDeletion(filter, atMost: greatestCount.map { max(0, $0 - count) })
    }
}
