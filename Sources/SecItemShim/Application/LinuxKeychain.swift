// SPDX-License-Identifier: Apache-2.0

import Foundation
public import SecItemStore

/// Settings that Apple's API does not have, because Apple's systems manage them: the application's name, the place of
/// its items, and the lock of the store.
///
/// Every setting is optional. Set it before the first keychain call; a later change takes effect with the next call.
/// Any thread may use these members.
public enum LinuxKeychain {
    /// A place for items.
    public enum Store: Sendable {
        /// The first of these that applies:
        ///
        /// 1. The store that `SECITEM_STORE` names (`embedded`, `secret-service`, `postgresql` or `memory`).
        /// 2. The embedded store, if `SECITEM_DIRECTORY`, `SECITEM_PASSPHRASE_FILE` or `SECITEM_PROTECTOR` configures
        ///    it.
        /// 3. In a run of tests (`swift test`), the memory of the process, so that tests never touch the developer's
        ///    own keychain. `SECITEM_STORE=automatic` skips this step.
        /// 4. The store that already holds items of the application.
        /// 5. The desktop's Secret Service, if one answers.
        /// 6. The embedded store.
        ///
        /// With `SECITEM_SYNCHRONIZABLE=postgresql`, synchronizable items are in the database that `SECITEM_POSTGRESQL`
        /// names instead (``synchronizable(in:others:)``).
        case automatic
        /// The embedded encrypted database in a folder. The default is the folder that `SECITEM_DIRECTORY` names, or
        /// else `$XDG_DATA_HOME/secitem`.
        case embedded(directory: URL? = nil, passphrase: Passphrase = .automatic)
        /// A PostgreSQL database that several machines share. Items are sealed before they leave the process.
        ///
        /// `connection` is a connection string or URI as libpq reads it; the default is the environment variable
        /// `SECITEM_POSTGRESQL`. Each keychain in the database has a name and keys of its own. Every machine needs a key
        /// file: `keyFile` holds the device key, or the machine's own key. The default is `SECITEM_POSTGRESQL_KEY_FILE`,
        /// or else `$XDG_DATA_HOME/secitem/postgresql.key`. The first add to a new keychain creates the file if there is none.
        ///
        /// A connection to another machine uses TLS and verifies the server, unless `allowsPlaintext` is true.
        ///
        /// With ``Passphrase/tpm``, the machine's TPM seals the key file. With ``Passphrase/automatic``, it does so if
        /// `SECITEM_PROTECTOR` is `tpm`, also in addition to a passphrase. A key file without that seal is refused.
        ///
        /// This needs a build of the package with the trait `PostgreSQL`; without it, calls give
        /// `errSecNotAvailable`.
        case postgreSQL(
            _ connection: String? = nil, keychain: String = "default", keyFile: URL? = nil,
            passphrase: Passphrase = .automatic, allowsPlaintext: Bool = false)
        /// Synchronizable items (`kSecAttrSynchronizable`) in one place, and all others in another.
        ///
        /// The place of synchronizable items is a PostgreSQL database, or a store of the application's own. While the
        /// database cannot be reached, look-ups read a sealed copy of them on this machine, and changes of them give
        /// `errSecNotAvailable`. Items that may not leave the machine (`…ThisDeviceOnly`) stay on it, whatever they are
        /// marked as. Neither place can be divided again.
        indirect case synchronizable(in: Store, others: Store = .automatic)
        /// The desktop's Secret Service: GNOME Keyring, KeePassXC or KWallet.
        case secretService
        /// The memory of this process. The items are lost when it ends.
        case inMemory
        /// A store that the application provides.
        case custom(any KeychainStore)

        /// Synchronizable items in the given store, and all others where ``automatic`` keeps them
        /// (``synchronizable(in:others:)``).
        public static func automatic(synchronizableIn shared: Store) -> Store { .synchronizable(in: shared) }
    }

