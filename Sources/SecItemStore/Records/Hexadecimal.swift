// SPDX-License-Identifier: Apache-2.0

extension Sequence<UInt8> {
    /// The bytes as pairs of hexadecimal digits, in lower case.
    package var hexadecimal: String {
        map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    /// The bytes that these ASCII characters stand for as pairs of hexadecimal digits, in capitals or not. Nil for
    /// anything else: an odd number of digits, a sign, white space.
    ///
    /// No initializer of `Array`: a plain `Array.init`, given as a function, could mean it.
    package var decodedHexadecimal: [UInt8]? {
        var bytes: [UInt8] = []
        var high: UInt8?
        for digit in self {
            guard let value = digit.hexadecimalValue else { return nil }
            if let first = high {
                bytes.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        return high == nil ? bytes : nil
    }
}

extension UInt8 {
    /// What the ASCII character is worth as a hexadecimal digit.
    fileprivate var hexadecimalValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
