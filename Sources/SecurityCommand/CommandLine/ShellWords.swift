// SPDX-License-Identifier: Apache-2.0

/// A line of interactive mode as words, quoted as on a Mac.
///
/// Blanks separate words. A word that begins with a quotation mark goes on to the next one of its kind, blanks and all. In a word
/// that begins otherwise, quotation marks are characters like others: `it's` is one word. A backslash takes the next character as
/// it is, within quotation marks too.
///
/// What follows a closing mark without a blank goes on with the word, as in a shell: `'it'"'"'s'` is one word, where a Mac has
/// three.
///
/// All of this holds for Unicode's scalars and not for characters as people see them: a mark that joins the one before, as an
/// accent after a quotation mark, must not hide it. Blanks are those of ASCII.
enum ShellWords {
    /// - Throws: ``CommandFailure`` when the line ends inside a quotation or behind a backslash: half a secret would be stored,
    ///   and the other half run as a command.
    static func split(_ line: String) throws -> [String] {
        var reader = Reader()
        for scalar in line.unicodeScalars { reader.read(scalar) }
        guard reader.isComplete else { throw unfinished }
        reader.endWord()
        return reader.words
    }

    static let unfinished = CommandFailure.usage("a line ends inside a quotation: it was not run")

    private struct Reader {
        private(set) var words: [String] = []
        private var word = String.UnicodeScalarView()
        private var isInWord = false
        /// The mark that ends what is quoted.
        private var quote: Unicode.Scalar?
        /// Whether the word began without a quotation mark.
        private var isPlain = false
        private var isEscaped = false

        var isComplete: Bool { quote == nil && !isEscaped }

        mutating func read(_ scalar: Unicode.Scalar) {
            if isEscaped {
                isEscaped = false
                word.append(scalar)
            } else if scalar == "\\" {
                isEscaped = true
                begin(plain: quote == nil)
            } else if let quote {
                if scalar == quote { self.quote = nil } else { word.append(scalar) }
            } else if scalar == " " || ("\t"..."\r").contains(scalar) {
                endWord()
            } else if (scalar == "\"" || scalar == "'") && !(isInWord && isPlain) {
                begin(plain: false)
                quote = scalar
            } else {
                begin(plain: true)
                word.append(scalar)
            }
        }

        /// Begins a word, unless one has begun.
        private mutating func begin(plain: Bool) {
            if isInWord { return }
            isInWord = true
            isPlain = plain
        }

        mutating func endWord() {
            if isInWord { words.append(String(word)) }
            word = String.UnicodeScalarView()
            isInWord = false
        }
    }
}
