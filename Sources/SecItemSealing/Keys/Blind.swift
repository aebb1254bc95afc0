// SPDX-License-Identifier: Apache-2.0

/// Sixteen bytes that represent a value without revealing it: a truncated keyed digest.
package struct Blind: Hashable, Sendable {
    package static let byteCount = 16

    @usableFromInline let high: UInt64
    @usableFromInline let low: UInt64

    /// The first sixteen bytes, or nil when there are fewer.
    package init?(prefixOf bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= Self.byteCount else { return nil }
        high = bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)
        low = bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
    }

    /// Lends the bytes to `body`.
    @inlinable
    package func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var words = (high, low)
        return try withUnsafePointer(to: &words) { (words) throws(Failure) in
            try body(UnsafeRawBufferPointer(start: words, count: Self.byteCount))
        }
    }

    /// Whether both are equal. The comparison takes constant time.
    func isEqualInConstantTime(to other: Blind) -> Bool {
        (high ^ other.high) | (low ^ other.low) == 0
    }
}
