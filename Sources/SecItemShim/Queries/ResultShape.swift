// SPDX-License-Identifier: Apache-2.0

/// The form of a call's result: which kinds of values, and one or many.
package struct ResultShape: Sendable {
    /// The `kSecReturn…` keys that were true.
    struct Kinds: OptionSet {
        let rawValue: UInt8

        static let data = Kinds(rawValue: 1 << 0)
        static let attributes = Kinds(rawValue: 1 << 1)
        static let reference = Kinds(rawValue: 1 << 2)
        static let persistentReference = Kinds(rawValue: 1 << 3)
    }

    let kinds: Kinds
    /// Whether the result is an array, because the limit was not one.
    let isArray: Bool

    /// Whether each result is a dictionary, because there are several kinds.
    var isDictionary: Bool {
        kinds.contains(.attributes) || kinds.rawValue.nonzeroBitCount > 1
    }

    /// Whether a dictionary result contains attributes. Data together with another kind adds them, as on Apple's
    /// platforms.
    var includesAttributes: Bool {
        kinds.contains(.attributes) || (kinds.contains(.data) && isDictionary)
    }
}
