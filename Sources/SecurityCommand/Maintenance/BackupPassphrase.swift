// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import SecItemSQLite
import SecItemSealing
import SecItemStore

/// Where the passphrase of a backup comes from.
struct BackupPassphrase: ParsableArguments {
    @Option(
        name: .customLong("passphrase-file"),
        help: ArgumentHelp(
            "A file with the backup's passphrase, which only this user can read. Without it, the command asks for the passphrase.",
            valueName: "file"), completion: .file())
    var file: String?

    /// The passphrase of a backup that is about to be written.
    func new() throws -> Secret {
        if let file { return try read(file) }
        return try PasswordPrompt.askForNew("passphrase for the backup: ", again: "once more: ")
    }

    func existing() throws -> Secret {
        if let file { return try read(file) }
        return try PasswordPrompt.ask("passphrase of the backup: ")
    }

    private func read(_ file: String) throws -> Secret {
        do {
            if let secret = try PassphraseProtector(sources: [.file(path: file)]).passphrase(mayAsk: false) {
                guard secret.count > 0 else { throw CommandFailure("\(file) is empty: a backup needs a passphrase") }
                return secret
            }
        } catch let error as StoreError {
            throw CommandFailure(error.message)
        }
        throw CommandFailure("\(file) contains no passphrase")
    }
}
