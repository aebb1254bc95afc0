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
        for name in commands {
            Console.write(SecurityCommand.helpMessage(for: try CommandTable.command(name)) + "\n")
        }
    }
}
