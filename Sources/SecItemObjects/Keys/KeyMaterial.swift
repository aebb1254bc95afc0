// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import SecItemStore

/// The bytes of a key and its operations: the interface for other kinds of keys.
///
/// Call an operation only if `supports` returns true for it.
package protocol KeyMaterial: Sendable {
    var type: KeyType { get }
    var isPrivate: Bool { get }
    var sizeInBits: Int { get }
    /// The key in the format of Apple's functions: PKCS #1 for RSA, ANSI X9.63 for curves.
    var externalRepresentation: Secret { get }
    /// The data of the key's item.
    var storedRepresentation: Secret { get }
    /// The public half in the format of Apple's functions.
    var publicRepresentation: Data { get }
    /// The token that holds the key, as in `kSecAttrTokenID`; nil for a key in memory.
    var token: String? { get }
    var publicMaterial: any KeyMaterial { get }

    func library(for algorithm: KeyAlgorithm) -> KeyLibrary
    func signature(of input: Data, _ algorithm: KeyAlgorithm) throws(KeychainError) -> Data
    /// - Throws: `errSecParam` if a digest has the wrong length.
    func isValid(_ signature: Data, of input: Data, _ algorithm: KeyAlgorithm) throws(KeychainError) -> Bool
    func encrypted(_ plaintext: Data, _ algorithm: KeyAlgorithm) throws(KeychainError) -> Data
    func decrypted(_ ciphertext: Data, _ algorithm: KeyAlgorithm) throws(KeychainError) -> Data
    /// The shared secret of this private key and another party's public key, given in its external representation.
    func sharedSecret(with publicKey: Data) throws(KeychainError) -> Secret
    /// The same with a key object, which may save parsing.
    func sharedSecret(with other: any KeyMaterial) throws(KeychainError) -> Secret
}

extension KeyMaterial {
    /// The block size in bytes: that of the modulus, or of a coordinate.
    package var blockSize: Int { (sizeInBits + 7) / 8 }

    package var storedRepresentation: Secret { externalRepresentation }

    package var token: String? { nil }

    /// The label of the key's item: the hash by which a certificate finds its key.
    package var publicKeyHash: Data {
        Data(Insecure.SHA1.hash(data: publicRepresentation))
    }

    /// Whether the key supports the operation. Unsupported operations fail; a supported one may still refuse an input.
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

    package func sharedSecret(with publicKey: Data) throws(KeychainError) -> Secret {
        throw .param("ECpriv sharedsecret: bad public key")
    }

    package func sharedSecret(with other: any KeyMaterial) throws(KeychainError) -> Secret {
        try sharedSecret(with: other.publicRepresentation)
    }
}

extension KeychainError {
    static func unsupported(_ algorithm: KeyAlgorithm) -> KeychainError {
        .param("\(algorithm.name.rawValue): algorithm not supported by the key")
    }
}
