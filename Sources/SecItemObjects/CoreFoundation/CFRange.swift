// SPDX-License-Identifier: Apache-2.0

/// A part of a string, an array or data.
public struct CFRange: Sendable {
    /// The first position.
    public var location: CFIndex
    /// The number of positions.
    public var length: CFIndex

    /// Makes an empty range at position 0.
    public init() {
        self.init(location: 0, length: 0)
    }

    /// Makes a range from its first position and its length.
    public init(location: CFIndex, length: CFIndex) {
        self.location = location
        self.length = length
    }

    /// The positions in a collection of that many elements, or nil if some are outside it.
    func positions(in count: Int) -> Range<Int>? {
        guard location >= 0, length >= 0, location <= count, length <= count - location else { return nil }
        return location..<location + length
    }
}

/// Makes a range.
@discardableResult
public func CFRangeMake(_ loc: CFIndex, _ len: CFIndex) -> CFRange {
    CFRange(location: loc, length: len)
}
