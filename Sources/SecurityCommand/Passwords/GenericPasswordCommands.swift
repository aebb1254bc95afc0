// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

struct AddGenericPassword: PromptingCommand {
    static let configuration = CommandConfiguration(
        commandName: "add-generic-password", abstract: "Add a generic password item.",
        discussion: """
            Without a keychain, the item goes into the default one. Without --access-group, it belongs to the application \
            that SECITEM_APPLICATION_IDENTIFIER names, else to "security".
            """)
    static let prompting = (option: Unicode.Scalar("w"), flag: NewPassword.promptFlag)

    @OptionGroup var attributes: GenericPasswordAttributes
    @OptionGroup var password: NewPassword
    @OptionGroup var access: IgnoredAccess

    @Option(name: .shortJoined("p"), parsing: .unconditional, help: "The password: an older name of -w.")
    var legacyPassword: String?

    @Flag(name: .customShort("U"), help: "Update the item if it exists.")
    var updates = false

    @Argument(help: "The keychain.", completion: .keychain)
    var keychain: String?

    func run() throws {
        try attributes.add(password.value(or: legacyPassword), access, updates: updates, to: keychain)
    }
}

struct FindGenericPassword: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "find-generic-password", abstract: "Find a generic password item.",
        discussion: "Without keychains, searches those of the search list.")

    @OptionGroup var attributes: GenericPasswordAttributes
    @OptionGroup var output: PasswordOutput

    @Argument(help: "The keychains to search.", completion: .keychain)
    var keychains: [String] = []

    func run() throws { try output.find(attributes.search(), in: keychains) }
}

struct DeleteGenericPassword: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete-generic-password", abstract: "Delete a generic password item.",
        discussion: "Deletes only the first item that matches.")

    @OptionGroup var attributes: GenericPasswordAttributes

    @Argument(help: "The keychains to search.", completion: .keychain)
    var keychains: [String] = []

    func run() throws { try attributes.deleteFirst(in: keychains) }
}
