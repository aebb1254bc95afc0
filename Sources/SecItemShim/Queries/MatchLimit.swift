// SPDX-License-Identifier: Apache-2.0

/// The number of results that a caller wants.
struct MatchLimit {
    /// The greatest number, or nil for all.
    let maximum: Int?
    /// Whether the result is one object instead of an array.
    let isSingle: Bool

    static let one = MatchLimit(maximum: 1, isSingle: true)
    static let all = MatchLimit(maximum: nil, isSingle: false)

    /// - Throws: `errSecParam` if the value is neither one of the two constants nor a whole number.
    init(parsing value: CallerValue) throws(KeychainError) {
        switch value {
        case .string(.kSecMatchLimitOne): self = .one
        case .string(.kSecMatchLimitAll): self = .all
        case .integer(1): self = .one
        case .integer(-1): self = .all
        // Apple's row loop stops after the first row for any other negative number.
        case .integer(let number): self.init(maximum: number < 0 ? 1 : Int(number), isSingle: false)
        default: throw .param("kSecMatchLimit is neither one of its constants nor a whole number")
        }
    }

    private init(maximum: Int?, isSingle: Bool) {
        self.maximum = maximum
        self.isSingle = isSingle
    }
}
