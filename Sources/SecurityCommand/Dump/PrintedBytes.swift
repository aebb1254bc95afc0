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
        text.unicodeScalars.map { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator:
                String(scalar).utf8.map(character).joined()
            default: String(scalar)
            }
        }.joined()
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
