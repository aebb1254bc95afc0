import ArgumentParser
import SecItemMaintenance
import SecItemShim
import SecItemStore

/// Which keychain a command of ours works on.
struct KeychainOption: ParsableArguments {
    @Option(
        name: .customLong("keychain"),
        help: ArgumentHelp(
            "The keychain: default, embedded, embedded:FOLDER, secret-service, or a folder's path.",
            valueName: "keychain"))
    var name = "default"

    /// Opens the keychain and unlocks it, with a password that is asked for where it takes one.
    func open(_ command: String) throws -> ChosenStore { try OpenedKeychain.open(name, command) }
}

/// A keychain that is open and unlocked.
enum OpenedKeychain {
    /// - Parameters:
    ///   - name: As ``KeychainOption`` takes it.
    ///   - command: The command that needs it, for messages.
    static func open(_ name: String, _ command: String) throws -> ChosenStore {
        do throws(KeychainError) {
            let chosen = try KeychainPlace(parsing: name).open()
            if let store = chosen.store as? any LockableStore, store.isLocked {
                try unlock(store, chosen.store.summary)
            }
            return chosen
        } catch {
            throw CommandFailure(command, error)
        }
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
