// SPDX-License-Identifier: Apache-2.0

extension Sequence<UInt8> {
    /// The bytes as pairs of hexadecimal digits, in lower case.
    package var hexadecimal: String {
        map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    /// The bytes that these ASCII characters spell as pairs of hexadecimal digits, in upper or lower case. Nil for
    /// anything else: an odd number of digits, a sign, white space.
    ///
    /// This is not an initializer of `Array`, because a plain `Array.init`, passed as a function, could then mean it.
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
    /// The value of the ASCII character as a hexadecimal digit.
    fileprivate var hexadecimalValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
