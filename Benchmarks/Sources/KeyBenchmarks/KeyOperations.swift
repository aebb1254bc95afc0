// SPDX-License-Identifier: Apache-2.0

import Crypto
import CryptoExtras
import Foundation
import Security

/// Operations of keys, with `SecKey` and with swift-crypto.
struct KeyOperations {
    private let message = Data("a message of an ordinary length, as long as a line or two of text".utf8)
    private let openSSL = OpenSSLSpeed()
    private let curve = P256.Signing.PrivateKey()
    private let agreement = P256.KeyAgreement.PrivateKey()
    private let other = P256.KeyAgreement.PrivateKey()
    private let rsa: _RSA.Signing.PrivateKey
    private let cipher: _RSA.Encryption.PrivateKey

    init() throws {
        rsa = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        cipher = try _RSA.Encryption.PrivateKey(pemRepresentation: rsa.pemRepresentation)
    }

    func measure() throws -> [String] {
        try curveRows() + rsaRows()
    }

    private func key(_ type: CFString, _ keyClass: CFString, _ bytes: Data) throws -> SecKey {
        let attributes = [kSecAttrKeyType: type, kSecAttrKeyClass: keyClass] as CFDictionary
        return try require(SecKeyCreateWithData(bytes as CFData, attributes, nil))
    }

    private func curveRows() throws -> [String] {
        let own = try key(kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeyClassPrivate, curve.x963Representation)
        let `public` = try require(SecKeyCopyPublicKey(own))
        let algorithm = SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256
        let signature = try curve.signature(for: message).derRepresentation
        let sign = try Pair(
            repeating: 200, base: { _ = try curve.signature(for: message).derRepresentation },
            product: { _ = try require(SecKeyCreateSignature(own, algorithm, message as CFData, nil)) })
        let verify = try Pair(
            repeating: 200,
            base: {
                let signature = try P256.Signing.ECDSASignature(derRepresentation: signature)
                guard curve.publicKey.isValidSignature(signature, for: message) else { throw Failure(what: "verify") }
            },
            product: {
                guard SecKeyVerifySignature(`public`, algorithm, message as CFData, signature as CFData, nil) else {
                    throw Failure(what: "verify")
                }
            })
        let mine = try key(kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeyClassPrivate, agreement.x963Representation)
        let theirs = try key(
            kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeyClassPublic, other.publicKey.x963Representation)
        let agree = try Pair(
            repeating: 200,
            base: {
                _ = try agreement.sharedSecretFromKeyAgreement(with: other.publicKey).withUnsafeBytes { Data($0) }
            },
            product: {
                let algorithm = SecKeyAlgorithm.ecdhKeyExchangeStandard
                _ = try require(SecKeyCopyKeyExchangeResult(mine, algorithm, theirs, [:] as CFDictionary, nil))
            })
        return [
            sign.row("P-256, sign with SHA-256", beside: "swift-crypto", openSSL: openSSL.signWithP256),
            verify.row("P-256, verify", beside: "swift-crypto", openSSL: openSSL.verifyWithP256),
            agree.row("P-256, agree", beside: "swift-crypto", openSSL: openSSL.agreeWithP256),
        ]
    }

    private func rsaRows() throws -> [String] {
        let own = try key(kSecAttrKeyTypeRSA, kSecAttrKeyClassPrivate, rsa.derRepresentation)
        let `public` = try require(SecKeyCopyPublicKey(own))
        let algorithm = SecKeyAlgorithm.rsaSignatureMessagePKCS1v15SHA256
        let signature = try rsa.signature(for: SHA256.hash(data: message), padding: .insecurePKCS1v1_5)
        let publicSigning = rsa.publicKey
        let sign = try Pair(
            repeating: 20,
            base: { _ = try rsa.signature(for: SHA256.hash(data: message), padding: .insecurePKCS1v1_5) },
            product: { _ = try require(SecKeyCreateSignature(own, algorithm, message as CFData, nil)) })
        let verify = try Pair(
            repeating: 200,
            base: {
                let digest = SHA256.hash(data: message)
                guard publicSigning.isValidSignature(signature, for: digest, padding: .insecurePKCS1v1_5) else {
                    throw Failure(what: "verify")
                }
            },
            product: {
                let bytes = signature.rawRepresentation as CFData
                guard SecKeyVerifySignature(`public`, algorithm, message as CFData, bytes, nil) else {
                    throw Failure(what: "verify")
                }
            })
        let oaep = SecKeyAlgorithm.rsaEncryptionOAEPSHA256
        let publicCipher = cipher.publicKey
        let sealed = try publicCipher.encrypt(message, padding: .PKCS1_OAEP_SHA256)
        let encrypt = try Pair(
            repeating: 100, base: { _ = try publicCipher.encrypt(message, padding: .PKCS1_OAEP_SHA256) },
            product: { _ = try require(SecKeyCreateEncryptedData(`public`, oaep, message as CFData, nil)) })
        let decrypt = try Pair(
            repeating: 20, base: { _ = try cipher.decrypt(sealed, padding: .PKCS1_OAEP_SHA256) },
            product: { _ = try require(SecKeyCreateDecryptedData(own, oaep, sealed as CFData, nil)) })
        return [
            sign.row("RSA 2048, sign with SHA-256", beside: "swift-crypto", openSSL: openSSL.signWithRSA),
            verify.row("RSA 2048, verify", beside: "swift-crypto", openSSL: openSSL.verifyWithRSA),
            encrypt.row("RSA 2048, encrypt (OAEP)", beside: "swift-crypto"),
            decrypt.row("RSA 2048, decrypt (OAEP)", beside: "swift-crypto"),
        ]
    }
}
