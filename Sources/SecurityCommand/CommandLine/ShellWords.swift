/// A line of interactive mode as words, quoted as on a Mac.
///
/// Blanks separate words. A word that begins with a quotation mark goes on to the next one of its kind, blanks and all. In a word
/// that begins otherwise, quotation marks are characters like others: `it's` is one word. A backslash takes the next character as
/// it is, within quotation marks too.
///
/// What follows a closing mark without a blank goes on with the word, as in a shell: `'it'"'"'s'` is one word, where a Mac has
/// three.
enum ShellWords {
    static func split(_ line: String) -> [String] {
        var reader = Reader()
        for character in line { reader.read(character) }
        return reader.finished
    }

    private struct Reader {
        private var words: [String] = []
        private var word: String?
        /// The mark that ends what is quoted.
        private var quote: Character?
        /// Whether the word began without a quotation mark.
        private var isPlain = false
        private var isEscaped = false

        var finished: [String] { words + (word.map { [$0] } ?? []) }

        mutating func read(_ character: Character) {
            if isEscaped {
                isEscaped = false
                append(character)
            } else if character == "\\" {
                isEscaped = true
                begin(plain: quote == nil)
            } else if let quote {
                if character == quote { self.quote = nil } else { append(character) }
            } else if character.isWhitespace {
                words += word.map { [$0] } ?? []
                word = nil
            } else if (character == "\"" || character == "'") && !(word != nil && isPlain) {
                begin(plain: false)
                quote = character
            } else {
                begin(plain: true)
                append(character)
            }
        }

        /// Begins a word, unless one has begun.
        private mutating func begin(plain: Bool) {
            if word != nil { return }
            word = ""
            isPlain = plain
        }

        private mutating func append(_ character: Character) {
            word = (word ?? "") + String(character)
        }
    }
}
