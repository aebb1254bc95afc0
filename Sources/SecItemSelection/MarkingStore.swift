#if Gnome
    import SecItemStore
    import Synchronization

    /// A store that tells, once, when the first item has gone into it.
    final class MarkingStore: KeychainStore {
        private let base: any KeychainStore
        private let mark: @Sendable () -> Void
        private let isMarked = Atomic(false)

        init(_ base: any KeychainStore, mark: @escaping @Sendable () -> Void) {
            self.base = base
            self.mark = mark
        }

        var summary: String { base.summary }
        var isPassphraseProtected: Bool { base.isPassphraseProtected }

        func insert(_ record: ItemRecord, interaction: Interaction) throws(StoreError) {
            try base.insert(record, interaction: interaction)
            if !isMarked.exchange(true, ordering: .relaxed) { mark() }
        }

        func records(
            matching filter: RecordFilter, parts: RecordParts, limit: Int?, interaction: Interaction
        ) throws(StoreError) -> [ItemRecord] {
            try base.records(matching: filter, parts: parts, limit: limit, interaction: interaction)
        }

        func update(
            matching filter: RecordFilter, applying changes: RecordChanges, interaction: Interaction
        ) throws(StoreError) -> Int {
            try base.update(matching: filter, applying: changes, interaction: interaction)
        }

        func delete(matching filter: RecordFilter, interaction: Interaction) throws(StoreError) -> Int {
            try base.delete(matching: filter, interaction: interaction)
        }
    }
#endif
