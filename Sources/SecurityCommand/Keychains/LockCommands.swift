// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import SecItemMaintenance
import SecItemSQLite
import SecItemShim
import SecItemStore

/// A keychain that has a password: a named one, or the login keychain where that is an embedded store with a passphrase.
struct LockableKeychain {
    let name: KeychainName
    let path: String
    let store: SQLiteStore

    /// - Parameter call: What a failure is called.
    /// - Throws: ``CommandFailure`` when it has no password of its own.
    init(_ name: KeychainName, _ call: String) throws {
        switch name {
        case .folder(let path): self.path = path
        case .login, .embedded: path = try Self.path(of: Keychain.open(name), call)
        }
        self.name = name
        store = try NamedKeychain(path).open()
        guard store.isPassphraseProtected else {
            throw CommandFailure(call, errSecUnimplemented, reason: "the keychain \(path) has no password")
        }
    }

    /// - Throws: ``CommandFailure`` when a keychain that programs use has no password.
    private static func path(of keychain: Keychain, _ call: String) throws -> String {
        guard keychain.name.hasPrefix("/") else {
            throw CommandFailure(
                call, errSecUnimplemented,
                reason: "the keychain \(keychain.name) cannot be locked or unlocked with this command: \(recipe)")
        }
        guard keychain.store.isPassphraseProtected else {
            throw CommandFailure(
                call, errSecUnimplemented,
                reason: "the keychain \(keychain.name) has no password and is never locked: \(recipe), or "
                    + "set-keychain-password to give it one")
        }
        return keychain.name
    }

    private static let recipe =
        "use create-keychain for one that can be locked, and default-keychain -s to store new items in it"

    /// The path of a keychain that programs use and that has no password, after that was said; nil for any other.
    ///
    /// For commands that ask for nothing but what holds of such a keychain: it is open, and stays open.
    static func pathOfAlwaysOpen(_ name: KeychainName) throws -> String? {
        guard name.path == nil else { return nil }
        let keychain = try Keychain.open(name)
        guard keychain.name.hasPrefix("/"), !keychain.store.isPassphraseProtected else { return nil }
        CommandContext.current.note("security: the keychain \(keychain.name) has no password and is never locked")
        return keychain.name
    }

    /// When it locks itself. The login keychain does not, unless told so.
    func limits() throws -> UnlockLimits {
        let known = try KeychainListFile.readOfUser().limits[.folder(path)]
        return known ?? (name.path == nil ? UnlockLimits() : KeychainList.limitsOfNew)
    }

    /// Unlocks it for all processes of the user.
    func unlock(_ password: Secret) throws {
        do throws(StoreError) { try store.unlock(passphrase: password) } catch {
            throw CommandFailure("SecKeychainUnlock \(path)", error)
        }
        try share()
    }

    /// Keeps its keys for all processes of the user.
    func share() throws {
        let limits = try limits()
        do throws(StoreError) { try store.shareUnlock(limits, in: .chosen) } catch {
            throw CommandFailure("SecKeychainUnlock \(path)", error)
        }
    }
}

struct CreateKeychain: PromptingCommand {
    static let configuration = CommandConfiguration(
        commandName: "create-keychain", abstract: "Create keychains and add them to the search list.",
        discussion: """
            A keychain is a folder with an encrypted database. A name without a slash means a keychain in the user's \
            folder of keychains. As on a Mac, the command adds -db to the name.
            """)
    static let prompting = (option: Unicode.Scalar("p"), flag: "prompt-for-password")

    @Option(name: .shortJoined("p"), parsing: .unconditional, help: "The password of the keychains.")
    var password: String?

    @Flag(name: [.customShort("P"), .customLong("prompt-for-password")], help: "Ask for the password.")
    var prompts = false

    @Argument(help: "The keychains.")
    var keychains: [String]

