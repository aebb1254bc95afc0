// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Writes a binary property list in the form of Apple's writer.
struct BinaryPropertyListWriter {
    private var bytes = Array("bplist00".utf8)
    private var offsets: [Int] = []
    /// Each text is written once, because many dictionaries have the same keys.
    private var indexOfText: [ExactText: Int] = [:]
    private let referenceSize: Int

    static func data(of list: PropertyList) -> Data {
        var writer = BinaryPropertyListWriter(referenceSize: size(of: UInt64(count(of: list))))
        _ = writer.write(list)
        return writer.finished()
    }

    private init(referenceSize: Int) {
        self.referenceSize = referenceSize
    }

    /// The greatest possible number of objects.
    private static func count(of list: PropertyList) -> Int {
        switch list {
        case .array(let values): values.reduce(1) { $0 + count(of: $1) }
        case .dictionary(let entries): entries.values.reduce(1 + entries.count) { $0 + count(of: $1) }
        default: 1
        }
    }

    private static func size(of number: UInt64) -> Int {
        number <= 0xFF ? 1 : number <= 0xFFFF ? 2 : number <= 0xFFFF_FFFF ? 4 : 8
    }

    private mutating func finished() -> Data {
        let tableOffset = bytes.count
        let offsetSize = Self.size(of: UInt64(tableOffset))
        for offset in offsets { append(UInt64(offset), size: offsetSize) }
        bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
        append(UInt64(offsets.count), size: 8)
        append(0, size: 8)
        append(UInt64(tableOffset), size: 8)
        return Data(bytes)
    }

    /// Writes a value and everything in it.
    ///
    /// - Returns: The index of the value in the table of offsets.
    private mutating func write(_ value: PropertyList) -> Int {
        if case .text(let text) = value, let index = indexOfText[ExactText(text)] { return index }
        let index = offsets.count
        offsets.append(0)
        switch value {
        case .array(let values):
            let references = values.map { write($0) }
            begin(index)
            append(marker: 0xA, count: values.count)
            for reference in references { append(UInt64(reference), size: referenceSize) }
        case .dictionary(let entries):
            // The keys are sorted, so that equal dictionaries give equal bytes.
            let keys = entries.keys.sorted()
            let references = keys.map { write(.text($0.string)) } + keys.compactMap { entries[$0] }.map { write($0) }
            begin(index)
            append(marker: 0xD, count: keys.count)
            for reference in references { append(UInt64(reference), size: referenceSize) }
        case .text(let text):
            indexOfText[ExactText(text)] = index
            begin(index)
            append(text)
        default:
            begin(index)
            append(leaf: value)
        }
        return index
    }

    private mutating func begin(_ index: Int) {
        offsets[index] = bytes.count
    }

    private mutating func append(leaf value: PropertyList) {
        switch value {
        case .boolean(let flag): bytes.append(flag ? 9 : 8)
        case .integer(let number): append(number)
        case .unsigned(let number):
            bytes.append(0x14)
            append(0, size: 8)
            append(number, size: 8)
        case .real(let number):
            bytes.append(0x23)
            append(number.bitPattern, size: 8)
        case .date(let seconds):
            bytes.append(0x33)
            append(seconds.bitPattern, size: 8)
        case .data(let data):
            append(marker: 0x4, count: data.count)
            bytes += data
        case .reference(let index):
            let size = Self.size(of: UInt64(index))
            bytes.append(0x80 | UInt8(size - 1))
            append(UInt64(index), size: size)
        case .text, .array, .dictionary: break
        }
    }

    private mutating func append(_ text: String) {
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            append(marker: 0x5, count: text.utf8.count)
            bytes += text.utf8
        } else {
            append(marker: 0x6, count: text.utf16.count)
            for unit in text.utf16 { append(UInt64(unit), size: 2) }
        }
    }

    private mutating func append(marker: UInt8, count: Int) {
        bytes.append(marker << 4 | UInt8(min(count, 0x0F)))
        if count >= 0x0F { append(Int64(count)) }
    }

    private mutating func append(_ number: Int64) {
        let bits = UInt64(bitPattern: number)
        let size = Self.size(of: bits)
        bytes.append(0x10 | UInt8(size.trailingZeroBitCount))
        append(bits, size: size)
    }

    private mutating func append(_ bits: UInt64, size: Int) {
        for shift in stride(from: (size - 1) * 8, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: bits >> UInt64(shift)))
        }
    }
}
