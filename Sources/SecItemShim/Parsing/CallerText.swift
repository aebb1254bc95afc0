// SPDX-License-Identifier: Apache-2.0

/// A text of a caller's, compared and hashed byte by byte, as Apple's keychain does.
///
/// A `String` is equal to others of different bytes, and a long one of combining marks takes seconds to compare or to
/// hash. So no caller's text is looked up as a `String`: what is known by a name is known by a text like this.
struct CallerText: Hashable, Sendable, ExpressibleByStringLiteral {
    let string: String

    init(_ string: String) {
        self.string = string
    }

    init(stringLiteral string: String) {
        self.init(string)
    }

    var utf8: String.UTF8View { string.utf8 }

    static func == (left: CallerText, right: CallerText) -> Bool {
        left.utf8.count == right.utf8.count && left.utf8.elementsEqual(right.utf8)
    }

    func hash(into hasher: inout Hasher) {
        var string = string
        string.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension RawRepresentable where Self: CaseIterable, RawValue == String {
    /// The case whose raw value has those bytes.
    init?(_ text: CallerText) {
        guard let found = Self.allCases.first(where: { CallerText($0.rawValue) == text }) else { return nil }
        self = found
    }
}
