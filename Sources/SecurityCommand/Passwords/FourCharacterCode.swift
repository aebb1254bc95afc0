// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// Four bytes that are read as one number: `note`, `htps`.
struct FourCharacterCode {
    let text: String

    /// - Throws: `ValidationError` for what is not four bytes, with a Mac's hint.
    init(argument: String) throws {
        guard argument.utf8.count == 4 else {
            throw ValidationError(
                "four-character types must be exactly 4 characters long. (Try \"smb \" instead of \"smb\")")
        }
        text = argument
    }

    /// The number, the first character in its highest byte.
    var number: UInt32 { text.utf8.reduce(0) { $0 << 8 | UInt32($1) } }
}
