import Foundation

/// Bytes that must not be seen: never printed, never compared, zeroed when the last user lets go.
///
/// The bytes are copied in and live in memory of this object's own. A copy made from them (``data()``) is the
/// caller's to guard.
public final class Secret: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    // Written in init and deinit only.
    private nonisolated(unsafe) let storage: UnsafeMutableRawBufferPointer

    /// A secret with a copy of these bytes.
    public init(copying bytes: UnsafeRawBufferPointer) {
        storage = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        storage.copyMemory(from: bytes)
    }

    /// A secret of `count` bytes that `fill` writes.
    public init<Failure: Error>(
        count: Int, filledBy fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        storage = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
        storage.initializeMemory(as: UInt8.self, repeating: 0)
        try fill(storage)
    }

    /// A secret with a copy of the bytes of `data`, which stays the caller's to guard.
    public convenience init(_ data: some ContiguousBytes) {
        var result: Secret?
        data.withUnsafeBytes { result = Secret(copying: $0) }
        self.init(moving: result)
    }

    private init(moving other: Secret?) {
        guard let other else {
            storage = UnsafeMutableRawBufferPointer.allocate(byteCount: 0, alignment: 1)
            return
        }
        storage = UnsafeMutableRawBufferPointer.allocate(byteCount: other.count, alignment: 1)
        other.withUnsafeBytes { storage.copyMemory(from: $0) }
    }

    deinit {
        storage.wipe()
        storage.deallocate()
    }

    /// How many bytes the secret has.
    public var count: Int { storage.count }

    /// Lends the bytes to `body`, for the length of the call.
    public func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(storage))
    }

    /// A copy of the bytes, which nothing wipes.
    public func data() -> Data {
        withUnsafeBytes { Data($0) }
    }

    public var description: String { "[REDACTED]" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}

extension UnsafeMutableRawBufferPointer {
    /// Overwrites the memory with zeros in a way that the optimiser keeps.
    public func wipe() {
        guard let baseAddress else { return }
        explicit_bzero(baseAddress, count)
    }
}
