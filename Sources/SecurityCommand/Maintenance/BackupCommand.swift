// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import SecItemMaintenance
import SecItemStore

/// `backup`: a keychain's items in one encrypted file.
struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Write a keychain's items into one encrypted file.",
        discussion: """
            The file has all items of one keychain as of one moment, even if other programs use it meanwhile. If programs have \
            items in another keychain than the default one, the command fails, unless --keychain names a keychain. It leaves out \
            and counts items that must not leave this device, unless the backup is for this device, and items whose access \
            control has constraints. It verifies the file before it gives the file its name.
            """)

    @Argument(help: "The file to write.", completion: .file())
    var file: String

    @OptionGroup var keychain: KeychainOption
    @OptionGroup var passphrase: BackupPassphrase

    @Flag(name: .long, help: "Include items that must not leave this device: only this device can restore the backup.")
    var forThisDevice = false

    @Flag(name: .long, help: "Replace an existing file.")
    var replace = false

    @Flag(name: .long, help: "With --replace: replace a backup that has items by one that has none.")
    var allowEmpty = false

    @Flag(name: .long, help: "Leave out items that cannot be read, instead of failing.")
    var leaveOutDamaged = false

    func run() throws {
        // Nobody types a password for nothing.
        try reporting("backup") { try Backup.requirePlace(file, replaces: replace) }
        let store = try keychain.open("backup", mustBeThere: true, mustHaveAll: true).store
        var options = Backup.Options()
        options.isForThisDevice = forThisDevice
        options.replaces = replace
        options.mayReplaceByNothing = allowEmpty
        options.leavesOutDamaged = leaveOutDamaged
        let passphrase = try passphrase.new()
        let summary = try reporting("backup") {
            try ProgressBar.during("backing up") { progress in
                try Backup.write(store, to: file, passphrase: passphrase, options, progress: progress)
            }
        }
        CommandContext.current.note("\(summary.items) items are in \(file)")
        if forThisDevice, let path = try? BackupKeyFile.user().path {
            CommandContext.current.note(
                PrintedBytes.line("only this device can restore them: nobody can without \(path), so keep that file"))
        }
        if summary.leftOut > 0 {
            CommandContext.current.note(
                "\(summary.leftOut) items that must not leave this device were left out: --for-this-device includes them"
            )
        }
        if summary.guarded > 0 {
            Console.error(
                "security: left out: \(summary.guarded) items whose access control has constraints. No backup can contain them: "
                    + "keep a copy of the keychain's folder")
        }
        for item in summary.damaged {
            Console.error(PrintedBytes.line("security: left out: the item \(item.place) \(item.damage)"))
        }
    }
}
