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

/// How many results a caller wants.
struct MatchLimit {
    /// The greatest number, or nil for all.
    let maximum: Int?
    /// Whether the answer is one object, not an array.
    let isSingle: Bool

    static let one = MatchLimit(maximum: 1, isSingle: true)
    static let all = MatchLimit(maximum: nil, isSingle: false)

    /// No results at all, in the shape of another limit.
    static func none(like other: MatchLimit) -> MatchLimit {
        MatchLimit(maximum: 0, isSingle: other.isSingle)
    }

    /// - Throws: `errSecParam` for anything but the two constants and whole numbers.
    init(parsing value: CallerValue) throws(KeychainError) {
        switch value {
        case .string("m_LimitOne"): self = .one
        case .string("m_LimitAll"): self = .all
        case .integer(1): self = .one
        case .integer(-1): self = .all
        // Apple's row loop stops after the first row for any other negative number.
        case .integer(let number): self.init(maximum: number < 0 ? 1 : Int(number), isSingle: false)
        default: throw .param("kSecMatchLimit is neither of its constants nor a whole number")
        }
    }

    private init(maximum: Int?, isSingle: Bool) {
        self.maximum = maximum
        self.isSingle = isSingle
    }
}
