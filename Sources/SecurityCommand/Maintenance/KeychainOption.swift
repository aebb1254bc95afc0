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
    /// - Parameters:
    ///   - command: The command that needs it, for messages.
    ///   - mustBeThere: Whether one that was never made is a slip: nothing could come of looking into it.
    ///   - recordsFolder: Whether a folder that is named becomes the recorded place of this command's items.
    ///   - mustHaveAll: Whether no program may have items in another store, unless a keychain is named. Otherwise the
    ///     command only says so.
    func open(
        _ command: String, mustBeThere: Bool = false, recordsFolder: Bool = true, mustHaveAll: Bool = false
    ) throws -> ChosenStore {
        let chosen = try OpenedKeychain.open(name, command, mustBeThere: mustBeThere, recordsFolder: recordsFolder)
        if !mustHaveAll {
            Self.tellElsewhere(chosen, named: name)
        } else if try Self.isStandard(name) {
            try ItemsElsewhere(than: chosen).refuse(command)
        }
        return chosen
    }

    /// Says which programs have their items in another store than this one, unless a keychain is named.
    static func tellElsewhere(_ chosen: ChosenStore, named name: String) {
        // Nothing but a note is missing if that cannot be determined.
        guard (try? isStandard(name)) == true else { return }
        (try? ItemsElsewhere(than: chosen))?.tell()
    }

    private static func isStandard(_ name: String) throws -> Bool {
        try MaintainedKeychain(name) == .place(.standard)
    }
}

/// A keychain that is open and unlocked.
enum OpenedKeychain {
    /// - Parameters:
    ///   - name: As ``KeychainOption`` takes it.
    ///   - command: The command that needs it, for messages.
    ///   - mustBeThere: As ``KeychainOption/open(_:mustBeThere:recordsFolder:mustHaveAll:)`` has it. The one that programs use
    ///     may be empty.
    ///   - recordsFolder: As it has it, too.
    static func open(
        _ name: String, _ command: String, mustBeThere: Bool = false, recordsFolder: Bool = true
    ) throws -> ChosenStore {
        let place = try MaintainedKeychain(name)
        do throws(KeychainError) {
            let chosen = try place.open(recordsFolder: recordsFolder)
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
            if try forClient({ () throws(StoreError) in try !shared.openedKeychain().isEmpty }) { return }
            throw KeychainError(errSecNoSuchKeychain, "there is no such keychain: \(shared.summary)")
        }
        guard let store = store as? SQLiteStore else { return }
        if try forClient({ () throws(StoreError) in try store.open() }) { return }
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
        try forClient { () throws(StoreError) in try store.unlock(passphrase: password) }
    }
}