    /// The source of an embedded store's passphrase.
    public enum Passphrase: Sendable {
        /// The file that `SECITEM_PASSPHRASE_FILE` names, or else the systemd credential `secitem-passphrase`. If
        /// neither exists, the store has no passphrase: a key file beside the database protects it, or the TPM with
        /// `SECITEM_PROTECTOR=tpm` (see ``tpm``).
        case automatic
        /// No passphrase. A key file beside the database protects the store.
        case none
        /// No passphrase. The machine's TPM 2.0 protects the store, together with the key file. Copies of the two files
        /// are useless on another machine. The store is lost if the chip is lost or reset.
        ///
        /// This needs a build of the package with the trait `TPM`. If the chip cannot be used, calls that need the
        /// store give `errSecNotAvailable`. A store that something else protects is refused until
        /// ``setPassphrase(_:current:)`` with nil makes the chip protect it.
        ///
        /// For a keychain in a PostgreSQL database, the chip seals this machine's key file, and other machines are not
        /// affected. A key file without the seal is refused until `LinuxKeychain.sealKeyFile()`, of the module
        /// `SecItemMaintenance`, or ``setPassphrase(_:current:)`` has the chip seal it.
        case tpm
        /// The content of a file. One line break at its end is ignored.
        case file(URL)
        /// The result of the closure. It runs when the store needs the passphrase, at most once in each call. Nil
        /// leaves the store locked.
        ///
        /// The closure runs on the thread of the call that needs the passphrase, outside every lock. Meanwhile, calls
        /// that must not prompt give `errSecInteractionNotAllowed`, and other calls wait. A keychain call inside the
        /// closure that needs the passphrase also gives `errSecInteractionNotAllowed`.
        case closure(@Sendable () throws -> Data?)
    }

    /// The reason why an operation failed.
    public struct Failure: Error, Sendable, CustomStringConvertible {
        /// The status that a keychain call would have given.
        public let status: OSStatus
        public let description: String
    }

    /// The name that identifies this application's items, and its default access group.
    ///
    /// Set a name that no other program uses. The default is the environment variable `SECITEM_APPLICATION_IDENTIFIER`,
    /// or else the bundle identifier, the Flatpak or snap id, or the name of the executable. Programs whose executables
    /// have the same name share that last default. ``adopt(itemsOf:)`` moves items from an earlier name to this one.
    ///
    /// An empty name restores the default. If you change the name, the next call chooses and opens the store again,
    /// except a store in memory or one of the application's own. The lock of the newly opened store is as at the start
    /// of a program, even if you called ``unlock(passphrase:)`` or ``lock()`` before.
    public static var applicationIdentifier: String {
        get { DefaultStore.shared.application.identifier }
        set { DefaultStore.shared.setApplication(identifier: newValue) }
    }

    /// The access groups that the application may use, the default one first. They take the place of the entitlement
    /// `keychain-access-groups` on Apple's platforms.
    ///
    /// With nil, the default, the application may use its own group and any other group that a call names. The
    /// environment variable `SECITEM_ACCESS_GROUPS` sets the groups from outside, separated by commas.
    public static var accessGroups: [String]? {
        get { DefaultStore.shared.application.entitledGroups }
        set { DefaultStore.shared.setApplication(groups: newValue) }
    }

    /// Chooses the store for all later calls.
    public static func use(_ store: Store) {
        DefaultStore.shared.use(store)
    }

    /// A description of the current store for people. Read it first if items are missing. It never contains a secret.
    ///
    /// It says which store is in use, where its items are, why it was chosen, whether it is locked, and how many items
    /// of this application it holds. Reading it opens the store if necessary, and may prompt for a passphrase.
    ///
    /// - Throws: ``Failure`` if no store is available.
    public static var storeSummary: String {
        get throws {
            try failing { () throws(KeychainError) in try DefaultStore.shared.summary }
        }
    }

    /// Moves all items of another identifier to this application. Call it once after you change
    /// ``applicationIdentifier``.
    ///
    /// It searches the store that a program with the other name would use. It moves all items, or none if that fails.
    /// It never overwrites an item of this application. The items keep their data, attributes and persistent
    /// references. They get the access group of this application's new items, and the time of the move as their
    /// modification date. A second call moves nothing and returns 0.
    ///
    /// If this application's earlier items were in the Secret Service but none are left there, and the other name's
    /// items are in the embedded store, this application uses the embedded store from then on.
    ///
    /// - Parameter identifier: The name that identifies the items now.
    /// - Returns: How many items were moved.
    /// - Throws: ``Failure`` with one of these statuses:
    ///   - `errSecDuplicateItem`: this application already has one of the items.
    ///   - `errSecMissingEntitlement`: ``accessGroups`` are set and do not include the identifier.
    ///   - `errSecNotAvailable`: the two names have items in different stores. The log says what to do.
    @discardableResult
    public static func adopt(itemsOf identifier: String) throws -> Int {
        try failing { () throws(KeychainError) in try DefaultStore.shared.adopt(itemsOf: identifier) }
    }

