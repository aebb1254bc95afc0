// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Bytes that must not be seen: never printed, never compared, zeroed when the last user lets go.
///
/// The bytes are copied in and live in memory of this object's own, which is kept out of swap space and core dumps as far
/// as the system lets us. A copy made from them (``data()``) is the caller's to guard.
public final class Secret: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    // Written in init and deinit only. Nil when there are no bytes.
    private let block: SecretMemory.Block?

    /// A secret with a copy of these bytes.
    public init(copying bytes: UnsafeRawBufferPointer) {
        block = Self.block(bytes.count)
        block?.bytes.copyMemory(from: bytes)
    }

    /// A secret of `count` bytes, zeros until `fill` writes them.
    public init<Failure: Error>(
        count: Int, filledBy fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        block = Self.block(count)
        try fill(block?.bytes ?? Self.noBytes)
    }

    /// A secret with a copy of the bytes of `data`, which stays the caller's to guard.
    public init(_ data: some ContiguousBytes) {
        var block: SecretMemory.Block?
        data.withUnsafeBytes { bytes in
            block = Self.block(bytes.count)
            block?.bytes.copyMemory(from: bytes)
        }
        self.block = block
    }

    /// A secret with the bytes of `data`, which are overwritten there where nobody else has them.
    ///
    /// Hand over a variable with `consume`: without it, a debug build copies it, and the variable keeps the bytes.
    package init(wiping data: consuming Data) {
        block = data.withUnsafeBytes { bytes in
            let block = Self.block(bytes.count)
            block?.bytes.copyMemory(from: bytes)
            return block
        }
        data.wipe()
    }

    private init(_ block: SecretMemory.Block?) {
        self.block = block
    }

    /// A secret of `count` bytes, zeros until `fill` writes them, however many they are.
    ///
    /// - Parameter afterFork: What a forked child finds.
    /// - Throws: ``StoreError/Code/unavailable`` when there is no memory for them. The initialisers end the process then,
    ///   as Swift does for want of memory.
    package static func make(
        count: Int, afterFork: SecretMemory.AfterFork = .kept,
        filledBy fill: (UnsafeMutableRawBufferPointer) throws(StoreError) -> Void
    ) throws(StoreError) -> Secret {
        guard count > 0 else {
            try fill(noBytes)
            return Secret(nil)
        }
        guard let block = SecretMemory.allocate(count, afterFork) else {
            throw StoreError(.unavailable, "there is no memory for \(count) bytes")
        }
        // From here on `deinit` wipes it.
        let secret = Secret(block)
        try fill(block.bytes)
        return secret
    }

    /// A secret with a copy of these bytes, however many they are (``make(count:afterFork:filledBy:)``).
    package static func make(
        copying bytes: UnsafeRawBufferPointer, afterFork: SecretMemory.AfterFork = .kept
    ) throws(StoreError) -> Secret {
        try make(count: bytes.count, afterFork: afterFork) { (target) throws(StoreError) in
            target.copyMemory(from: bytes)
        }
    }

    private static func block(_ count: Int) -> SecretMemory.Block? {
        guard count > 0 else { return nil }
        guard let block = SecretMemory.allocate(count, .kept) else { fatalError("no memory for \(count) bytes") }
        return block
    }

    private static var noBytes: UnsafeMutableRawBufferPointer { UnsafeMutableRawBufferPointer(start: nil, count: 0) }

    deinit {
        block?.deallocate()
    }

    /// How many bytes the secret has.
    public var count: Int { block?.bytes.count ?? 0 }

    /// Lends the bytes to `body`, for the length of the call.
    public func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // The last user may be this call.
        defer { withExtendedLifetime(self) {} }
        return try body(UnsafeRawBufferPointer(block?.bytes ?? Self.noBytes))
    }

    /// A copy of the bytes, which nothing wipes.
    public func data() -> Data {
        withUnsafeBytes { Data($0) }
    }

    public var description: String { "[REDACTED]" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}

extension Data {
    /// Overwrites the bytes with zeros. Those of a value that has them in common with another stay there.
    package mutating func wipe() {
        withUnsafeMutableBytes { $0.wipe() }
    }
}

extension UnsafeMutableRawBufferPointer {
    /// Overwrites the memory with zeros in a way that the optimiser keeps.
    public func wipe() {
        guard let baseAddress else { return }
        explicit_bzero(baseAddress, count)
    }
}
