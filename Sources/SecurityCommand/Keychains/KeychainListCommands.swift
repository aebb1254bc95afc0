// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import SecItemShim

/// `-d`: whose list is meant. There is the user's alone.
struct PreferenceDomain: ParsableArguments {
    @Option(
        name: .shortJoined("d"), help: "The preference domain (only \"user\" here).",
        completion: .list(["user"]))
    var domain = "user"

    func check() throws {
        guard domain == "user" else {
            throw CommandFailure.usage("-d is only supported with \"user\"")
        }
    }
}

struct ListKeychains: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list-keychains", abstract: "Display or manipulate the keychain search list.")

    @OptionGroup var domain: PreferenceDomain

    @Flag(name: .customShort("s"), help: "Set the search list to these keychains.")
    var sets = false

    @Argument(help: "The keychains of the new search list.", completion: .keychain)
    var keychains: [String] = []

    func run() throws {
        try domain.check()
        guard sets else {
            guard keychains.isEmpty else { throw CommandFailure.usage("to set the search list, add -s") }
            for name in try KeychainListFile.readOfUser().search { try KeychainLine.write(name) }
            return
        }
        let names = try keychains.map(KeychainName.init)
        try KeychainListFile.user().change { list in
            // Named twice, it is looked through once.
            var seen: Set<KeychainName> = []
            list.search = names.filter { seen.insert($0).inserted }
        }
    }
}

struct DefaultKeychain: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "default-keychain", abstract: "Display or set the default keychain.")

    @OptionGroup var domain: PreferenceDomain

    @Flag(
        name: .customShort("s"),
        help: "Set the default keychain to this one or, without a name, to the login keychain.")
    var sets = false

    @Argument(help: "The new default keychain.", completion: .keychain)
    var keychain: String?

    func run() throws {
        try domain.check()
        guard sets else {
            guard keychain == nil else { throw CommandFailure.usage("to set the default keychain, add -s") }
            return try KeychainLine.write(KeychainListFile.readOfUser().defaultName)
        }
        let name = try keychain.map(KeychainName.init) ?? .login
        if case .folder(let path) = name, !KeychainFolder.isKeychain(path) {
            throw CommandFailure("SecKeychainSetDefault", errSecNoSuchKeychain, reason: path)
        }
        try KeychainListFile.user().change { $0.defaultName = name }
    }
}

struct LoginKeychain: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login-keychain", abstract: "Display the login keychain: the store that programs use.")

    @OptionGroup var domain: PreferenceDomain

    @Flag(name: .customShort("s"), help: "Set the login keychain (not available: SECITEM_STORE chooses the store).")
    var sets = false

    @Argument(help: "The new login keychain.")
    var keychain: String?

    func run() throws {
        try domain.check()
        guard !sets && keychain == nil else {
            throw CommandFailure.usage("the login keychain is the store that programs use: SECITEM_STORE chooses it")
        }
        try KeychainLine.write(.login)
    }
}

enum KeychainLine {
    static func write(_ name: KeychainName) throws {
        let path: String? =
            switch name {
            case .folder(let path): path
            case .login: try Keychain.login().name
            case .embedded: try Keychain.embedded()?.name
            }
        if let path { Console.write("    \(PrintedBytes.text(path.utf8))\n") }
    }
}
