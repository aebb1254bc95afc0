// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import SecItemStore

/// ECIES in Apple's format: the ephemeral public key in X9.63, the data in AES-GCM, and the tag of sixteen bytes.
///
/// X9.63 derives the AES key from the shared secret, with the ephemeral public key as shared information: 16 bytes up
/// to P-256, 32 on the larger curves. The initialization vector is either the next sixteen bytes, or zero.
struct ECIESMessage {
    private static let vectorSize = 16
    private static let tagSize = 16

    private let digest: KeyDigest
    private let vector: ECIESVector

    init(_ algorithm: KeyAlgorithm) throws(KeychainError) {
        guard case .ecies(_, let vector) = algorithm.scheme, let digest = algorithm.digest else {
            throw .unsupported(algorithm)
        }
        self.digest = digest
        self.vector = vector
    }

    func encrypted(_ plaintext: Data, _ secret: Secret, _ ephemeral: Data) throws(KeychainError) -> Data {
        do {
            let (key, nonce) = try keyAndVector(secret, ephemeral)
            let box = try AES.GCM.seal(plaintext, using: key, nonce: nonce)
            return ephemeral + box.ciphertext + box.tag
        } catch {
            throw .param("ECIES: Failed to aes-gcm encrypt data")
        }
    }

    func decrypted(_ message: Data, with key: some KeyMaterial) throws(KeychainError) -> Data {
        let ephemeralSize = 1 + 2 * key.blockSize
        guard message.count >= ephemeralSize else { throw .param("too small input packet for ECIES decrypt") }
        let ephemeral = Data(message.prefix(ephemeralSize))
        return try decrypted(Data(message.dropFirst(ephemeralSize)), key.sharedSecret(with: ephemeral), ephemeral)
    }

    private func decrypted(_ sealed: Data, _ secret: Secret, _ ephemeral: Data) throws(KeychainError) -> Data {
        guard sealed.count >= Self.tagSize else { throw .param("ECIES: Input data too short") }
        do {
            let (key, nonce) = try keyAndVector(secret, ephemeral)
            let box = try AES.GCM.SealedBox(
                nonce: nonce, ciphertext: sealed.dropLast(Self.tagSize), tag: sealed.suffix(Self.tagSize))
            return try AES.GCM.open(box, using: key)
        } catch {
            throw .param("ECIES: Failed to aes-gcm decrypt data (err -69)")
        }
    }

    private func keyAndVector(_ secret: Secret, _ ephemeral: Data) throws -> (SymmetricKey, AES.GCM.Nonce) {
        let keySize = ephemeral.count > 1 + 2 * 32 ? 32 : 16
        let wanted = vector == .derived ? keySize + Self.vectorSize : keySize
        var bytes = digest.derivedKey(from: secret, sharedInfo: ephemeral, byteCount: wanted)
        defer { bytes.wipe() }
        let nonce = vector == .derived ? try AES.GCM.Nonce(data: bytes.suffix(Self.vectorSize)) : try .zeros()
        return (SymmetricKey(data: bytes.prefix(keySize)), nonce)
    }
}
