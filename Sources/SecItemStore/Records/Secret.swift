// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Secret bytes. They are never printed, are compared in constant time, and are overwritten with zeros when the last
/// reference is released.
///
/// The bytes are copied into memory that belongs to this object. That memory is kept out of swap space and core dumps
/// as far as the system allows. The caller must protect each copy that it makes with ``data()``.
public final class Secret: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    // Written only in `init` and `deinit`. Nil if there are no bytes.
    private let block: SecretMemory.Block?

    /// A secret with a copy of these bytes.
    public init(copying bytes: UnsafeRawBufferPointer) {
        block = Self.block(copying: bytes)
    }

    /// A secret of `count` bytes. They are zero until `fill` writes them.
    public init<Failure: Error>(
        count: Int, filledBy fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        block = Self.block(count)
        try fill(block?.bytes ?? Self.noBytes)
    }

    /// A secret with a copy of the bytes of `data`. The caller must protect the original.
    public init(_ data: some ContiguousBytes) {
        block = data.withUnsafeBytes { Self.block(copying: $0) }
    }

    /// A secret with the bytes of `data`. If nothing else shares the memory of `data`, its bytes are overwritten.
    ///
    /// Pass a variable with `consume`. Without it, a debug build copies the variable, which then keeps the bytes.
    package init(wiping data: consuming Data) {
        block = data.withUnsafeBytes { Self.block(copying: $0) }
        data.wipe()
    }

    private init(_ block: SecretMemory.Block?) {
        self.block = block
    }

    /// A secret of `count` bytes, however many they are. They are zero until `fill` writes them.
    ///
    /// - Throws: ``StoreError/Code/unavailable`` if there is not enough memory. (The initialisers end the process in
    ///   this case, as Swift does.)
    package static func make(
        count: Int, filledBy fill: (UnsafeMutableRawBufferPointer) throws(StoreError) -> Void
    ) throws(StoreError) -> Secret {
        guard count > 0 else {
            try fill(noBytes)
            return Secret(nil)
        }
        guard let block = SecretMemory.allocate(count) else {
            throw StoreError(.unavailable, "there is no memory for \(count) bytes")
        }
        // From here on `deinit` wipes it.
        let secret = Secret(block)
        try fill(block.bytes)
        return secret
    }

    /// A secret with a copy of these bytes, however many they are (``make(count:filledBy:)``).
    package static func make(copying bytes: UnsafeRawBufferPointer) throws(StoreError) -> Secret {
        try make(count: bytes.count) { (target) throws(StoreError) in target.copyMemory(from: bytes) }
    }

    private static func block(_ count: Int) -> SecretMemory.Block? {
        guard count > 0 else { return nil }
        guard let block = SecretMemory.allocate(count) else { fatalError("no memory for \(count) bytes") }
        return block
    }

    private static func block(copying bytes: UnsafeRawBufferPointer) -> SecretMemory.Block? {
        let block = block(bytes.count)
        block?.bytes.copyMemory(from: bytes)
        return block
    }

    private static var noBytes: UnsafeMutableRawBufferPointer { UnsafeMutableRawBufferPointer(start: nil, count: 0) }

    deinit {
        block?.deallocate()
    }

    /// How many bytes the secret has.
    public var count: Int { block?.bytes.count ?? 0 }

    /// Gives `body` access to the bytes during the call.
    public func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // This call may hold the last reference.
        defer { withExtendedLifetime(self) {} }
        return try body(UnsafeRawBufferPointer(block?.bytes ?? Self.noBytes))
    }

    /// A copy of the bytes. Nothing wipes the copy.
    public func data() -> Data {
        withUnsafeBytes { Data($0) }
    }

    /// Whether the bytes are equal. The duration reveals nothing but their number.
    package func hasSameBytes(as other: Secret) -> Bool {
        withUnsafeBytes { own in other.withUnsafeBytes { own.isEqualInConstantTime(to: $0) } }
    }

    public var description: String { "[REDACTED]" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}

extension Data {
    /// Overwrites the bytes with zeros. If another value shares the bytes, they stay in that value.
    package mutating func wipe() {
        withUnsafeMutableBytes { $0.wipe() }
    }
}

extension UnsafeMutableRawBufferPointer {
    /// Overwrites the memory with zeros. The optimiser does not remove this.
    public func wipe() {
        guard let baseAddress else { return }
        explicit_bzero(baseAddress, count)
    }
}

extension Collection<UInt8> {
    /// Whether both are the same bytes. The duration reveals nothing but their number.
    package func isEqualInConstantTime(to other: some Collection<UInt8>) -> Bool {
        count == other.count && zip(self, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
