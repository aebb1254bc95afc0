// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import SecItemMaintenance
import SecItemShim
import SecItemStore

struct SetKeychainPassword: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set-keychain-password", abstract: "Set password for a keychain.",
        discussion: """
            The keychain may also be an embedded store that programs use (login.keychain, embedded, embedded:FOLDER), or in \
            a PostgreSQL database (postgresql, postgresql:KEYCHAIN). Such a keychain needs no old password if it has none. \
            Programs that have unlocked it go on.
            """)

    @Option(
        name: .shortJoined("o"), parsing: .unconditional, help: "Old keychain password (if not provided, will prompt).")
    var old: String?

    @Option(
        name: .shortJoined("p"), parsing: .unconditional, help: "New keychain password (if not provided, will prompt).")
    var new: String?

    @Flag(
        name: .customLong("remove"),
        help: "Leave a keychain that programs use without a password: its key file alone, or the TPM, opens it.")
    var removes = false

    @Argument(help: "The keychain; without one, the default keychain.", completion: .keychain)
    var keychain: String?

    private static let call = "SecKeychainChangePassword"

    func run() throws {
        guard !removes || new == nil else { throw CommandFailure.usage("--remove and -p exclude each other") }
        if let embedded = try EmbeddedKeychain.named(keychain) { return try set(embedded) }
        if let database = try DatabaseKeychain.named(keychain) { return try set(database) }
        guard !removes else { throw CommandFailure.usage("--remove is for a keychain that programs use") }
        let keychain = try LockableKeychain(KeychainList.name(keychain), Self.call)
        let current = try KeychainPassword.existing(old, "Old Password: ")
        let password = try KeychainPassword.new(new, "New Password: ", again: "Retype New Password: ")
        do throws(StoreError) { try keychain.store.setPassphrase(password, current: current) } catch {
            throw CommandFailure(Self.call, error)
        }
    }

    private func set(_ keychain: EmbeddedKeychain) throws {
        let hadPassword = keychain.store.isPassphraseProtected
        if !hadPassword, let old, !old.isEmpty {
            throw CommandFailure(
                Self.call, errSecAuthFailed, reason: "the keychain \(keychain.folder) has no password yet: leave out -o"
            )
        }
        let current = try hadPassword ? KeychainPassword.existing(old, "Old Password: ") : nil
        let password = try removes ? nil : newPassword()
        do throws(StoreError) { try keychain.store.setPassphrase(password, current: current) } catch {
            throw CommandFailure(Self.call, error)
        }
        // Whoever shares the keychain has to know.
        if password == nil {
            CommandContext.current.note(
                "security: \(PrintedBytes.line(keychain.folder)) has no password: it is "
                    + PrintedBytes.line(keychain.store.summary))
        } else if !hadPassword {
            CommandContext.current.note(
                "security: programs that use \(PrintedBytes.line(keychain.folder)) need the password from now on "
                    + "(SECITEM_PASSPHRASE_FILE)")
        }
    }

    private func set(_ store: any FleetStore) throws {
        try reporting(Self.call) {
            let hasPassphrase = try store.hasPassphrase()
            let current = try hasPassphrase || old != nil ? KeychainPassword.existing(old, "Old Password: ") : nil
            try store.setPassphrase(removes ? nil : newPassword(), current: current)
        }
    }

    /// An empty one would only seem to be a protection.
    private func newPassword() throws -> Secret {
        try KeychainPassword.new(new, "New Password: ", again: "Retype New Password: ", mayBeEmpty: false)
    }
}

/// An embedded store that programs use, for the command that gives it a password or takes that away.
private struct EmbeddedKeychain {
    let folder: String
    let store: any PassphraseStore

    /// The keychain that an argument names; nil if that is another kind.
    ///
    /// - Throws: ``CommandFailure`` if there is no keychain in the folder, or it cannot be opened.
    static func named(_ argument: String?) throws -> EmbeddedKeychain? {
        guard let place = try place(argument) else { return nil }
        return try reporting("SecKeychainOpen") {
            let chosen = try place.open()
            guard let folder = chosen.place, let store = chosen.store as? any PassphraseStore else { return nil }
            try OpenedKeychain.requireMade(chosen.store.innermost)
            return EmbeddedKeychain(folder: folder, store: store)
        }
    }

    private static func place(_ argument: String?) throws -> KeychainPlace? {
        if let argument, let place = try literal(argument) { return place }
        if let argument, case .postgreSQL? = try? KeychainPlace(parsing: argument) { return nil }
        switch try KeychainList.name(argument) {
        case .folder: return nil
        case let name:
            let path = try Keychain.open(name).name
            return path.hasPrefix("/") ? .embedded(folder: path) : nil
        }
    }

    /// A keychain that `create-keychain` made is never without a password.
    private static func literal(_ argument: String) throws -> KeychainPlace? {
        let isWord = argument == "embedded"
        guard isWord || argument.hasPrefix("embedded:") else { return nil }
        if isWord, let path = try? KeychainFolder.path(argument), KeychainFolder.isKeychain(path) { return nil }
        let place = try KeychainPlace(parsing: argument)
        let list = try KeychainListFile.readOfUser()
        if case .embedded(let path?) = place, list.limits[.folder(path)] != nil || list.search.contains(.folder(path)) {
            throw CommandFailure.usage("create-keychain made \(path): leave out embedded:")
        }
        return place
    }
}

/// A keychain in a PostgreSQL database, for the commands that work on one.
enum DatabaseKeychain {
    /// The keychain that an argument names; nil if that is another kind.
    ///
    /// - Throws: ``CommandFailure`` if the argument names none, or the database is not configured.
    static func named(_ argument: String?) throws -> (any FleetStore)? {
        if let argument, case .postgreSQL? = try? KeychainPlace(parsing: argument) {
            return try reporting("SecKeychainOpen") { Fleet.own(try KeychainPlace(parsing: argument).open().store) }
        }
        guard try KeychainList.name(argument) == .login else { return nil }
        return Fleet.own(try Keychain.login().store)
    }
}
