// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Foundation
    import Logging
    import SecItemSealing
    import SecItemStore

    /// Items in a PostgreSQL database, for programs on several machines. `docs/postgresql.md` is its manual.
    ///
    /// **Rows.** Items are sealed in this process, in the same form as in the embedded store. The server sees no names
    /// and no secrets, and cannot compare the items of two keychains. A row that somebody has changed, moved or copied
    /// from another keychain is damaged, and is left out.
    ///
    /// **Keys.** Each keychain has its own keys. They are in the database, wrapped under the device key, and with a
    /// passphrase under both. The device key is in a file that every machine has, or sealed to a key of each machine's own
    /// in the table of members.
    ///
    /// **New keys.** With new keys, a keychain gets another number. So whoever still has the old keys finds no row, looks
    /// whether the keychain is there, and opens it again.
    ///
    /// **Transactions.** Unique indexes make the primary key unique for all machines. An update or deletion is one
    /// serializable transaction. A transaction that others were in the way of runs again, within the time limit. If the
    /// connection is lost while an item is being added, the store looks whether it has been added. If that happens to an
    /// update or deletion, the call fails, and the caller must look.
    ///
    /// **Locking.** With a key file alone, everything is open from the start. With a passphrase, each process unlocks for
    /// itself. A lock affects only this process.
    ///
    /// **Constraints.** Only the engine enforces the constraints of items. The passphrase does not guard them separately.
    ///
    /// **Limits.** The server can delete rows, and can put back an old copy of a row or of the whole database, without
    /// being noticed.
    package final class PostgreSQLStore: PassphraseStore, SelfUnlockingStore {
        /// An opened keychain.
        struct Keychain: Sendable {
            let row: KeychainRow
            let device: DeviceKeys
            /// The protection of the root key.
            let own: any RootKeyProtector

            var storeID: [UInt8] { row.header.storeID }
        }

        struct State: Sendable {
            var keychain: Keychain? { didSet { protectionSeen = nil } }
            var keys: KeySet?
            /// The protection of the root key as it was read last, if that was only for a person. Another process may have
            /// changed it since the keychain was opened.
            var protectionSeen: (any RootKeyProtector)?
            var protection: (any RootKeyProtector)? { protectionSeen ?? keychain?.own }
            /// Whether this machine's chip has sealed the key file, as it was read last.
            var isKeyFileSealed = false
            /// Whether a passphrase would give more keys.
            var isOpenable: Bool { keychain?.own.needsPassphrase == true && keys?.isUnlocked != true }
            /// Who has locked it, and what became of the configured passphrase.
            var unlocking = UnlockState()
        }

        let database: PostgreSQLDatabase
        let server: PostgreSQLServer
        let name: String
        let keyFile: KeyFile
        package let protector: any RootKeyProtector
        package let logger: Logger
        let state = LockedValue(State())
        /// Held by the one thread that opens or unlocks.
        package let turn = Turn()
        /// Those who want to know what others change.
        let observation = Observation()

        /// Describes a keychain in a database. The first call reaches the server; the first add creates the keychain.
        ///
        /// - Parameters:
        ///   - server: The database.
        ///   - name: The name of the keychain. The server does not learn it.
        ///   - keyFile: The path of the file with the device key or the machine's own key. The first add to a new
        ///     keychain creates it.
        ///   - chip: This machine's chip, which opens a key file that it has sealed.
        ///   - sealsKeyFile: Whether the chip seals a new key file, and one without its seal is refused.
        ///   - protector: The protection of a new keychain's root key, and the source of an existing one's passphrase.
        ///   - logger: Receives refusals and damage. Never a secret or an attribute's value.
        package init(
            _ server: PostgreSQLServer, name: String = "default", keyFile: String, chip: ChipSeal = .withoutChip,
            sealsKeyFile: Bool = false,
            protector: any RootKeyProtector = KeyFileProtector(), logger: Logger = Logger(keychain: "secitem.store")
        ) {
            database = PostgreSQLDatabase(server)
            self.server = server
            self.name = name
            self.keyFile = KeyFile(path: keyFile, seal: chip, mustBeSealed: sealsKeyFile)
            self.protector = protector
            self.logger = logger
        }

        package var summary: String {
            let keychain = "the keychain \"\(name)\" in the \(place)"
            let (protection, isSealed) = state.withLock { ($0.protection, $0.isKeyFileSealed) }
            guard let own = protection else {
                return "\(keychain), not opened yet, with the key file \(keyFile.path)"
            }
            let file = "the key file \(keyFile.path)\(isSealed ? ", which this machine's TPM has sealed" : "")"
            return own.needsPassphrase
                ? "\(keychain), protected by \(own.name) and \(file)" : "\(keychain), protected by \(file)"
        }

        /// The database and its servers, in words.
        package var place: String { (try? database.summary()) ?? "a PostgreSQL database" }

        package var isPassphraseProtected: Bool {
            _ = try? opened(mayAsk: false)
            return (state.withLock { $0.protection } ?? protector).needsPassphrase
        }

        // MARK: Opening

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
                if error.code == .corrupt || error.code == .authenticationFailed {
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

        /// The device key that a key file gives, in a transaction.
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
        private func made(mayAsk: Bool) throws(StoreError) -> Keychain {
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
            guard var keys = try KeySet(header.alwaysKeys(device)) else { throw StoreHeader.damaged }
            if !own.needsPassphrase {
                let root = try header.rootKey(own, device: device, passphrase: nil)
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

        package static let otherProtectors: [any RootKeyProtector] = [
            KeyFileProtector(), PassphraseProtector(sources: []),
        ]

        // MARK: Operations

        /// What an operation works with.
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
            try forgetFailureOfAnotherFile()
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
            let mayAsk = interaction == .allowed
            var damage = DamageReport()
            defer { log(damage) }
            do throws(StoreError) {
                return try body(access(keychain), &damage)
            } catch {
                // What looks like damage with old keys is none.
                if error.postgreSQL?.kind == .missingKeychain { damage = DamageReport() }
                guard error.code == .locked else { throw error }
                if interaction == .skipped {
                    // If no key can be had, locked items are left out.
                    _ = try? unlockItself(mayAsk: false)
                } else {
                    guard try unlockItself(mayAsk: mayAsk) else {
                        reportMissingPassphrase()
                        throw error
                    }
                }
            }
            damage = DamageReport()
            let last = try access(keychain)
            do throws(StoreError) {
                return try body(Access(keychain: keychain, keys: last.keys, mayUnlock: false), &damage)
            } catch {
                if error.postgreSQL?.kind == .missingKeychain { damage = DamageReport() }
                throw error
            }
        }

        private func access(_ keychain: Keychain) throws(StoreError) -> Access {
            let (keys, mayUnlock) = state.withLock { state in
                (
                    state.keychain?.row.number == keychain.row.number ? state.keys : nil,
                    state.isOpenable && state.unlocking.mayUnlockItself
                )
            }
            // Another thread has found new keys.
            guard let keys else { throw .missingKeychain }
            return Access(keychain: keychain, keys: keys, mayUnlock: mayUnlock)
        }

        // MARK: Lock

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
        ) throws(StoreError) -> Result {
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
            let found = try Self.sparingPassphrase { () throws(StoreError) in try readKeychain(name) }
            guard let found, let row = found.row, row.number == number else { throw .missingKeychain }
            let (root, own) = try rootKey(row, found.deviceKey, name, passphrase, mayAsk: mayAsk)
            let others = try row.header.otherKeys(root)
            try state.withLock { (state) throws(StoreError) in
                guard let known = state.keychain, known.row.number == number else { throw .missingKeychain }
                guard try state.unlocking.succeed(attempt) else { return }
                state.keychain = Keychain(row: row, device: known.device, own: own)
                state.keys = try state.keys?.adding(others)
            }
        }

        /// Runs what comes before a passphrase is tried.
        ///
        /// - Throws: The errors of `body`, with ``StoreError/Code/unavailable`` in place of
        ///   ``StoreError/Code/authenticationFailed``: the key file's failure is none of the passphrase, which may be right.
        static func sparingPassphrase<Result>(
            _ body: () throws(StoreError) -> Result
        ) throws(StoreError) -> Result {
            do throws(StoreError) { return try body() } catch {
                guard error.code == .authenticationFailed else { throw error }
                throw StoreError(.unavailable, error.message, underlying: error)
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
            return (try row.header.rootKey(own, device: device, passphrase: passphrase), own)
        }
    }
#endif
