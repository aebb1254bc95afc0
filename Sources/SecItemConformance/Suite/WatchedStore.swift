// SPDX-License-Identifier: Apache-2.0

import SecItemStore
import Synchronization

/// The store under test, and what look-ups wanted of it.
final class WatchedStore: ForwardingStore {
    let base: any KeychainStore
    private let allWanted = Mutex<RecordParts>([])
    private let interaction = Mutex<Interaction?>(nil)

    init(_ base: any KeychainStore) {
        self.base = base
    }

    /// Every part that a look-up has asked for so far.
    var wanted: RecordParts { allWanted.withLock { $0 } }

    /// What the last look-up allowed the store to ask.
    var lastInteraction: Interaction? { interaction.withLock { $0 } }

    func records(
        matching filter: RecordFilter, parts: RecordParts, limit: Int?, interaction: Interaction
    ) throws(StoreError) -> [ItemRecord] {
        allWanted.withLock { $0.formUnion(parts) }
        self.interaction.withLock { $0 = interaction }
        return try base.records(matching: filter, parts: parts, limit: limit, interaction: interaction)
    }
}