    /// Whether this program can use a TPM 2.0 to make keys (`kSecAttrTokenIDSecureEnclave`) and to protect the store's
    /// root key (``Passphrase/tpm``).
    ///
    /// Also false if the package was built without its trait `TPM`, or if the user has no permission to use the chip.
    /// The log gives the reason.
    public static var hasTPM: Bool {
        do throws(KeychainError) {
            guard let chip = try platform().findChip() else { return false }
            try forClient { () throws(StoreError) in try chip.check() }
            return true
        } catch {
            CallLog.log(error, of: "LinuxKeychain.hasTPM")
            return false
        }
    }

    /// Whether the secrets of "when unlocked" items cannot be read now. Reading this never prompts.
    ///
    /// - Throws: ``Failure`` with `errSecUnimplemented` if the store has no lock of its own, or if no store is
    ///   available.
    public static var isLocked: Bool {
        get throws {
            try failing { () throws(KeychainError) in
                do throws(KeychainError) {
                    return try DefaultStore.shared.lockableStore(.forbidden).isLocked
                } catch {
                    // Even opening the store would need a person.
                    if error.status == errSecInteractionNotAllowed { return true }
                    throw error
                }
            }
        }
    }

    /// Locks the store, and wipes the keys of "when unlocked" items from memory.
    ///
    /// - Throws: ``Failure`` if the store cannot be locked: `errSecUnimplemented` if it has no lock of its own.
    public static func lock() throws {
        try failing { () throws(KeychainError) in
            let store = try DefaultStore.shared.lockableStore(.allowed)
            try forClient { () throws(StoreError) in try store.lock() }
        }
    }

    /// Unlocks the store.
    ///
    /// - Parameter passphrase: The passphrase, or nil to read it from the store's configured source.
    /// - Throws: ``Failure`` with `errSecAuthFailed` if the passphrase is wrong. `errSecNotAvailable` if you give one
    ///   and the embedded store has none; ``setPassphrase(_:current:)`` sets one. `errSecUnimplemented` if the store
    ///   has no lock of its own.
    public static func unlock(passphrase: Data? = nil) throws {
        let secret = passphrase.map { Secret($0) }
        try failing { () throws(KeychainError) in
            let store = try DefaultStore.shared.lockableStore(.allowed)
            try forClient { () throws(StoreError) in try store.unlock(passphrase: secret) }
        }
    }

    /// Sets, changes or removes the passphrase of the embedded store, or of a keychain in a PostgreSQL database. The items
    /// are not encrypted again. If a TPM is to seal the key file of such a database and has not, it does so first, and the
    /// file stays sealed if an error follows.
    ///
    /// - Parameters:
    ///   - passphrase: The new passphrase. With nil, the key file alone protects the store, or the TPM where that is
    ///     configured.
    ///   - current: The current passphrase, or nil to read it from the store's configured source.
    /// - Throws: ``Failure`` with `errSecAuthFailed` if `current` is wrong. `errSecParam` if `passphrase` is empty, or
    ///   has at most 64 bytes and ends in a zero byte (a single zero byte is accepted).
    ///   `errSecUnimplemented` if the store cannot have a passphrase, if it holds items that need one, or if a sandbox's
    ///   portal protects it. `errSecNotAvailable` if the database has no keychain yet, or if the TPM does not open its key
    ///   file.
    public static func setPassphrase(_ passphrase: Data?, current: Data? = nil) throws {
        let new = passphrase.map { Secret($0) }
        let old = current.map { Secret($0) }
        try failing { () throws(KeychainError) in
            guard let store = try DefaultStore.shared.chosenStore().store as? any PassphraseStore else {
                throw .unimplemented("this store cannot have a passphrase")
            }
            try forClient { () throws(StoreError) in try store.setPassphrase(new, current: old) }
        }
    }

    package static func failing<Result>(_ body: () throws(KeychainError) -> Result) throws -> Result {
        do throws(KeychainError) {
            return try body()
        } catch {
            CallLog.log(error, of: "LinuxKeychain")
            throw Failure(status: error.status, description: error.description)
        }
    }
}
