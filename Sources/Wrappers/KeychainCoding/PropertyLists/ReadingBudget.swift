// SPDX-License-Identifier: Apache-2.0

/// Limits the bytes that are copied while one item is read.
///
/// A few bytes can state that one long value is used a thousand times. Using a value unchanged costs nothing, but each
/// copy does.
struct ReadingBudget {
    private static let atLeast = 16 << 20
    private static let forEachByte = 4

    private var rest: Int

    /// - Parameter size: The size of the item in bytes.
    init(size: Int) {
        rest = size * Self.forEachByte + Self.atLeast
    }

    /// Counts a copy before it is made.
    ///
    /// - Throws: ``CodingFailure`` if the total exceeds the limit.
    mutating func charge(_ bytes: Int) throws(CodingFailure) {
        guard bytes <= rest else { throw .tooLarge }
        rest -= bytes
    }
}