    func run() throws {
        let paths = try keychains.map(KeychainFolder.path)
        let password = try KeychainPassword.new(prompts ? nil : password, "password for new keychain: ")
        for path in paths {
            let store = try NamedKeychain(path).create(password)
            do throws(StoreError) { try store.shareUnlock(KeychainList.limitsOfNew, in: .chosen) } catch {
                CommandContext.current.note("security: \(path) is locked: \(error.message)")
            }
        }
    }
}

struct DeleteKeychain: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete-keychain", abstract: "Delete keychains and remove them from the search list.",
        discussion: "All items of the keychains are lost. The command does not delete the login keychain.")

    @Argument(help: "The keychains.", completion: .keychain)
    var keychains: [String]

    func run() throws {
        for argument in keychains {
            let name = try KeychainName(argument)
            guard case .folder(let path) = name, !KeychainFolder.isOfPrograms(path) else {
                throw CommandFailure("\(argument) is a store that programs use, so it is not deleted")
            }
            try NamedKeychain(path).delete()
        }
    }
}

struct UnlockKeychain: PromptingCommand {
    static let configuration = CommandConfiguration(
        commandName: "unlock-keychain", abstract: "Unlock the specified keychain.",
        discussion:
            "Unlocks it for all processes of the user until it locks again (set-keychain-settings)."
    )
    static let prompting = (option: Unicode.Scalar("p"), flag: "prompt-for-password")

    @Flag(name: .customShort("u"), help: "Do not use the password (not available).")
    var withoutPassword = false

    @Option(name: .shortJoined("p"), parsing: .unconditional, help: "The password.")
    var password: String?

    @Flag(name: .customLong("prompt-for-password"), help: "Ask for the password.")
    var prompts = false

    @Argument(help: "The keychain; without one, the default keychain.", completion: .keychain)
    var keychain: String?

    func run() throws {
        if withoutPassword { throw CommandFailure.usage("-u is not supported: only its password opens a keychain") }
        let name = try KeychainList.name(keychain)
        // A password that nobody has compared is not to pass for the right one.
        if password == "", try LockableKeychain.pathOfAlwaysOpen(name) != nil { return }
        let keychain = try LockableKeychain(name, "SecKeychainUnlock")
        try keychain.unlock(KeychainPassword.existing(password, "password to unlock \(keychain.path): "))
    }
}

struct LockKeychain: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lock-keychain", abstract: "Lock the specified keychain.",
        discussion: "Takes effect at once for every process that needs its keys.")

    @Flag(name: .customShort("a"), help: "Lock all keychains.")
    var all = false

    @Argument(help: "The keychain; without one, the default keychain.", completion: .keychain)
    var keychain: String?

    func run() throws {
        guard all else { return try lock(KeychainList.name(keychain)) }
        let list = try KeychainListFile.readOfUser()
        let folders = Set(list.limits.keys).union(list.search).compactMap(\.path).filter(KeychainFolder.isKeychain)
        var failure: (any Error)?
        // Under sudo, for one, HOME may be another user's, who has other keychains.
        do throws(StoreError) { _ = try UserFolder.data.pathIfAny() } catch {
            failure = CommandFailure("SecKeychainLockAll", error)
        }
        for path in folders.sorted() {
            do { try NamedKeychain(path).openLocked().endSharedUnlock(in: .chosen) } catch {
                failure = failure ?? error
            }
        }
        for name in [KeychainName.login, .embedded] {
            do { try lockIfPossible(name) } catch { failure = failure ?? error }
        }
        // One that fails keeps no other from being locked.
        if let failure { throw failure }
    }

    private func lock(_ name: KeychainName) throws {
        try LockableKeychain(name, "SecKeychainLock").store.endSharedUnlock(in: .chosen)
    }

    /// One without a password cannot be locked, nor one that is not there: they are not among those that are meant.
    private func lockIfPossible(_ name: KeychainName) throws {
        do {
            try lock(name)
        } catch let failure as CommandFailure {
            guard [errSecUnimplemented, errSecNoSuchKeychain].contains(failure.status) else { throw failure }
        }
    }
}

extension KeychainName {
    /// The folder of a named keychain.
    var path: String? {
        if case .folder(let path) = self { path } else { nil }
    }
}

