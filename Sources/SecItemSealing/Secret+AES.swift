// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import SecItemStore

/// Keys: 32 bytes, kept as a secret. They become a key of swift-crypto's for the time of a call only.
extension Secret {
    package static let keyByteCount = 32

    /// Lends the key to AES-GCM, and wipes what that leaves behind.
    package func withAESKey<Result>(_ body: (SymmetricKey) throws -> Result) rethrows -> Result {
        defer { wipeStack() }
        return try wipingFreedMemory(Self.contextByteCount) {
            try body(withUnsafeBytes { SymmetricKey(data: $0) })
        }
    }

    /// What the object takes in which swift-crypto has BoringSSL expand a key: it is freed as it is. MemoryTests find out
    /// whether this is still so.
    package static let contextByteCount = 592
}
