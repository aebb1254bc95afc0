// SPDX-License-Identifier: Apache-2.0

/// The number of results that a caller wants.
struct MatchLimit {
    /// The greatest number, or nil for all.
    let maximum: Int?
    /// Whether the result is one object instead of an array.
    let isSingle: Bool

    static let one = MatchLimit(maximum: 1, isSingle: true)
    static let all = MatchLimit(maximum: nil, isSingle: false)
}
