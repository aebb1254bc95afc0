#if Gnome
    import SecItemShim
    import SecItemStore

    /// A store that has it written down, before an item goes into it, that the application has items there.
    final class MarkingStore: ForwardingStore {
        let base: any KeychainStore
        private let remember: @Sendable () throws(StoreError) -> (any Reminder)?

        /// - Parameter remember: Begins a reminder, or gives nil when there is one already.
        init(_ base: any KeychainStore, remember: @escaping @Sendable () throws(StoreError) -> (any Reminder)?) {
            self.base = base
            self.remember = remember
        }

        func insert(_ record: ItemRecord, interaction: Interaction) throws(StoreError) {
            let reminder = try remember()
            do throws(StoreError) {
                try base.insert(record, interaction: interaction)
            } catch {
                // Where it is not certain that nothing was stored, the reminder stays: an application that is sent to the
                // Secret Service in vain says so; one that is not sent there would find its keychain empty.
                if Self.saysThatNothingWasStored(error.code) { reminder?.withdraw() }
                throw error
            }
            reminder?.confirm()
        }

        private static func saysThatNothingWasStored(_ code: StoreError.Code) -> Bool {
            switch code {
            case .duplicate, .locked, .cancelled, .authenticationFailed, .readOnly, .full, .tooLarge, .unrepresentable,
                .unsupported:
                true
            default: false
            }
        }
    }
#endif
