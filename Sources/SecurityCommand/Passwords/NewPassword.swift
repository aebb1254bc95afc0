// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import SecItemStore

/// The options that say which password an item gets.
struct NewPassword: ParsableArguments {
    /// The flag that stands for `-w` at the end of the command line.
    static let promptFlag = "prompt-for-password"

    @Option(
        name: .shortJoined("w"), parsing: .unconditional,
        help: "The password. As the last option, without a value, it is asked for.")
    var password: String?

    @Flag(name: .customLong(promptFlag), help: "Ask for the password.")
    var prompts = false

    @Option(name: .shortJoined("X"), parsing: .unconditional, help: "The password's bytes in hexadecimal.")
    var hexadecimal: String?

    /// The password, asked for if need be; nil when none was given.
    ///
    /// - Parameter other: A password that another option gave.
    func value(or other: String? = nil) throws -> Data? {
        if prompts {
            return try PasswordPrompt.askForNew(
                "password data for new item: ", again: "retype password for new item: "
            ).data()
        }
        if let hexadecimal {
            guard let bytes = hexadecimal.utf8.decodedHexadecimal else {
                throw CommandFailure.usage("-X takes an even number of hexadecimal digits")
            }
            warn()
            return Data(bytes)
        }
        guard let text = password ?? other else { return nil }
        warn()
        return Data(text.utf8)
    }

    /// Other users see what a command line says, as long as the command runs; the shell may remember it.
    private func warn() {
        PasswordOnCommandLine.warn("-w")
    }
}

/// Warns of a password on the command line, where a person has typed it.
enum PasswordOnCommandLine {
    static func warn(_ option: String) {
        let options = CommandContext.current.options
        guard isatty(STDERR_FILENO) == 1, !options.isInteractive else { return }
        CommandContext.current.note(
            "security: a password on the command line can be seen by others; leave it out to be asked (\(option) last)")
    }
}
