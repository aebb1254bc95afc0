// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import SecItemSealing
    import SecItemStore

    extension PostgreSQLStore {
        package var isLocked: Bool {
            guard (try? opened(mayAsk: false)) != nil else {
                return state.withLock { $0.unlocking.isLockedByCaller } || protector.needsPassphrase
            }
            return state.withLock { $0.keys?.isUnlocked != true }
        }

        package func lock() throws(StoreError) {
            state.withLock { state in
                state.keys = state.keys?.locked()
                state.unlocking.lock()
            }
        }

        package func unlock(passphrase: Secret?) throws(StoreError) {
            do throws(StoreError) {
                try unlockOnce(passphrase)
            } catch {
                // It has new keys.
                guard error.postgreSQL?.kind == .missingKeychain else { throw error }
                if let keychain = state.withLock({ $0.keychain }) { forget(keychain) }
                guard try opened(mayAsk: true) != nil else { throw error }
                try unlockOnce(passphrase)
            }
        }

        private func unlockOnce(_ passphrase: Secret?) throws(StoreError) {
            let attempt = state.withLock { $0.unlocking.attempt(isByCaller: true) }
            var found = try opened(mayAsk: true)
            if found == nil && passphrase != nil {
                guard protector.needsPassphrase else { throw Self.takesNoPassphrase }
                found = try made(mayAsk: true)
            }
            if found == nil {
                try state.withLock { (state) throws(StoreError) in _ = try state.unlocking.succeed(attempt) }
                return
            }
            try turn.take(mayAsk: true)
            defer { turn.leave() }
            try unlock(attempt, passphrase: passphrase, mayAsk: true, file: nil)
        }

        package func withUnlockState<Result>(
            _ body: (inout UnlockState, _ needsPassphrase: Bool, _ isUnlocked: Bool) -> Result
        ) -> Result {
            state.withLock { state in
                body(
                    &state.unlocking, state.keychain?.own.needsPassphrase == true, state.keys?.isUnlocked == true)
            }
        }

        package func unlock(
            _ attempt: UnlockState.Attempt, passphrase: Secret?, mayAsk: Bool, file: [UInt8]?
        ) throws(StoreError) {
            let number = state.withLock { $0.keychain?.row.number }
            // Read again, because another program may have changed the passphrase.
            guard let found = try readKeychain(name), let row = found.row, row.number == number else {
                throw .missingKeychain
            }
            let (root, own) = try rootKey(row, found.deviceKey, name, passphrase, mayAsk: mayAsk)
            let others = try row.header.otherKeys(root)
            try state.withLock { (state) throws(StoreError) in
                guard let known = state.keychain, known.row.number == number else { throw .missingKeychain }
                guard try state.unlocking.succeed(attempt) else { return }
                state.keychain = Keychain(row: row, device: known.device, own: own)
                state.keys = try state.keys?.adding(others)
            }
        }

        /// The root key of a keychain, and its protection.
        ///
        /// - Throws: ``StoreError/Code/authenticationFailed`` if the passphrase is wrong; ``StoreError/Code/locked`` if there
        ///   is none; ``StoreError/Code/unavailable`` if one is given and none is needed.
        func rootKey(
            _ row: KeychainRow, _ deviceKey: DeviceKey, _ name: String, _ given: Secret?, mayAsk: Bool
        ) throws(StoreError) -> (root: Secret, own: any RootKeyProtector) {
            let device = try row.header.check(deviceKey, name: deviceKey.blind(ofKeychain: name))
            let own = try Self.protector(of: row.header, configured: protector)
            if given != nil && !own.needsPassphrase { throw Self.takesNoPassphrase }
            var passphrase = given
            if own.needsPassphrase && passphrase == nil { passphrase = try own.passphrase(mayAsk: mayAsk) }
            return (try row.header.unlocked(own, device: device, passphrase: passphrase).root, own)
        }
    }
#endif
