// SPDX-License-Identifier: Apache-2.0

/// What stands before the name of the subcommand.
struct GlobalOptions: Sendable {
    /// `-h`: help, and nothing else.
    private(set) var wantsHelp = false
    /// `-i` or `-p`: commands come from standard input.
    private(set) var isInteractive = false
    /// `-p`: what asks for the next command on a terminal.
    private(set) var prompt = "security> "
    /// `-q`: only what went wrong is said.
    private(set) var isQuiet = false
    /// `-v`: also what was done, and which options mean nothing here.
    private(set) var isVerbose = false
    /// The subcommand and what follows.
    private(set) var rest: [String] = []
    /// An option of two dashes, which concerns the whole tree: help, completions, the manual.
    private(set) var isForTree = false

    /// Whether the lines of standard input are commands.
    var readsCommands: Bool { isInteractive && rest.isEmpty && !wantsHelp && !isForTree }

    /// What `help` says of them.
    static let help = """
        Before the subcommand:
          -h  Show all commands, or the usage of the command that you name.
          -i  Read commands from standard input, one per line.
          -l  Look for leaks (no effect here).
          -p <prompt>  Like -i, with this prompt.
          -q  Print only errors.
          -v  Also print what is done, and which options have no effect here.
        """

    init() {}

    /// - Throws: ``CommandFailure`` for an option that does not exist.
    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        while let first = rest.first, first.hasPrefix("-"), first != "-" {
            if Self.concernsTree(first) {
                isForTree = true
                break
            }
            rest.removeFirst()
            if first == "--" { break }
            if first == "--help" { wantsHelp = true } else { try read(first.unicodeScalars.dropFirst(), &rest) }
        }
        self.rest = Array(rest)
    }

    /// What scripts for completions are made with, and what they call.
    private static func concernsTree(_ argument: String) -> Bool {
        let name = argument.prefix { $0 != "=" }
        return ["--generate-completion-script", "---completion", "--experimental-dump-help"].contains(name)
    }

    private mutating func read(_ letters: Substring.UnicodeScalarView, _ rest: inout ArraySlice<String>) throws {
        var letters = letters
        while let letter = letters.popFirst() {
            switch letter {
            case "h": wantsHelp = true
            case "i": isInteractive = true
            case "q": isQuiet = true
            case "v": isVerbose = true
            // Leaks are looked for with valgrind.
            case "l": break
            case "p":
                guard let value = letters.isEmpty ? rest.popFirst() : String(letters) else {
                    throw CommandFailure.usage("option requires an argument -- p")
                }
                (prompt, isInteractive) = (value, true)
                return
            default:
                let isNamed = letter.isASCII && letter.properties.isAlphabetic
                throw CommandFailure.usage(isNamed ? "illegal option -- \(letter)" : "illegal option")
            }
        }
    }
}
