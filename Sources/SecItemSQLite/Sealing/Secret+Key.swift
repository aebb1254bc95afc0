// SPDX-License-Identifier: Apache-2.0

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
    static let contextByteCount = 592
}
