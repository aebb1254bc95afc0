// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation

/// The options of one command, and which of them take a value, as its declarations say.
struct OptionNames {
    /// The options of one letter: whether the option takes a value.
    private(set) var letters: [Unicode.Scalar: Bool]
    /// The options of two dashes: whether the option takes a value.
    private(set) var words: [String: Bool]

    init(letters: [Unicode.Scalar: Bool] = [:], words: [String: Bool] = [:]) {
        (self.letters, self.words) = (letters, words)
    }

    init(of command: ParsableCommand.Type) {
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
