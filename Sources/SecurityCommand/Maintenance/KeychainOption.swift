// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import SecItemMaintenance
import SecItemSQLite
import SecItemShim
import SecItemStore

/// Which keychain a command of ours works on.
struct KeychainOption: ParsableArguments {
    @Option(
        name: .customLong("keychain"),
        help: ArgumentHelp(
            """
            The keychain: default, embedded, embedded:FOLDER, secret-service, postgresql, postgresql:KEYCHAIN, a named \
            keychain, or a folder's path.
            """,
            valueName: "keychain"), completion: .maintainedKeychain)
    var name = "default"

    /// Opens the keychain and unlocks it, with a password that is asked for where it takes one.
    ///
    /// - Parameter mustBeThere: Whether one that was never made is a slip: nothing could come of looking into it.
    func open(_ command: String, mustBeThere: Bool = false) throws -> ChosenStore {
        try OpenedKeychain.open(name, command, mustBeThere: mustBeThere)
    }
}

/// A keychain that is open and unlocked.
enum OpenedKeychain {
    /// - Parameters:
    ///   - name: As ``KeychainOption`` takes it.
    ///   - command: The command that needs it, for messages.
    ///   - mustBeThere: As ``KeychainOption/open(_:mustBeThere:)`` has it. The one that programs use may be empty.
    static func open(_ name: String, _ command: String, mustBeThere: Bool = false) throws -> ChosenStore {
        let place = try MaintainedKeychain(name)
        do throws(KeychainError) {
            let chosen = try place.open()
            if mustBeThere && place != .place(.standard) { try requireMade(chosen.store.innermost) }
            if let store = chosen.store as? any LockableStore, store.isLocked {
                try unlock(store, chosen.store.summary)
            }
            return chosen
        } catch {
            throw CommandFailure(command, error)
        }
    }

    static func requireMade(_ store: any KeychainStore) throws(KeychainError) {
        if let shared = store as? any SharedStore {
            do throws(StoreError) {
                if try !shared.openedKeychain().isEmpty { return }
            } catch {
                throw KeychainError(error)
            }
            throw KeychainError(errSecNoSuchKeychain, "there is no such keychain: \(shared.summary)")
        }
        guard let store = store as? LazySQLiteStore else { return }
        do throws(StoreError) {
            if try store.existing() != nil { return }
        } catch {
            throw KeychainError(error)
        }
        throw KeychainError(errSecNoSuchKeychain, "there is no keychain in \(store.location.folder)")
    }

    private static func unlock(_ store: any LockableStore, _ summary: String) throws(KeychainError) {
        do throws(StoreError) {
            // From where it was told to look.
            return try store.unlock(passphrase: nil)
        } catch {
            guard error.code == .locked else { throw KeychainError(error) }
        }
        guard let password = try? PasswordPrompt.ask("password to unlock \(summary): ") else {
            throw KeychainError(errSecInteractionNotAllowed, "the keychain is locked, and there is no password")
        }
        do throws(StoreError) { try store.unlock(passphrase: password) } catch { throw KeychainError(error) }
    }
}
