// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The parts of a decimal number in an archive: a whole number of 128 bits, the power of ten and the sign.
enum DecimalFields {
    private static let words = 8
    private static let littleEndian: Int64 = 1

    static func fields(of decimal: Decimal) throws(CodingFailure) -> [ExactText: PropertyList] {
        let digits = decimal.isNaN ? "0" : decimal.significand.description
        guard let mantissa = UInt128(digits) else { throw CodingFailure(.unsupported, typeName: "NSDecimalNumber") }
        let bytes = (0..<16).map { UInt8(truncatingIfNeeded: mantissa >> UInt128($0 * 8)) }
        let length = (128 - mantissa.leadingZeroBitCount + 15) / 16
        return [
            "NS.mantissa": .data(Data(bytes)), "NS.mantissa.bo": .integer(littleEndian),
            "NS.length": .integer(Int64(length)), "NS.exponent": .integer(decimal.isNaN ? 0 : Int64(decimal.exponent)),
            "NS.negative": .boolean(decimal.isNaN || decimal.isSignMinus),
            "NS.compact": .boolean(!mantissa.isMultiple(of: 10)),
        ]
    }

    static func number(_ fields: [ExactText: PropertyList]) throws(CodingFailure) -> NSDecimalNumber {
        guard let bytes = fields["NS.mantissa"]?.bytes, bytes.count == words * 2,
            let length = fields["NS.length"]?.whole, (0...Int64(words)).contains(length),
            let exponent = fields["NS.exponent"]?.whole.flatMap(Int8.init(exactly:)),
            let isNegative = fields["NS.negative"]?.whole.map({ $0 != 0 })
        else { throw .damaged }
        if length == 0 { return isNegative ? .notANumber : .zero }
        let isLittle = (fields["NS.mantissa.bo"]?.whole ?? littleEndian) == littleEndian
        var mantissa: UInt128 = 0
        for word in stride(from: Int(length) - 1, through: 0, by: -1) {
            let pair = [bytes[bytes.startIndex + word * 2], bytes[bytes.startIndex + word * 2 + 1]]
            let value = isLittle ? UInt128(pair[0]) | UInt128(pair[1]) << 8 : UInt128(pair[1]) | UInt128(pair[0]) << 8
            mantissa = mantissa << 16 | value
        }
        guard let significand = Decimal(string: mantissa.description) else { throw .damaged }
        if mantissa == 0 { return .zero }
        guard (-128...127).contains(significand.exponent + Int(exponent)) else { throw .damaged }
        let decimal = Decimal(
            sign: isNegative ? .minus : .plus, exponent: Int(exponent), significand: significand)
        return NSDecimalNumber(decimal: decimal)
    }
}
