// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// The bytes of a call's result: an `NSData` that becomes `Data` with a single copy, and wipes its bytes when it is
/// released.
///
/// Foundation on Linux converts `NSData` to `Data` byte by byte, about a tenth of a second for a mebibyte, unless the
/// object is `ContiguousBytes`. The caller's cast converts data in arrays and dictionaries, so only the object itself
/// can avoid this. Every result therefore has this class.
///
/// Secret bytes are in ``SecretMemory``, outside swap space and core dumps. That is the only copy until the caller asks
/// for plain bytes.
///
/// It cannot wipe the caller's copies. Descriptions and mirrors show no bytes, so printing a result prints no secret.
package final class ResultData: NSData, ContiguousBytes {
    private enum Storage {
        /// No bytes, so that nothing is allocated for them.
        case nothing
        case plain(UnsafeMutableRawBufferPointer)
        /// A separate copy, because some callers overwrite a secret in place after use.
        case secret(Secret)
    }

    private let storage: Storage

    /// Copies bytes.
    package init(copying source: UnsafeRawBufferPointer) {
        storage = Self.allocateCopy(of: source)
        super.init()
    }

    /// Copies the bytes of a value.
    package init(_ data: Data) {
        storage = data.withUnsafeBytes(Self.allocateCopy)
        super.init()
    }

    /// Copies bytes that are secret.
    package init(secret source: UnsafeRawBufferPointer) {
        storage = source.isEmpty ? .nothing : .secret(Secret(copying: source))
        super.init()
    }

    /// Takes over secret bytes. They are overwritten if nothing else shares them.
    package static func secret(_ data: consuming Data) -> ResultData {
        let result = data.withUnsafeBytes { ResultData(secret: $0) }
        data.wipe()
        return result
    }

    package required init?(coder: NSCoder) {
        // An archive names the class `NSData`, so this class is never unarchived.
        nil
    }

    deinit {
        guard case .plain(let bytes) = storage, let start = bytes.baseAddress else { return }
        // Unlike `memset`, the compiler may not remove this although nobody reads the bytes again.
        explicit_bzero(start, bytes.count)
        bytes.deallocate()
    }

    private static func allocateCopy(of source: UnsafeRawBufferPointer) -> Storage {
        guard !source.isEmpty else { return .nothing }
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: source.count, alignment: 16)
        copy.copyMemory(from: source)
        return .plain(copy)
    }

    /// The bytes, valid during the life of this object.
    private var buffer: UnsafeRawBufferPointer {
        switch storage {
        case .nothing: UnsafeRawBufferPointer(start: nil, count: 0)
        case .plain(let bytes): UnsafeRawBufferPointer(bytes)
        case .secret(let secret): secret.withUnsafeBytes { $0 }
        }
    }

    // MARK: - Bytes

    package override var length: Int {
        buffer.count
    }

    package override var bytes: UnsafeRawPointer {
        // Nobody may read from it if there are no bytes, but it must not be null.
        buffer.baseAddress ?? UnsafeRawPointer(Self.noBytes)
    }

    private nonisolated(unsafe) static let noBytes = UnsafeMutableRawPointer.allocate(byteCount: 16, alignment: 16)

    package func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        // This call may hold the last reference.
        defer { withExtendedLifetime(self) {} }
        return try body(buffer)
    }

    // MARK: - Comparison

    package override func isEqual(_ object: Any?) -> Bool {
        switch object {
        case let other as NSData:
            return length == other.length && (length == 0 || memcmp(bytes, other.bytes, length) == 0)
        case let other as Data:
            return isEqual(to: other)
        default:
            return false
        }
    }

    package override func isEqual(to other: Data) -> Bool {
        guard length == other.count, length > 0 else { return length == other.count }
        return other.withUnsafeBytes { theirs in
            theirs.baseAddress.map { memcmp(bytes, $0, length) == 0 } ?? false
        }
    }

    package override var hash: Int {
        // It must equal that of any `NSData` with these bytes. The inherited implementation copies the bytes without
        // wiping the copy.
        let borrowed = UnsafeMutableRawPointer(mutating: bytes)
        return NSData(bytesNoCopy: borrowed, length: length, freeWhenDone: false).hash
    }

    // MARK: - Copies

    package override func copy(with zone: NSZone? = nil) -> Any {
        // Immutable, so it is its own copy, and there are no further bytes to wipe.
        self
    }

    package override func mutableCopy(with zone: NSZone? = nil) -> Any {
        NSMutableData(bytes: bytes, length: length)
    }

    package override var classForCoder: AnyClass {
        NSData.self
    }

    // MARK: - Description

    package override var description: String {
        "\(length) bytes"
    }

    package override var debugDescription: String {
        description
    }
}

extension ResultData: CustomReflectable {
    package var customMirror: Mirror {
        Mirror(self, children: ["length": length])
    }
}

extension Secret {
    /// The bytes for a caller: one copy, which is wiped when the caller releases it.
    package var resultData: ResultData {
        withUnsafeBytes { ResultData(secret: $0) }
    }
}
