// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import SecItemMaintenance
import SecItemStore

/// `fleet`: the machines that share a keychain in a PostgreSQL database.
struct FleetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fleet",
        abstract: "Let machines share the keychain in a PostgreSQL database, each with its own key.",
        discussion: """
            The database is the one that programs use: SECITEM_STORE=postgresql and SECITEM_POSTGRESQL=….
            """,
        subcommands: [FleetInvite.self, FleetJoin.self, FleetList.self, FleetRemove.self, FleetSeal.self])

    /// The shared keychain of programs.
    static func store() throws -> any FleetStore {
        try Fleet.store(try KeychainPlace.standard.open().store)
    }

    /// Says where the former key file is, if this machine became a member.
    static func note(formerKeyFile path: String?) {
        guard let path else { return }
        CommandContext.current.note(
            "this machine has a key of its own now; its former key file is \(PrintedBytes.line(path)), which dumps from "
                + "before need")
    }
}

/// `fleet invite`: a token for one more machine.
struct FleetInvite: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite", abstract: "Print a token with which one more machine can join.",
        discussion: """
            The token is as secret as the keychain itself: whoever has it and reads the database can open everything. It is \
            printed once, and can be used once. The first invitation gives this machine its own key, too.
            """)

    @Option(name: .long, help: ArgumentHelp("The name of the machine (default: its host name).", valueName: "name"))
    var name: String?

    @Option(
        name: .long,
        help: ArgumentHelp("How long the token can be used: a number with s, m, h or d.", valueName: "duration"))
    var expires = "1h"

    func run() throws {
        guard let seconds = Self.seconds(expires) else {
            throw CommandFailure.usage("--expires takes a number with s, m, h or d, such as 30m")
        }
        let invitation = try reporting("fleet invite") {
            try FleetCommand.store().invite(name: name, seconds: seconds)
        }
        FleetCommand.note(formerKeyFile: invitation.formerKeyFile)
        invitation.token.withUnsafeBytes { Console.write($0, to: STDOUT_FILENO) }
        Console.write("\n")
        try Console.requireWritten()
    }

    /// The seconds of a duration; nil if the text is none.
    static func seconds(_ text: String) -> Int64? {
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
        guard let unit = text.last.flatMap({ units[$0] }), let count = Int64(text.dropLast()), count > 0 else {
            return nil
        }
        let (seconds, isTooLarge) = count.multipliedReportingOverflow(by: unit)
        return isTooLarge ? nil : seconds
    }
}

/// `fleet join`: this machine becomes a member.
struct FleetJoin: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "join", abstract: "Let this machine open the keychain, with its own key.",
        discussion: """
            Without a token on the command line, the command asks for it, or reads a line of standard input. After an \
            interruption, run it again with the same token.
            """)

    @Argument(help: "The token that fleet invite has printed.")
    var token: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The name of this machine (default: that of the invitation, or the host name).", valueName: "name"))
    var name: String?

    func run() throws {
        let secret: Secret
        if let token {
            if isatty(STDERR_FILENO) == 1, !CommandContext.current.options.isInteractive {
                CommandContext.current.note(
                    "security: a token on the command line can be seen by others; leave it out to be asked")
            }
            secret = Secret(Data(token.utf8))
        } else {
            secret = try PasswordPrompt.ask("token of the invitation: ")
        }
        let member = try reporting("fleet join") { try FleetCommand.store().join(token: secret, name: name) }
        CommandContext.current.note(
            "this machine is the member \"\(PrintedBytes.line(member.name))\", \(member.fingerprint)")
    }
}

/// `fleet list`: the members.
struct FleetList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the machines that have their own key, and open invitations.",
        discussion: "Exits with 1 if a row of the database was not written by a member.")

    @Flag(name: .long, help: "Print JSON, for programs.")
    var json = false

    /// What the JSON has of each.
    private struct Entry: Encodable {
        let name: String
        let fingerprint: String
        let state: String
        let since: String
        let expires: String?
        let inviter: Inviter?
        let isThisMachine: Bool
        let isKeyFileSealed: Bool?
    }

    private struct Inviter: Encodable {
        let name: String
        let fingerprint: String
    }

    func run() throws {
        let members = try reporting("fleet list") { try FleetCommand.store().members() }
        try Self.write(members, json: json)
        if members.contains(where: { $0.state == .damaged }) { throw CommandFailure(nil) }
    }

    /// Prints the members, one in a line.
    ///
    /// - Parameters:
    ///   - members: The members.
    ///   - json: Whether a program reads them.
    static func write(_ members: [FleetMember], json: Bool) throws {
        guard json else {
            for member in members { Console.write(PrintedBytes.line(line(member)) + "\n") }
            return
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        Console.write(Array(try encoder.encode(members.map(entry))) + [UInt8(ascii: "\n")])
    }

    private static func entry(_ member: FleetMember) -> Entry {
        var expires: String?
        if case .invited(let end) = member.state { expires = date(end) }
        return Entry(
            name: member.name, fingerprint: member.fingerprint, state: word(member), since: date(member.since),
            expires: expires,
            inviter: member.inviter.map { Inviter(name: $0.name, fingerprint: $0.fingerprint) },
            isThisMachine: member.isThisMachine, isKeyFileSealed: member.isKeyFileSealed)
    }

    /// Whether nobody can use the invitation any more.
    private static func isOver(_ expires: Int64) -> Bool { expires < Int64(time(nil)) }

    private static func word(_ member: FleetMember) -> String {
        switch member.state {
        case .member: "member"
        case .invited(let expires): isOver(expires) ? "expired" : "invited"
        case .damaged: "damaged"
        }
    }

    private static func line(_ member: FleetMember) -> String {
        let end =
            switch member.state {
            case .member: "since \(date(member.since))"
            case .invited(let expires): "\(isOver(expires) ? "since" : "until") \(date(expires))"
            case .damaged: "not written by a member"
            }
        let mark =
            (member.inviter.map { "  (invited by \($0.name), \($0.fingerprint))" } ?? "")
            + (member.isKeyFileSealed == true
                ? "  (this machine, sealed by its TPM)" : member.isThisMachine ? "  (this machine)" : "")
        return "\(member.fingerprint)  \(word(member).padding(toLength: 7, withPad: " ", startingAt: 0))  \(end)  "
            + "\(member.name)\(mark)"
    }

    private static func date(_ seconds: Int64) -> String {
        let format = ISO8601DateFormatter()
        return format.string(from: Date(timeIntervalSince1970: Double(seconds)))
    }
}

