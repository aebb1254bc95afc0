// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import SecItemConformance
import TestSupport
import Testing

@testable import SecurityCommand

/// Command lines are split as `getopt` splits them, no value is misread, and none is repeated in a message.
@Suite(.serialized) struct SplitArgumentsTests {
    /// What a command line has: options in order, and operands.
    private struct Line: Equatable {
        var options: [String] = []
        var operands: [String] = []
        var isWrong = false
    }

    /// Random arguments that are rich in dashes, equal signs and the parser's own words.
    private static func arguments(
        _ generator: inout some RandomNumberGenerator, _ letters: [Unicode.Scalar]
    ) -> [String] {
        let scalars = letters + Array("-=\u{301}ü ".unicodeScalars)
        let words = ["--", "-", "", "---", "-h", "--help", "--generate-completion-script", "=", "-w=", "---completion"]
        return (0..<Int.random(in: 0..<7, using: &generator)).map { _ in
            if Int.random(in: 0..<4, using: &generator) == 0, let word = words.randomElement(using: &generator) {
                return word
            }
            var word = String.UnicodeScalarView()
            if Bool.random(using: &generator) { word.append("-") }
            for _ in 0..<Int.random(in: 0..<5, using: &generator) {
                scalars.randomElement(using: &generator).map { word.append($0) }
            }
            return String(word)
        }
    }

    /// The line as `getopt(3)` reads it, which stops at the first operand as on a Mac.
    private static func getopt(_ arguments: [String], _ names: OptionNames) throws -> Line {
        func variable<Value>(_ name: String, _: Value.Type) throws -> UnsafeMutablePointer<Value> {
            try #require(dlsym(nil, name)).assumingMemoryBound(to: Value.self)
        }
        let index = try variable("optind", Int32.self), value = try variable("optarg", UnsafePointer<CChar>?.self)
        let letters = names.letters.map { "\($0.key)\($0.value ? ":" : "")" }.sorted().joined()
        var words = (["security"] + arguments).map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        var line = Line()
        // 0 has the GNU library begin anew.
        index.pointee = 0
        let count = Int32(arguments.count + 1)
        while true {
            let found = Glibc.getopt(count, &words, "+:" + letters)
            if found == -1 { break }
            guard let letter = Unicode.Scalar(UInt32(found)), letter != "?", letter != ":" else {
                line.isWrong = true
                return line
            }
            let value = names.letters[letter] == true ? value.pointee.map { String(cString: $0) } : nil
            line.options.append("-\(letter)" + (value.map { " \($0)" } ?? ""))
        }
        line.operands = Array(arguments[Int(index.pointee - 1)...])
        return line
    }

    private static func split(_ arguments: [String], _ names: OptionNames) -> Line {
        guard let split = try? SplitArguments(arguments, names) else { return Line(isWrong: true) }
        let options = split.options.map { $0.name + ($0.value.map { " \($0)" } ?? "") }
        return Line(options: options, operands: split.operands)
    }

    /// Compared as bytes, because two texts may be equal and differ in their bytes.
    private static func bytes(_ line: Line) -> [[UInt8]] {
        (line.options + ["|"] + line.operands).map { Array($0.utf8) }
    }

