// SPDX-License-Identifier: Apache-2.0

import SecItemStore
import Synchronization

/// Forwards to the store under test, and records what look-ups ask for.
final class WatchedStore: ForwardingStore {
    let base: any KeychainStore
    private let allWanted = Mutex<RecordParts>([])
    private let interaction = Mutex<Interaction?>(nil)

    init(_ base: any KeychainStore) {
        self.base = base
    }

    /// The parts that look-ups have asked for so far.
    var wanted: RecordParts { allWanted.withLock { $0 } }

    /// The interaction that the last look-up allowed.
    var lastInteraction: Interaction? { interaction.withLock { $0 } }

    func records(
        matching filter: RecordFilter, parts: RecordParts, limit: Int?, interaction: Interaction
    ) throws(StoreError) -> [ItemRecord] {
        allWanted.withLock { $0.formUnion(parts) }
        self.interaction.withLock { $0 = interaction }
        return try base.records(matching: filter, parts: parts, limit: limit, interaction: interaction)
    }
}
