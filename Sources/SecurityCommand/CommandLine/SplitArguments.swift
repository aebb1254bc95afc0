// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// A command line, split into options and operands by the rules of `getopt`.
///
/// The parser has rules of its own: it takes `=` for a separator, refuses values that begin with three dashes, and finds options
/// of its own in values. So it gets the command line in a form in which it cannot misread a value (``forParser``). No error has
/// a part of the command line in it except an option's letter, because anything else may be a secret at a wrong place.
struct SplitArguments {
    struct Option: Equatable {
        /// The name with its dashes.
        let name: String
        /// Nil for an option that takes none.
        let value: String?
    }

    /// How a command reads its line.
    struct Rules {
        /// Whether options may follow operands. On a Mac, the first operand is the end of the options.
        var permutes = false
        /// Whether everything is an operand, whatever it looks like.
        var hasOnlyOperands = false
        /// An option whose value may be missing, and the option that stands for it then.
        var optional: (letter: Unicode.Scalar, otherwise: String)?
        /// Whether that value is missing before an argument with a dash, too, and not only at the end.
        var optionalNeverHasDash = false
        /// An option that takes two values, and the name of the second one.
        var pair: (letter: Unicode.Scalar, second: String)?
    }

    private(set) var options: [Option] = []
    private(set) var operands: [String] = []

    /// - Throws: `ValidationError` for an option that does not exist, one without its value, or one after an operand.
    init(_ arguments: [String], _ names: OptionNames, _ rules: Rules = Rules()) throws {
        var rest = arguments[...]
        if rules.hasOnlyOperands && rest.first.map({ Self.help.contains($0) }) != true {
            operands = arguments
            return
        }
        while let argument = rest.popFirst() {
            if !Self.isOption(argument) {
                operands.append(argument)
            } else if !operands.isEmpty && !rules.permutes {
                // For getopt it is an operand. But nobody names a keychain "-a", and without the option, other items would be
                // found or deleted than were meant.
                throw ValidationError("options come before keychains, files and other operands")
            } else if argument == "--" {
                operands += rest
                return
            } else if argument.hasPrefix("--") {
                try readWord(argument.dropFirst(2), names, arguments.count - rest.count, &rest)
            } else {
                try readLetters(argument.unicodeScalars.dropFirst(), names, rules, &rest)
            }
        }
    }

    /// The parser's own options, which every command has.
    private static let help: Set = ["-h", "--help"]

    private static func isOption(_ argument: String) -> Bool {
        argument.unicodeScalars.first == "-" && argument != "-"
    }

    private mutating func readLetters(
        _ letters: Substring.UnicodeScalarView, _ names: OptionNames, _ rules: Rules, _ rest: inout ArraySlice<String>
    ) throws {
        var letters = letters
        while let letter = letters.popFirst() {
            let name = "-\(letter)"
            guard let takesValue = names.letters[letter] else {
                let isNamed = letter.isASCII && letter.properties.isAlphabetic
                throw ValidationError(isNamed ? "illegal option -- \(letter)" : "illegal option")
            }
            guard takesValue else {
                options.append(Option(name: name, value: nil))
                continue
            }
            let optional = rules.optional.flatMap { $0.letter == letter ? $0.otherwise : nil }
            let isMissing = optional != nil && rules.optionalNeverHasDash && rest.first.map(Self.isOption) == true
            if let value = !letters.isEmpty ? String(letters) : isMissing ? nil : rest.popFirst() {
                options.append(Option(name: name, value: value))
            } else if let optional {
                return options.append(Option(name: optional, value: nil))
            } else {
                throw ValidationError("option requires an argument -- \(letter)")
            }
            if let pair = rules.pair, pair.letter == letter {
                guard let value = rest.popFirst() else {
                    throw ValidationError("option requires two arguments -- \(letter)")
                }
                options.append(Option(name: "--\(pair.second)", value: value))
            }
            return
        }
    }

    private mutating func readWord(
        _ word: Substring, _ names: OptionNames, _ position: Int, _ rest: inout ArraySlice<String>
    ) throws {
        let scalars = word.unicodeScalars
        let name = String(scalars.prefix { $0 != "=" })
        let value = scalars.firstIndex(of: "=").map { String(scalars[$0...].dropFirst()) }
        switch (names.words[name], value) {
        case (nil, _): throw ValidationError("argument \(position) is no option of this command")
        case (false?, nil): options.append(Option(name: "--\(name)", value: nil))
        case (false?, _?): throw ValidationError("option --\(name) takes no argument")
        case (true?, _):
            guard let value = value ?? rest.popFirst() else {
                throw ValidationError("option --\(name) requires an argument")
            }
            options.append(Option(name: "--\(name)", value: value))
        }
    }

    /// Whether help is asked for.
    var wantsHelp: Bool { options.contains { $0.value == nil && Self.help.contains($0.name) } }

    /// The same command line in a form that the parser reads in one way only: options with their values, and then all operands
    /// behind "--". A value that begins with a dash is joined with "=", and any other one is an argument of its own.
    var forParser: [String] {
        let words = options.flatMap { option -> [String] in
            guard let value = option.value else { return [option.name] }
            return value.first == "-" ? ["\(option.name)=\(value)"] : [option.name, value]
        }
        return operands.isEmpty ? words : words + ["--"] + operands
    }
}

extension SplitArguments {
    /// The words of a command line that may be secrets.
    var values: [String] { options.compactMap(\.value) + operands }
}
