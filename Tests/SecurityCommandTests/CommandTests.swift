// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemConformance
import SecItemSQLite
import SecItemSealing
import SecItemStore
import TestSupport
import Testing

@testable import SecurityCommand

/// Command names, exit statuses and interactive mode.
@Suite struct CommandFrameTests {
    @Test func unknownCommand_exitsWith1() throws {
        let result = try CommandFixture().run("no-such-command")
        #expect(result.status == 1)
        #expect(result.errors == "security: unknown command \"no-such-command\"\n")
    }

    @Test(arguments: [
        "leaks", "authorize", "list-smartcards", "dump-trust-settings", "create-filevaultmaster-keychain",
    ])
    func commandThatIsNotThere_saysSo(name: String) throws {
        let result = try CommandFixture().run(name, "-x")
        #expect(result.status == 252)
        #expect(result.errors.contains("this command does not exist on Linux"))
    }

    @Test func wrongOptions_exitWith2AndShowUsage() throws {
        let fixture = try CommandFixture()
        for arguments in [["-z"], ["find-generic-password", "--nonsense"], ["find-internet-password", "-r", "ht"]] {
            let result = try fixture.program(arguments).run()
            #expect(result.status == 2, "\(arguments)")
            #expect(result.output.isEmpty)
            #expect(!result.errors.isEmpty)
        }
    }