struct SetKeychainSettings: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set-keychain-settings", abstract: "Set settings for a keychain.",
        discussion: "Without options, the keychain never locks itself. The keychain must be unlocked.")

    @Flag(name: .customShort("l"), help: "Lock keychain when the system sleeps.")
    var locksAtSleep = false

    @Flag(name: .customShort("u"), help: "Lock keychain after timeout interval.")
    var locksAfterTimeout = false

    @Option(
        name: .shortJoined("t"), help: "Timeout in seconds without use (omitting this option specifies no timeout).")
    var timeout: UInt32?

    @Argument(help: "The keychain; without one, the default keychain.", completion: .keychain)
    var keychain: String?

    func run() throws {
        // Scripts say so where they want none: on a Mac, the time alone counts.
        if locksAfterTimeout && timeout == nil {
            CommandContext.current.note(
                "security: without -t, -u has no effect: the keychain does not lock after a time")
        }
        if timeout == 0 { throw CommandFailure.usage("a timeout (-t) of 0 would lock the keychain at once") }
        let name = try KeychainList.name(keychain)
        if timeout == nil && !locksAtSleep, try LockableKeychain.pathOfAlwaysOpen(name) != nil { return }
        let keychain = try LockableKeychain(name, "SecKeychainSetSettings")
        guard !keychain.store.isLocked else {
            throw CommandFailure("SecKeychainSetSettings \(keychain.path)", errSecInteractionNotAllowed)
        }
        let limits = UnlockLimits(timeout: timeout, endsAtSleep: locksAtSleep)
        try KeychainListFile.user().change { $0.limits[.folder(keychain.path)] = limits }
        do throws(StoreError) { try keychain.store.limitSharedUnlock(limits, in: .chosen) } catch {
            throw CommandFailure("SecKeychainSetSettings \(keychain.path)", error)
        }
    }
}

struct ShowKeychainInfo: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show-keychain-info", abstract: "Show the settings for keychain.",
        discussion: "Fails if the keychain is locked.")

    @Argument(help: "The keychain; without one, the default keychain.", completion: .keychain)
    var keychain: String?

    func run() throws {
        let name = try KeychainList.name(keychain)
        if let path = try LockableKeychain.pathOfAlwaysOpen(name) { return show(path, UnlockLimits()) }
        let keychain = try LockableKeychain(name, "SecKeychainCopySettings")
        guard !keychain.store.isLocked else {
            throw CommandFailure("SecKeychainCopySettings \(keychain.path)", errSecInteractionNotAllowed)
        }
        try show(keychain.path, keychain.limits())
    }

    private func show(_ path: String, _ limits: UnlockLimits) {
        let timeout = limits.timeout.map { " timeout=\($0)s" } ?? " no-timeout"
        Console.error("Keychain \"\(path)\"\(limits.endsAtSleep ? " lock-on-sleep" : "")\(timeout)")
    }
}

/// The password of a keychain: what the command line gives, else what is asked for.
enum KeychainPassword {
    static func existing(_ given: String?, _ prompt: String) throws -> Secret {
        try usable(fromCommandLine(given) ?? PasswordPrompt.ask(prompt))
    }

    /// - Parameter mayBeEmpty: Whether build machines make such keychains with an empty password.
    static func new(
        _ given: String?, _ prompt: String, again: String = "retype password for new keychain: ",
        mayBeEmpty: Bool = true
    ) throws -> Secret {
        let password = try fromCommandLine(given) ?? PasswordPrompt.askForNew(prompt, again: again)
        guard mayBeEmpty || password.count > 0 else { throw CommandFailure("the password is empty") }
        return usable(password)
    }

    private static func fromCommandLine(_ given: String?) -> Secret? {
        guard let given else { return nil }
        PasswordOnCommandLine.warn("-p")
        return Secret(Data(given.utf8))
    }

    /// Build machines make keychains with an empty password, which no key can be derived from: a zero byte stands for it.
    private static func usable(_ password: Secret) -> Secret { password.count > 0 ? password : Secret(Data([0])) }
}
