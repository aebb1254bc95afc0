// SPDX-License-Identifier: Apache-2.0

import SecItemStore

/// Sixteen bytes that represent a value without revealing it: a truncated keyed digest.
package struct Blind: Hashable, Sendable {
    /// The number of bytes.
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

    /// Whether this one comes first in SQLite's order of bytes.
    package func isOrdered(before other: Blind) -> Bool {
        if high != other.high { return high.byteSwapped < other.high.byteSwapped }
        return low.byteSwapped < other.low.byteSwapped
    }

    /// Whether both are equal. The comparison takes constant time.
    func isEqualInConstantTime(to other: Blind) -> Bool {
        (high ^ other.high) | (low ^ other.low) == 0
    }
}

/// The input of a digest or authentication code: every part is preceded by its length, so that different lists of parts
/// never give the same bytes.
struct Transcript {
    private(set) var bytes: [UInt8]

    /// - Parameter purpose: The purpose of the bytes. Two purposes never share bytes either.
    init(_ purpose: StaticString, capacity: Int = 160) {
        bytes = []
        bytes.reserveCapacity(capacity)
        purpose.withUTF8Buffer { append(UnsafeRawBufferPointer($0)) }
    }

    mutating func append(_ part: UnsafeRawBufferPointer) {
        append(word: UInt32(truncatingIfNeeded: part.count))
        bytes.append(contentsOf: part)
    }

    mutating func append(_ part: [UInt8]) {
        part.withUnsafeBytes { append($0) }
    }

    mutating func append(sequence part: some Sequence<UInt8>) {
        // Over contiguous bytes in every use: no copy.
        let isContiguous = part.withContiguousStorageIfAvailable { append(UnsafeRawBufferPointer($0)) } != nil
        if !isContiguous { append(Array(part)) }
    }

    mutating func append(_ part: String) {
        var part = part
        part.withUTF8 { append(UnsafeRawBufferPointer($0)) }
    }

    mutating func append(_ part: Blind) {
        part.withUnsafeBytes { append($0) }
    }

    /// A number needs no length before it.
    mutating func append(word: UInt32) {
        withUnsafeBytes(of: word.bigEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func append(number: Int64) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }
}
