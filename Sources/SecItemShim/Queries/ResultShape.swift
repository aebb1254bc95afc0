// SPDX-License-Identifier: Apache-2.0

/// What a caller wants to get back: kinds of results × one or many.
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
    /// Whether the result is an array: the limit was anything but one.
    let isArray: Bool

    /// Whether several kinds make a dictionary of each result.
    var isDictionary: Bool {
        kinds.contains(.attributes) || kinds.rawValue.nonzeroBitCount > 1
    }

    /// Whether a dictionary result holds attributes. Wanting data beside anything brings them along, as on Apple's.
    var includesAttributes: Bool {
        kinds.contains(.attributes) || (kinds.contains(.data) && isDictionary)
    }
}
