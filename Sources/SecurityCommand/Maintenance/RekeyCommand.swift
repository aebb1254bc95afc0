// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import SecItemMaintenance
import SecItemStore

/// `rekey`: new keys for an embedded store.
struct RekeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rekey", abstract: "Give an embedded keychain new keys, all of them, and seal each item anew.",
        discussion: """
            For a keychain whose files or keys have got into other hands. Change the secrets, too: whoever could read them \
            knows them. Programs that have the keychain open have to be started anew.
            """)

    @OptionGroup var keychain: KeychainOption

    func run() throws {
        let place = try MaintainedKeychain(keychain.name)
        let store = try place.open().store
        if place != .place(.standard) { try OpenedKeychain.requireMade(store.innermost) }
        let count = try reporting("rekey") {
            do {
                return try Rekey.run(store, passphrase: nil)
            } catch let error as StoreError where error.code == .locked && store.isPassphraseProtected {
                let passphrase = try PasswordPrompt.ask("password of \(store.summary): ")
                return try Rekey.run(store, passphrase: passphrase)
            }
        }
        CommandContext.current.note("\(count) items were sealed anew")
    }
}
