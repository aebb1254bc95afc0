// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The command `security`, as help, completions and the manual know it: all subcommands in one tree.
///
/// To run one, ``CommandRunner`` parses that one alone.
struct SecurityCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "security",
        abstract: "Shows, changes and maintains the keychain.",
        usage: "security [-h] [-i] [-l] [-p <prompt>] [-q] [-v] [<subcommand>]",
        discussion: GlobalOptions.help,
        groupedSubcommands: CommandTable.groups.map { CommandGroup(name: $0.name, subcommands: $0.commands) })
}