    /// Names that other programs have given, and what else stands in a message, do not speak to the terminal.
    @Test func messages_doNotSteerTheTerminal() throws {
        let fixture = try CommandFixture()
        let name = "x\u{1b}[2J\u{7}\nsecurity: all is well\u{202e}"
        for group in ["a", "b"] {
            let add = ["add-generic-password", "-a", "a", "-s", "s", "-w", "x", "--access-group", group + name]
            try fixture.program(add).output()
        }
        for line in [
            ["add-generic-password", "-U", "-a", "a", "-s", "s", "-w", "y"],
            ["unlock-keychain", "-p", "x", "/" + name],
            ["check", "--keychain", "/nowhere/" + name], ["cms", "-D", "-i", name], [name],
            ["dump-keychain", "/" + name],
            ["find-identity", "-p", name], ["restore", name, "--passphrase-file", name],
        ] {
            let failed = try fixture.program(line).run()
            #expect(failed.status != 0 && !failed.errors.isEmpty, "\(line)")
            #expect(
                !failed.errors.unicodeScalars.contains { "\u{1b}\u{7}\u{202e}".unicodeScalars.contains($0) }, "\(line)")
            #expect(!failed.errors.contains("\nsecurity: all is well"), "\(line)")
        }
    }

    /// Dates that are no numbers, or far away, keep no item from being shown.
    @Test(arguments: [Double.nan, -.nan, .infinity, -.infinity, 1e300, -1e300, 0])
    func datesOfEveryKind_areShown(seconds: Double) throws {
        var fixture = try CommandFixture()
        let store = fixture.folder.path + "/store"
        fixture.environment["SECITEM_DIRECTORY"] = store
        let date = AttributeValue.date(Date(timeIntervalSinceReferenceDate: seconds))
        let record = ItemRecord(
            reference: PersistentReference(itemClass: .genericPassword),
            attributes: [
                .account: .string("odd"), .service: .string(""), .accessGroup: .string("g"),
                .synchronizable: .integer(0), .tombstone: .integer(0),
                .accessible: .string(Accessible.whenUnlocked.rawValue), .creationDate: date, .modificationDate: date,
            ], secrets: [.valueData: Secret(Data("x".utf8))])
        try SQLiteStore(location: StoreLocation(folder: store), protector: KeyFileProtector(), cache: .none).insert(
            record, interaction: .forbidden)
        let dump = try fixture.run("dump-keychain", "-d")
        #expect(dump.status == 0 && dump.output.contains("\"acct\"<blob>=\"odd\""), "\(dump)")
    }

    /// No file gets the number of a closed descriptor: what is meant for standard error would be written into it.
    @Test func closedDescriptors_areNotThoseOfFiles() throws {
        let fixture = try CommandFixture()
        try fixture.program(["add-generic-password", "-a", "a", "-s", "s", "-w", "x"]).output()
        let program = try fixture.program([]).executable
        for closed in ["0<&-", "1>&-", "2>&-", "0<&- 1>&- 2>&-"] {
            // The keychain's lock of the list is taken by somebody else, so the command waits with the file open.
            let list = KeychainListFile(folder: fixture.folder.path + "/data/secitem/keychains")
            let running = try list.exclusively { _ in
                let script = "exec '\(program)' list-keychains -s login.keychain \(closed)"
                let command = try Program("/bin/sh", ["-c", script], environment: fixture.environment).start()
                let folder = "/proc/\(command.processIdentifier)/fd"
                func files() -> [String: String] {
                    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
                    return names.reduce(into: [:]) { files, name in
                        files[name] = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")
                    }
                }
                func number() -> Int? { files().first { $0.value.hasSuffix("list.lock") }.flatMap { Int($0.key) } }
                while command.isRunning, number() == nil { usleep(1000) }
                #expect(try #require(number()) > 2, "\(closed)")
                return command
            }
            #expect(try running.waitUntilExit().status == 0)
        }
    }

    @Test func name_mayBeShortenedWhileItMeansOneCommand() throws {
        let fixture = try CommandFixture()
        #expect(try fixture.run("err", "-25300").status == 0)
        #expect(try fixture.run("find-generic", "-s", "x").status == 44)
        let ambiguous = try fixture.run("add-")
        #expect(ambiguous.status == 2)
        #expect(ambiguous.errors.contains("add-generic-password, add-internet-password"))
    }

    /// What the help of a group names is there.
    @Test func helpOfAGroup_namesTheHelpOfItsCommands() throws {
        let fixture = try CommandFixture()
        #expect(try fixture.run("fleet", "--help").output.contains("See 'security help fleet <subcommand>' for"))
        #expect(try fixture.run("help", "fleet", "invite").status == 0)
    }

    /// Every name is listed once, and every command explains itself.
    @Test func help_explainsEveryCommand() throws {
        let fixture = try CommandFixture()
        let all = try fixture.run("help")
        #expect(all.status == 0)
        let names = CommandTable.groups.flatMap { $0.commands }.map { $0.configuration.commandName ?? "" }
        #expect(Set(names).count == names.count)
        for name in names {
            #expect(all.output.contains("  \(name)"), "\(name)")
            let one = try fixture.run("help", name)
            #expect(one.status == 0 && one.output.contains("USAGE: security \(name)"), "\(name)")
        }
    }

    /// A command of a group explains itself, however the user asks.
    @Test func help_explainsCommandsOfAGroup() throws {
        let fixture = try CommandFixture()
        for group in CommandTable.groups.flatMap({ $0.commands }) {
            for command in group.configuration.subcommands {
                let name = [group.configuration.commandName, command.configuration.commandName].compactMap { $0 }
                let usage = "USAGE: security \(name.joined(separator: " "))"
                for line in [["help"] + name, name + ["--help"], name + ["-h"]] {
                    let result = try fixture.program(line).run(input: "")
                    #expect(result.status == 0 && result.output.contains(usage), "\(line) \(result.output)")
                }
            }
        }
    }

    @Test func help_explainsTheGlobalOptions() throws {
        let help = try CommandFixture().run("help").output
        #expect(help.contains("USAGE: security [-h] [-i] [-l] [-p <prompt>] [-q] [-v]"))
        for option in ["-h", "-i", "-l", "-p <prompt>", "-q", "-v"] {
            #expect(help.components(separatedBy: "\n").contains { $0.hasPrefix("  \(option)  ") }, "\(option)")
        }
    }

    /// The next command is not read as a password.
    @Test func interactiveMode_asksForNoPassword() throws {
        let fixture = try CommandFixture()
        try fixture.makeKeychain("k")
        try fixture.run("lock-keychain", "k")
        for line in ["add-generic-password -s s -a a -w", "unlock-keychain k", "create-keychain new"] {
            let result = try fixture.run("-i", input: line + "\nerror -25300\n")
            #expect(result.status == 0 && result.output.hasPrefix("Error: "), "\(line)")
            #expect(result.errors.contains("returned 2"), "\(line)")
        }
        #expect(try fixture.run("find-generic-password", "-s", "s", "login.keychain").status == 44)
        #expect(!FileManager.default.fileExists(atPath: fixture.path(of: "new")))
    }

    @Test func error_namesEachStatus() throws {
        let result = try CommandFixture().run("error", "-25300", "0xFFFF9D2C", "-25299")
        #expect(
            result.output == """
                Error: 0xFFFF9D2C -25300 The specified item could not be found in the keychain.
                Error: 0xFFFF9D2C -25300 The specified item could not be found in the keychain.
                Error: 0xFFFF9D2D -25299 The specified item already exists in the keychain.

                """)
        #expect(try CommandFixture().run("error", "none").status == 2)
    }

    @Test(arguments: [(-25300, 44), (-25299, 45), (-25293, 51), (-25308, 36), (-25294, 50), (-128, 128), (-256, 1)])
    func exitStatus_isLastEightBits(status: Int32, exit: Int32) {
        #expect(CommandFailure.exitStatus(status) == exit)
    }

    @Test func interactiveMode_runsEachLineAndGivesTheLastStatus() throws {
        let fixture = try CommandFixture()
        let lines = """
            add-generic-password -s 'a service' -a "it's" -w p\\ w

            find-generic-password -s "a service" -w
            find-generic-password -s nothing -w
            """
        let result = try fixture.run("-i", input: lines)
        #expect(result.status == 44)
        #expect(result.output == "p w\n")
        #expect(
            result.errors == """
                security: SecKeychainSearchCopyNext: The specified item could not be found in the keychain.
                find-generic-password: returned 44

                """)
        #expect(try fixture.run("-qi", input: "find-generic-password -s x").errors.contains("returned") == false)
    }

    @Test(arguments: [
        ("", []), ("  a  b ", ["a", "b"]), ("'a b' \"c d\"", ["a b", "c d"]), ("a\\ b", ["a b"]),
        ("''", [""]), ("'it'\"'\"'s'", ["it's"]), ("\"a\\\"b\"", ["a\"b"]), ("a'b c'", ["a'b", "c'"]),
        ("it's", ["it's"]), ("\\'", ["'"]),
        ("'\u{301}a -U' b", ["\u{301}a -U", "b"]), ("\"a\"\u{301} b", ["a\u{301}", "b"]),
        ("a \u{301}b", ["a", "\u{301}b"]), ("\\ \u{301}a", [" \u{301}a"]), ("a\u{a0}b\u{2003}c", ["a\u{a0}b\u{2003}c"]),
    ])
    func shellWords_areSplit(line: String, words: [String]) throws {
        #expect(try ShellWords.split(line) == words)
    }

    @Test(arguments: ["'open", "a 'b", "\"a\\\"", "'a' \"", "a\\", "'", "'a\\'", "\"\u{301}"])
    func shellWords_ofALineThatEndsInAQuotation_areNone(line: String) {
        #expect(throws: CommandFailure.self) { try ShellWords.split(line) }
    }

    /// Nothing of a line that ends inside a quotation is stored, run or shown, and nothing of the lines after it.
    @Test(arguments: [
        "-w 'S3CRET\nS3CRET-TAIL'", "-w \"S3CRET\nS3CRET-TAIL\"", "-w S3CRET\\\nS3CRET-TAIL", "-w 'S3CRET",
        "-w S3CRET\\",
        "-w 'S3CRET\nadd-generic-password -U -s s -a a -w S3CRET\n'",
    ])
    func interactiveMode_takesNoHalfLine(rest: String) throws {
        let fixture = try CommandFixture()
        let add = "add-generic-password -U -s s -a a "
        let result = try fixture.run("-i", input: add + "-w good\n" + add + rest + "\n")
        #expect(result.status == 2 && result.output.isEmpty)
        #expect(!result.errors.contains("S3CRET"), "\(result.errors)")
        #expect(try fixture.run("find-generic-password", "-s", "s", "-w").output == "good\n")
    }

    /// A line of input that is no command may be the rest of a secret.
    @Test func interactiveMode_repeatsNoUnknownCommand() throws {
        let result = try CommandFixture().run("-i", input: "S3CRET and more\n")
        #expect(result.status == 1 && result.errors == "security: unknown command\nsecurity: returned 1\n")
    }

    /// Splitting a line returns the words that a shell has quoted.
    @Test func shellWords_giveBackWhatWasQuoted() throws {
        var generator = SeededGenerator()
        let characters = Array("ab '\"\\\t$ü\u{301}\u{200d}\u{fe0f}".unicodeScalars)
        for _ in RandomRounds.usually(500) {
            let words = (0..<3).map { _ in
                var word = String.UnicodeScalarView()
                for _ in 0..<Int.random(in: 0..<6, using: &generator) {
                    word.append(characters.randomElement(using: &generator) ?? "a")
                }
                return String(word)
            }
            // In single quotation marks, a backslash has no effect in a shell. Here it has, as on a Mac.
            let line = words.map { word in
                "\"" + word.unicodeScalars.map { ["\"", "\\"].contains($0) ? "\\\($0)" : "\($0)" }.joined() + "\""
            }.joined(separator: " ")
            // Compared as bytes, because two texts may be equal and differ in their bytes.
            #expect(try ShellWords.split(line).map { Array($0.utf8) } == words.map { Array($0.utf8) })
        }
    }

    @Test(arguments: [
        ("Jürgen \"x\"", "Jürgen \"x\""), ("a\nb", "a\\012b"), ("\u{1b}[2J", "\\033[2J"), ("\r\u{7f}", "\\015\\177"),
        ("\u{85}", "\\302\\205"), ("\u{2028}", "\\342\\200\\250"), ("\u{202e}", "\\342\\200\\256"),
    ])
    func text_staysWithinItsLine(text: String, printed: String) {
        #expect(PrintedBytes.line(text) == printed)
    }

    @Test(
        arguments: [
            ([], ""), ([0x61], "\"a\""), ([0x00], "0x00 "), ([0x61, 0xC3, 0xA4], "0x61C3A4  \"a\\303\\244\""),
            ([0x5C], "0x5C "), ([0x61, 0x5C], "0x615C  \"a\\134\""), ([0x0A, 0x22], "0x0A22  \"\\012\"\""),
        ] as [([UInt8], String)])
    func bytes_arePrintedAsOnAMac(bytes: [UInt8], text: String) {
        #expect(PrintedBytes.text(bytes) == text)
    }
}
