// SPDX-License-Identifier: Apache-2.0

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
        // The bytes are contiguous in every use, so this makes no copy.
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
