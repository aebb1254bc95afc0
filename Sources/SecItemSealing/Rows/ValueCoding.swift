// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// The encoding of attributes and secrets before they are sealed.
///
/// A version, then for each entry its code, a type tag, the length and the bytes. Zeros fill it up to a multiple of 32
/// bytes, so that a sealed secret does not reveal its exact length. `docs/file-format.md` has the table.
package enum ValueCoding {
    /// The greatest size of a blob, far above the API's limits.
    static let maximumByteCount = 256 << 20

    private static let version: UInt8 = 1
    private static let headerByteCount = 9
    private static let alignment = 32

    private enum Tag: UInt8 {
        case string = 1
        case data = 2
        case integer = 3
        case real = 4
        case date = 5
    }

    // MARK: Encoding

    /// The encoded attributes.
    ///
    /// - Throws: ``StoreError/Code/tooLarge`` if they are larger than ``maximumByteCount``.
    package static func encode(_ attributes: [ItemAttribute: AttributeValue]) throws(StoreError) -> Secret {
        let entries = attributes.sorted { $0.key.fourCharCode < $1.key.fourCharCode }
        return try encode(sizes: entries.map { byteCount(of: $0.value) }) { writer in
            for (attribute, value) in entries { write(value, of: attribute, to: &writer) }
        }
    }

    /// The encoded secrets.
    ///
    /// - Throws: As for attributes.
    package static func encode(_ secrets: [ItemAttribute: Secret]) throws(StoreError) -> Secret {
        let entries = secrets.sorted { $0.key.fourCharCode < $1.key.fourCharCode }
        return try encode(sizes: entries.map(\.value.count)) { writer in
            for (attribute, secret) in entries {
                secret.withUnsafeBytes { writer.write(attribute, Tag.data.rawValue, $0) }
            }
        }
    }

    private static func encode(sizes: [Int], _ body: (inout Writer) -> Void) throws(StoreError) -> Secret {
        let count = sizes.reduce(1) { $0 + headerByteCount + $1 }
        guard count <= maximumByteCount else { throw StoreError(.tooLarge, "the item is too large: \(count) bytes") }
        // Secret fills it with zeros, so the rest is the padding.
        return try Secret.make(
            count: (count + alignment - 1) / alignment * alignment
        ) { (target) throws(StoreError) in
            var writer = Writer(target: target)
            writer.write(byte: version)
            body(&writer)
        }
    }

    private static func byteCount(of value: AttributeValue) -> Int {
        switch value {
        case .string(let text): text.utf8.count
        case .data(let data): data.count
        case .integer, .real, .date: 8
        }
    }

    private static func write(_ value: AttributeValue, of attribute: ItemAttribute, to writer: inout Writer) {
        switch value {
        case .string(var text):
            text.withUTF8 { writer.write(attribute, Tag.string.rawValue, UnsafeRawBufferPointer($0)) }
        case .data(let data):
            data.withUnsafeBytes { writer.write(attribute, Tag.data.rawValue, $0) }
        case .integer(let number):
            writer.write(attribute, Tag.integer.rawValue, word: UInt64(bitPattern: number))
        case .real(let number):
            writer.write(attribute, Tag.real.rawValue, word: number.bitPattern)
        case .date(let date):
            writer.write(attribute, Tag.date.rawValue, word: date.timeIntervalSinceReferenceDate.bitPattern)
        }
    }

    private struct Writer {
        let target: UnsafeMutableRawBufferPointer
        private var offset = 0

        init(target: UnsafeMutableRawBufferPointer) {
            self.target = target
        }

        mutating func write(byte: UInt8) {
            withUnsafeBytes(of: byte) { write($0) }
        }

        mutating func write(_ attribute: ItemAttribute, _ tag: UInt8, _ content: UnsafeRawBufferPointer) {
            withUnsafeBytes(of: attribute.fourCharCode.bigEndian) { write($0) }
            write(byte: tag)
            withUnsafeBytes(of: UInt32(truncatingIfNeeded: content.count).bigEndian) { write($0) }
            write(content)
        }

        mutating func write(_ attribute: ItemAttribute, _ tag: UInt8, word: UInt64) {
            withUnsafeBytes(of: word.bigEndian) { write(attribute, tag, $0) }
        }

        private mutating func write(_ content: UnsafeRawBufferPointer) {
            guard content.count <= target.count - offset else { return }
            UnsafeMutableRawBufferPointer(rebasing: target[offset...]).copyMemory(from: content)
            offset += content.count
        }
    }

    // MARK: Decoding

    /// The attributes, or nil if the bytes are not such an encoding.
    package static func decodeAttributes(_ bytes: UnsafeRawBufferPointer) -> [ItemAttribute: AttributeValue]? {
        var result: [ItemAttribute: AttributeValue] = [:]
        result.reserveCapacity(20)
        let isComplete = forEachEntry(in: bytes) { attribute, tag, content in
            guard let value = value(tag, content) else { return false }
            return result.updateValue(value, forKey: attribute) == nil
        }
        return isComplete ? result : nil
    }

    /// The secrets, or nil if the bytes are not such an encoding.
    package static func decodeSecrets(_ bytes: UnsafeRawBufferPointer) -> [ItemAttribute: Secret]? {
        var result: [ItemAttribute: Secret] = [:]
        let isComplete = forEachEntry(in: bytes) { attribute, tag, content in
            guard tag == Tag.data.rawValue, let secret = try? Secret.make(copying: content) else { return false }
            return result.updateValue(secret, forKey: attribute) == nil
        }
        return isComplete ? result : nil
    }

    /// The codes of the attributes, or nil if ``decodeAttributes(_:)`` does not accept the bytes. Creates no values.
    static func attributeCodes(_ bytes: UnsafeRawBufferPointer) -> [UInt32]? {
        var codes: [UInt32] = []
        codes.reserveCapacity(20)
        var isRising = true
        let isComplete = forEachEntry(in: bytes) { attribute, tag, content in
            let code = attribute.fourCharCode
            if let last = codes.last, code <= last { isRising = false }
            codes.append(code)
            return isValue(tag, content)
        }
        // The codes are written in increasing order. If they are not, one may occur twice.
        return isComplete && (isRising || decodeAttributes(bytes) != nil) ? codes : nil
    }

    private static func isValue(_ tag: UInt8, _ content: UnsafeRawBufferPointer) -> Bool {
        switch Tag(rawValue: tag) {
        case .string: content.allSatisfy { $0 < 0x80 } || String(validating: content, as: UTF8.self) != nil
        case .data: true
        case .integer, .real, .date: content.count == 8
        case nil: false
        }
    }

    private static func value(_ tag: UInt8, _ content: UnsafeRawBufferPointer) -> AttributeValue? {
        switch Tag(rawValue: tag) {
        case .string: String(validating: content, as: UTF8.self).map(AttributeValue.string)
        case .data: .data(Data(content))
        case .integer: word(content).map { .integer(Int64(bitPattern: $0)) }
        case .real: word(content).map { .real(Double(bitPattern: $0)) }
        case .date: word(content).map { .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: $0))) }
        case nil: nil
        }
    }

    private static func word(_ content: UnsafeRawBufferPointer) -> UInt64? {
        content.count == 8 ? UInt64(bigEndian: content.loadUnaligned(as: UInt64.self)) : nil
    }

    /// Visits each entry. False if the bytes are malformed or a visit returns false.
    private static func forEachEntry(
        in bytes: UnsafeRawBufferPointer, _ visit: (ItemAttribute, UInt8, UnsafeRawBufferPointer) -> Bool
    ) -> Bool {
        guard bytes.first == version else { return false }
        var rest = bytes[1...]
        while rest.count >= headerByteCount {
            let start = rest.startIndex
            let code = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt32.self))
            if code == 0 { break }
            let tag = bytes[start + 4]
            let length = Int(UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: start + 5, as: UInt32.self)))
            rest = rest.dropFirst(headerByteCount)
            guard length <= rest.count else { return false }
            let content = UnsafeRawBufferPointer(rebasing: rest.prefix(length))
            guard visit(ItemAttribute(fourCharCode: code), tag, content) else { return false }
            rest = rest.dropFirst(length)
        }
        return rest.allSatisfy { $0 == 0 }
    }
}
