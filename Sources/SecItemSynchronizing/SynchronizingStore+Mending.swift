// SPDX-License-Identifier: Apache-2.0

import SecItemStore

/// An interrupted move leaves an item in both places, with one reference. The one that changed last is the item, as in
/// look-ups, and the next update or deletion deletes the other one.
///
/// Another process may be in the middle of that move. So the item is changed before the other one is deleted: a process
/// that cannot finish its move takes back only what nobody has changed.
extension SynchronizingStore {
    /// One item in both places.
    struct Pair {
        let own: ItemRecord
        let other: ItemRecord

        /// Whether the item is the one of the shared place. Look-ups choose as this does.
        var isOtherNewer: Bool { other.lastChange > own.lastChange }
    }

    /// Mends the first item that is in both places.
    ///
    /// - Returns: Whether there is one. Then the caller looks again.
    func mend(_ matches: [Matches], _ interaction: Interaction) throws(StoreError) -> Bool {
        let own = Dictionary(matches.flatMap(\.own).map { ($0.reference, $0) }, uniquingKeysWith: { first, _ in first })
        for record in matches.flatMap(\.others) {
            guard let twin = own[record.reference] else { continue }
            _ = try mend(Pair(own: twin, other: record), applying: nil, interaction)
            return true
        }
        return false
    }

    /// Makes the newer record of the two newer still, and deletes the other one.
    ///
    /// - Parameter changes: What becomes of the newer record.
    /// - Returns: Whether the changes were made. If somebody was faster, nothing has changed.
    func mend(
        _ pair: Pair, applying changes: RecordChanges?, _ interaction: Interaction
    ) throws(StoreError) -> Bool {
        var (newer, place, older, otherPlace) = (pair.own, local, pair.other, remote)
        if pair.isOtherNewer { (newer, place, older, otherPlace) = (older, otherPlace, newer, place) }
        let changes = changes ?? RecordChanges(attributes: [:], secrets: [:])
        let changed = try place.update(
            matching: RecordFilter(unchanged: newer), applying: changes, interaction: interaction)
        if changed == 0 { return false }
        let deleted = try otherPlace.delete(matching: RecordFilter(unchanged: older), interaction: interaction)
        if deleted > 0, !newer.isEqualExceptForPlace(older) {
            Self.logger().notice(
                "An interrupted move had left an item in both places, with different values: the one that changed last stays"
            )
        }
        return true
    }

    /// Mends the first item that is about to move, and is at its new place already.
    ///
    /// - Returns: Nil if there is none. Otherwise the caller looks again; `isFinished` says whether the step is done for
    ///   this item.
    func mend(
        _ plan: UpdatePlan, _ steps: [RecordUpdate], _ interaction: Interaction
    ) throws(StoreError) -> (step: Int, isFinished: Bool)? {
        func twin(of record: ItemRecord, in store: any KeychainStore) throws(StoreError) -> ItemRecord? {
            try store.records(
                matching: RecordFilter(itemClass: record.itemClass, reference: record.reference),
                parts: [.attributes, .secrets], limit: 1, interaction: interaction
            ).first
        }
        func finish(_ pair: Pair, _ step: Int, isThere: Bool) throws(StoreError) -> (step: Int, isFinished: Bool) {
            let isMended = try mend(pair, applying: isThere ? steps[step].changes : nil, interaction)
            return (step, isThere && isMended)
        }
        for move in plan.leaving {
            guard let other = try twin(of: move.old, in: shared) else { continue }
            let pair = Pair(own: move.old, other: other)
            return try finish(pair, move.index, isThere: pair.isOtherNewer)
        }
        for move in plan.arriving {
            guard let own = try twin(of: move.old, in: local) else { continue }
            let pair = Pair(own: own, other: move.old)
            return try finish(pair, move.index, isThere: !pair.isOtherNewer)
        }
        return nil
    }
}
