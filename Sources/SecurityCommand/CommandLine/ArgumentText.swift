// SPDX-License-Identifier: Apache-2.0

/// The command line as text.
///
/// Swift replaces what is no UTF-8: another password would be stored than the one that was given, and two names would become
/// one. So a command line with such bytes is refused.
enum ArgumentText {
    static let failure = CommandFailure.usage(
        "the command line is not UTF-8 text: give a password of other bytes with -X, or on standard input")

    /// What follows the program's name; nil when some of it is no UTF-8.
    static var all: [String]? {
        let words = UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
        let texts = words.dropFirst().compactMap { $0 }.map { String(validatingCString: $0) }
        let valid = texts.compactMap { $0 }
        return valid.count == texts.count ? valid : nil
    }

    /// A line of interactive mode.
    ///
    /// - Throws: ``failure`` when it is no UTF-8.
    static func line(_ bytes: [UInt8]) throws -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw failure }
        return text
    }
}
