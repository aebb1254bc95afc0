// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

struct AddInternetPassword: PromptingCommand {
    static let configuration = CommandConfiguration(
        commandName: "add-internet-password", abstract: "Add an internet password item.",
        discussion: """
            Without a keychain, the item goes into the default one. Without --access-group, it belongs to the application \
            that SECITEM_APPLICATION_IDENTIFIER names, else to "security".
            """)
    static let prompting = (option: Unicode.Scalar("w"), flag: NewPassword.promptFlag)

    @OptionGroup var attributes: InternetPasswordAttributes
    @OptionGroup var password: NewPassword
    @OptionGroup var access: IgnoredAccess

    @Flag(name: .customShort("U"), help: "Update the item if it exists.")
    var updates = false

    @Argument(help: "The keychain.", completion: .keychain)
    var keychain: String?

    func run() throws { try attributes.add(password.value(), access, updates: updates, to: keychain) }
}

struct FindInternetPassword: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "find-internet-password", abstract: "Find an internet password item.",
        discussion: "Without keychains, searches those of the search list.")

    @OptionGroup var attributes: InternetPasswordAttributes
    @OptionGroup var output: PasswordOutput

    @Argument(help: "The keychains to search.", completion: .keychain)
    var keychains: [String] = []

    func run() throws { try output.find(attributes.search(), in: keychains) }
}

struct DeleteInternetPassword: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete-internet-password", abstract: "Delete an internet password item.",
        discussion: "Deletes only the first item that matches.")

    @OptionGroup var attributes: InternetPasswordAttributes

    @Argument(help: "The keychains to search.", completion: .keychain)
    var keychains: [String] = []

    func run() throws { try attributes.deleteFirst(in: keychains) }
}
