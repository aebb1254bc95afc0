// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A text that is compared by its bytes.
///
/// Swift's `String` treats two spellings of a letter as equal (`é` as one character, or as `e` and an accent), and its
/// comparisons take quadratic time for long runs of accents. A stored text must come back as it was spelled, and
/// without delay.
package struct ExactText: Hashable, Comparable, Sendable, ExpressibleByStringInterpolation {
    package let string: String

    package init(_ string: String) {
        self.string = string
    }

    package init(stringLiteral value: String) {
        string = value
    }

    /// The text of all of these bytes. Foundation's own method drops a byte order mark at the beginning.
    ///
    /// - Returns: Nil if the bytes are not UTF-8.
    package init?(utf8 data: Data) {
        guard let string = String(validating: data, as: UTF8.self) else { return nil }
        self.string = string
    }

    package static func == (one: ExactText, other: ExactText) -> Bool {
        one.string.utf8.elementsEqual(other.string.utf8)
    }

    package static func < (one: ExactText, other: ExactText) -> Bool {
        one.string.utf8.lexicographicallyPrecedes(other.string.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        var string = string
        string.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(0xFF as UInt8)
    }

    /// Checks that no two texts have the same letters in different spellings. Foundation treats such keys as equal if
    /// they happen to be neighbours in a dictionary, and their places differ each time that it is made.
    ///
    /// - Throws: ``CodingFailure`` if two texts have the same letters.
    static func checkSpelling(_ texts: some Sequence<ExactText>) throws(CodingFailure) {
        var letters: Set<String> = []
        for text in texts where !letters.insert(text.string).inserted {
            throw CodingFailure(.unsupported, typeName: "texts that differ in their spelling alone")
        }
    }
}
