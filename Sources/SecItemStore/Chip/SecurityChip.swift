// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A chip that makes keys and never gives them away: what the Secure Enclave is on Apple's platforms.
///
/// It keeps nothing of what it makes. Each key comes out wrapped, so that only the chip that made it can use it, and has to be
/// brought along. Any thread may call; each call takes some tenths of a second, and has an end.
///
/// Its calls throw ``StoreError/Code/unavailable`` when the chip cannot be used now,
/// ``StoreError/Code/authenticationFailed`` for what another chip has made, or this one before it was reset, and
/// ``StoreError/Code/corrupt`` for bytes that no chip has made.
package protocol SecurityChip: Sendable {
    /// Sees whether the chip answers.
    func check() throws(StoreError)

    /// Makes a key of the curve P-256.
    func makeKey() throws(StoreError) -> ChipKey

    /// The key of that wrapping. Does not ask the chip.
    func key(wrapped: [UInt8]) throws(StoreError) -> ChipKey

    /// Signs a digest of 32 bytes.
    ///
    /// - Returns: r and s, of 32 bytes each.
    func signature(of digest: [UInt8], with key: ChipKey) throws(StoreError) -> [UInt8]

    /// What the key and another's public key, in X9.63, have in common: the first coordinate, of 32 bytes.
    ///
    /// - Throws: Also ``StoreError/Code/unrepresentable`` for a public key that is not of the curve.
    func sharedSecret(of key: ChipKey, with publicKey: [UInt8]) throws(StoreError) -> Secret

    /// Wraps a secret of up to 128 bytes.
    func seal(_ secret: Secret) throws(StoreError) -> [UInt8]

    /// The secret that ``seal(_:)`` wrapped.
    func unseal(_ sealed: [UInt8]) throws(StoreError) -> Secret
}

/// A key of a chip.
package struct ChipKey: Sendable {
    /// What the chip needs to use it. Of no use without the chip.
    package let wrapped: [UInt8]
    /// The public half in X9.63: 65 bytes.
    package let publicKey: [UInt8]

    package init(wrapped: [UInt8], publicKey: [UInt8]) {
        self.wrapped = wrapped
        self.publicKey = publicKey
    }
}
