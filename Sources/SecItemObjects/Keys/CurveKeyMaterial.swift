// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import SecItemStore

struct CurvePublicKeyMaterial<Key: CurvePublicKey>: KeyMaterial {
    typealias AgreementKey = Key.PrivateKey.AgreementKey.PublicKey

    let key: Key
    /// The same key in swift-crypto's type for agreement, which only some keys need.
    fileprivate let agreementKey: MadeOnce<AgreementKey?>

    init(key: Key) {
        self.key = key
        agreementKey = MadeOnce { try? AgreementKey(x963Representation: key.x963Representation) }
    }

    var type: KeyType { .ellipticCurve }
    var isPrivate: Bool { false }
    var sizeInBits: Int { Key.sizeInBits }
    var externalRepresentation: Secret { Secret(publicRepresentation) }
    var publicRepresentation: Data { key.x963Representation }
    var publicMaterial: any KeyMaterial { self }

    func isValid(_ signature: Data, of input: Data, _ algorithm: KeyAlgorithm) throws(KeychainError) -> Bool {
        let (digest, isInDER) = try algorithm.curveDigest(of: input)
        return key.isValid(signature, for: digest, inDER: isInDER)
    }

    func encrypted(_ plaintext: Data, _ algorithm: KeyAlgorithm) throws(KeychainError) -> Data {
        let message = try ECIESMessage(algorithm)
        let ephemeral = CurvePrivateKeyMaterial(key: Key.PrivateKey())
        let secret = try ephemeral.sharedSecret(with: publicRepresentation)
        return try message.encrypted(plaintext, secret, ephemeral.publicRepresentation)
    }
}

/// A public and private key on a curve.
struct CurvePrivateKeyMaterial<Key: CurvePrivateKey>: KeyMaterial {
    let key: Key
    private let agreementKey: MadeOnce<Key.AgreementKey?>

    init(key: Key) {
        self.key = key
        agreementKey = MadeOnce { try? key.agreementKey }
    }

    var type: KeyType { .ellipticCurve }
    var isPrivate: Bool { true }
    var sizeInBits: Int { Key.PublicKey.sizeInBits }
    var externalRepresentation: Secret { Secret(wiping: key.x963Representation) }
    var publicRepresentation: Data { key.publicKey.x963Representation }
    var publicMaterial: any KeyMaterial { CurvePublicKeyMaterial(key: key.publicKey) }

    func signature(of input: Data, _ algorithm: KeyAlgorithm) throws(KeychainError) -> Data {
        let (digest, isInDER) = try algorithm.curveDigest(of: input)
        do {
            return try key.signature(for: digest, inDER: isInDER)
        } catch {
            throw KeychainError(errSecParam, "X962 signing failed", underlying: error)
        }
    }

    func decrypted(_ ciphertext: Data, _ algorithm: KeyAlgorithm) throws(KeychainError) -> Data {
        try ECIESMessage(algorithm).decrypted(ciphertext, with: self)
    }

    func sharedSecret(with publicKey: Data) throws(KeychainError) -> Secret {
        let publicKeyShare: Key.AgreementKey.PublicKey
        do {
            publicKeyShare = try Key.AgreementKey.PublicKey(x963Representation: publicKey)
        } catch {
            throw KeychainError(errSecParam, "ECpriv sharedsecret: bad public key", underlying: error)
        }
        return try sharedSecret(with: publicKeyShare)
    }

    func sharedSecret(with other: any KeyMaterial) throws(KeychainError) -> Secret {
        guard let other = other as? CurvePublicKeyMaterial<Key.PublicKey>, let publicKey = other.agreementKey() else {
            return try sharedSecret(with: other.publicRepresentation)
        }
        return try sharedSecret(with: publicKey)
    }

    private func sharedSecret(with publicKey: Key.AgreementKey.PublicKey) throws(KeychainError) -> Secret {
        guard let agreementKey = agreementKey() else { throw .param("ECpriv sharedsecret: bad private key") }
        do {
            return try agreementKey.sharedSecretFromKeyAgreement(with: publicKey).withUnsafeBytes {
                Secret(copying: $0)
            }
        } catch {
            throw KeychainError(errSecParam, "ECpriv sharedsecret: bad public key", underlying: error)
        }
    }
}

extension KeyAlgorithm {
    /// The digest to sign (of the message, or the caller's), and whether signatures are in DER.
    func curveDigest(of input: Data) throws(KeychainError) -> (GivenDigest, isInDER: Bool) {
        guard case .ecdsa(let form, let kind) = scheme else { throw .unsupported(self) }
        let bytes = kind == .message ? digest?.hash(input) : input
        guard let bytes, digest.map({ $0.byteCount == bytes.count }) ?? !bytes.isEmpty else {
            throw .param("bad digest size for signing with algorithm \(name.rawValue)")
        }
        return (GivenDigest(bytes: bytes), form == .x962)
    }
}
