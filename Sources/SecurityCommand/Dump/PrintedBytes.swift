// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// Bytes as macOS's command prints them: in quotation marks what is printable ASCII, before it everything in hexadecimal where
/// one byte is not, which then stands as `\303` in the quotation marks.
enum PrintedBytes {
    static func text(_ bytes: some Sequence<UInt8>) -> String {
        let bytes = Array(bytes)
        let hasText = bytes.contains(where: isPlain), hasOther = bytes.contains { !isPlain($0) }
        var text = ""
        if hasOther { text += "0x" + bytes.hexadecimal.uppercased() + (hasText ? " " : "") + " " }
        if hasText { text += "\"" + bytes.map(character).joined() + "\"" }
        return text
    }

    /// A text within a line: what would end the line, or speak to the terminal, stands as `\012`.
    static func line(_ text: String) -> String {
        text.unicodeScalars.map(inLine).joined()
    }

    /// A text to stand between quotation marks within a line: what would end the quotation marks, or look like the number of
    /// another byte, stands as its number too. Several blanks are one.
    ///
    /// - Parameter greatestLength: How many characters it may have; "…" stands for those that are left out.
    static func quotation(_ text: String, greatestLength: Int) -> String {
        var quotation = "", length = 0, followsBlank = false
        for scalar in text.unicodeScalars {
            let isBlank = scalar.properties.generalCategory == .spaceSeparator
            defer { followsBlank = isBlank }
            if isBlank, followsBlank { continue }
            let shown =
                switch scalar {
                case _ where isBlank: " "
                case "\"": "\\042"
                case "\\": "\\134"
                default: inLine(scalar)
                }
            length += shown.unicodeScalars.count
            guard length <= greatestLength else { return quotation + "…" }
            quotation += shown
        }
        return quotation
    }

    private static func inLine(_ scalar: Unicode.Scalar) -> String {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: String(scalar).utf8.map(character).joined()
        default: String(scalar)
        }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x20...0x7e).contains(byte) && byte != UInt8(ascii: "\\")
    }

    private static func character(_ byte: UInt8) -> String {
        if isPlain(byte) { return String(Unicode.Scalar(byte)) }
        let digits = String(byte, radix: 8)
        return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
    }
}
