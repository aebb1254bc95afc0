// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Runs the commands that come on standard input, one a line.
struct InteractiveMode {
    private let options: GlobalOptions

    init(_ options: GlobalOptions) {
        self.options = options
    }

    /// - Returns: The exit status of the last command.
    func run() -> Int32 {
        var status: Int32 = 0
        do {
            while let line = try nextLine() {
                let text: String
                do { text = try ArgumentText.line(line) } catch {
                    status = CommandRunner.report(error)
                    // What is no text changes no quotation mark, so this finds a quotation that goes on in the next line.
                    guard (try? ShellWords.split(String(decoding: line, as: UTF8.self))) != nil else { return status }
                    continue
                }
                let words: [String]
                do { words = try ShellWords.split(text) } catch {
                    status = CommandRunner.report(error)
                    // The next lines may be the rest of a secret. Only a person sees that this one was not run.
                    if isatty(STDIN_FILENO) == 1 { continue }
                    return status
                }
                guard let name = words.first else { continue }
                status = CommandRunner.run(words, in: options)
                if status != 0 {
                    let isCommand = (try? CommandTable.command(name)) != nil
                    CommandContext.current.note("\(isCommand ? name : "security"): returned \(status)")
                }
            }
        } catch {
            Console.error("security: \((error as? CommandFailure)?.message ?? "standard input cannot be read")")
            return 1
        }
        return status
    }

    private func nextLine() throws -> [UInt8]? {
        if isatty(STDIN_FILENO) == 1 { Console.write(options.prompt, to: STDERR_FILENO) }
        return try StandardInput.shared.line()
    }
}
