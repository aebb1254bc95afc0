// SPDX-License-Identifier: Apache-2.0

import SecItemStore

extension SynchronizingStore {
    /// The records that a step selects in each place.
    struct Matches {
        var own: [ItemRecord] = []
        var others: [ItemRecord] = []

        var isEmpty: Bool { own.isEmpty && others.isEmpty }
    }

    /// Evaluates all filters, never in the copy.
    ///
    /// - Throws: ``StoreError/Code/tooMany`` if a step selects more than it may.
    func matches(
        of steps: [some RecordStep], _ parts: RecordParts, _ interaction: Interaction
    ) throws(StoreError) -> [Matches] {
        try steps.map { (step) throws(StoreError) in
            let found = try matches(of: step.filter, parts, interaction)
            try step.requireCount(Set((found.own + found.others).map(\.reference)).count)
            return found
        }
    }

    func matches(
        of filter: RecordFilter, _ parts: RecordParts, _ interaction: Interaction
    ) throws(StoreError) -> Matches {
        func find(_ store: any KeychainStore, _ filter: RecordFilter) throws(StoreError) -> [ItemRecord] {
            do throws(StoreError) {
                return try store.records(matching: filter, parts: parts, limit: nil, interaction: interaction)
            } catch {
                guard error.code == .corrupt else { throw error }
                return []
            }
        }
        var result = Matches(own: try find(local, filter))
        if let filter = filter.inSharedPlace { result.others = try find(shared, filter) }
        return result
    }

    /// Runs `body` again if somebody has changed the records between its look and its change.
    ///
    /// - Parameter body: Returns nil in that case. It has changed nothing then.
    func lookingAgain(_ body: () throws(StoreError) -> Int?) throws(StoreError) -> Int {
        for _ in 0..<8 {
            if let count = try body() { return count }
        }
        throw .overtaken
    }

    /// Makes a part of a change, and says so if another part is done already and this one fails.
    func secondHalf<Result>(
        after isBegun: Bool, _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        do throws(StoreError) {
            return try body()
        } catch {
            if !isBegun { throw error }
            throw StoreError(
                error.code,
                "only one of two places has changed; call again to complete the change: \(error.message)",
                underlying: error.underlying)
        }
    }

    // MARK: Interrupted moves

    /// Leaves one record of each item that a move has left in both places.
    ///
    /// - Returns: Whether there are such items. Then the caller looks again.
    func settle(_ matches: [Matches], _ interaction: Interaction) throws(StoreError) -> Bool {
        let own = Dictionary(matches.flatMap(\.own).map { ($0.reference, $0) }, uniquingKeysWith: { first, _ in first })
        var isAny = false
        for other in matches.flatMap(\.others) {
            guard let own = own[other.reference] else { continue }
            try settle(own, other, interaction)
            isAny = true
        }
        return isAny
    }

    /// Deletes the older record of an item that is in both places. Look-ups choose as this does.
    ///
    /// The newer one is changed first, because another process may be about to delete it, in the middle of that move.
    /// If somebody is faster, nothing is deleted.
    func settle(_ own: ItemRecord, _ other: ItemRecord, _ interaction: Interaction) throws(StoreError) {
        var (newer, place, older, otherPlace) = (own, local, other, remote)
        if other.lastChange > own.lastChange { (newer, place, older, otherPlace) = (older, otherPlace, newer, place) }
        let changed = try place.update(
            matching: RecordFilter(unchanged: newer), applying: RecordChanges(attributes: [:], secrets: [:]),
            interaction: interaction)
        if changed == 0 { return }
        let deleted = try otherPlace.delete(matching: RecordFilter(unchanged: older), interaction: interaction)
        if deleted == 0 { return }
        ReplicatedStore.logger().notice(
            "An interrupted move had left an item in both places: the one that changed last stays")
    }
}

extension StoreError {
    /// Another program has changed the items meanwhile.
    static var overtaken: StoreError { StoreError(.unavailable, "other programs keep changing the items") }
}
