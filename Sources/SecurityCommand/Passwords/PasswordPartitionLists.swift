// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The options of the commands that set the partition list of a password.
struct PartitionList: ParsableArguments {
    /// The flag that stands for `-k` at the end of the command line.
    static let promptFlag = "prompt-for-password"

    @Option(name: .shortJoined("S"), parsing: .unconditional, help: "Comma-separated list of allowed partition IDs.")
    var partitions: String?

    @Option(name: .shortJoined("k"), parsing: .unconditional, help: "The password for the keychain.")
    var password: String?

    @Flag(name: .customLong(promptFlag), help: "Ask for the password.")
    var prompts = false

    @Argument(help: "The keychain; without one, the default keychain.", completion: .keychain)
    var keychain: String?

    /// Unlocks the keychain that is meant, which checks the password.
    ///
    /// - Throws: ``CommandFailure`` with `errSecAuthFailed` when it is wrong.
    func unlockedKeychain() throws -> Keychain {
        guard partitions != nil else { throw CommandFailure.usage("a partition list (-S) is needed") }
        CommandContext.current.ignore("-S", because: "the access group says which applications use an item")
        let name = try KeychainList.name(keychain)
        // As unlock-keychain has it: no other password can be that of a keychain without one.
        if password == "", try LockableKeychain.pathOfAlwaysOpen(name) != nil { return try Keychain.open(name) }
        let locked = try LockableKeychain(name, "SecKeychainUnlock")
        try locked.unlock(KeychainPassword.existing(password, "password for keychain: "))
        return try Keychain.open(name)
    }

    static let discussion = """
        Partition lists say which programs of a Mac may use an item without being asked about. They mean nothing here: the \
        keychain's password is checked, and what matches is shown.
        """
}

extension PasswordAttributes {
    /// Shows the first item that matches, in the keychain whose password is right.
    fileprivate func show(in list: PartitionList) throws {
        let entry = try search().first(in: [list.unlockedKeychain().identity])
        Console.write(AttributeDump.text(of: entry, itemClass: Self.itemClass))
    }
}

struct SetGenericPasswordPartitionList: PromptingCommand {
    static let configuration = CommandConfiguration(
        commandName: "set-generic-password-partition-list",
        abstract: "Set the partition list of a generic password item.", discussion: PartitionList.discussion)
    static let prompting = (option: Unicode.Scalar("k"), flag: PartitionList.promptFlag)

    @OptionGroup var attributes: GenericPasswordAttributes
    @OptionGroup var list: PartitionList

    func run() throws { try attributes.show(in: list) }
}

struct SetInternetPasswordPartitionList: PromptingCommand {
    static let configuration = CommandConfiguration(
        commandName: "set-internet-password-partition-list",
        abstract: "Set the partition list of an internet password item.", discussion: PartitionList.discussion)
    static let prompting = (option: Unicode.Scalar("k"), flag: PartitionList.promptFlag)

    @OptionGroup var attributes: InternetPasswordAttributes
    @OptionGroup var list: PartitionList

    func run() throws { try attributes.show(in: list) }
}
