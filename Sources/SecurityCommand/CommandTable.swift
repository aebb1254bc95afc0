// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import SecItemShim

/// Every subcommand there is, in the order in which help lists them.
enum CommandTable {
    /// Subcommands that belong together.
    struct Group: Sendable {
        let name: String
        let commands: [ParsableCommand.Type]
    }

    static let groups = [
        Group(name: "The command itself", commands: [Help.self, ErrorMessage.self]),
        Group(name: "Keychains", commands: keychains),
        Group(name: "Passwords", commands: passwords),
        Group(name: "Certificates, keys and identities", commands: identities),
        Group(name: "Maintenance", commands: maintenance),
    ]

    private static let identities: [ParsableCommand.Type] = [
        ImportItems.self, ExportItems.self, FindCertificate.self, AddCertificates.self, DeleteCertificate.self,
        VerifyCertificate.self, FindIdentity.self, DeleteIdentity.self, FindKey.self, CreateKeyPair.self,
        SetKeyPartitionList.self, AddTrustedCertificate.self, RemoveTrustedCertificate.self, CMSCommand.self,
    ]

    private static let keychains: [ParsableCommand.Type] = [
        ListKeychains.self, DefaultKeychain.self, LoginKeychain.self, CreateKeychain.self, DeleteKeychain.self,
        LockKeychain.self, UnlockKeychain.self, SetKeychainSettings.self, SetKeychainPassword.self,
        ShowKeychainInfo.self,
    ]

    private static let passwords: [ParsableCommand.Type] = [
        AddGenericPassword.self, FindGenericPassword.self, DeleteGenericPassword.self, AddInternetPassword.self,
        FindInternetPassword.self, DeleteInternetPassword.self, SetGenericPasswordPartitionList.self,
        SetInternetPasswordPartitionList.self, DumpKeychain.self,
    ]

    /// What keeping a keychain needs: `Maintenance/`.
    private static let maintenance: [ParsableCommand.Type] = [
        DoctorCommand.self, BackupCommand.self, RestoreCommand.self, MoveCommand.self, CheckCommand.self,
        RekeyCommand.self, FleetCommand.self, RenameApplicationCommand.self, ImportPasswordsCommand.self,
    ]

    /// Commands of macOS that are not there.
    private static let absent: Set<String> = [
        "authorize", "authorizationdb", "create-db", "create-filevaultmaster-keychain", "dump-trust-settings",
        "execute-with-privileges",
        "export-smartcard", "filevault", "get-identity-preference", "install-mds", "leaks", "list-smartcards",
        "platformsso", "requirement-evaluate", "set-identity-preference", "smartcards", "translocate-create",
        "translocate-original-path", "translocate-policy-check", "translocate-status-check", "trust-settings-export",
        "trust-settings-import", "user-trust-settings-enable",
    ]

    /// How a command reads its line. The options of commands that a Mac lacks may also follow operands.
    static func rules(of command: ParsableCommand.Type) -> SplitArguments.Rules {
        if let command = command as? any SplitCommand.Type { return command.rules }
        let isOwn = maintenance.contains { $0 == command || $0.configuration.subcommands.contains { $0 == command } }
        return SplitArguments.Rules(permutes: isOwn)
    }

    /// The subcommand of that name, or the only one whose name begins so.
    ///
    /// - Throws: ``CommandFailure`` when there is none, or more than one.
    static func command(_ name: String) throws -> ParsableCommand.Type {
        var candidates: [ParsableCommand.Type] = []
        for command in groups.flatMap({ $0.commands }) {
            let full = command.configuration.commandName ?? ""
            if full == name || command.configuration.aliases.contains(name) { return command }
            if !name.isEmpty && full.hasPrefix(name) { candidates.append(command) }
        }
        if absent.contains(name) {
            throw CommandFailure(name, errSecUnimplemented, reason: "this command does not exist on Linux")
        }
        guard let first = candidates.first else { throw CommandFailure("unknown command \"\(name)\"", exit: 1) }
        guard candidates.count == 1 else {
            let names = candidates.compactMap { $0.configuration.commandName }.joined(separator: ", ")
            throw CommandFailure("\"\(name)\" may mean any of: \(names)", exit: 2)
        }
        return first
    }
}
