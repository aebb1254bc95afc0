// SPDX-License-Identifier: Apache-2.0

import Foundation
public import SecItemStore

/// What has no name in Apple's API, because there it is part of the system: who the application is, where its items
/// live, and how the store is locked.
///
/// Everything here is optional. Set it before the first keychain call; a later change holds from the next call on. Any
/// thread may use it.
public enum LinuxKeychain {
    /// Where items live.
    public enum Store: Sendable {
        /// What `SECITEM_STORE` asks for (`embedded`, `secret-service` or `memory`); else the embedded store, if
        /// `SECITEM_DIRECTORY`, `SECITEM_PASSPHRASE_FILE` or `SECITEM_PROTECTOR` configures it; else the store that the application already has
        /// items in; else the desktop's Secret Service if one answers, else the embedded store. In a run of tests
        /// (`swift test`) for which nothing is asked, the memory of the process: tests do not touch the developer's own
        /// keychain.
        case automatic
        /// The embedded encrypted database in a folder: by default the one that `SECITEM_DIRECTORY` names, else
        /// `$XDG_DATA_HOME/secitem`.
        case embedded(directory: URL? = nil, passphrase: Passphrase = .automatic)
        /// The desktop's Secret Service: GNOME Keyring, KeePassXC or KWallet.
        case secretService
        /// The memory of this process. Everything is gone at its end.
        case inMemory
        /// A store of the application's own.
        case custom(any KeychainStore)
    }

    /// Where the passphrase of an embedded store comes from.
    public enum Passphrase: Sendable {
        /// From the file that `SECITEM_PASSPHRASE_FILE` names, else from the systemd credential `secitem-passphrase`,
        /// else none: a key file beside the database protects the store, or with `SECITEM_PROTECTOR=tpm` the TPM, as
        /// ``tpm`` says.
        case automatic
        /// None: a key file beside the database protects the store.
        case none
        /// None: the TPM 2.0 of the machine protects the store, together with the key file. Copies of both files are of no
        /// use on another machine, and the store is lost with the chip, or when that is reset.
        ///
        /// For programs that build the package with its trait `TPM`. Where the chip cannot be used, calls that need the store
        /// answer `errSecNotAvailable`. A store that was made otherwise is not used, until ``setPassphrase(_:current:)`` with
        /// nil has the chip protect it.
        case tpm
        /// The content of a file, without one line break at its end.
        case file(URL)
        /// What the closure gives, asked for when the store needs it, once in a call. Nil leaves the store locked.
        ///
        /// It runs in the thread of the call that needs it, without a lock. Calls that must not ask are answered
        /// `errSecInteractionNotAllowed` meanwhile, others wait. A keychain call that needs the passphrase from within the
        /// closure is answered `errSecInteractionNotAllowed` too: what it needs is locked, and the person is being asked.
        case closure(@Sendable () throws -> Data?)
    }

    /// Why something could not be done.
    public struct Failure: Error, Sendable, CustomStringConvertible {
        /// The status that a keychain call would have given.
        public let status: OSStatus
        public let description: String
    }

    /// The name that this application's items are kept under, and its default access group.
    ///
    /// Set it to a name that no other program has. By default it is the bundle identifier, else the Flatpak or snap id,
    /// else the name of the executable, which programs of the same name share; the environment variable
    /// `SECITEM_APPLICATION_IDENTIFIER` goes before these. ``adopt(itemsOf:)`` moves items from an earlier name to this one.
    ///
    /// An empty name stands for the default. Another name has the store chosen and opened anew, unless it is in memory or
    /// the application's own: one that was unlocked with ``unlock(passphrase:)``, or locked, is then as it is at the start
    /// of a program.
    public static var applicationIdentifier: String {
        get { DefaultStore.shared.application.identifier }
        set { DefaultStore.shared.setApplication(identifier: newValue) }
    }

    /// The access groups that the application may use, the default one first: what the entitlement
    /// `keychain-access-groups` is on Apple's platforms.
    ///
    /// Nil, the default, means: its own group, and any other that a call names. `SECITEM_ACCESS_GROUPS` sets it from
    /// outside, separated by commas.
    public static var accessGroups: [String]? {
        get { DefaultStore.shared.application.entitledGroups }
        set { DefaultStore.shared.setApplication(groups: newValue) }
    }

    /// Chooses where items live, from the next call on.
    public static func use(_ store: Store) {
        DefaultStore.shared.use(store)
    }

    /// Which store answers, where it keeps its items and why it was chosen, whether it is locked, and how many items of
    /// this application it has, in words: the first thing to know when something is missing. Never a secret.
    ///
    /// It opens the store if no call has done so yet, and may ask for a passphrase where that takes one.
    ///
    /// - Throws: ``Failure`` when there is no store to use.
    public static var storeSummary: String {
        get throws {
            try failing { () throws(KeychainError) in try DefaultStore.shared.summary }
        }
    }

