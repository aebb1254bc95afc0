// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Reads a binary property list that somebody may have tampered with.
///
/// Reading fails at unknown values, cycles and positions outside the bytes. Integers may have 1, 2, 4, 8 or 16 bytes,
/// offsets and references 1 to 8 bytes.
struct BinaryPropertyListReader {
    static let magic = Data("bplist".utf8)

    private static let header = Data("bplist0".utf8)
    private static let trailerSize = 32

    private let bytes: [UInt8]
    private let offsetSize: Int
    private let referenceSize: Int
    private let count: Int
    private let tableOffset: Int
    /// The values that are complete, so that an object used a thousand times is read once.
    private var finished: [Int: Counted] = [:]
    /// The objects between the top and this one. An object that occurs twice here is a cycle.
    private var path: Set<Int> = []
    /// The number of references that the collections read so far claim to have.
    private var referenceCount = 0

    private struct Counted {
        let value: PropertyList
        /// The number of values in it. A value counts once for each time that it is used.
        let weight: Int
    }

    static func value(in data: Data) throws(CodingFailure) -> PropertyList {
        var reader = try BinaryPropertyListReader(Array(data))
        let top = try reader.integer(at: reader.bytes.count - 16, size: 8)
        return try reader.object(top).value
    }

    private init(_ bytes: [UInt8]) throws(CodingFailure) {
        guard bytes.count > 8 + Self.trailerSize, bytes.starts(with: Self.header) else { throw .damaged }
        self.bytes = bytes
        offsetSize = Int(bytes[bytes.count - 26])
        referenceSize = Int(bytes[bytes.count - 25])
        count = try Self.integer(in: bytes, at: bytes.count - 24, size: 8)
        tableOffset = try Self.integer(in: bytes, at: bytes.count - 8, size: 8)
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize), count <= bytes.count else {
            throw .damaged
        }
    }

    private mutating func object(_ index: Int) throws(CodingFailure) -> Counted {
        if let object = finished[index] { return object }
        guard (0..<count).contains(index) else { throw .damaged }
        guard path.count < PropertyList.greatestDepth, path.insert(index).inserted else { throw .tooDeep }
        let offset = try integer(at: tableOffset + index * offsetSize, size: offsetSize)
        let object = try object(at: offset)
        path.remove(index)
        finished[index] = object
        return object
    }

    private mutating func object(at offset: Int) throws(CodingFailure) -> Counted {
        guard (8..<bytes.count).contains(offset) else { throw .damaged }
        switch bytes[offset] >> 4 {
        case 0xA: return try array(try references(offset))
        case 0xD: return try dictionary(offset)
        default: return Counted(value: try leaf(at: offset), weight: 1)
        }
    }

    private func leaf(at offset: Int) throws(CodingFailure) -> PropertyList {
        let low = bytes[offset] & 0x0F
        switch bytes[offset] >> 4 {
        case 0x0 where low == 8 || low == 9: return .boolean(low == 9)
        case 0x1: return try number(at: offset + 1, size: 1 << Int(low))
        case 0x2: return .real(try real(at: offset + 1, size: 1 << Int(low)))
        case 0x3 where low == 3: return .date(try real(at: offset + 1, size: 8))
        case 0x4: return .data(Data(try run(offset, unit: 1)))
        case 0x5: return .text(try asciiText(try run(offset, unit: 1)))
        case 0x6: return .text(try wideText(try run(offset, unit: 2)))
        case 0x8: return .reference(try integer(at: offset + 1, size: Int(low) + 1))
        default: throw .damaged
        }
    }

    // MARK: Collections

    private mutating func array(_ references: [Int]) throws(CodingFailure) -> Counted {
        var values: [PropertyList] = []
        var weight = 1
        values.reserveCapacity(references.count)
        for reference in references {
            let element = try object(reference)
            weight += element.weight
            guard weight <= PropertyList.greatestWeight else { throw .tooLarge }
            values.append(element.value)
        }
        return Counted(value: .array(values), weight: weight)
    }

    private mutating func dictionary(_ offset: Int) throws(CodingFailure) -> Counted {
        let references = try references(offset, lists: 2)
        let half = references.count / 2
        var entries: [ExactText: PropertyList] = [:]
        var weight = 1
        for (keyReference, valueReference) in zip(references.prefix(half), references.suffix(half)) {
            guard case .text(let key) = try object(keyReference).value else { throw .damaged }
            let value = try object(valueReference)
            weight += value.weight
            guard weight <= PropertyList.greatestWeight else { throw .tooLarge }
            entries[ExactText(key)] = value.value
        }
        return Counted(value: .dictionary(entries), weight: weight)
    }

    private mutating func references(_ offset: Int, lists: Int = 1) throws(CodingFailure) -> [Int] {
        let (count, start) = try length(offset)
        guard count * lists <= bytes.count else { throw .damaged }
        // Collections may overlap in the bytes, so the limit applies to what all of them claim together.
        referenceCount += count * lists
        guard referenceCount <= PropertyList.greatestWeight else { throw .tooLarge }
        var result: [Int] = []
        for position in 0..<(count * lists) {
            result.append(try integer(at: start + position * referenceSize, size: referenceSize))
        }
        return result
    }

    // MARK: Values

    /// A number of 1, 2 or 4 bytes is unsigned. One of 8 or 16 bytes is signed, and one of 16 bytes must fit into `Int64`
    /// or `UInt64`.
    private func number(at offset: Int, size: Int) throws(CodingFailure) -> PropertyList {
        switch size {
        case 1, 2, 4: return .integer(Int64(try Self.bits(in: bytes, at: offset, size: size)))
        case 8: return .integer(Int64(bitPattern: try Self.bits(in: bytes, at: offset, size: 8)))
        case 16:
            let high = try Self.bits(in: bytes, at: offset, size: 8)
            let low = try Self.bits(in: bytes, at: offset + 8, size: 8)
            if high == 0 { return low <= UInt64(Int64.max) ? .integer(Int64(low)) : .unsigned(low) }
            guard high == .max, low > UInt64(Int64.max) else { throw .damaged }
            return .integer(Int64(bitPattern: low))
        default: throw .damaged
        }
    }

    private func real(at offset: Int, size: Int) throws(CodingFailure) -> Double {
        guard size == 4 || size == 8 else { throw .damaged }
        let bits = try Self.bits(in: bytes, at: offset, size: size)
        return size == 4 ? Double(Float(bitPattern: UInt32(bits))) : Double(bitPattern: bits)
    }

    private func asciiText(_ bytes: ArraySlice<UInt8>) throws(CodingFailure) -> String {
        guard bytes.allSatisfy({ $0 < 0x80 }) else { throw .damaged }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func wideText(_ bytes: ArraySlice<UInt8>) throws(CodingFailure) -> String {
        let units = stride(from: bytes.startIndex, to: bytes.endIndex, by: 2).map {
            UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
        }
        guard let text = String(validating: units, as: UTF16.self) else { throw .damaged }
        return text
    }

    // MARK: Bytes

    /// The bytes of a value that states its own length.
    private func run(_ offset: Int, unit: Int) throws(CodingFailure) -> ArraySlice<UInt8> {
        let (count, start) = try length(offset)
        guard start <= bytes.count, count <= (bytes.count - start) / unit else { throw .damaged }
        return bytes[start..<(start + count * unit)]
    }

    /// The length after a marker, and where the value begins.
    private func length(_ offset: Int) throws(CodingFailure) -> (count: Int, start: Int) {
        let low = Int(bytes[offset] & 0x0F)
        if low < 0x0F { return (low, offset + 1) }
        guard offset + 1 < bytes.count, bytes[offset + 1] >> 4 == 0x1 else { throw .damaged }
        let size = 1 << Int(bytes[offset + 1] & 0x0F)
        let count = try integer(at: offset + 2, size: size)
        guard count <= bytes.count else { throw .damaged }
        return (count, offset + 2 + size)
    }

    private func integer(at offset: Int, size: Int) throws(CodingFailure) -> Int {
        try Self.integer(in: bytes, at: offset, size: size)
    }

    /// A number that is an offset or a count. It is small enough for arithmetic.
    private static func integer(in bytes: [UInt8], at offset: Int, size: Int) throws(CodingFailure) -> Int {
        let bits = try bits(in: bytes, at: offset, size: size)
        guard bits <= UInt64(Int32.max) else { throw .damaged }
        return Int(bits)
    }

    private static func bits(in bytes: [UInt8], at offset: Int, size: Int) throws(CodingFailure) -> UInt64 {
        guard (1...8).contains(size), offset >= 0, offset <= bytes.count - size else { throw .damaged }
        return bytes[offset..<(offset + size)].reduce(0) { $0 << 8 | UInt64($1) }
    }
}
