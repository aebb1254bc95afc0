// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The value of one attribute, in the type that its creator used (after the coercion of its ``AttributeKind``).
///
/// It is deliberately not `Equatable`: Swift compares text by canonical equivalence, and keychains compare bytes.
/// Compare ``matchKey`` instead.
public enum AttributeValue: Sendable {
    case string(String)
    case data(Data)
    case integer(Int64)
    case real(Double)
    case date(Date)

    /// The bytes that decide whether two values are equal.
    public var matchKey: MatchKey { MatchKey(self) }

    /// The text, if the value is text.
    public var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The integer, if the value is an integer.
    public var integer: Int64? {
        if case .integer(let number) = self { number } else { nil }
    }

    /// The date, if the value is a date.
    public var date: Date? {
        if case .date(let date) = self { date } else { nil }
    }
}
