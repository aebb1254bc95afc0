// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The coder to which an object of the application's own class writes its fields.
///
/// After a failure, which the writer keeps, nothing is stored. Nothing here ends the process: methods that make no
/// sense in a keyed archive fail as well.
final class ArchiveEncoder: NSCoder {
    private let writer: ArchiveWriter
    private let index: Int

    init(writer: ArchiveWriter, index: Int) {
        self.writer = writer
        self.index = index
    }

    private func set(_ value: PropertyList, _ key: String) {
        writer.set(value, KeyedArchive.field(key), of: index)
    }

    override var allowsKeyedCoding: Bool { true }
    override var requiresSecureCoding: Bool { true }
    override var allowedClasses: [AnyClass]? { nil }
    override var decodingFailurePolicy: NSCoder.DecodingFailurePolicy { .setErrorAndReturn }
    override var error: (any Error)? { nil }

    override func failWithError(_ error: any Error) {
        writer.fail(CodingFailure(.unsupported))
    }

    override func encode(_ objv: Any?, forKey key: String) {
        do throws(CodingFailure) {
            set(try writer.reference(to: objv), key)
        } catch {
            writer.fail(error)
        }
    }

    override func encodeConditionalObject(_ objv: Any?, forKey key: String) {
        guard let objv else { return set(.reference(0), key) }
        if FoundationValue(objv) != nil { return encode(objv, forKey: key) }
        writer.refer(to: objv as AnyObject, KeyedArchive.field(key), of: index)
    }

    override func encode(_ boolv: Bool, forKey key: String) { set(.boolean(boolv), key) }
    override func encode(_ intv: Int32, forKey key: String) { set(.integer(Int64(intv)), key) }
    override func encode(_ intv: Int64, forKey key: String) { set(.integer(intv), key) }
    override func encode(_ intv: Int, forKey key: String) { set(.integer(Int64(intv)), key) }
    override func encode(_ realv: Float, forKey key: String) { set(.real(Double(realv)), key) }
    override func encode(_ realv: Double, forKey key: String) { set(.real(realv), key) }

    override func encodeBytes(_ bytesp: UnsafePointer<UInt8>?, length lenv: Int, forKey key: String) {
        guard lenv >= 0 else { return writer.fail(CodingFailure(.unsupported)) }
        set(.data(bytesp.map { Data(bytes: $0, count: lenv) } ?? Data()), key)
    }

    // MARK: Methods that keyed archives do not have

    private func refuse() { writer.fail(CodingFailure(.unsupported, typeName: "a value without a key")) }

    override func encodeValue(ofObjCType type: UnsafePointer<Int8>, at addr: UnsafeRawPointer) { refuse() }
    override func encode(_ data: Data) { refuse() }
    override func encode(_ object: Any?) { refuse() }
    override func encodeRootObject(_ rootObject: Any) { refuse() }
    override func encodeBycopyObject(_ anObject: Any?) { refuse() }
    override func encodeByrefObject(_ anObject: Any?) { refuse() }
    override func encodeConditionalObject(_ object: Any?) { refuse() }
    override func encodeArray(ofObjCType type: UnsafePointer<Int8>, count: Int, at array: UnsafeRawPointer) { refuse() }
    override func encodeBytes(_ byteaddr: UnsafeRawPointer?, length: Int) { refuse() }
    override func encodePropertyList(_ aPropertyList: Any) { refuse() }

    // MARK: Methods for reading

    override func version(forClassName className: String) -> Int { 0 }
    override func decodeValue(ofObjCType type: UnsafePointer<Int8>, at data: UnsafeMutableRawPointer) {}
    override func decodeData() -> Data? { nil }
    override func decodePropertyList() -> Any? { nil }
    override func containsValue(forKey key: String) -> Bool { false }
    override func decodeObject() -> Any? { nil }
    override func decodeObject(of classes: [AnyClass]?, forKey key: String) -> Any? { nil }
    override func decodeObject(forKey key: String) -> Any? { nil }
    override func decodePropertyList(forKey key: String) -> Any? { nil }
    override func decodeBool(forKey key: String) -> Bool { false }
    override func decodeCInt(forKey key: String) -> Int32 { 0 }
    override func decodeInt32(forKey key: String) -> Int32 { 0 }
    override func decodeInt64(forKey key: String) -> Int64 { 0 }
    override func decodeInteger(forKey key: String) -> Int { 0 }
    override func decodeFloat(forKey key: String) -> Float { 0 }
    override func decodeDouble(forKey key: String) -> Double { 0 }

    override func withDecodedUnsafeBytes<ResultType>(
        forKey key: String, body: (UnsafeRawBufferPointer?) throws -> ResultType
    ) rethrows -> ResultType { try body(nil) }

    override func withDecodedUnsafeBufferPointer<ResultType>(
        forKey key: String, body: (UnsafeBufferPointer<UInt8>?) throws -> ResultType
    ) rethrows -> ResultType { try body(nil) }
}
