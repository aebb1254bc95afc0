// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import SecItemStore

/// The keys of a store, and those derived from them. A key is a secret of 32 bytes. It becomes a key of swift-crypto
/// only during a call.
extension Secret {
    package static let keyByteCount = 32

    /// The key for swift-crypto, which wipes its copy.
    package var symmetricKey: SymmetricKey { withUnsafeBytes { SymmetricKey(data: $0) } }

    static func randomKey() throws(StoreError) -> Secret {
        try make(count: keyByteCount) { (key) throws(StoreError) in RandomBytes.fill(key) }
    }

    package func derived(_ purpose: String, salt: [UInt8] = []) -> Secret {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: symmetricKey, salt: salt, info: Array(purpose.utf8), outputByteCount: Secret.keyByteCount
        ).withUnsafeBytes { Secret(copying: $0) }
    }

    /// Eight bytes that show whether two keys are equal, and nothing else about them.
    package func checkValue() -> [UInt8] {
        KeyedDigest(self).check("secitem/1 key check", byteCount: 8)
    }
}
