// SPDX-License-Identifier: Apache-2.0

/// A part of a string, an array or data.
public struct CFRange: Sendable {
    /// Where it begins.
    public var location: CFIndex
    /// How long it is.
    public var length: CFIndex

    /// Makes one of nothing, at the beginning.
    public init() {
        self.init(location: 0, length: 0)
    }

    /// Makes one of a place and a length.
    public init(location: CFIndex, length: CFIndex) {
        self.location = location
        self.length = length
    }

    /// The positions in something of so many elements, or nil if not all of them are in it.
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
