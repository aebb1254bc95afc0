// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import SecItemStore

    extension FleetStore {
        /// Replaces all keys, and leaves no item out.
        ///
        /// - Returns: How many items were sealed again.
        @discardableResult
        func rekey(keychains: [String], removing removed: [[UInt8]], passphrase: Secret?) throws(StoreError) -> Int {
            try rekey(keychains: keychains, removing: removed, passphrase: passphrase, withoutDamaged: false).sealed
        }
    }
#endif
