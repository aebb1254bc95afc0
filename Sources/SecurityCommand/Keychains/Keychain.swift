// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemMaintenance
import SecItemSQLite
import SecItemSelection
import SecItemShim
import SecItemStore
import Synchronization

/// A keychain that a command works with.
///
/// All of its items are seen, whichever application they belong to. New ones go into the group of this command, unless another
/// is named.
struct Keychain: Sendable {
    /// What the command calls it: a path, or the kind of store where there is none.
    let name: String
    let identity: KeychainName
    let store: any KeychainStore
    /// The calls on it, as an application that may use every access group.
    let calls: KeychainCalls

    init(_ name: String, _ identity: KeychainName, _ store: any KeychainStore) {
        self.name = name
        self.identity = identity
        self.store = store
        let everybody = ClientApplication(identifier: Self.group, entitledGroups: ["*"])
        calls = KeychainCalls(store: store, application: everybody)
    }

    /// The access group of items that are added without naming one.
    static var group: String {
        let identifier = SecureExecution.environment["SECITEM_APPLICATION_IDENTIFIER"] ?? ""
        return identifier.isEmpty ? "security" : identifier
    }

    /// The store that programs use: the one that a program of this command's identifier would get.
    ///
    /// - Throws: ``CommandFailure`` when it cannot be had.
    static func login() throws -> Keychain {
        if let known = openedLogin.withLock({ $0 }) { return known }
        let login = try openLogin()
        // One with a password may be locked or unlocked before the next command of interactive mode.
        let hasPassword = (login.store as? any PassphraseStore)?.isPassphraseProtected == true
        if !hasPassword { openedLogin.withLock { $0 = login } }
        return login
    }

    private static let openedLogin = Mutex<Keychain?>(nil)

    private static func openLogin() throws -> Keychain {
        let chosen = try choose(.automatic)
        let name = chosen.place ?? (Fleet.own(chosen.store) == nil ? "memory" : "postgresql")
        return Keychain(name, .login, unlocked(chosen.store, name) ?? chosen.store)
    }

    /// The user's embedded store, if there is one and the login keychain is another: a program that was started where no
    /// Secret Service runs has its items there.
    static func embedded() throws -> Keychain? {
        // Only beside the Secret Service. A database or memory that somebody has chosen is never replaced by older items of
        // this machine. A login keychain that cannot be opened says so where it is looked through itself.
        let environment = SecureExecution.environment
        let mayBeService =
            switch environment["SECITEM_STORE"] ?? "" {
            case _ where environment["SECITEM_SYNCHRONIZABLE"]?.isEmpty == false: false
            case "secret-service": true
            case "", "automatic": ConfigurationWord.configuringEmbedded(environment) == nil
            default: false
            }
        let login = try? login()
        guard login.map({ $0.name == ChosenStore.placeOfSecretService }) ?? mayBeService,
            let folder = try? StoreLocation.user().folder, KeychainFolder.isKeychain(folder)
        else { return nil }
        let chosen = try choose(.embedded(directory: URL(fileURLWithPath: folder)))
        return Keychain(folder, .embedded, unlocked(chosen.store, folder) ?? chosen.store)
    }

    private static func choose(_ store: LinuxKeychain.Store) throws -> ChosenStore {
        let application = ClientApplication(identifier: group)
        do throws(KeychainError) {
            return try platform().chooseStore(
                store, environment: SecureExecution.environment, application: application, owner: application,
                interaction: .allowed)
        } catch {
            throw CommandFailure("SecKeychainOpen", error)
        }
    }

    /// The same store with the keys of who has unlocked it (`unlock-keychain`), if somebody has.
    private static func unlocked(_ store: any KeychainStore, _ path: String) -> SQLiteStore? {
        guard path.hasPrefix("/"), store.isPassphraseProtected, (store as? any LockableStore)?.isLocked == true,
            let shared = try? NamedKeychain(path).open(), !shared.isLocked
        else { return nil }
        return shared
    }

    /// The keychain of that name.
    ///
    /// - Throws: ``CommandFailure`` when there is none (`errSecNoSuchKeychain`), or it cannot be opened.
    static func open(_ name: KeychainName) throws -> Keychain {
        switch name {
        case .login: return try login()
        case .embedded:
            guard let embedded = try embedded() else {
                throw CommandFailure("SecKeychainOpen", errSecNoSuchKeychain, reason: "the embedded store")
            }
            return embedded
        case .folder(let path):
            let store = try NamedKeychain(path).open()
            return Keychain(path, name, store)
        }
    }

    /// The keychain of that name, as ``open(_:)`` has it; nil for users who have no embedded store beside the login keychain.
    static func openIfAny(_ name: KeychainName) throws -> Keychain? {
        try name == .embedded ? embedded() : open(name)
    }

    // MARK: Calls

    /// The failure of a call on a locked keychain, with the command that unlocks it where there is one.
    private func failureWhileLocked(_ call: String, _ error: KeychainError) -> CommandFailure {
        guard name.hasPrefix("/") else { return CommandFailure(call, error) }
        return CommandFailure(call, error.status, reason: "\(name) is locked: unlock-keychain opens it")
    }

    /// Runs a call on the keychain. Where it is locked and there is a terminal, its password is asked for, once.
    ///
    /// - Parameter call: What a failure is called.
    /// - Throws: ``CommandFailure``.
    func perform<Result>(
        _ call: String, _ body: (KeychainCalls) throws(KeychainError) -> Result
    ) throws -> Result {
        do throws(KeychainError) {
            return try body(calls)
        } catch {
            guard error.status == errSecInteractionNotAllowed, let store = store as? any LockableStore, store.isLocked
            else { throw CommandFailure(call, error) }
            guard isatty(STDIN_FILENO) == 1 else { throw failureWhileLocked(call, error) }
            let password = try KeychainPassword.existing(nil, "password to unlock \(name): ")
            do throws(StoreError) { try store.unlock(passphrase: password) } catch {
                throw CommandFailure(call, error)
            }
        }
        do throws(KeychainError) { return try body(calls) } catch { throw CommandFailure(call, error) }
    }
}
