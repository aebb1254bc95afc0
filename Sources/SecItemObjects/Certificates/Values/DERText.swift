// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Descriptions of values in DER for people, in Apple's spelling.
enum DERText {
    /// `0A 1B …`.
    static func hexadecimal(_ bytes: ArraySlice<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count * 3)
        for byte in bytes {
            if !text.isEmpty { text.append(UInt8(ascii: " ")) }
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 0xf)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static let digits = Array("0123456789ABCDEF".utf8)

    /// The numbers of an object identifier: `2.5.4.3`. Each has 32 bits, and the encoding at most 32 bytes.
    static func identifier(_ content: ArraySlice<UInt8>) -> String {
        guard let first = content.first else { return "<NULL>" }
        guard content.count <= 32 else { return "OID too long" }
        let root = min(first / 40, 2)
        var text = "\(root).\(first - root * 40)"
        var number: UInt32 = 0
        for byte in content.dropFirst() {
            number = number << 7 | UInt32(byte & 0x7f)
            if byte & 0x80 == 0 {
                text += ".\(number)"
                number = 0
            }
        }
        return text
    }

    /// A number without a sign: in decimal up to 64 bits, otherwise its bytes.
    static func integer(_ content: ArraySlice<UInt8>) -> String {
        guard (1...8).contains(content.count) else { return hexadecimal(content) }
        return String(content.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }

    /// An address of four or sixteen bytes; nil for any other length.
    static func address(_ content: ArraySlice<UInt8>) -> String? {
        switch content.count {
        case 4: return content.map(String.init).joined(separator: ".")
        case 16:
            let digits = hexadecimal(content).split(separator: " ")
            return stride(from: 0, to: 16, by: 2).map { digits[$0] + digits[$0 + 1] }.joined(separator: ":")
        default: return nil
        }
    }

    /// A complete value; its bytes if it cannot be read.
    static func value(_ encoding: ArraySlice<UInt8>) -> String {
        var reader = BERReader(encoding, isDistinguished: true)
        guard let value = try? reader.next() else { return hexadecimal(encoding) }
        return text(tag: value.tag, value.content)
    }

    /// - Parameter tag: The first byte of the value.
    static func text(tag: UInt8, _ content: ArraySlice<UInt8>) -> String {
        switch tag {
        case 0x01, 0x02: integer(content)
        case 0x0c, 0x1b, 0x1c: string(content, utf8) ?? hexadecimal(content)
        case 0x13, 0x16, 0x14, 0x15, 0x1a: string(content, latin1) ?? hexadecimal(content)
        case 0x1e: utf16(content) ?? hexadecimal(content)
        case 0x03: blob("Bit string", "bits", content)
        case 0x04: blob("Byte string", "bytes", content)
        case 0x30: blob("Sequence", "bytes", content)
        case 0x31: blob("Set", "bytes", content)
        case 0x06: identifier(content)
        // Apple's decoder keeps the class of a tag in the highest bits.
        default: "not displayed (tag = \(Int(tag & 0xe0) << 56 | Int(tag & 0x1f)); length \(content.count))"
        }
    }

    private static func blob(_ kind: String, _ unit: String, _ content: ArraySlice<UInt8>) -> String {
        "\(kind); \(content.count) \(unit); data = \(hexadecimal(content))"
    }

    // MARK: - Strings

    /// Some programs end a text with a zero.
    private static func string(
        _ content: ArraySlice<UInt8>, _ decode: (ArraySlice<UInt8>) -> String?
    ) -> String? {
        decode(content.last == 0 ? content.dropLast() : content)
    }

    static func utf8(_ content: ArraySlice<UInt8>) -> String? { String(validating: content, as: UTF8.self) }

    /// ISO 8859-1, and ASCII: Core Foundation also reads each byte as one character.
    static func latin1(_ content: ArraySlice<UInt8>) -> String {
        String(String.UnicodeScalarView(content.map { Unicode.Scalar($0) }))
    }

    /// UTF-16, high byte first unless a byte order mark says otherwise. An odd last byte is ignored.
    private static func utf16(_ content: ArraySlice<UInt8>) -> String? {
        if content.count == 1 { return nil }
        let bytes = Array(content)
        var units = stride(from: 0, to: bytes.count - 1, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
        if units.first == 0xfffe { units = units.map(\.byteSwapped) }
        if units.first == 0xfeff { units.removeFirst() }
        return String(decoding: units, as: UTF16.self)
    }
}
