// SPDX-License-Identifier: Apache-2.0

import SecItemStore

/// A store that runs a closure just before each update and delete, as if somebody else had used the store at that
/// moment.
final class InterveningStore: ForwardingStore {
    let base: any KeychainStore
    private let intervene: @Sendable () -> Void

    init(_ base: any KeychainStore, beforeChanges intervene: @escaping @Sendable () -> Void) {
        self.base = base
        self.intervene = intervene
    }

    func update(_ steps: [RecordUpdate], interaction: Interaction) throws(StoreError) -> Int {
        intervene()
        return try base.update(steps, interaction: interaction)
    }

    func delete(_ steps: [RecordDeletion], interaction: Interaction) throws(StoreError) -> Int {
        intervene()
        return try base.delete(steps, interaction: interaction)
    }
}
