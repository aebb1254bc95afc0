// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import SecItemShim
import SecItemStore

/// Runs one command line: the global options, then the subcommand that is named, which alone is parsed.
enum CommandRunner {
    /// - Parameter arguments: What follows the program's name.
    /// - Returns: The exit status.
    static func run(_ arguments: [String]) -> Int32 {
        do {
            let options = try GlobalOptions(arguments)
            return CommandContext.$current.withValue(CommandContext(options: options)) { run(options) }
        } catch {
            return report(error)
        }
    }

    private static func run(_ options: GlobalOptions) -> Int32 {
        if options.isForTree { return parseAndRun(SecurityCommand.self, options.rest) }
        if options.wantsHelp { return run(["help"] + options.rest, in: options) }
        if !options.rest.isEmpty { return run(options.rest, in: options) }
        if options.isInteractive { return InteractiveMode(options).run() }
        Console.write(SecurityCommand.helpMessage() + "\n")
        return 2
    }

    /// Runs one subcommand with its arguments.
    static func run(_ line: [String], in options: GlobalOptions) -> Int32 {
        guard let name = line.first else { return 0 }
        do {
            let command = try CommandTable.command(name)
            return parseAndRun(command, Array(line.dropFirst()))
        } catch {
            return report(error)
        }
    }

    private static func parseAndRun(_ command: ParsableCommand.Type, _ arguments: [String]) -> Int32 {
        do {
            let arguments = (command as? any PreparedCommand.Type)?.prepared(arguments) ?? arguments
            var parsed = try command.parseAsRoot(arguments)
            try parsed.run()
            return 0
        } catch {
            return report(error, of: command)
        }
    }

    /// Says what is wrong, of a command where one is known.
    ///
    /// - Returns: The exit status.
    static func report(_ error: any Error, of command: ParsableCommand.Type? = nil) -> Int32 {
        let status = told(error, of: command)
        return status > 2 && command is any PlainlyFailingCommand.Type ? 1 : status
    }

    /// Says what is wrong.
    ///
    /// - Returns: The exit status that belongs to it.
    private static func told(_ error: any Error, of command: ParsableCommand.Type?) -> Int32 {
        switch error {
        case let failure as CommandFailure:
            // It may have a name in it that another program has given.
            if let message = failure.message { Console.error("security: \(PrintedBytes.line(message))") }
            return failure.exitStatus
        case let failure as KeychainError: return told(CommandFailure("keychain", failure), of: command)
        case let failure as StoreError: return told(CommandFailure("keychain", failure), of: command)
        case let code as ExitCode: return code.rawValue
        default: return reportParsing(error, of: command ?? SecurityCommand.self)
        }
    }

    /// What the parser says: help that was asked for, or what is wrong with the command line.
    private static func reportParsing(_ error: any Error, of command: ParsableCommand.Type) -> Int32 {
        if command.exitCode(for: error) == .success {
            let isHelp = command != SecurityCommand.self && error is CleanExit == false
            Console.write((isHelp ? help(error, of: command) : command.fullMessage(for: error)) + "\n")
            return 0
        }
        Console.error("security: \(message(for: error, of: command))")
        Console.error(SecurityCommand.usageString(for: command))
        return 2
    }

    /// The page of a command. Only the error knows which command of a group was asked about.
    private static func help(_ error: any Error, of command: ParsableCommand.Type) -> String {
        guard !command.configuration.subcommands.isEmpty, let group = command.configuration.commandName else {
            return SecurityCommand.helpMessage(for: command)
        }
        return command.fullMessage(for: error)
            .replacingOccurrences(of: "USAGE: \(group) ", with: "USAGE: security \(group) ")
            .replacingOccurrences(of: "See '\(group) help ", with: "See 'security help \(group) ")
    }

    private static func message(for error: any Error, of command: ParsableCommand.Type) -> String {
        let message = command.message(for: error)
        let isOfArguments = message.hasPrefix("Unexpected argument") || message.contains(" unexpected arguments: ")
        return isOfArguments && command is any PasswordCommand.Type ? "too many arguments" : message
    }
}

/// A command that takes passwords: what stands on its command line at a wrong place may be one.
protocol PasswordCommand: ParsableCommand {}

/// A command that exits with 1 whatever call of it fails, as on a Mac.
protocol PlainlyFailingCommand: ParsableCommand {}

/// A command with an option that the parser does not know in the form that a Mac has.
protocol PreparedCommand: ParsableCommand {
    /// The command line in a form that the parser knows.
    static func prepared(_ arguments: [String]) -> [String]
}

/// A command whose option for a password may stand at the end without one: then it asks.
protocol PromptingCommand: PasswordCommand, PreparedCommand {
    /// The option, by its letter, and the flag that means that the password is asked for.
    static var prompting: (option: Character, flag: String) { get }
}

extension PromptingCommand {
    /// The command line with the flag in place of an option at its end that lacks its value.
    static func prepared(_ arguments: [String]) -> [String] {
        guard arguments.last == "-\(prompting.option)" else { return arguments }
        return arguments.dropLast() + ["--\(prompting.flag)"]
    }
}
