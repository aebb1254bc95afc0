// SPDX-License-Identifier: Apache-2.0

/// A store in front of another one. It forwards everything that it does not do itself.
package protocol ForwardingStore: KeychainStore {
    /// The store behind it.
    var base: any KeychainStore { get }
}

extension ForwardingStore {
    package var summary: String { base.summary }
    package var isPassphraseProtected: Bool { base.isPassphraseProtected }

    package func insert(_ record: ItemRecord, interaction: Interaction) throws(StoreError) {
        try base.insert(record, interaction: interaction)
    }

    package func insert(_ records: [ItemRecord], interaction: Interaction) throws(StoreError) {
        try base.insert(records, interaction: interaction)
    }

    package func records(
        matching filter: RecordFilter, parts: RecordParts, limit: Int?, interaction: Interaction
    ) throws(StoreError) -> [ItemRecord] {
        try base.records(matching: filter, parts: parts, limit: limit, interaction: interaction)
    }

    package func update(_ steps: [RecordUpdate], interaction: Interaction) throws(StoreError) -> Int {
        try base.update(steps, interaction: interaction)
    }

    package func delete(_ steps: [RecordDeletion], interaction: Interaction) throws(StoreError) -> Int {
        try base.delete(steps, interaction: interaction)
    }
}