/// `fleet remove`: new keys, without some of the machines.
struct FleetRemove: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Shut machines out: give all keychains of the database new keys.",
        discussion: """
            Encrypts every item again. Change the secrets, too, because a removed machine may have read them, and take its \
            role on the server away. Open invitations and copies of a device key's file have no effect afterwards.

            Prints the machines that stay, as fleet list does. Look through them: a machine can invite itself again, under \
            another name, before it is removed.
            """)

    @Argument(help: "The names or fingerprints of the machines.")
    var members: [String]

    @Flag(name: .long, help: "Print the machines that stay as JSON, for programs.")
    var json = false

    @OptionGroup var others: OtherKeychains

    func run() throws {
        let store = try reporting("fleet remove") {
            let store = try FleetCommand.store()
            let known = try store.members()
            let ids = try members.map { try Self.id($0, known) }
            try others.requireConfirmation(known)
            OtherKeychains.note(try others.rekey(store, removing: ids))
            return store
        }
        do {
            try FleetList.write(try store.members(), json: json)
        } catch let error as StoreError {
            throw CommandFailure("fleet remove: it is done, but those that stay cannot be listed: \(error.message)")
        }
    }

    private static func id(_ name: String, _ known: [FleetMember]) throws -> [UInt8] {
        // A machine may have the fingerprint of another one as its name.
        let exact = known.filter { $0.fingerprint == name }
        let found = exact.isEmpty ? known.filter { $0.name == name } : exact
        guard let first = found.first else { throw CommandFailure("fleet remove: there is no member \"\(name)\"") }
        guard found.count == 1 else {
            throw CommandFailure(
                "fleet remove: several members have the name \"\(name)\": name one of "
                    + found.map(\.fingerprint).joined(separator: ", "))
        }
        return first.id
    }
}

/// `fleet seal`: this machine's TPM seals its key file.
struct FleetSeal: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "seal", abstract: "Let this machine's TPM seal its key file.",
        discussion: """
            A copy of the file then opens nothing on another machine. Copies that were made before still do. If the TPM is \
            reset, this machine opens the keychain no more, and has to join again: have another member, or a backup, first.

            Former key files beside it are sealed too. Programs need no setting to use the file. With SECITEM_PROTECTOR=tpm, \
            they refuse one that is not sealed, and new ones are sealed when they are made.
            """)

    func run() throws {
        let files = try reporting("fleet seal") { try FleetCommand.store().sealKeyFile() }
        if files.isEmpty { CommandContext.current.note("the TPM has sealed the key file already") }
        for file in files { CommandContext.current.note("the TPM has sealed \(PrintedBytes.line(file))") }
    }
}

/// What new keys for a database need.
struct OtherKeychains: ParsableArguments {
    @Option(
        name: .customLong("also"),
        help: ArgumentHelp(
            "The name of another keychain in the same PostgreSQL database. Repeat it for each.", valueName: "keychain"))
    var names: [String] = []

    @Flag(name: .long, help: "Delete damaged items of the database. Otherwise the command stops at the first one.")
    var withoutDamaged = false

    @Flag(name: .long, help: "Do it although machines with a copy of the device key's file are shut out.")
    var yes = false

    /// Machines that are no members are not in any list: somebody has to say that there are none, or that they may be shut out.
    ///
    /// - Throws: ``CommandFailure`` without `--yes`, if this machine has the device key itself.
    func requireConfirmation(_ members: [FleetMember]) throws {
        if yes || members.contains(where: \.isThisMachine) { return }
        throw CommandFailure(
            "this machine has a copy of the device key, and so may others. They cannot open the keychain any more after "
                + "this: invite them first, or add --yes")
    }

    /// Gives all keychains new keys. Asks for the passphrase if it is needed.
    func rekey(_ store: any FleetStore, removing ids: [[UInt8]] = []) throws -> RekeyedItems {
        do throws(StoreError) {
            return try store.rekey(
                keychains: names, removing: ids, passphrase: nil, withoutDamaged: withoutDamaged)
        } catch {
            // This keychain may have none, and another one may.
            guard error.code == .locked else { throw error }
        }
        let passphrase = try PasswordPrompt.ask(
            names.isEmpty
                ? "password of \(store.summary): " : "password of the keychains in the database that have one: ")
        return try store.rekey(
            keychains: names, removing: ids, passphrase: passphrase, withoutDamaged: withoutDamaged)
    }

    /// Says what became of the items.
    static func note(_ items: RekeyedItems) {
        FleetCommand.note(formerKeyFile: items.formerKeyFile)
        CommandContext.current.note("\(items.sealed) items were encrypted again")
        if items.leftOut > 0 {
            CommandContext.current.note("\(items.leftOut) damaged items were left out, and are gone")
        }
    }
}
