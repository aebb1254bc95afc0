// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import SecItemSealing
    import SecItemStore

    extension PostgreSQLStore {
        struct Access {
            let keychain: Keychain
            let keys: KeySet
            /// Whether the store may still unlock itself, so that a locked item is an error even if it could be skipped.
            let mayUnlock: Bool

            var store: Int64 { keychain.row.number }
            var storeID: [UInt8] { keychain.storeID }
        }

        /// Runs one operation with the available keys. If it needs more keys and they can be had, it runs again.
        ///
        /// - Parameters:
        ///   - makesIt: Whether the operation creates the keychain.
        ///   - body: The operation. It receives a place to record damage.
        /// - Returns: What `body` returns, or nil if there is no keychain.
        func perform<Result>(
            _ interaction: Interaction, makesIt: Bool = false,
            _ body: (Access, inout DamageReport) throws(StoreError) -> Result
        ) throws(StoreError) -> Result? {
            let mayAsk = interaction == .allowed
            observation.goOn()
            let found = makesIt ? try made(mayAsk: mayAsk) : try opened(mayAsk: mayAsk)
            guard var keychain = found else { return nil }
            forgetFailureOfAnotherFile()
            for _ in 1..<Self.mostKeys {
                do throws(StoreError) {
                    return try perform(keychain, interaction, body)
                } catch {
                    guard error.postgreSQL?.kind == .missingKeychain else { throw error }
                    forget(keychain)
                    // One that was deleted never seems empty, and is not made again.
                    guard let next = try opened(mayAsk: mayAsk) else { throw error }
                    logger.debug("The keychain has new keys", metadata: ["place": "\(summary)"])
                    keychain = next
                }
            }
            return try perform(keychain, interaction, body)
        }

        /// The number of times that one call may find new keys.
        private static let mostKeys = 4

        /// Makes the next call read the keychain again.
        func forget(_ keychain: Keychain) {
            state.withLock { state in
                guard state.keychain?.row.number == keychain.row.number else { return }
                state.keychain = nil
                state.keys = nil
            }
        }

        private func perform<Result>(
            _ keychain: Keychain, _ interaction: Interaction,
            _ body: (Access, inout DamageReport) throws(StoreError) -> Result
        ) throws(StoreError) -> Result {
            try unlockingItself(interaction) { (isLast, damage) throws(StoreError) in
                do throws(StoreError) {
                    return try body(access(keychain, isLast: isLast), &damage)
                } catch {
                    // What looks like damage with old keys is none.
                    if error.postgreSQL?.kind == .missingKeychain { damage = DamageReport() }
                    throw error
                }
            }
        }

        private func access(_ keychain: Keychain, isLast: Bool) throws(StoreError) -> Access {
            let (keys, mayUnlock) = state.withLock { state in
                (
                    state.keychain?.row.number == keychain.row.number ? state.keys : nil,
                    !isLast && state.isOpenable && state.unlocking.mayUnlockItself
                )
            }
            // Another thread has found new keys.
            guard let keys else { throw .missingKeychain }
            return Access(keychain: keychain, keys: keys, mayUnlock: mayUnlock)
        }
    }
#endif
