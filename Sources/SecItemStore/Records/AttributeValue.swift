// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The value of one attribute, in the type that its creator gave it (after the coercion of its ``AttributeKind``).
///
/// Deliberately not `Equatable`: Swift compares text by canonical equivalence and keychains compare bytes.
/// Compare ``matchKey`` instead.
public enum AttributeValue: Sendable {
    case string(String)
    case data(Data)
    case integer(Int64)
    case real(Double)
    case date(Date)

    /// What equality of values means to a keychain.
    public var matchKey: MatchKey { MatchKey(self) }

    /// The text, when the value is one.
    public var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The integer, when the value is one.
    public var integer: Int64? {
        if case .integer(let number) = self { number } else { nil }
    }

    /// The date, when the value is one.
    public var date: Date? {
        if case .date(let date) = self { date } else { nil }
    }
}
