// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// `help`: all commands, or what one of them takes.
struct Help: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "help", abstract: "Show all commands, or show usage for a command.")

    @Argument(help: "The commands to explain.")
    var commands: [String] = []

    func run() throws {
        if commands.isEmpty { Console.write(SecurityCommand.helpMessage() + "\n") }
        var rest = commands[...]
        while let name = rest.popFirst() {
            var command = try CommandTable.command(name)
            // "fleet invite" is one command.
            while let next = rest.first,
                let inner = command.configuration.subcommands.first(where: { $0.configuration.commandName == next })
            {
                command = inner
                rest.removeFirst()
            }
            Console.write(SecurityCommand.helpMessage(for: command) + "\n")
        }
    }
}
