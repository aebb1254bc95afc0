// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Foundation
    import Logging
    import SecItemSealing
    import SecItemStore

    extension PostgreSQLStore {
        /// The keychain, or nil if there is none yet. Creates nothing.
        func opened(mayAsk: Bool) throws(StoreError) -> Keychain? {
            if let keychain = state.withLock({ $0.keychain }) { return keychain }
            try turn.take(mayAsk: mayAsk)
            defer { turn.leave() }
            return try openedInTurn()
        }

        private func openedInTurn() throws(StoreError) -> Keychain? {
            if let keychain = state.withLock({ $0.keychain }) { return keychain }
            guard try PostgreSQLSchema.isPresent(database) else { return nil }
            guard let found = try readKeychain(name), let row = found.row else { return nil }
            return try adopt(row, found.deviceKey)
        }

        /// The device key, and the keychain of that name if there is one; nil if there is neither a key file nor any
        /// keychain. Both are of one moment.
        ///
        /// - Throws: ``StoreError/Code/unavailable`` if this machine has no key, or is no member; the errors of
        ///   ``KeychainRow/read(_:_:_:)``.
        func readKeychain(_ name: String) throws(StoreError) -> (deviceKey: DeviceKey, row: KeychainRow?)? {
            do throws(StoreError) { return try readKeychainQuietly(name) } catch {
                // The status says nothing of a file, and mostly it is the wrong one.
                if error.code == .corrupt {
                    let path = error.message.contains(keyFile.path) ? "" : " (the key file is \(keyFile.path))"
                    logger.once(
                        .error, "The keychain cannot be opened", metadata: ["reason": "\(error.message)\(path)"])
                }
                throw error
            }
        }

        private func readKeychainQuietly(
            _ name: String
        ) throws(StoreError) -> (deviceKey: DeviceKey, row: KeychainRow?)? {
            var present = try keyFile.present()
            if present == nil {
                // Without the key nobody knows whether one of the keychains has the name.
                guard try KeychainRow.isAnyThere(database) else { return nil }
                // Another program of this machine may have made both meanwhile.
                present = try keyFile.present()
            }
            guard let present else {
                throw StoreError(
                    .unavailable,
                    "the key file \(keyFile.path) is missing: let this machine join with an invitation (security fleet "
                        + "join), or copy the file from a machine that uses this database")
            }
            let content = present.content
            state.withLock { $0.isKeyFileSealed = present.isSealed }
            return try database.transaction(.snapshot) {
                (transaction) throws(StoreError) -> (deviceKey: DeviceKey, row: KeychainRow?) in
                let deviceKey = try self.deviceKey(content, transaction)
                return (deviceKey, try KeychainRow.read(name, deviceKey, transaction))
            }
        }

        func deviceKey(
            _ content: KeyFile.Content, _ transaction: PostgreSQLTransaction
        ) throws(StoreError) -> DeviceKey {
            switch content {
            case .device(let key): return key
            case .member(let member):
                guard let row = try MemberTable.row(member.id, transaction) else {
                    throw try notAMember(transaction)
                }
                return try MemberTable.open(row, member).deviceKey
            }
        }

        /// The error for a machine with a member's key file, and without a row in the database. It says what helps.
        ///
        /// A former device key that fits is named and never taken: a removed machine knows it, and could show others a
        /// database that it has made with it.
        func notAMember(_ transaction: PostgreSQLTransaction) throws(StoreError) -> StoreError {
            let keys = try transaction.run(PostgreSQLCommand("SELECT DISTINCT device_key FROM secitem.store LIMIT 2"))
            if keys.count == 0 { return Self.keyFileOfAnother(keyFile) }
            let id = keys.bytes(0, 0)
            if keys.count == 1, id.count == DeviceKey.idByteCount, keyFile.hasFormer(id) {
                return StoreError(
                    .unavailable,
                    "this machine is not a member of this fleet, but has a former key file that opens the keychains, as those "
                        + "of an old dump or of another database: SECITEM_POSTGRESQL_KEY_FILE=\(keyFile.former(id).path)"
                )
            }
            return StoreError(
                .unavailable,
                "this machine is not a member of the fleet, or was removed from it: move its key file \(keyFile.path) away, "
                    + "and let it join with an invitation (security fleet join)")
        }

        /// The error for a member's key file in a database without keychains, where nobody can invite anybody.
        static func keyFileOfAnother(_ file: KeyFile) -> StoreError {
            StoreError(
                .unavailable,
                "this database has no keychain yet, and the key file \(file.path) is that of a machine in another fleet: to make "
                    + "a keychain, move the file away, or name another one (SECITEM_POSTGRESQL_KEY_FILE)")
        }

        /// The keychain, created if necessary.
        func made(mayAsk: Bool) throws(StoreError) -> Keychain {
            if let keychain = state.withLock({ $0.keychain }) { return keychain }
            try turn.take(mayAsk: mayAsk)
            defer { turn.leave() }
            if let found = try openedInTurn() { return found }
            // Requested before anything is created, because a person may have to give it.
            let passphrase = try newPassphrase(mayAsk)
            // One that is refused is in the way of everything, so that not even tables are made.
            let hadKeyFile = try keyFile.present() != nil
            try PostgreSQLSchema.prepare(database)
            do throws(StoreError) {
                return try make(passphrase)
            } catch {
                guard !hadKeyFile else { throw error }
                // Another program was faster. If it runs on this machine, there is a key file now; if not, the error says how
                // to get one.
                if let found = try openedInTurn() { return found }
                guard try keyFile.content() != nil else { throw error }
            }
            // With the other program's key file, because its keychain has another name.
            return try make(passphrase)
        }

        /// Makes the keychain with this machine's device key, and the key file with it if there is none.
        ///
        /// - Throws: The errors of ``KeychainRow/insert(_:name:_:_:whenFirst:)`` and of ``KeyFile``.
        private func make(_ passphrase: Secret?) throws(StoreError) -> Keychain {
            // A new key file is written when the database has taken the keychain. If another machine is faster, this one must
            // not be left with a file that opens nothing.
            let present = try keyFile.content()
            let content: KeyFile.Content
            if let present { content = present } else { content = .device(try DeviceKey()) }
            // The chip is slow, and others wait for the transaction.
            let newFile = present == nil ? try keyFile.bytes(of: content, sealed: keyFile.mustBeSealed) : nil
            let deviceKey = try database.transaction(.snapshot) { (transaction) throws(StoreError) in
                try self.deviceKey(content, transaction)
            }
            let new = try StoreHeader.make(
                deviceKey: deviceKey, name: deviceKey.blind(ofKeychain: name), protector: protector,
                passphrase: passphrase)
            let row = try KeychainRow.insert(new.header, name: name, deviceKey, database) { () throws(StoreError) in
                if let newFile { try keyFile.createNew(newFile) }
            }
            if newFile != nil { state.withLock { $0.isKeyFileSealed = keyFile.mustBeSealed } }
            logger.debug("A new keychain was created", metadata: ["place": "\(summary)"])
            return try adopt(row, deviceKey)
        }

        private func newPassphrase(_ mayAsk: Bool) throws(StoreError) -> Secret? {
            guard protector.needsPassphrase else { return nil }
            if let passphrase = try protector.passphrase(mayAsk: mayAsk) { return passphrase }
            throw StoreError(
                mayAsk ? .unavailable : .locked, "a new keychain needs its passphrase, and none was found")
        }

        /// Makes later calls use that keychain, with the keys that need no passphrase.
        private func adopt(_ row: KeychainRow, _ deviceKey: DeviceKey) throws(StoreError) -> Keychain {
            let header = row.header
            let device = try header.check(deviceKey, name: deviceKey.blind(ofKeychain: name))
            let own = try Self.protector(of: header, configured: protector)
            if !protector.isFulfilled(by: own) { throw protector.lack }
            var keys = try KeySet(header.alwaysKeys(device))
            if !own.needsPassphrase {
                let root = try header.unlocked(own, device: device, passphrase: nil).root
                keys = try keys.adding(header.otherKeys(root))
            }
            let keychain = Keychain(row: row, device: device, own: own)
            return state.withLock { state in
                if let other = state.keychain { return other }
                state.keychain = keychain
                state.keys = state.unlocking.isLockedByCaller ? keys.locked() : keys
                return keychain
            }
        }
    }
#endif
