/// A line of interactive mode as words, quoted as on a Mac.
///
/// Blanks separate words. A word that begins with a quotation mark ends at the next one of its kind. A backslash takes the next
/// character as it is, in quotation marks too. Quotation marks within a word that began without one are characters of it,
/// unless the word is made of parts that a shell would join, as `'it'"'"'s'` is: what follows a closing mark without a blank
/// goes on with the word.
enum ShellWords {
    static func split(_ line: String) -> [String] {
        var words: [String] = []
        var word: String?
        var quote: Character?
        var isEscaped = false
        for character in line {
            if isEscaped {
                word = (word ?? "") + String(character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
                word = word ?? ""
            } else if let mark = quote {
                if character == mark { quote = nil } else { word?.append(character) }
            } else if character == "\"" || character == "'" {
                quote = character
                word = word ?? ""
            } else if character.isWhitespace {
                if let finished = word { words.append(finished) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        if let finished = word { words.append(finished) }
        return words
    }
}
