// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// The keys of a store, and those derived from them.
extension Secret {
    /// A new random key.
    static func randomKey() throws(StoreError) -> Secret {
        defer { wipeStack() }
        return try make(count: keyByteCount) { (key) throws(StoreError) in RandomBytes.fill(key) }
    }

    /// A key derived from this one for a purpose.
    ///
    /// - Parameter afterFork: What a forked child finds.
    package func derived(
        _ purpose: String, salt: [UInt8] = [], afterFork: SecretMemory.AfterFork = .kept
    ) throws(StoreError) -> Secret {
        try KeyedDigest.derivedKey(from: self, purpose: purpose, salt: salt, afterFork: afterFork)
    }

    /// Eight bytes that show whether two keys are equal, and nothing else about them.
    package func checkValue() throws(StoreError) -> [UInt8] {
        try KeyedDigest(self, afterFork: .wiped).check("secitem/1 key check", byteCount: 8)
    }
}
