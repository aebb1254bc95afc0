import SecItemStore
import Synchronization

/// The store under test, and what look-ups wanted of it.
final class WatchedStore: KeychainStore {
    private let store: any KeychainStore
    private let allWanted = Mutex<RecordParts>([])
    private let interaction = Mutex<Interaction?>(nil)

    init(_ store: any KeychainStore) {
        self.store = store
    }

    /// Every part that a look-up has asked for so far.
    var wanted: RecordParts { allWanted.withLock { $0 } }

    /// What the last look-up allowed the store to ask.
    var lastInteraction: Interaction? { interaction.withLock { $0 } }

    var summary: String { store.summary }
    var isPassphraseProtected: Bool { store.isPassphraseProtected }

    func insert(_ record: ItemRecord, interaction: Interaction) throws(StoreError) {
        try store.insert(record, interaction: interaction)
    }

    func records(
        matching filter: RecordFilter, parts: RecordParts, limit: Int?, interaction: Interaction
    ) throws(StoreError) -> [ItemRecord] {
        allWanted.withLock { $0.formUnion(parts) }
        self.interaction.withLock { $0 = interaction }
        return try store.records(matching: filter, parts: parts, limit: limit, interaction: interaction)
    }

    func update(
        matching filter: RecordFilter, applying changes: RecordChanges, interaction: Interaction
    ) throws(StoreError) -> Int {
        try store.update(matching: filter, applying: changes, interaction: interaction)
    }

    func delete(matching filter: RecordFilter, interaction: Interaction) throws(StoreError) -> Int {
        try store.delete(matching: filter, interaction: interaction)
    }
}
