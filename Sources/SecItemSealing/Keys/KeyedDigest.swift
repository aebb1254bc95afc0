// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import SecItemStore

/// HMAC-SHA256 (RFC 2104) under one key.
///
/// swift-crypto's own HMAC leaves the key in memory that it frees without wiping it: in arrays, and in the state of its
/// digests. Here the key stays in secret memory, and a digest's state is overwritten before it is freed.
struct KeyedDigest: Sendable {
    /// The inner and the outer block of HMAC, one after the other.
    private let blocks: Secret

    /// - Parameter key: At most ``blockByteCount`` bytes, as all keys here have.
    init(_ key: Secret, afterFork: SecretMemory.AfterFork = .kept) throws(StoreError) {
        blocks = try key.withUnsafeBytes { (key) throws(StoreError) in
            try Self.blocks(key, afterFork)
        }
    }

    private static let blockByteCount = SHA256.blockByteCount

    private static func blocks(
        _ key: UnsafeRawBufferPointer, _ afterFork: SecretMemory.AfterFork
    ) throws(StoreError) -> Secret {
        guard key.count <= blockByteCount else { throw StoreError(.io, "a key is too long") }
        return try Secret.make(count: 2 * blockByteCount, afterFork: afterFork) { (blocks) throws(StoreError) in
            for (start, pad) in [(0, UInt8(0x36)), (blockByteCount, 0x5c)] {
                for index in 0..<blockByteCount { blocks[start + index] = pad }
                for index in key.indices { blocks[start + index] ^= key[index] }
            }
        }
    }

    /// The first half of the digest.
    func blind(_ transcript: Transcript) throws(StoreError) -> Blind {
        let blind = transcript.bytes.withUnsafeBytes { bytes in
            digest(bytes) { Blind(prefixOf: $0) }
        }
        guard let blind else { throw StoreError(.io, "authenticating failed") }
        return blind
    }

    /// Lends the digest of the bytes to `body`.
    private func digest<Result>(
        _ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        blocks.withUnsafeBytes { blocks in
            let inner = UnsafeRawBufferPointer(rebasing: blocks[..<Self.blockByteCount])
            let outer = UnsafeRawBufferPointer(rebasing: blocks[Self.blockByteCount...])
            return Self.hash(inner, bytes) { digest in Self.hash(outer, digest, body) }
        }
    }

    private static func hash<Result>(
        _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer,
        _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        var digest = SHA256()
        digest.update(bufferPointer: first)
        digest.update(bufferPointer: second)
        defer {
            // The state is freed without being wiped. Hashing another block overwrites it, and nobody can compute the
            // earlier state from the new one. If a whole block follows the first one, that has already happened.
            if second.count < blockByteCount { Self.zeros.withUnsafeBytes { digest.update(bufferPointer: $0) } }
        }
        return digest.finalize().withUnsafeBytes(body)
    }

    private static let zeros = [UInt8](repeating: 0, count: blockByteCount)

    // MARK: Keys

    /// HKDF-SHA256 (RFC 5869) for one key of 32 bytes.
    static func derivedKey(
        from key: Secret, purpose: String, salt: [UInt8], afterFork: SecretMemory.AfterFork
    ) throws(StoreError) -> Secret {
        defer { wipeStack() }
        let extracted = try KeyedDigest(.make(copying: salt), afterFork: .wiped).key(digesting: key, .wiped)
        return try KeyedDigest(extracted, afterFork: .wiped)
            .key(digesting: .make(copying: Array(purpose.utf8) + [1]), afterFork)
    }

    private func key(digesting bytes: Secret, _ afterFork: SecretMemory.AfterFork) throws(StoreError) -> Secret {
        try Secret.make(count: SHA256.byteCount, afterFork: afterFork) { (key) throws(StoreError) in
            bytes.withUnsafeBytes { bytes in digest(bytes) { key.copyMemory(from: $0) } }
        }
    }

    /// The first bytes of the digest of `purpose`.
    func check(_ purpose: String, byteCount: Int) -> [UInt8] {
        var purpose = purpose
        return purpose.withUTF8 { bytes in
            digest(UnsafeRawBufferPointer(bytes)) { Array($0.prefix(byteCount)) }
        }
    }
}

extension Blind {
    /// HMAC-SHA256, truncated.
    init(authenticating transcript: Transcript, with key: Secret) throws(StoreError) {
        self = try KeyedDigest(key, afterFork: .wiped).blind(transcript)
    }
}

extension Secret {
    /// A secret that is only needed during a call.
    fileprivate static func make(copying bytes: [UInt8]) throws(StoreError) -> Secret {
        try make(count: bytes.count, afterFork: .wiped) { (target) throws(StoreError) in target.copyBytes(from: bytes) }
    }
}
