// SPDX-License-Identifier: Apache-2.0

import SwiftASN1

/// Reads values in BER one by one, when the caller asks for them.
///
/// swift-asn1 makes a tree of its whole input at once, in which a value of two bytes takes about a hundred. Untrusted
/// files are read with this reader, which keeps only slices of the file.
struct BERReader {
    private var rest: ArraySlice<UInt8>
    private let isDistinguished: Bool

    /// - Parameter isDistinguished: Whether to accept only DER, in which each value has a length in its shortest form.
    init(_ bytes: ArraySlice<UInt8>, isDistinguished: Bool = false) {
        rest = bytes
        self.isDistinguished = isDistinguished
    }

    var isAtEnd: Bool { rest.isEmpty }

    /// - Throws: `errSecDecode` at the end of the bytes, and for bytes that are not BER.
    mutating func next() throws(KeychainError) -> BERValue {
        let header = try BERHeader(rest)
        guard !isDistinguished || header.isDistinguished else { throw .notDecodable("a value's length is not in DER") }
        let content = rest.dropFirst(header.size)
        let end: Int
        let next: Int
        if let length = header.length {
            guard length <= content.count else { throw .notDecodable("a value is longer than what holds it") }
            end = content.startIndex + length
            next = end
        } else {
            (end, next) = try Self.endOfContents(content)
        }
        let value = BERValue(
            tag: header.tag, encoding: rest[rest.startIndex..<next], content: content[content.startIndex..<end],
            isDistinguished: isDistinguished)
        rest = rest[next...]
        return value
    }

    /// The next value, which must have this tag.
    ///
    /// - Throws: `errSecDecode` for another tag, and as ``next()``.
    mutating func next(_ tag: UInt8) throws(KeychainError) -> BERValue {
        let value = try next()
        guard value.tag == tag else { throw .notDecodable("a value has another tag") }
        return value
    }

    /// The next value if it has this tag, else nil.
    ///
    /// - Throws: As ``next()``.
    mutating func nextIfAny(_ tag: UInt8) throws(KeychainError) -> BERValue? {
        rest.first == tag ? try next() : nil
    }

    /// Finds where the values of an indefinite length end, and where the next value begins.
    private static func endOfContents(_ bytes: ArraySlice<UInt8>) throws(KeychainError) -> (end: Int, next: Int) {
        var position = bytes.startIndex
        var depth = 1
        while true {
            let header = try BERHeader(bytes[position...])
            let start = position
            position += header.size
            if header.tag == 0, header.length == 0 {
                depth -= 1
                if depth == 0 { return (start, position) }
            } else if let length = header.length {
                guard length <= bytes.endIndex - position else { throw .notDecodable("a value has no end") }
                position += length
            } else {
                depth += 1
            }
        }
    }
}

/// The bytes of a value before its content.
private struct BERHeader {
    let tag: UInt8
    /// Nil for an indefinite length.
    let length: Int?
    let size: Int

    /// Whether there is a length, in its shortest form.
    var isDistinguished: Bool {
        guard let length else { return false }
        let digits = length < 0x80 ? 0 : (Int.bitWidth - length.leadingZeroBitCount + 7) / 8
        return size == 2 + digits
    }

    init(_ bytes: ArraySlice<UInt8>) throws(KeychainError) {
        guard bytes.count >= 2 else { throw .notDecodable("a value has no end") }
        tag = bytes[bytes.startIndex]
        // Files of keys do not use tags of more than one byte.
        guard tag & 0x1f != 0x1f else { throw .notDecodable("a value has a long tag") }
        let first = bytes[bytes.startIndex + 1]
        switch first {
        case ..<0x80:
            (length, size) = (Int(first), 2)
        case 0x80:
            guard tag & 0x20 != 0 else { throw .notDecodable("a primitive value has no length") }
            (length, size) = (nil, 2)
        default:
            let count = Int(first & 0x7f)
            let digits = bytes.dropFirst(2).prefix(count)
            guard count <= 4, digits.count == count else { throw .notDecodable("a value's length is too long") }
            (length, size) = (digits.reduce(0) { $0 << 8 | Int($1) }, 2 + count)
        }
    }
}

struct BERValue {
    let tag: UInt8
    /// The bytes of the whole value.
    let encoding: ArraySlice<UInt8>
    let content: ArraySlice<UInt8>
    fileprivate let isDistinguished: Bool

    /// A reader for the values in a constructed value.
    var parts: BERReader { BERReader(tag & 0x20 == 0 ? [] : content, isDistinguished: isDistinguished) }

    /// The bytes of an octet string, which BER may split into pieces. The tag of the whole string does not matter.
    ///
    /// - Throws: `errSecDecode` if a piece has another tag, or if pieces are nested more than eight levels deep.
    func octets(depth: Int = 8) throws(KeychainError) -> ArraySlice<UInt8> {
        guard tag & 0x20 != 0 else { return content }
        guard depth > 0 else { throw .notDecodable("a string is in too many pieces") }
        var octets: ArraySlice<UInt8> = []
        var pieces = parts
        while !pieces.isAtEnd {
            let piece = try pieces.next()
            guard piece.tag & 0xdf == BERTag.octetString else {
                throw .notDecodable("a string has a piece that is none")
            }
            octets += try piece.octets(depth: depth - 1)
        }
        return octets
    }

    /// A whole number that is not negative and fits into `Int`.
    ///
    /// - Throws: `errSecDecode` for any other value.
    func number() throws(KeychainError) -> Int {
        guard tag == BERTag.integer, let first = content.first, first & 0x80 == 0, content.count <= 8 else {
            throw .notDecodable("a number is negative or too large")
        }
        return content.reduce(0) { $0 << 8 | Int($1) }
    }

    func identifier() throws(KeychainError) -> ASN1ObjectIdentifier {
        guard tag == BERTag.identifier, content.count <= 64,
            let identifier = try? ASN1ObjectIdentifier(derEncoded: encoding)
        else { throw .notDecodable("an identifier is none") }
        return identifier
    }
}

/// The tags of values in files of keys.
enum BERTag {
    static let boolean: UInt8 = 0x01
    static let integer: UInt8 = 0x02
    static let bitString: UInt8 = 0x03
    static let octetString: UInt8 = 0x04
    static let null: UInt8 = 0x05
    static let identifier: UInt8 = 0x06
    static let bmpString: UInt8 = 0x1e
    static let sequence: UInt8 = 0x30
    static let set: UInt8 = 0x31
    /// A primitive value under the context's tag 0.
    static let implicit0: UInt8 = 0x80
    /// A constructed value under the context's tag 0.
    static let tagged0: UInt8 = 0xa0
    static let tagged1: UInt8 = 0xa1
}

extension KeychainError {
    static func notDecodable(_ message: String) -> KeychainError { KeychainError(errSecDecode, message) }
}
