import Foundation

/// Reads a binary property list that may have been tampered with.
///
/// Foundation's reader on Linux ends the process at some damaged lists, and hides the references of archives. This one
/// gives up at anything that it does not know, at circles and at whatever lies outside the bytes.
struct BinaryPropertyList {
    /// A reference in a keyed archive: an index into its table of objects.
    struct Reference {
        let index: Int
    }

    /// Why a list was not read: it is damaged, or not of this format.
    struct Refusal: Error {}

    private let bytes: [UInt8]
    private let offsetSize: Int
    private let referenceSize: Int
    private let count: Int
    private let tableOffset: Int
    /// What was read already, so that objects used a thousand times are read once.
    private var finished: [Int: Any] = [:]
    private var path: Set<Int> = []

    private static let greatestDepth = 200
    private static let trailerSize = 32

    /// The value at the top: text, `NSNumber`, `Date`, `Data`, ``Reference``, an array or a dictionary of these.
    static func value(in data: Data) throws(Refusal) -> Any {
        var list = try BinaryPropertyList(Array(data))
        let top = try list.integer(at: list.bytes.count - 16, size: 8)
        return try list.object(top)
    }

    private init(_ bytes: [UInt8]) throws(Refusal) {
        guard bytes.count > 8 + Self.trailerSize, bytes.starts(with: "bplist00".utf8) else { throw Refusal() }
        self.bytes = bytes
        offsetSize = Int(bytes[bytes.count - 26])
        referenceSize = Int(bytes[bytes.count - 25])
        count = try Self.integer(in: bytes, at: bytes.count - 24, size: 8)
        tableOffset = try Self.integer(in: bytes, at: bytes.count - 8, size: 8)
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize), count <= bytes.count else {
            throw Refusal()
        }
    }

    private mutating func object(_ index: Int) throws(Refusal) -> Any {
        if let object = finished[index] { return object }
        guard (0..<count).contains(index), path.count < Self.greatestDepth, path.insert(index).inserted else {
            throw Refusal()
        }
        let offset = try integer(at: tableOffset + index * offsetSize, size: offsetSize)
        let object = try object(at: offset)
        path.remove(index)
        finished[index] = object
        return object
    }

    private mutating func object(at offset: Int) throws(Refusal) -> Any {
        guard (8..<bytes.count).contains(offset) else { throw Refusal() }
        let low = bytes[offset] & 0x0F
        switch bytes[offset] >> 4 {
        case 0x0: return try boolean(low)
        case 0x1: return NSNumber(value: try signedInteger(at: offset + 1, size: 1 << Int(low)))
        case 0x2: return NSNumber(value: try real(at: offset + 1, size: 1 << Int(low)))
        case 0x3: return Date(timeIntervalSinceReferenceDate: try real(at: offset + 1, size: 8))
        case 0x4: return Data(try run(offset, unit: 1))
        case 0x5: return try text(Array(try run(offset, unit: 1)))
        case 0x6: return try wideText(try run(offset, unit: 2))
        case 0x8: return Reference(index: try integer(at: offset + 1, size: Int(low) + 1))
        case 0xA: return try array(try references(offset))
        case 0xD: return try dictionary(offset)
        default: throw Refusal()
        }
    }

    // MARK: Collections

    private mutating func array(_ references: [Int]) throws(Refusal) -> [Any] {
        var result: [Any] = []
        for reference in references { result.append(try object(reference)) }
        return result
    }

    private mutating func dictionary(_ offset: Int) throws(Refusal) -> [String: Any] {
        let references = try references(offset, lists: 2)
        let keys = try array(Array(references.prefix(references.count / 2)))
        let values = try array(Array(references.suffix(references.count / 2)))
        var result: [String: Any] = [:]
        for (key, value) in zip(keys, values) {
            guard let key = key as? String else { throw Refusal() }
            result[key] = value
        }
        return result
    }

    private func references(_ offset: Int, lists: Int = 1) throws(Refusal) -> [Int] {
        let (count, start) = try length(offset)
        var result: [Int] = []
        guard count * lists <= bytes.count else { throw Refusal() }
        for position in 0..<(count * lists) {
            result.append(try integer(at: start + position * referenceSize, size: referenceSize))
        }
        return result
    }

    // MARK: Values

    private func boolean(_ low: UInt8) throws(Refusal) -> NSNumber {
        guard low == 8 || low == 9 else { throw Refusal() }
        return NSNumber(value: low == 9)
    }

    private func text(_ bytes: [UInt8]) throws(Refusal) -> String {
        guard let text = String(bytes: bytes, encoding: .ascii) else { throw Refusal() }
        return text
    }

    private func wideText(_ bytes: ArraySlice<UInt8>) throws(Refusal) -> String {
        guard let text = String(bytes: bytes, encoding: .utf16BigEndian) else { throw Refusal() }
        return text
    }

    private func signedInteger(at offset: Int, size: Int) throws(Refusal) -> Int64 {
        guard [1, 2, 4, 8].contains(size) else { throw Refusal() }
        return Int64(bitPattern: try Self.bits(in: bytes, at: offset, size: size))
    }

    private func real(at offset: Int, size: Int) throws(Refusal) -> Double {
        let bits = try Self.bits(in: bytes, at: offset, size: size)
        switch size {
        case 4: return Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
        case 8: return Double(bitPattern: bits)
        default: throw Refusal()
        }
    }

    // MARK: Bytes

    /// The bytes of a value that says its own length.
    private func run(_ offset: Int, unit: Int) throws(Refusal) -> ArraySlice<UInt8> {
        let (count, start) = try length(offset)
        guard count <= (bytes.count - start) / unit else { throw Refusal() }
        return bytes[start..<(start + count * unit)]
    }

    /// The length after a marker, and where the value begins.
    private func length(_ offset: Int) throws(Refusal) -> (count: Int, start: Int) {
        let low = Int(bytes[offset] & 0x0F)
        if low < 0x0F { return (low, offset + 1) }
        guard offset + 1 < bytes.count, bytes[offset + 1] >> 4 == 0x1 else { throw Refusal() }
        let size = 1 << Int(bytes[offset + 1] & 0x0F)
        let count = try integer(at: offset + 2, size: size)
        guard count <= bytes.count else { throw Refusal() }
        return (count, offset + 2 + size)
    }

    private func integer(at offset: Int, size: Int) throws(Refusal) -> Int {
        try Self.integer(in: bytes, at: offset, size: size)
    }

    /// A number that is an offset or a count: small enough to calculate with.
    private static func integer(in bytes: [UInt8], at offset: Int, size: Int) throws(Refusal) -> Int {
        let bits = try bits(in: bytes, at: offset, size: size)
        guard bits <= UInt64(Int32.max) else { throw Refusal() }
        return Int(bits)
    }

    private static func bits(in bytes: [UInt8], at offset: Int, size: Int) throws(Refusal) -> UInt64 {
        guard (1...8).contains(size), offset >= 0, offset <= bytes.count - size else { throw Refusal() }
        return bytes[offset..<(offset + size)].reduce(0) { $0 << 8 | UInt64($1) }
    }
}
