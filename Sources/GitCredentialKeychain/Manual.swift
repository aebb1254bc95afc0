// SPDX-License-Identifier: Apache-2.0

/// The helper's documentation: `--help`, the manual page and the shells' completions, all made from one text.
enum Manual {
    /// - Parameter arguments: The command line, which begins with an option.
    /// - Throws: `HelperFailure` for an unknown option.
    static func page(for arguments: [String]) throws(HelperFailure) -> String {
        switch arguments {
        case ["--help"], ["-h"]: return text
        case ["--manual"]: return roff
        case ["--completion", "bash"]: return bash
        case ["--completion", "zsh"]: return zsh
        case ["--completion", "fish"]: return fish
        default: throw HelperFailure.usage
        }
    }

    private enum Paragraph {
        case text(String)
        case entry(String, String)
        case code(String)
    }

    private static let name = GitCredentialKeychain.programName
    private static let abstract = "git's credentials in the keychain"

    private static let sections: [(title: String, paragraphs: [Paragraph])] = [
        ("SYNOPSIS", [.code("\(name) get|store|erase|capability")] + [.code("\(name) --help")]),
        (
            "DESCRIPTION",
            [
                .text(
                    """
                    This is a credential helper, as gitcredentials(7) describes: git writes what it knows about a credential \
                    to the helper's standard input, and reads the rest from its standard output. With this setting, git uses \
                    the helper for all repositories of the user:
                    """),
                .code("git config --global credential.helper keychain"),
                .text(
                    """
                    The items are the same as on a Mac: internet passwords that differ in protocol, server, port, path or \
                    account. Their access group is \(GitCredentialKeychain.accessGroup). The protocols are ftp, ftps, http, https, \
                    imap, imaps and smtp; for others, the helper does nothing. A request without a port never gets a password \
                    for a specific port. Git sends a path only with credential.useHttpPath.
                    """),
                .text(
                    """
                    Besides the password, an item can contain git's password_expiry_utc and oauth_refresh_token. Instead of \
                    a password, it can contain authtype and credential, for versions of git that support them.
                    """),
            ]
        ),
        ("OPERATIONS", Action.allCases.map { .entry($0.rawValue, $0.meaning) }),
        (
            "OPTIONS",
            [
                .entry("-h, --help", "Shows this text."),
                .entry("--manual", "Writes this text as a manual page."),
                .entry("--completion bash|zsh|fish", "Writes a completion script for that shell."),
            ]
        ),
        (
            "ENVIRONMENT",
            [
                .entry(
                    "SECITEM_STORE, SECITEM_DIRECTORY, SECITEM_PASSPHRASE_FILE",
                    "Choose the store, as for every program that uses the keychain."),
                .entry("SECITEM_LOG", "A level, such as debug: messages of this level and above go to standard error."),
            ]
        ),
        (
            "EXIT STATUS",
            [
                .entry("0", "Success, or nothing to do. Unknown operations of a later git do nothing."),
                .entry(
                    "1",
                    """
                    The keychain is locked or not available, the operation failed, or the request was incomplete. Nothing is \
                    written to standard output, and standard error says why. Git then asks the user.
                    """),
                .entry("2", "Wrong command line."),
            ]
        ),
        (
            "EXAMPLES",
            [
                .text("Print the password for a host with the command security, as on a Mac:"),
                .code("security find-internet-password -s example.com -w"),
                .text("Forget every credential for a host:"),
                .code("printf 'protocol=https\\nhost=a.example\\n' | \(name) erase"),
            ]
        ),
        ("SEE ALSO", [.text("git(1), gitcredentials(7), git-credential(1), security(1)")]),
    ]

    // MARK: Text

    private static var text: String {
        let body = sections.map { section in
            section.title + "\n" + section.paragraphs.map(text(of:)).joined()
        }
        return "NAME\n" + wrapped("\(name) - \(abstract)", 4) + "\n" + body.joined(separator: "\n")
    }

    private static func text(of paragraph: Paragraph) -> String {
        switch paragraph {
        case .text(let words): wrapped(words, 4)
        case .entry(let term, let words): wrapped(term, 4) + wrapped(words, 8)
        case .code(let line): "      \(line)\n"
        }
    }

    private static func wrapped(_ words: String, _ indent: Int) -> String {
        var lines = [""]
        for word in words.split(whereSeparator: \.isWhitespace) {
            let longer = lines[lines.count - 1].isEmpty ? String(word) : "\(lines[lines.count - 1]) \(word)"
            if longer.count + indent <= 80 || lines[lines.count - 1].isEmpty {
                lines[lines.count - 1] = longer
            } else {
                lines.append(String(word))
            }
        }
        return lines.map { String(repeating: " ", count: indent) + $0 + "\n" }.joined()
    }

    // MARK: Manual page

    private static var roff: String {
        let head = ".TH GIT\\-CREDENTIAL\\-KEYCHAIN 1\n.SH NAME\n\(escaped(name)) \\- \(escaped(abstract))\n"
        return head + sections.map { ".SH \($0.title)\n" + $0.paragraphs.map(roff(of:)).joined() }.joined()
    }

    private static func roff(of paragraph: Paragraph) -> String {
        switch paragraph {
        case .text(let words): ".PP\n\(escaped(words))\n"
        case .entry(let term, let words): ".TP\n.B \(escaped(term))\n\(escaped(words))\n"
        case .code(let line): ".PP\n.RS 4\n.nf\n\(escaped(line))\n.fi\n.RE\n"
        }
    }

    /// Escapes the characters that the formatter would interpret.
    private static func escaped(_ words: String) -> String {
        let text = words.map { character in
            switch character {
            case "\\": "\\e"
            case "-": "\\-"
            case "'": "\\(aq"
            default: String(character)
            }
        }
        return text.first == "." ? "\\&" + text.joined() : text.joined()
    }

    // MARK: Completions

    private static var bash: String {
        let words = Action.allCases.map(\.rawValue) + ["--help", "--manual", "--completion"]
        return "complete -W '\(words.joined(separator: " "))' \(name)\n"
    }

    private static var zsh: String {
        let words = Action.allCases.map { "'\($0.rawValue):\(quoted($0.meaning))'" }
        return """
            #compdef \(name)
            local -a operations=(\(words.joined(separator: " ")))
            _arguments '(- *)'{-h,--help}'[show the manual]' '--manual[write the manual page]' \\
                '--completion[write the completions of a shell]:shell:(bash zsh fish)' '1:operation:{_describe operation operations}'

            """
    }

    private static var fish: String {
        let operations = Action.allCases.map { action in
            "complete -c \(name) -f -n '__fish_is_first_arg' -a \(action.rawValue) -d '\(quoted(action.meaning))'\n"
        }
        return operations.joined() + """
            complete -c \(name) -f -s h -l help -d 'Show the manual'
            complete -c \(name) -f -l manual -d 'Write the manual page'
            complete -c \(name) -x -l completion -a 'bash zsh fish' -d 'Write the completions of a shell'

            """
    }

    /// The text for use within a shell's quotation marks.
    private static func quoted(_ words: String) -> String {
        words.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
    }
}
