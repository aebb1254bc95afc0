// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import SecItemStore

/// A key on the curve P-256 in a chip of the machine, as Secure Enclave keys are on Apple's platforms.
///
/// An item holds the key in the form that the chip has wrapped, which is useless without the chip.
struct ChipKeyMaterial: KeyMaterial {
    private let chip: any SecurityChip
    private let key: ChipKey
    private let publicKey: P256.Signing.PublicKey

    /// - Throws: `errSecDecode` if the chip returned something other than a key.
    private init(_ key: ChipKey, of chip: any SecurityChip) throws(KeychainError) {
        do {
            publicKey = try P256.Signing.PublicKey(x963Representation: key.publicKey)
        } catch {
            throw KeychainError(errSecDecode, "the chip's public key is not on the curve", underlying: error)
        }
        self.chip = chip
        self.key = key
    }

    fileprivate init(newIn chip: any SecurityChip) throws(KeychainError) {
        try self.init(forClient { () throws(StoreError) in try chip.makeKey() }, of: chip)
    }

    /// The key that a chip has wrapped.
    ///
    /// - Throws: `errSecDecode` if the chip did not wrap the bytes.
    fileprivate init(wrapped: Data, by chip: any SecurityChip) throws(KeychainError) {
        try self.init(forClient { () throws(StoreError) in try chip.key(wrapped: [UInt8](wrapped)) }, of: chip)
    }

    // MARK: The key

    var type: KeyType { .ellipticCurve }
    var isPrivate: Bool { true }
    var sizeInBits: Int { 256 }
    var token: String? { kSecAttrTokenIDSecureEnclave as String }
    var storedRepresentation: Secret { Secret(key.wrapped) }
    /// Empty: the key cannot leave the chip, so callers are refused before.
    var externalRepresentation: Secret { Secret(Data()) }
    var publicRepresentation: Data { publicKey.x963Representation }
    var publicMaterial: any KeyMaterial { CurvePublicKeyMaterial(key: publicKey) }

    func signature(of input: Data, _ algorithm: KeyAlgorithm) throws(KeychainError) -> Data {
        let (digest, isInDER) = try algorithm.curveDigest(of: input)
        let signature = try forClient { () throws(StoreError) in
            try chip.signature(of: [UInt8](digest.bytes).asNumber(ofByteCount: blockSize), with: key)
        }
        guard isInDER else { return Data(signature) }
        do {
            return try P256.Signing.ECDSASignature(rawRepresentation: signature).derRepresentation
        } catch {
            throw KeychainError(errSecInternalComponent, "the chip gave no signature", underlying: error)
        }
    }

    func decrypted(_ ciphertext: Data, _ algorithm: KeyAlgorithm) throws(KeychainError) -> Data {
        try ECIESMessage(algorithm).decrypted(ciphertext, with: self)
    }

    func sharedSecret(with publicKey: Data) throws(KeychainError) -> Secret {
        // The chip only gets points on the curve, because others could reveal the key.
        guard (try? P256.KeyAgreement.PublicKey(x963Representation: publicKey)) != nil else {
            throw .param("ECpriv sharedsecret: bad public key")
        }
        return try forClient { () throws(StoreError) in try chip.sharedSecret(of: key, with: [UInt8](publicKey)) }
    }
}

/// Makes a new key in a chip.
///
/// - Throws: `errSecUnimplemented` if chips do not make this kind of key; the errors of finding the chip and of the chip.
package func newChipKeyMaterial(
    _ type: KeyType, sizeInBits: Int?, in chip: @autoclosure () throws(KeychainError) -> any SecurityChip
) throws(KeychainError) -> any KeyMaterial {
    guard type == .ellipticCurve, sizeInBits == 256 else {
        throw .unimplemented("a chip makes keys of the curve P-256 only")
    }
    return try ChipKeyMaterial(newIn: chip())
}

/// The key that a chip has wrapped.
///
/// - Throws: `errSecDecode` if the chip did not wrap the bytes.
package func chipKeyMaterial(wrapped: Data, by chip: any SecurityChip) throws(KeychainError) -> any KeyMaterial {
    try ChipKeyMaterial(wrapped: wrapped, by: chip)
}

extension [UInt8] {
    /// A digest as ECDSA uses it: its first bytes as a number, with as many bytes as the curve has.
    fileprivate func asNumber(ofByteCount count: Int) -> [UInt8] {
        [UInt8](repeating: 0, count: Swift.max(0, count - self.count)) + prefix(count)
    }
}
