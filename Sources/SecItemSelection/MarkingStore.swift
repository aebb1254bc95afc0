#if Gnome
    import SecItemStore
    import Synchronization

    /// A store that tells, once, when the first item has gone into it.
    final class MarkingStore: ForwardingStore {
        let base: any KeychainStore
        private let mark: @Sendable () -> Void
        private let isMarked = Atomic(false)

        init(_ base: any KeychainStore, mark: @escaping @Sendable () -> Void) {
            self.base = base
            self.mark = mark
        }

        func insert(_ record: ItemRecord, interaction: Interaction) throws(StoreError) {
            try base.insert(record, interaction: interaction)
            if !isMarked.exchange(true, ordering: .relaxed) { mark() }
        }
    }
#endif
