// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Numbers one after the other, with seven bits per byte, the lowest first. Archives store the ranges of index sets and
/// attributed texts in this form.
struct PackedIntegers {
    private(set) var bytes: [UInt8] = []

    var data: Data { Data(bytes) }

    mutating func append(_ number: Int) {
        var rest = UInt(bitPattern: number)
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// Reads the numbers in all of the bytes. None may be negative.
    static func numbers(in data: Data) throws(CodingFailure) -> [Int] {
        var numbers: [Int] = []
        var number: UInt = 0
        var shift: UInt = 0
        for byte in data {
            guard shift < 63 else { throw .damaged }
            number |= UInt(byte & 0x7F) << shift
            shift += 7
            guard number <= UInt(Int.max) else { throw .damaged }
            if byte < 0x80 {
                numbers.append(Int(number))
                number = 0
                shift = 0
            }
        }
        guard shift == 0 else { throw .damaged }
        return numbers
    }
}
