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
            guard let data = Data(hexadecimal: hexadecimal) else {
                throw CommandFailure.usage("-X takes an even number of hexadecimal digits")
            }
            warn()
            return data
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

extension Data {
    /// The bytes that the digits stand for; nil for anything else.
    init?(hexadecimal text: String) {
        let digits = text.utf8.map { $0.hexadecimalValue }
        guard digits.count.isMultiple(of: 2), !digits.contains(nil) else { return nil }
        let values = digits.compactMap { $0 }
        self.init(stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] })
    }
}

extension UInt8 {
    /// What the ASCII character is worth as a hexadecimal digit.
    fileprivate var hexadecimalValue: UInt8? {
        switch self {
        case 0x30...0x39: self - 0x30
        case 0x41...0x46: self - 0x41 + 10
        case 0x61...0x66: self - 0x61 + 10
        default: nil
        }
    }
}
