// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import SecItemStore

/// The options of one command, and which of them take a value, as its declarations say.
struct OptionNames {
    /// The options of one letter: whether the option takes a value.
    private(set) var letters: [Unicode.Scalar: Bool]
    /// The options of two dashes: whether the option takes a value.
    private(set) var words: [String: Bool]

    init(letters: [Unicode.Scalar: Bool] = [:], words: [String: Bool] = [:]) {
        (self.letters, self.words) = (letters, words)
    }

    private static let known = LockedValue<[ObjectIdentifier: OptionNames]>([:])

    /// Those of a command. The parser takes long to describe it, and lines of input may name it often.
    static func of(_ command: ParsableCommand.Type) -> OptionNames {
        if let names = known.withLock({ $0[ObjectIdentifier(command)] }) { return names }
        let names = OptionNames(of: command)
        known.withLock { $0[ObjectIdentifier(command)] = names }
        return names
    }

    private init(of command: ParsableCommand.Type) {
        self.init()
        let text = Data(command._dumpHelp().utf8)
        guard let description = try? JSONDecoder().decode(Description.self, from: text) else {
            preconditionFailure("The parser describes its commands in another way")
        }
        for argument in description.command.arguments ?? [] {
            for name in argument.names ?? [] {
                let takesValue = argument.kind == "option"
                if name.kind == "short" {
                    name.name.unicodeScalars.first.map { letters[$0] = takesValue }
                } else {
                    words[name.name] = takesValue
                }
            }
        }
    }

    /// What the parser says of a command.
    private struct Description: Decodable {
        struct Command: Decodable { let arguments: [Argument]? }
        struct Argument: Decodable {
            let kind: String
            let names: [Name]?
        }
        struct Name: Decodable { let kind, name: String }

        let command: Command
    }
}
