import ArgumentParser

/// Four bytes that are read as one number: `note`, `htps`.
struct FourCharacterCode: ExpressibleByArgument {
    let text: String

    init?(argument: String) {
        guard argument.utf8.count == 4 else { return nil }
        text = argument
    }

    /// The number, the first character in its highest byte.
    var number: UInt32 { text.utf8.reduce(0) { $0 << 8 | UInt32($1) } }
}
