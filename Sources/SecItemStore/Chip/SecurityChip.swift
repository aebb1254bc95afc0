// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A chip that makes keys and never reveals them, as the Secure Enclave does on Apple's platforms.
///
/// The chip stores none of the keys that it makes. It wraps each key so that only this chip can use it, and the caller
/// stores the wrapped key and passes it to each call. Any thread may call the methods. Each call takes some tenths of a
/// second and has a time limit.
///
/// Each method throws ``StoreError/Code/unavailable`` if the chip cannot be used now, or if another one made the data, or this
/// one before a reset, and ``StoreError/Code/corrupt`` if no chip made them.
package protocol SecurityChip: Sendable {
    /// Checks that the chip answers.
    func check() throws(StoreError)

    /// Makes a key of the curve P-256.
    func makeKey() throws(StoreError) -> ChipKey

    /// The key in a wrapping. Does not use the chip.
    func key(wrapped: [UInt8]) throws(StoreError) -> ChipKey

    /// Signs a digest of 32 bytes.
    ///
    /// - Returns: r and s, of 32 bytes each.
    func signature(of digest: [UInt8], with key: ChipKey) throws(StoreError) -> [UInt8]

    /// The shared secret of the key and another party's public key, in X9.63: the first coordinate, 32 bytes.
    ///
    /// - Throws: Also ``StoreError/Code/unrepresentable`` if the public key is not on the curve.
    func sharedSecret(of key: ChipKey, with publicKey: [UInt8]) throws(StoreError) -> Secret

    /// Wraps a secret of up to 128 bytes.
    func seal(_ secret: Secret) throws(StoreError) -> [UInt8]

    /// The secret that ``seal(_:)`` wrapped.
    func unseal(_ sealed: [UInt8]) throws(StoreError) -> Secret
}

package struct ChipKey: Sendable {
    /// The wrapped key, which is useless without the chip.
    package let wrapped: [UInt8]
    /// The public half in X9.63: 65 bytes.
    package let publicKey: [UInt8]

    package init(wrapped: [UInt8], publicKey: [UInt8]) {
        self.wrapped = wrapped
        self.publicKey = publicKey
    }
}
