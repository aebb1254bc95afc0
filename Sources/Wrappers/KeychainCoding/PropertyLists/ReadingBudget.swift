// SPDX-License-Identifier: Apache-2.0

/// How many bytes may be copied while one item is read.
///
/// A few bytes can say of one long value that it is used a thousand times. A value that is used as it is costs nothing,
/// each copy of it does.
struct ReadingBudget {
    private static let atLeast = 16 << 20
    private static let forEachByte = 4

    private var rest: Int

    /// - Parameter size: The bytes of the item.
    init(size: Int) {
        rest = size * Self.forEachByte + Self.atLeast
    }

    /// Counts a copy that is about to be made.
    ///
    /// - Throws: ``CodingFailure`` when it would be too much, all that was counted before included.
    mutating func charge(_ bytes: Int) throws(CodingFailure) {
        guard bytes <= rest else { throw .tooLarge }
        rest -= bytes
    }
}
