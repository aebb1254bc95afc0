import Foundation

/// The bytes that a call gives its caller: `NSData` that turns into `Data` at the price of one copy, and that wipes its
/// own bytes when it is released.
///
/// Foundation on Linux converts `NSData` to `Data` byte by byte, about a tenth of a second for a mebibyte, unless the
/// object is `ContiguousBytes`. Inside arrays and dictionaries it is the caller's cast that converts, so only the
/// object itself can help: every result holds this class, never data that was bridged on its way.
///
/// It cannot wipe the copies that the caller makes of it. Descriptions and mirrors show no bytes, so that printing a
/// result prints no secret.
package final class ResultData: NSData, ContiguousBytes {
    // `nil` if there are no bytes, so that nothing is allocated for them.
    private let storage: UnsafeMutableRawBufferPointer?

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

    package required init?(coder: NSCoder) {
        // An archive names the class `NSData`, so nobody unarchives this one.
        nil
    }

    deinit {
        guard let storage, let start = storage.baseAddress else { return }
        // Unlike `memset`, the compiler may not drop this although nobody reads the bytes again.
        explicit_bzero(start, storage.count)
        storage.deallocate()
    }

    private static func allocateCopy(of source: UnsafeRawBufferPointer) -> UnsafeMutableRawBufferPointer? {
        guard !source.isEmpty else { return nil }
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: source.count, alignment: 16)
        copy.copyMemory(from: source)
        return copy
    }

    // MARK: - Bytes

    package override var length: Int {
        storage?.count ?? 0
    }

    package override var bytes: UnsafeRawPointer {
        // Nobody may read from it if there are no bytes, but it must not be null.
        UnsafeRawPointer(storage?.baseAddress ?? Self.noBytes)
    }

    private nonisolated(unsafe) static let noBytes = UnsafeMutableRawPointer.allocate(byteCount: 16, alignment: 16)

    package func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try body(UnsafeRawBufferPointer(start: storage?.baseAddress, count: storage?.count ?? 0))
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
