// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import SecItemStore

/// The bytes of a key and what is done with them: the seam for other kinds of keys.
///
/// An operation is asked for only where `supports` has said yes.
package protocol KeyMaterial: Sendable {
    var type: KeyType { get }
    var isPrivate: Bool { get }
    var sizeInBits: Int { get }
    /// The key as Apple's functions give it: PKCS #1 for RSA, ANSI X9.63 for curves.
    var externalRepresentation: Secret { get }
    /// What an item has as its data.
    var storedRepresentation: Secret { get }
    /// The public half as Apple's functions give it.
    var publicRepresentation: Data { get }
    /// What keeps the key, as `kSecAttrTokenID` names it; nil for a key in memory.
    var token: String? { get }
    /// The public half.
    var publicMaterial: any KeyMaterial { get }

    /// Who carries the algorithm out for this key.
    func library(for algorithm: KeyAlgorithm) -> KeyLibrary
    func signature(of input: Data, _ algorithm: KeyAlgorithm) throws(KeychainError) -> Data
    /// - Throws: `errSecParam` for a digest of the wrong length.
    func isValid(_ signature: Data, of input: Data, _ algorithm: KeyAlgorithm) throws(KeychainError) -> Bool
    func encrypted(_ plaintext: Data, _ algorithm: KeyAlgorithm) throws(KeychainError) -> Data
    func decrypted(_ ciphertext: Data, _ algorithm: KeyAlgorithm) throws(KeychainError) -> Data
    /// The secret that this private key and another's public key, in its external representation, have in common.
    func sharedSecret(with publicKey: Data) throws(KeychainError) -> SharedSecret
    /// The same with another key itself, which may save reading its representation.
    func sharedSecret(with other: any KeyMaterial) throws(KeychainError) -> SharedSecret
}

extension KeyMaterial {
    /// How many bytes go into one step: those of the modulus, or of a coordinate.
    package var blockSize: Int { (sizeInBits + 7) / 8 }

    package var storedRepresentation: Secret { externalRepresentation }

    package var token: String? { nil }

    /// What an item of the keychain has as its label: the hash by which a certificate finds its key.
    package var publicKeyHash: Data {
        Data(Insecure.SHA1.hash(data: publicRepresentation))
    }

    /// Whether the key can do that. What is not supported fails; what is supported may still refuse an input.
    package func supports(_ algorithm: KeyAlgorithm, _ operation: SecKeyOperationType) -> Bool {
        algorithm.keyType == type && algorithm.has(operation, isPrivate: isPrivate)
            && algorithm.minimumSizeInBits <= sizeInBits && library(for: algorithm).isThere
    }
}

// MARK: - What a half of a pair does not do

extension KeyMaterial {
    package func library(for algorithm: KeyAlgorithm) -> KeyLibrary { algorithm.library }

    package func signature(of input: Data, _ algorithm: KeyAlgorithm) throws(KeychainError) -> Data {
        throw .unsupported(algorithm)
    }

    package func isValid(
        _ signature: Data, of input: Data, _ algorithm: KeyAlgorithm
    ) throws(KeychainError) -> Bool {
        throw .unsupported(algorithm)
    }

    package func encrypted(_ plaintext: Data, _ algorithm: KeyAlgorithm) throws(KeychainError) -> Data {
        throw .unsupported(algorithm)
    }

    package func decrypted(_ ciphertext: Data, _ algorithm: KeyAlgorithm) throws(KeychainError) -> Data {
        throw .unsupported(algorithm)
    }

    package func sharedSecret(with publicKey: Data) throws(KeychainError) -> SharedSecret {
        throw .param("ECpriv sharedsecret: bad public key")
    }

    package func sharedSecret(with other: any KeyMaterial) throws(KeychainError) -> SharedSecret {
        try sharedSecret(with: other.publicRepresentation)
    }
}

extension KeychainError {
    static func unsupported(_ algorithm: KeyAlgorithm) -> KeychainError {
        .param("\(algorithm.name.rawValue): algorithm not supported by the key")
    }
}
