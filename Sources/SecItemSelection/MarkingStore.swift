// SPDX-License-Identifier: Apache-2.0

#if Gnome || Desktop
    import SecItemShim
    import SecItemStore

    /// A store that records that an application has items in it, before the first item arrives.
    final class MarkingStore: ForwardingStore {
        let base: any KeychainStore
        private let remember: @Sendable () throws(StoreError) -> (any Reminder)?

        /// - Parameter remember: Begins a reminder, or gives nil if there is one already.
        init(_ base: any KeychainStore, remember: @escaping @Sendable () throws(StoreError) -> (any Reminder)?) {
            self.base = base
            self.remember = remember
        }

        func insert(_ record: ItemRecord, interaction: Interaction) throws(StoreError) {
            try remembering(unless: Self.saysThatNothingWasStored) { () throws(StoreError) in
                try base.insert(record, interaction: interaction)
                return 1
            }
        }

        func insert(_ records: [ItemRecord], interaction: Interaction) throws(StoreError) {
            // Some of several items may have been stored before another one failed, and may not have been deleted
            // again.
            try remembering(unless: Self.saysThatNothingWasMoved) { () throws(StoreError) in
                try base.insert(records, interaction: interaction)
                return records.count
            }
        }

        func update(_ steps: [RecordUpdate], interaction: Interaction) throws(StoreError) -> Int {
            guard steps.bringItems else { return try base.update(steps, interaction: interaction) }
            return try remembering(unless: Self.saysThatNothingWasMoved) { () throws(StoreError) in
                try base.update(steps, interaction: interaction)
            }
        }

        /// Runs `body`, which returns how many items were added.
        ///
        /// - Parameter saysNothing: Whether an error means that none was added. If that is not certain, the reminder
        ///   stays. An application that is sent to the Secret Service without need reports an error; one that is
        ///   wrongly not sent there would find its keychain empty.
        @discardableResult
        private func remembering(
            unless saysNothing: (StoreError.Code) -> Bool, _ body: () throws(StoreError) -> Int
        ) throws(StoreError) -> Int {
            let reminder = try remember()
            do throws(StoreError) {
                let count = try body()
                if count > 0 { reminder?.confirm() } else { reminder?.withdraw() }
                return count
            } catch {
                if saysNothing(error.code) { reminder?.withdraw() } else { reminder?.leave() }
                throw error
            }
        }

        private static func saysThatNothingWasStored(_ code: StoreError.Code) -> Bool {
            switch code {
            case .duplicate, .locked, .cancelled, .authenticationFailed, .readOnly, .full, .tooLarge, .unrepresentable,
                .unsupported:
                true
            default: false
            }
        }

        /// Some of many items may have been moved before another one failed, and may not have been moved back.
        private static func saysThatNothingWasMoved(_ code: StoreError.Code) -> Bool {
            [.duplicate, .unrepresentable, .tooMany].contains(code)
        }
    }

    /// A record that an application is about to have items in a store, before it is known whether that succeeds.
    protocol Reminder: Sendable {
        /// The application has items now.
        func confirm()
        /// No item was stored.
        func withdraw()
        /// An item may have been stored.
        func leave()
    }
#endif
