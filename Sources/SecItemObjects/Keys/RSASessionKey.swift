// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import SecItemStore

/// Encrypts data of any length for an RSA key: a random AES key, encrypted with OAEP, followed by the data in AES-GCM
/// and its tag.
///
/// The format is Apple's. The initialization vector is sixteen zeros, because the AES key is used once. The public key
/// in PKCS #1 is authenticated with the data.
enum RSASessionKey {
    private static let tagSize = 16

    static func encrypted(
        _ plaintext: Data, for key: any KeyMaterial, wrapping wrap: (Data) throws(KeychainError) -> Data
    ) throws(KeychainError) -> Data {
        let sessionKey = SymmetricKey(size: key.sizeInBits >= 4096 ? .bits256 : .bits128)
        var bytes = sessionKey.withUnsafeBytes { Data($0) }
        defer { bytes.wipe() }
        let wrapped = try wrap(bytes)
        do {
            let box = try AES.GCM.seal(
                plaintext, using: sessionKey, nonce: .zeros(), authenticating: key.publicRepresentation)
            return wrapped + box.ciphertext + box.tag
        } catch {
            throw .param("RSAWRAP: Failed to aes-gcm encrypt data")
        }
    }

    static func decrypted(
        _ ciphertext: Data, for key: any KeyMaterial, unwrapping unwrap: (Data) throws(KeychainError) -> Data
    ) throws(KeychainError) -> Data {
        guard ciphertext.count >= key.blockSize + tagSize else { throw .param("RSA-WRAP too short input data") }
        let sessionKey = Secret(wiping: try unwrap(ciphertext.prefix(key.blockSize))).withUnsafeBytes {
            SymmetricKey(data: $0)
        }
        guard sessionKey.bitCount == (key.sizeInBits >= 4096 ? 256 : 128) else {
            throw .param("RSA-WRAP bad ciphertext, unexpected session key size")
        }
        do {
            let box = try AES.GCM.SealedBox(
                nonce: .zeros(), ciphertext: ciphertext.dropFirst(key.blockSize).dropLast(tagSize),
                tag: ciphertext.suffix(tagSize))
            return try AES.GCM.open(box, using: sessionKey, authenticating: key.publicRepresentation)
        } catch {
            throw .param("RSA-WRAP: Failed to aes-gcm decrypt data (err -69)")
        }
    }
}

extension AES.GCM.Nonce {
    /// Sixteen zeros, for a key that is used once.
    static func zeros() throws -> AES.GCM.Nonce {
        try AES.GCM.Nonce(data: Data(count: 16))
    }
}
