// SPDX-License-Identifier: Apache-2.0

/// A caller's text. It is compared and hashed byte by byte, as in Apple's keychain.
///
/// A `String` can be equal to others with different bytes, and a long one of combining marks takes seconds to compare
/// or hash. Callers' texts are therefore never looked up as `String`s.
package struct CallerText: Hashable, Sendable, ExpressibleByStringLiteral {
    package let string: String

    package init(_ string: String) {
        self.string = string
    }

    package init(stringLiteral string: String) {
        self.init(string)
    }

    package var utf8: String.UTF8View { string.utf8 }

    package static func == (left: CallerText, right: CallerText) -> Bool {
        guard left.utf8.count == right.utf8.count else { return false }
        var left = left.string, right = right.string
        return left.withUTF8 { left in right.withUTF8 { right in left.elementsEqual(right) } }
    }

    package func hash(into hasher: inout Hasher) {
        var string = string
        string.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension RawRepresentable where Self: CaseIterable, RawValue == String {
    /// The case whose raw value has those bytes.
    package init?(_ text: CallerText) {
        guard let found = Self.allCases.first(where: { CallerText($0.rawValue) == text }) else { return nil }
        self = found
    }
}
