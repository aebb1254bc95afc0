// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// What holds for the command that runs: how much it says, and to whom.
struct CommandContext: Sendable {
    @TaskLocal static var current = CommandContext(options: GlobalOptions())

    let options: GlobalOptions
    private let said = Said()

    init(options: GlobalOptions) {
        self.options = options
    }

    /// Says on standard error, with `-v` and once, that an option means nothing on Linux.
    func ignore(_ option: String, because reason: String) {
        if options.isVerbose && said.isNew(option) { Console.error("\(option) has no effect on Linux: \(reason)") }
    }

    /// Says something on standard error, unless `-q` forbids it.
    func note(_ text: String) {
        if !options.isQuiet { Console.error(text) }
    }

    private final class Said: Sendable {
        private let texts = Mutex<Set<String>>([])

        func isNew(_ text: String) -> Bool { texts.withLock { $0.insert(text).inserted } }
    }
}
