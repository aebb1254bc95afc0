// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// Asks for a password: on a terminal without showing it, else as a line of standard input.
enum PasswordPrompt {
    /// The longest line that a terminal gives: Linux discards the rest of a longer one.
    private static let greatestLine = 4095

    /// Asks once.
    ///
    /// - Parameter prompt: What is written on a terminal before the answer.
    /// - Throws: ``CommandFailure`` if there is no answer, or if the terminal may have cut it.
    static func ask(_ prompt: String) throws -> Secret {
        guard isatty(STDIN_FILENO) == 1 else {
            // The next line is the next command.
            guard !CommandContext.current.options.readsCommands else {
                throw CommandFailure.usage(
                    "a password is needed: -i takes commands from standard input, and no passwords")
            }
            return try lineOfInput()
        }
        defer { Console.write("\n", to: STDERR_FILENO) }
        let answer = try HiddenInput.during { timesContinued in
            // Hidden before somebody can answer. Otherwise a fast answer would be seen, and discarded.
            var times = timesContinued()
            Console.write(prompt, to: STDERR_FILENO)
            return try lineOfInput {
                var wait = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
                while poll(&wait, 1, 100) <= 0 || times != timesContinued() {
                    // The shell has written meanwhile.
                    if times != timesContinued() { Console.write(prompt, to: STDERR_FILENO) }
                    times = timesContinued()
                }
            }
        }
        guard answer.count < greatestLine else {
            throw CommandFailure("the password is too long for a terminal: give it on standard input")
        }
        return answer
    }

    /// Asks for a new password: twice on a terminal, where a slip of the finger would not be seen. Elsewhere it is all of
    /// standard input: one line, or the same line twice, as for the two questions. Of several lines, the first one alone would
    /// be stored, and nobody would know.
    ///
    /// - Parameters:
    ///   - prompt: The first question.
    ///   - again: The second one.
    /// - Throws: ``CommandFailure`` when there is no answer, or the two are not the same.
    static func askForNew(_ prompt: String, again: String) throws -> Secret {
        let password = try ask(prompt)
        guard isatty(STDIN_FILENO) == 1 else {
            guard let second = try nextLine() else { return password }
            guard password.hasSameBytes(as: second), try nextLine() == nil else {
                throw CommandFailure("standard input has several lines, and a password is one line")
            }
            return password
        }
        guard try password.hasSameBytes(as: ask(again)) else { throw CommandFailure("passwords don't match") }
        return password
    }

    private static func lineOfInput(waiting wait: () -> Void = {}) throws -> Secret {
        guard let line = try nextLine(waiting: wait) else {
            throw CommandFailure("a password is needed, and standard input has none")
        }
        return line
    }

    private static func nextLine(waiting wait: () -> Void = {}) throws -> Secret? {
        guard var line = try StandardInput.shared.line(waiting: wait) else { return nil }
        defer { line.withUnsafeMutableBytes { $0.wipe() } }
        return Secret(line)
    }
}
