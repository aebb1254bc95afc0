// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// The bytes that a call gives its caller: `NSData` that turns into `Data` at the price of one copy, and that wipes its
/// own bytes when it is released.
///
/// Foundation on Linux converts `NSData` to `Data` byte by byte, about a tenth of a second for a mebibyte, unless the
/// object is `ContiguousBytes`. Inside arrays and dictionaries it is the caller's cast that converts, so only the
/// object itself can help: every result holds this class, never data that was bridged on its way.
///
/// What is secret lies in ``SecretMemory``: not in swap space, nor in core dumps. Until the caller asks for plain bytes, that
/// is the only copy.
///
/// It cannot wipe the copies that the caller makes of it. Descriptions and mirrors show no bytes, so that printing a
/// result prints no secret.
package final class ResultData: NSData, ContiguousBytes {
    private enum Storage {
        /// No bytes, so that nothing is allocated for them.
        case nothing
        case plain(UnsafeMutableRawBufferPointer)
        /// A copy of this object's own: some callers overwrite a secret in place when they have used it.
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

    /// Takes bytes that are secret. They are overwritten where nobody else has them.
    static func secret(_ data: consuming Data) -> ResultData {
        let result = data.withUnsafeBytes { ResultData(secret: $0) }
        data.wipe()
        return result
    }

    package required init?(coder: NSCoder) {
        // An archive names the class `NSData`, so nobody unarchives this one.
        nil
    }

    deinit {
        guard case .plain(let bytes) = storage, let start = bytes.baseAddress else { return }
        // Unlike `memset`, the compiler may not drop this although nobody reads the bytes again.
        explicit_bzero(start, bytes.count)
        bytes.deallocate()
    }

    private static func allocateCopy(of source: UnsafeRawBufferPointer) -> Storage {
        guard !source.isEmpty else { return .nothing }
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: source.count, alignment: 16)
        copy.copyMemory(from: source)
        return .plain(copy)
    }

    /// Where the bytes lie, as long as this object lives.
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
        // The last user may be this call.
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
        // Has to be that of any `NSData` with these bytes. The inherited one copies the bytes, and nobody wipes those.
        let borrowed = UnsafeMutableRawPointer(mutating: bytes)
        return NSData(bytesNoCopy: borrowed, length: length, freeWhenDone: false).hash
    }

    // MARK: - Copies

    package override func copy(with zone: NSZone? = nil) -> Any {
        // Never changes, so it is its own copy, and there are no bytes more to wipe.
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
    /// The bytes for a caller: one copy, wiped when the caller lets go.
    var resultData: ResultData {
        withUnsafeBytes { ResultData(secret: $0) }
    }
}
