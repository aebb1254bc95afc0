// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import SecItemMaintenance
import SecItemStore

/// `restore`: the items of a backup, put into a keychain.
struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Restore the items of a backup into a keychain.",
        discussion: """
            Reads the whole backup first, and restores nothing from a damaged one. Items keep their attributes, dates and \
            persistent references. Changes existing items only with --replace. You can run it again after an interruption.
            """)

    @Argument(help: "The backup.", completion: .file())
    var file: String

    @OptionGroup var keychain: KeychainOption
    @OptionGroup var passphrase: BackupPassphrase

    @Flag(name: .long, help: "Replace existing items that have other contents.")
    var replace = false

    @Flag(name: .long, help: "Only list what the backup contains.")
    var list = false

    func run() throws {
        try reporting("restore") { try Backup.requireBackup(file) }
        let passphrase = try passphrase.existing()
        if list { return try printContents(passphrase) }
        // Somebody who tries a backup in a folder has no items there afterwards that the next backup would miss.
        let store = try keychain.open("restore", recordsFolder: false).store
        let tally = try reporting("restore") {
            try ProgressBar.during("restoring") { progress in
                try Backup.restore(file, into: store, passphrase: passphrase, replacing: replace, progress: progress)
            }
        }
        if tally.leftOut > 0 {
            CommandContext.current.note("\(tally.leftOut) items \(Self.leftOut)")
        }
        try TallyReport(tally, replacing: replace).tell()
    }

    private static let leftOut =
        "are not in this backup: when it was made, they were left out because they must not leave their device or need an "
        + "authentication"

    private func printContents(_ passphrase: Secret) throws {
        let contents = try reporting("restore") { try Backup.inspect(file, passphrase: passphrase) }
        for itemClass in ItemClass.stored {
            Console.write("\(itemClass.plural): \(contents.items[itemClass] ?? 0)\n")
        }
        Console.write("left out (must not leave their device, or need an authentication): \(contents.leftOut)\n")
    }
}
