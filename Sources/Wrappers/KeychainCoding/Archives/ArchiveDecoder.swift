// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The coder from which an object of the application's own class reads its fields.
///
/// If a field is damaged, has another type or an unexpected class, reading the whole archive fails, and the field reads
/// as nil or zero, as with `NSKeyedUnarchiver`. Nothing here ends the process.
final class ArchiveDecoder: NSCoder {
    private let reader: ArchiveReader
    private let fields: [ExactText: PropertyList]

    init(reader: ArchiveReader, fields: [ExactText: PropertyList]) {
        self.reader = reader
        self.fields = fields
    }

    private func field(_ key: String) -> PropertyList? { fields[KeyedArchive.field(key)] }

    override var allowsKeyedCoding: Bool { true }
    override var requiresSecureCoding: Bool { true }
    override var allowedClasses: [AnyClass]? { reader.expected }
    override var decodingFailurePolicy: NSCoder.DecodingFailurePolicy { .setErrorAndReturn }
    override var error: (any Error)? { reader.failure }

    override func failWithError(_ error: any Error) { reader.fail(.damaged) }

    override func containsValue(forKey key: String) -> Bool { field(key) != nil }

    // MARK: Objects

    override func decodeObject(forKey key: String) -> Any? { object(key, of: nil) }

    override func decodeObject(of classes: [AnyClass]?, forKey key: String) -> Any? { object(key, of: classes) }

    override func decodePropertyList(forKey key: String) -> Any? {
        object(key, of: [NSArray.self, NSDictionary.self, NSString.self, NSNumber.self, NSDate.self, NSData.self])
    }

    private func object(_ key: String, of classes: [AnyClass]?) -> Any? {
        guard reader.failure == nil, let field = field(key) else { return nil }
        do throws(CodingFailure) {
            return try reader.object(field, expecting: classes)
        } catch {
            reader.fail(error)
            return nil
        }
    }

    // MARK: Values

    private func number<Value>(_ key: String, _ none: Value, _ read: (PropertyList) -> Value?) -> Value {
        guard reader.failure == nil, let field = field(key) else { return none }
        guard let value = read(field) else {
            reader.fail(.damaged)
            return none
        }
        return value
    }

    override func decodeBool(forKey key: String) -> Bool { number(key, false) { $0.whole.map { $0 != 0 } } }
    override func decodeCInt(forKey key: String) -> Int32 { decodeInt32(forKey: key) }
    override func decodeInt32(forKey key: String) -> Int32 { number(key, 0) { $0.whole.flatMap(Int32.init(exactly:)) } }
    override func decodeInt64(forKey key: String) -> Int64 { number(key, 0) { $0.whole } }
    override func decodeInteger(forKey key: String) -> Int { number(key, 0) { $0.whole.map(Int.init) } }
    override func decodeFloat(forKey key: String) -> Float { number(key, 0) { $0.real.map(Float.init) } }
    override func decodeDouble(forKey key: String) -> Double { number(key, 0) { $0.real } }

    override func withDecodedUnsafeBytes<ResultType>(
        forKey key: String, body: (UnsafeRawBufferPointer?) throws -> ResultType
    ) rethrows -> ResultType {
        guard let data: Data = number(key, nil, \.bytes) else { return try body(nil) }
        return try data.withUnsafeBytes { try body($0) }
    }

    override func withDecodedUnsafeBufferPointer<ResultType>(
        forKey key: String, body: (UnsafeBufferPointer<UInt8>?) throws -> ResultType
    ) rethrows -> ResultType {
        try withDecodedUnsafeBytes(forKey: key) { bytes in
            try body(bytes.map { $0.bindMemory(to: UInt8.self) })
        }
    }

    // MARK: Methods that keyed archives do not have

    override func version(forClassName className: String) -> Int { 0 }
    override func decodeValue(ofObjCType type: UnsafePointer<Int8>, at data: UnsafeMutableRawPointer) {
        reader.fail(.damaged)
    }
    override func decodeArray(ofObjCType itemType: UnsafePointer<Int8>, count: Int, at array: UnsafeMutableRawPointer) {
        reader.fail(.damaged)
    }
    override func decodeData() -> Data? { nothing() }
    override func decodeObject() -> Any? { nothing() }
    override func decodePropertyList() -> Any? { nothing() }

    private func nothing<Value>() -> Value? {
        reader.fail(.damaged)
        return nil
    }

    // MARK: Methods for writing

    override func encodeValue(ofObjCType type: UnsafePointer<Int8>, at addr: UnsafeRawPointer) {}
    override func encode(_ data: Data) {}
    override func encode(_ object: Any?) {}
    override func encode(_ objv: Any?, forKey key: String) {}
    override func encodeConditionalObject(_ objv: Any?, forKey key: String) {}
    override func encode(_ boolv: Bool, forKey key: String) {}
    override func encode(_ intv: Int32, forKey key: String) {}
    override func encode(_ intv: Int64, forKey key: String) {}
    override func encode(_ intv: Int, forKey key: String) {}
    override func encode(_ realv: Float, forKey key: String) {}
    override func encode(_ realv: Double, forKey key: String) {}
    override func encodeBytes(_ bytesp: UnsafePointer<UInt8>?, length lenv: Int, forKey key: String) {}
    override func encodePropertyList(_ aPropertyList: Any) {}
}

extension PropertyList {
    /// The value as a whole number, or nil if it is not one.
    var whole: Int64? {
        switch self {
        case .boolean(let flag): flag ? 1 : 0
        case .integer(let number): number
        case .real(let number): Int64(exactly: number.rounded(.towardZero))
        default: nil
        }
    }

    /// The value as a real number, or nil if it is not a number.
    var real: Double? {
        switch self {
        case .boolean(let flag): flag ? 1 : 0
        case .integer(let number): Double(number)
        case .unsigned(let number): Double(number)
        case .real(let number): number
        default: nil
        }
    }

    var bytes: Data? {
        if case .data(let data) = self { data } else { nil }
    }

    var string: String? {
        if case .text(let text) = self { text } else { nil }
    }
}
