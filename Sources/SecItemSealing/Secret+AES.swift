// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import SecItemStore

/// A key is a secret of 32 bytes. It becomes a key of swift-crypto only during a call.
extension Secret {
    /// The number of bytes of a key.
    package static let keyByteCount = 32

    /// Lends the key to AES-GCM, and wipes what that leaves behind.
    package func withAESKey<Result>(_ body: (SymmetricKey) throws -> Result) rethrows -> Result {
        defer { wipeStack() }
        return try wipingFreedMemory(Self.contextByteCount) {
            try body(withUnsafeBytes { SymmetricKey(data: $0) })
        }
    }

    /// The size of the object in which BoringSSL expands a key. swift-crypto frees it without wiping it. `MemoryTests`
    /// check whether this is still the size.
    package static let contextByteCount = 592
}