    /// The only difference: an operand that looks like an option and stands behind another one is refused.
    @Test func lines_areSplitAsByGetopt() throws {
        var generator = SeededGenerator()
        for command in CommandTable.groups.flatMap({ $0.commands }) {
            let names = OptionNames(letters: OptionNames.of(command).letters)
            for _ in RandomRounds.usually(40) {
                let arguments = Self.arguments(&generator, Array(names.letters.keys) + ["q"])
                let wanted = try Self.getopt(arguments, names), line = Self.split(arguments, names)
                let isLate = { (word: String) in word.utf8.first == UInt8(ascii: "-") && word != "-" }
                if line.isWrong && wanted.operands.dropFirst().contains(where: isLate) { continue }
                #expect(line.isWrong == wanted.isWrong, "\(arguments)")
                if !line.isWrong { #expect(Self.bytes(line) == Self.bytes(wanted), "\(arguments)") }
            }
        }
    }

    /// One option of a letter with a value, one without, and operands.
    private struct Sample: ParsableCommand {
        @Option(name: .shortJoined("w"), parsing: .unconditional) var password: String?
        @Option(name: .customShort("n")) var name: String?
        @Option(name: .customLong("group"), parsing: .unconditional) var group: String?
        @Flag(name: .customShort("U")) var updates = false
        @Argument var operands: [String] = []
    }

    /// The parser gets what was split, whatever is in the values.
    @Test func parser_misreadsNoValue() throws {
        var generator = SeededGenerator()
        let names = OptionNames.of(Sample.self)
        for _ in RandomRounds.usually(1000) {
            let arguments = Self.arguments(&generator, ["w", "n", "U"])
            guard let split = try? SplitArguments(arguments, names), !split.wantsHelp else { continue }
            let parsed = try Sample.parse(split.forParser)
            func last(_ name: String) -> [UInt8]? {
                split.options.last { $0.name == name }?.value.map { Array($0.utf8) }
            }
            #expect(parsed.password.map { Array($0.utf8) } == last("-w"), "\(arguments)")
            #expect(parsed.name.map { Array($0.utf8) } == last("-n"), "\(arguments)")
            #expect(parsed.group.map { Array($0.utf8) } == last("--group"), "\(arguments)")
            #expect(parsed.updates == split.options.contains { $0.name == "-U" })
            #expect(parsed.operands.map { Array($0.utf8) } == split.operands.map { Array($0.utf8) }, "\(arguments)")
        }
    }

    // MARK: As a whole program

    @Test(arguments: [
        (["-w=pass"], "=pass"), (["-w=="], "=="), (["-w="], "="), (["-wabc=="], "abc=="), (["-w", "=x"], "=x"),
        (["-w", "---BEGIN"], "---BEGIN"), (["-w---BEGIN"], "---BEGIN"), (["-w", "--"], "--"), (["-w", "-U"], "-U"),
        (["-w", "--generate-completion-script"], "--generate-completion-script"),
        (["-w", "---completion"], "---completion"),
        (["-w", "-h"], "-h"), (["-w", "--help"], "--help"), (["-w", "-"], "-"), (["-Uw", "x"], "x"), (["-Uwx"], "x"),
        (["-p=old"], "=old"), (["-w", "--experimental-dump-help"], "--experimental-dump-help"),
    ])
    func values_areStoredAsGiven(options: [String], password: String) throws {
        let fixture = try CommandFixture()
        let add = ["add-generic-password", "-s", "s", "-a", "a"]
        let added = try fixture.program(add + options).run()
        #expect(added.status == 0 && added.output.isEmpty, "\(added)")
        #expect(try fixture.run("find-generic-password", "-s", "s", "-w").output == password + "\n")
        let line = add.joined(separator: " ") + " -U " + options.map { "'\($0)'" }.joined(separator: " ")
        #expect(try fixture.run("-i", input: line + "\n").status == 0)
        #expect(try fixture.run("find-generic-password", "-ss", "-wa", "a").output == password + "\n")
    }

    @Test func aKeyInPEM_isAValue() throws {
        let fixture = try CommandFixture()
        let key = "-----BEGIN PRIVATE KEY-----\nMC4CAQ==\n-----END PRIVATE KEY-----"
        #expect(try fixture.run("add-generic-password", "-s", "s", "-a", "a", "-w", key).status == 0)
        let found = try fixture.run("find-generic-password", "-s", "s", "-w").output.dropLast()
        #expect(found == key.utf8.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined())
    }

    @Test func passwordsOfKeychains_areAsGiven() throws {
        let fixture = try CommandFixture()
        try fixture.program(["create-keychain", "-p=foo", "k"]).output()
        try fixture.program(["lock-keychain", "k"]).output()
        #expect(try fixture.run("unlock-keychain", "-p", "foo", "k").status == 51)
        #expect(try fixture.run("unlock-keychain", "-p", "=foo", "k").status == 0)
    }

    /// An option that asks does so wherever getopt finds no value.
    @Test func optionWithoutItsValue_asks() throws {
        let fixture = try CommandFixture()
        #expect(try fixture.run("add-generic-password", "-s", "s", "-a", "a", "-Uw", input: "asked\n").status == 0)
        #expect(try fixture.run("find-generic-password", "-s", "s", "-w").output == "asked\n")
        #expect(try fixture.run("find-generic-password", "-s").status == 2)
    }

    /// What follows an operand is none of getopt's options. It is refused, so that nothing else is found or deleted.
    @Test func optionAfterAnOperand_isRefused() throws {
        let fixture = try CommandFixture()
        try fixture.program(["add-generic-password", "-s", "s", "-a", "a", "-w", "x"]).output()
        let delete = try fixture.run("delete-generic-password", "-s", "s", "login.keychain", "-a", "other")
        #expect(delete.status == 2 && delete.errors.contains("options come before"))
        #expect(try fixture.run("create-keychain", "k", "-p", "S3CRET").status == 2)
        #expect(try fixture.run("list-keychains", "-s", "--", "login.keychain").status == 0)
        #expect(try fixture.run("find-generic-password", "-s", "s", "-w").output == "x\n")
    }

    /// Whatever is wrong with a command line, no message repeats a value of it.
    @Test func messages_repeatNoValue() throws {
        let fixture = try CommandFixture()
        var generator = SeededGenerator()
        let shapes = [
            "#", "=#", "#=", "---#", "-#", "--#", "--#=#", "#\n#", "--generate-completion-script=#", "--help=#",
        ]
        let commands: [(String, [String])] = [
            ("add-generic-password", ["-w", "-a", "-s", "-X", "-c", "-C", "-j", "-U", "-G", "--access-group", "-T"]),
            ("add-internet-password", ["-w", "-a", "-s", "-X", "-P", "-r", "-t", "-U", "-p"]),
            ("create-keychain", ["-p", "-P"]), ("unlock-keychain", ["-p", "-u"]),
            ("set-keychain-password", ["-o", "-p", "--remove"]), ("set-key-partition-list", ["-k", "-S", "-t", "-l"]),
            ("import", ["-P", "-f", "-t", "-T", "-w"]), ("export", ["-P", "-t", "-f", "-w"]),
            ("find-internet-password", ["-P", "-r", "-t", "-s"]), ("verify-cert", ["-p", "-d", "-n", "-R"]),
            ("cms", ["-p", "-h", "-u", "-H"]), ("create-keypair", ["-a", "-s", "-f", "-d"]),
            ("set-keychain-settings", ["-t", "-l"]), ("backup", ["--replace"]), ("fleet", ["invite"]),
            ("-v", []), ("-q", ["-h"]), ("-p", ["-i"]),
        ]
        for number in RandomRounds.usually(36) {
            let secret = "S3CRET\(number)"
            let (name, options) = commands[number % commands.count]
            var arguments = [name]
            for _ in 0..<Int.random(in: 1..<5, using: &generator) {
                options.randomElement(using: &generator).map { arguments.append($0) }
                let value = (shapes.randomElement(using: &generator) ?? "#").replacingOccurrences(of: "#", with: secret)
                if let last = arguments.last, Bool.random(using: &generator), last.utf8.count == 2 {
                    arguments[arguments.count - 1] = last + value
                } else {
                    arguments.append(value)
                }
            }
            // A wrong command line in any case.
            arguments.append("--no-such-option-" + secret)
            for line in [arguments, arguments + ["---" + secret]] {
                let result = try fixture.program(line).run()
                guard result.status == 2 else { continue }
                #expect(!(result.output + result.errors).contains("S3CRET"), "\(line)\n\(result.errors)")
            }
            let quoted = arguments.map { "\"\($0.replacingOccurrences(of: "\n", with: " "))\"" }.joined(separator: " ")
            let typed = try fixture.run("-i", input: quoted + "\n")
            if typed.status == 2 { #expect(!(typed.output + typed.errors).contains("S3CRET"), "\(quoted)") }
        }
    }
}