    /// Moves all items of another identifier to this application: what to call once after ``applicationIdentifier`` has
    /// changed.
    ///
    /// Items are looked for in the store where a program of that name would look for its own. Either all are moved or,
    /// when that fails, none. Nothing of this application's is overwritten. The items keep their data, attributes and
    /// persistent references; their access group becomes the one that new items of this application get, and their
    /// modification date is that of the move. It does no harm to call it again: then it moves nothing and answers 0.
    ///
    /// If this application once had items in the Secret Service, has none there now, and the other name's are in the
    /// embedded store, it uses the embedded store from now on.
    ///
    /// - Parameter identifier: The name that the items are kept under until now.
    /// - Returns: How many items were moved.
    /// - Throws: ``Failure`` with `errSecDuplicateItem` when this application has one of the items already,
    ///   `errSecMissingEntitlement` when ``accessGroups`` are set and the identifier is not among them,
    ///   `errSecNotAvailable` when the two names have items in different stores, or this application may be about to store
    ///   one in another: the log says what to do.
    @discardableResult
    public static func adopt(itemsOf identifier: String) throws -> Int {
        try failing { () throws(KeychainError) in try DefaultStore.shared.adopt(itemsOf: identifier) }
    }

    /// Whether there is a TPM 2.0 that this program can make keys in (`kSecAttrTokenIDSecureEnclave`), and have the store's
    /// root key protected by (``Passphrase/tpm``).
    ///
    /// False also in a program that builds the package without its trait `TPM`, and for a user who may not use the chip: the
    /// log says so.
    public static var hasTPM: Bool {
        do throws(KeychainError) {
            guard let chip = try findChip() else { return false }
            do throws(StoreError) { try chip.check() } catch { throw KeychainError(error) }
            return true
        } catch {
            KeychainCalls.log(error, of: "LinuxKeychain.hasTPM")
            return false
        }
    }

    /// Whether secrets of "when unlocked" items are out of reach. Asks nobody.
    ///
    /// - Throws: ``Failure`` when there is no store to use.
    public static var isLocked: Bool {
        get throws {
            try failing { () throws(KeychainError) in
                do throws(KeychainError) {
                    return try DefaultStore.shared.lockableStore(.forbidden).isLocked
                } catch {
                    // Even opening it would take a person.
                    if error.status == errSecInteractionNotAllowed { return true }
                    throw error
                }
            }
        }
    }

    /// Locks the store: the keys of "when unlocked" items are wiped from memory.
    ///
    /// - Throws: ``Failure`` when the store cannot be locked.
    public static func lock() throws {
        try failing { () throws(KeychainError) in
            let store = try DefaultStore.shared.lockableStore(.allowed)
            do throws(StoreError) { try store.lock() } catch { throw KeychainError(error) }
        }
    }

    /// Unlocks the store.
    ///
    /// - Parameter passphrase: The passphrase, or nil to take it from where the store was told to look.
    /// - Throws: ``Failure`` with `errSecAuthFailed` when the passphrase is wrong, `errSecNotAvailable` when one is given and
    ///   the embedded store has none: ``setPassphrase(_:current:)`` gives it one.
    public static func unlock(passphrase: Data? = nil) throws {
        let secret = passphrase.map { Secret($0) }
        try failing { () throws(KeychainError) in
            let store = try DefaultStore.shared.lockableStore(.allowed)
            do throws(StoreError) { try store.unlock(passphrase: secret) } catch { throw KeychainError(error) }
        }
    }

    /// Gives the embedded store a passphrase, another one, or none. No item is sealed anew.
    ///
    /// - Parameters:
    ///   - passphrase: The new one, or nil to let the key file alone protect the store, or the TPM where that is chosen.
    ///   - current: The passphrase until now, or nil to take it from where the store was told to look.
    /// - Throws: ``Failure`` with `errSecAuthFailed` when `current` is wrong or `passphrase` is empty, with
    ///   `errSecUnimplemented` when the store is not the embedded one, holds items that need a passphrase, or is protected
    ///   by a sandbox's portal.
    public static func setPassphrase(_ passphrase: Data?, current: Data? = nil) throws {
        let new = passphrase.map { Secret($0) }
        let old = current.map { Secret($0) }
        try failing { () throws(KeychainError) in
            guard let store = try DefaultStore.shared.chosenStore().store as? any PassphraseStore else {
                throw .unimplemented("the store has no passphrase of its own")
            }
            do throws(StoreError) {
                try store.setPassphrase(new, current: old)
            } catch {
                throw KeychainError(error)
            }
        }
    }

    package static func failing<Result>(_ body: () throws(KeychainError) -> Result) throws -> Result {
        do throws(KeychainError) {
            return try body()
        } catch {
            KeychainCalls.log(error, of: "LinuxKeychain")
            throw Failure(status: error.status, description: error.description)
        }
    }
}
