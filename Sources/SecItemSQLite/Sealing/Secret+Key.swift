import Crypto
import Foundation
import SecItemStore

/// The keys of a store: 32 bytes, kept as a secret. They become a key of swift-crypto's for the time of a call only.
extension Secret {
    static let keyByteCount = 32

    /// A new random key.
    static func randomKey() throws(StoreError) -> Secret {
        defer { wipeStack() }
        return try make(count: keyByteCount) { (key) throws(StoreError) in RandomBytes.fill(key) }
    }

    /// A key that depends on this one and on what it is for.
    ///
    /// - Parameter afterFork: What a forked child finds.
    func derived(
        _ purpose: String, salt: [UInt8] = [], afterFork: SecretMemory.AfterFork = .kept
    ) throws(StoreError) -> Secret {
        try KeyedDigest.derivedKey(from: self, purpose: purpose, salt: salt, afterFork: afterFork)
    }

    /// Eight bytes that tell whether two keys are the same, and nothing else about them.
    func checkValue() throws(StoreError) -> [UInt8] {
        try KeyedDigest(self, afterFork: .wiped).check("secitem/1 key check", byteCount: 8)
    }

    /// Lends the key to AES-GCM, and wipes what that leaves behind.
    func withAESKey<Result>(_ body: (SymmetricKey) throws -> Result) rethrows -> Result {
        defer { wipeStack() }
        return try wipingFreedMemory(Self.contextByteCount) {
            try body(withUnsafeBytes { SymmetricKey(data: $0) })
        }
    }

    /// What the object takes in which swift-crypto has BoringSSL expand a key: it is freed as it is. MemoryTests find out
    /// whether this is still so.
    private static let contextByteCount = 592
}

/// Runs `body`, and wipes what it has freed of that size, as far as the allocator gives that out again.
///
/// The C library keeps the last few blocks of a size for the thread that freed them, and gives out the latest first. Some
/// are taken before, so that there is room for those of `body`.
private func wipingFreedMemory<Result>(_ byteCount: Int, _ body: () throws -> Result) rethrows -> Result {
    let before = (malloc(byteCount), malloc(byteCount), malloc(byteCount))
    defer {
        let after = (malloc(byteCount), malloc(byteCount), malloc(byteCount))
        wipeAndFree(after.2, byteCount)
        wipeAndFree(after.1, byteCount)
        wipeAndFree(after.0, byteCount)
        free(before.2)
        free(before.1)
        free(before.0)
    }
    return try body()
}

private func wipeAndFree(_ block: UnsafeMutableRawPointer?, _ byteCount: Int) {
    guard let block else { return }
    explicit_bzero(block, byteCount)
    free(block)
}

/// Wipes what calls that have returned have left on this thread's stack: digests and parts of keys.
@inline(never)
func wipeStack(frames: Int = 6) {
    withUnsafeTemporaryAllocation(byteCount: 1_024, alignment: 16) { frame in
        if frames > 1 { wipeStack(frames: frames - 1) }
        // After the call, so that it is not one that reuses this frame.
        frame.wipe()
    }
}
