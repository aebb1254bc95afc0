// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The type of an attribute's values, which decides how a caller's value is converted.
///
/// Source: the coercion table of `docs/compatibility.md`, section 1.
public enum AttributeKind: Sendable, Hashable {
    /// Text. Data is read as UTF-8, and a UUID becomes its text.
    case string
    /// Text, bytes or a number, stored in the type that the caller gave. Text equals bytes that are its UTF-8.
    case blob
    /// Bytes. Text becomes its UTF-8, and a number becomes four bytes.
    case data
    /// A number. Decimal text that fits 32 bits becomes a number; other text stays text.
    case number
    /// A date.
    case date
    /// A UUID: 16 bytes, or none.
    case uuid
    /// A SHA-1 digest: exactly 20 bytes.
    case sha1

    /// The value that an absent attribute has in a primary key, and that fills a required attribute on add.
    public var emptyValue: AttributeValue {
        switch self {
        case .string, .blob: .string("")
        case .data, .uuid, .sha1: .data(Data())
        case .number: .integer(0)
        case .date: .date(Date(timeIntervalSinceReferenceDate: 0))
        }
    }
}
