// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import SecItemMaintenance
import SecItemStore

/// `rekey`: new keys for an embedded store, or for all keychains of a PostgreSQL database.
struct RekeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rekey", abstract: "Give a keychain new keys, and encrypt every item again.",
        discussion: """
            Use this if somebody else may have the keychain's files or keys. Change the secrets, too, because that person may \
            have read them. Restart the programs that have the keychain open.

            In a PostgreSQL database, all keychains get new keys, and programs of members (fleet list) go on by themselves. \
            Machines with a copy of the device key's file are shut out.
            """)

    @OptionGroup var keychain: KeychainOption

    @OptionGroup var others: OtherKeychains

    func run() throws {
        let place = try MaintainedKeychain(keychain.name)
        let chosen = try place.open(), store = chosen.store
        KeychainOption.tellElsewhere(chosen, named: keychain.name)
        if let fleet = Fleet.own(store) {
            return try reporting("rekey") {
                try others.requireConfirmation(try fleet.members())
                OtherKeychains.note(try others.rekey(fleet))
            }
        }
        guard others.names.isEmpty && !others.withoutDamaged else {
            throw CommandFailure.usage("--also and --without-damaged are for a PostgreSQL database, and this is none")
        }
        if place != .place(.standard) { try OpenedKeychain.requireMade(store.innermost) }
        let count = try reporting("rekey") {
            do {
                return try Rekey.run(store, passphrase: nil)
            } catch let error as StoreError where error.code == .locked && store.isPassphraseProtected {
                let passphrase = try PasswordPrompt.ask("password of \(store.summary): ")
                return try Rekey.run(store, passphrase: passphrase)
            }
        }
        CommandContext.current.note("\(count) items were encrypted again")
    }
}
