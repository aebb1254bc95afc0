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
        if options.isForTree { return runTree(options.rest) }
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
            return parseAndRun(try command(name, in: options), Array(line.dropFirst()))
        } catch {
            return report(error)
        }
    }

    /// - Throws: ``CommandFailure`` for a name that is none. A line of input may be the rest of a secret, so it is not repeated.
    private static func command(_ name: String, in options: GlobalOptions) throws -> ParsableCommand.Type {
        do { return try CommandTable.command(name) } catch let failure as CommandFailure {
            guard options.readsCommands, failure.exitStatus == 1 else { throw failure }
            throw CommandFailure("unknown command", exit: 1)
        }
    }

    private static func parseAndRun(_ command: ParsableCommand.Type, _ arguments: [String]) -> Int32 {
        let members = command.configuration.subcommands
        if let name = arguments.first, !members.isEmpty {
            if name == "help", let group = command.configuration.commandName {
                return parseAndRun(Help.self, [group] + arguments.dropFirst())
            }
            if let member = members.first(where: { $0.configuration.commandName == name }) {
                return parseAndRun(member, Array(arguments.dropFirst()))
            }
        }
        var values: [String] = []
        do {
            let line = try SplitArguments(arguments, OptionNames.of(command), CommandTable.rules(of: command))
            values = line.values
            if line.wantsHelp {
                Console.write(SecurityCommand.helpMessage(for: command) + "\n")
                return 0
            }
            var parsed = try command.parseAsRoot(line.forParser)
            try parsed.run()
            return 0
        } catch {
            return report(error, of: command, values)
        }
    }

    /// What the parser does for the whole tree of commands: scripts for completions, and what those ask.
    private static func runTree(_ arguments: [String]) -> Int32 {
        do {
            var parsed = try SecurityCommand.parseAsRoot(arguments)
            try parsed.run()
            return 0
        } catch {
            guard SecurityCommand.exitCode(for: error) == .success else {
                return report(CommandFailure.usage("this is no command line for completions"))
            }
            Console.write(SecurityCommand.fullMessage(for: error) + "\n")
            return 0
        }
    }

    /// Says what is wrong, of a command where one is known.
    ///
    /// - Parameter values: What no message repeats: the values and operands of the command line.
    /// - Returns: The exit status.
    static func report(
        _ error: any Error, of command: ParsableCommand.Type? = nil, _ values: [String] = []
    ) -> Int32 {
        let status = told(error, of: command, values)
        return status > 2 && command is any PlainlyFailingCommand.Type ? 1 : status
    }

    /// Says what is wrong.
    ///
    /// - Returns: The exit status that belongs to it.
    private static func told(_ error: any Error, of command: ParsableCommand.Type?, _ values: [String]) -> Int32 {
        switch error {
        case let failure as CommandFailure:
            // It may have a name in it that another program has given.
            if let message = failure.message { Console.error("security: \(PrintedBytes.line(message))") }
            return failure.exitStatus
        case let failure as KeychainError: return told(CommandFailure("keychain", failure), of: command, values)
        case let failure as StoreError: return told(CommandFailure("keychain", failure), of: command, values)
        case let code as ExitCode: return code.rawValue
        default: return reportParsing(error, of: command ?? SecurityCommand.self, values)
        }
    }

    /// What the parser says is wrong with the command line.
    private static func reportParsing(
        _ error: any Error, of command: ParsableCommand.Type, _ values: [String]
    ) -> Int32 {
        Console.error("security: \(message(for: error, of: command, values))")
        Console.error(SecurityCommand.usageString(for: command))
        return 2
    }

    /// The parser's message without the value that it repeats.
    private static func message(
        for error: any Error, of command: ParsableCommand.Type, _ values: [String]
    ) -> String {
        let message = command.message(for: error)
        if message.hasPrefix("Unexpected argument") || message.contains(" unexpected arguments: ") {
            return "too many arguments"
        }
        let prefixes = values.map { "The value '\($0)' is invalid for " }.filter { message.hasPrefix($0) }
        guard let prefix = prefixes.max(by: { $0.utf8.count < $1.utf8.count }) else { return message }
        return "The value is invalid for " + message.dropFirst(prefix.count)
    }
}

/// A command that exits with 1 whatever call of it fails, as on a Mac.
protocol PlainlyFailingCommand: ParsableCommand {}

/// A command that reads its line in a way of its own.
protocol SplitCommand: ParsableCommand {
    static var rules: SplitArguments.Rules { get }
}

/// A command whose option for a password may stand at the end without one: then it asks.
protocol PromptingCommand: SplitCommand {
    /// The option, by its letter, and the flag that means that the password is asked for.
    static var prompting: (option: Unicode.Scalar, flag: String) { get }
}

extension PromptingCommand {
    static var rules: SplitArguments.Rules {
        SplitArguments.Rules(optional: (prompting.option, "--\(prompting.flag)"))
    }
}
