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

        package static let otherProtectors: [any RootKeyProtector] = [
            KeyFileProtector(), PassphraseProtector(sources: []),
        ]

        package var isPassphraseProtected: Bool {
            _ = try? opened(mayAsk: false)
            return (state.withLock { $0.protection } ?? protector).needsPassphrase
        }
    }
#endif
