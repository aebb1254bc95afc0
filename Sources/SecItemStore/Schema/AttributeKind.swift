// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What type of value an attribute takes, and so how a caller's value is coerced.
///
/// Source: the coercion table of `docs/compatibility.md`, section 1.
public enum AttributeKind: Sendable, Hashable {
    /// Text. Data is taken as UTF-8, a UUID as its text.
    case string
    /// Text, bytes or a number, kept as the type it was given in. Text and bytes with the same UTF-8 are equal.
    case blob
    /// Bytes. Text is taken as its UTF-8, a number as four bytes.
    case data
    /// A number. A decimal text that fits 32 bits becomes a number, any other text stays text.
    case number
    /// A date.
    case date
    /// A UUID: 16 bytes, or none.
    case uuid
    /// A SHA-1 digest: exactly 20 bytes.
    case sha1

    /// The value that stands for "absent" in a primary key, and that fills a required attribute on add.
    public var emptyValue: AttributeValue {
        switch self {
        case .string, .blob: .string("")
        case .data, .uuid, .sha1: .data(Data())
        case .number: .integer(0)
        case .date: .date(Date(timeIntervalSinceReferenceDate: 0))
        }
    }
}
