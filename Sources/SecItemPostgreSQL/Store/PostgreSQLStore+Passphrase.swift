// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import SecItemSealing
    import SecItemStore

    extension PostgreSQLStore {
        private static var noKeychain: StoreError {
            StoreError(
                .unavailable,
                "there is no keychain yet: it gets the configured passphrase when the first item is stored")
        }

        package func setPassphrase(_ passphrase: Secret?, current: Secret? = nil) throws(StoreError) {
            try setPassphrase(passphrase, current: current, cost: .standard)
        }

        /// Sets, changes or removes the passphrase. The root key is wrapped again; nothing else changes. Programs that have
        /// unlocked the keychain go on. ``lock()`` stays in effect. If this machine's chip is to seal the key file and has not, it
        /// does so first, and the file stays sealed if an error follows.
        ///
        /// - Parameters:
        ///   - passphrase: The new passphrase. With nil, the device key alone protects the keychain.
        ///   - current: The current passphrase, if there is one; nil to read it from the store's configured source.
        ///   - cost: The scrypt cost for the new passphrase.
        /// - Throws: ``StoreError/Code/authenticationFailed`` if `current` is wrong; ``StoreError/Code/unrepresentable`` if
        ///   `passphrase` is empty;
        ///   ``StoreError/Code/unsupported`` if there are items that require a passphrase; ``StoreError/Code/corrupt`` if
        ///   this machine's chip does not open the key file; ``StoreError/Code/unavailable`` if there is no keychain yet, or
        ///   another program changed the passphrase meanwhile. Then nothing in the database has changed.
        ///   ``PostgreSQLFailure/Kind/commitUnknown`` if the connection was lost while the change was being stored.
        package func setPassphrase(
            _ passphrase: Secret?, current: Secret? = nil, cost: ScryptCost
        ) throws(StoreError) {
            try turn.take(mayAsk: true)
            defer { turn.leave() }
            // As in the embedded store, this gives the keychain the protection that was asked for.
            if keyFile.mustBeSealed && keyFile.isThere { _ = try sealKeyFile() }
            guard try PostgreSQLSchema.isPresent(database), let found = try readKeychain(name), let row = found.row
            else {
                throw Self.noKeychain
            }
            let (root, _) = try rootKey(row, found.deviceKey, name, current, mayAsk: true)
            let new: any RootKeyProtector =
                passphrase == nil ? protector.withoutPassphrase : PassphraseProtector(sources: [], cost: cost)
            let device = found.deviceKey.keys(ofStore: row.header.storeID)
            let wrapped = try StoreHeader.wrappedRoot(
                root, storeID: row.header.storeID, device: device, protector: new, passphrase: passphrase
            ).row
            try database.transaction(.serializable) { (transaction) throws(StoreError) in
                if passphrase == nil {
                    let bound = try transaction.run(
                        PostgreSQLCommand(
                            "SELECT 1 FROM secitem.item WHERE store = $1 AND accessible = $2 LIMIT 1",
                            .integer(row.number), .text(Accessible.whenPasscodeSetThisDeviceOnly.rawValue)))
                    if bound.count > 0 { throw Self.itemsRequirePassphrase }
                }
                try row.replaceRoot(by: wrapped, transaction)
            }
            adopt(row.replacingRoot(with: wrapped), found.deviceKey, root)
        }

        package func hasPassphrase() throws(StoreError) -> Bool {
            guard try PostgreSQLSchema.isPresent(database), let found = try readKeychain(name),
                let row = found.row
            else { throw Self.noKeychain }
            _ = try row.header.check(found.deviceKey, name: found.deviceKey.blind(ofKeychain: name))
            let own = try Self.protector(of: row.header, configured: protector)
            state.withLock { state in
                // Only what people are told changes. This process goes on with the keys that it has.
                if state.keychain?.row.number == row.number { state.protectionSeen = own }
            }
            return own.needsPassphrase
        }

        /// Uses the keychain as it was stored, with the keys below that root key, unless the caller has locked the store. It
        /// asks the server nothing: what was stored stays stored if the connection is lost now.
        private func adopt(_ row: KeychainRow, _ deviceKey: DeviceKey, _ root: Secret) {
            let opened = try? opened(row, deviceKey, root)
            state.withLock { state in
                state.unlocking.forgetFailure()
                guard let (keychain, keys) = opened, protector.isFulfilled(by: keychain.own) else {
                    // The next call reads it.
                    (state.keychain, state.keys) = (nil, nil)
                    return
                }
                state.keychain = keychain
                state.keys = state.unlocking.isLockedByCaller ? state.keys ?? keys.locked() : keys
            }
        }

        private func opened(
            _ row: KeychainRow, _ deviceKey: DeviceKey, _ root: Secret
        ) throws(StoreError) -> (Keychain, KeySet) {
            let device = try row.header.check(deviceKey, name: deviceKey.blind(ofKeychain: name))
            let own = try Self.protector(of: row.header, configured: protector)
            let always = try KeySet(row.header.alwaysKeys(device))
            return (Keychain(row: row, device: device, own: own), try always.adding(row.header.otherKeys(root)))
        }
    }
#endif
