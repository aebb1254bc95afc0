// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import SecItemMaintenance
import SecItemStore

/// `restore`: the items of a backup, put into a keychain.
struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Put the items of a backup into a keychain.",
        discussion: """
            The whole backup is read first: of one that is damaged, nothing is restored. Items keep their attributes, dates and \
            persistent references. An item that is there with another content stays as it is, unless --replace says otherwise. \
            It may be run again after it was interrupted.
            """)

    @Argument(help: "The backup.")
    var file: String

    @OptionGroup var keychain: KeychainOption
    @OptionGroup var passphrase: BackupPassphrase

    @Flag(name: .long, help: "Give items that are there with another content that of the backup.")
    var replace = false

    @Flag(name: .long, help: "Only say what is in the backup.")
    var list = false

    func run() throws {
        let passphrase = try passphrase.existing()
        if list { return try printContents(passphrase) }
        let store = try keychain.open("restore").store
        let tally = try reporting("restore") {
            try ProgressBar.during("restoring") { progress in
                try Backup.restore(file, into: store, passphrase: passphrase, replacing: replace, progress: progress)
            }
        }
        try TallyReport(tally).tell()
    }

    private func printContents(_ passphrase: Secret) throws {
        let contents = try reporting("restore") { try Backup.inspect(file, passphrase: passphrase) }
        for itemClass in ItemClass.stored {
            Console.write("\(itemClass.plural): \(contents.items[itemClass] ?? 0)\n")
        }
        Console.write("left out, as they are of their device alone: \(contents.leftOut)\n")
    }
}
