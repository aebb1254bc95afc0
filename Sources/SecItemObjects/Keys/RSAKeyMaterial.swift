// SPDX-License-Identifier: Apache-2.0

import Crypto
import CryptoExtras
import Foundation
import SecItemStore

struct RSAPublicKeyMaterial: KeyMaterial {
    let key: _RSA.Signing.PublicKey
    private let encryptionKey: MadeOnce<EncryptionKey?>
    private let libcryptoKey: MadeOnce<LibcryptoKey?>

    /// swift-crypto's key for encryption. It is not marked as safe to share, but it never changes.
    private struct EncryptionKey: @unchecked Sendable {
        let key: _RSA.Encryption.PublicKey
    }

    init(key: _RSA.Signing.PublicKey) {
        self.key = key
        let size = key.keySizeInBits
        encryptionKey = MadeOnce {
            (try? _RSA.Encryption.PublicKey(unsafeDERRepresentation: key.pkcs1DERRepresentation)).map(
                EncryptionKey.init)
        }
        libcryptoKey = MadeOnce {
            LibcryptoKey(pkcs1: Secret(key.pkcs1DERRepresentation), isPrivate: false, blockSize: (size + 7) / 8)
        }
    }

    var type: KeyType { .rsa }
    var isPrivate: Bool { false }
    var sizeInBits: Int { key.keySizeInBits }
    var externalRepresentation: Secret { Secret(publicRepresentation) }
    var publicRepresentation: Data { key.pkcs1DERRepresentation }
    var publicMaterial: any KeyMaterial { self }

    func library(for algorithm: KeyAlgorithm) -> KeyLibrary {
        algorithm.library(forModulusOf: sizeInBits)
    }

    func isValid(_ signature: Data, of input: Data, _ algorithm: KeyAlgorithm) throws(KeychainError) -> Bool {
        guard case .rsaSignature(let padding, let kind) = algorithm.scheme else { throw .unsupported(algorithm) }
        guard signature.count == blockSize else { return false }
        let digest = algorithm.digestToSign(input, kind)
        guard algorithm.digest.map({ $0.byteCount == digest.count }) ?? true else { return false }
        switch library(for: algorithm) {
        case .swiftCrypto:
            guard let own = padding.swiftCrypto else { throw .unsupported(algorithm) }
            let signature = _RSA.Signing.RSASignature(rawRepresentation: signature)
            return algorithm.digest?.withTyped(digest) { key.isValidSignature(signature, for: $0, padding: own) }
                ?? false
        case .libcrypto:
            guard let key = libcryptoKey() else { throw .unsupported(algorithm) }
            guard padding == .raw else { return key.isValid(signature, of: digest, padding, algorithm.digest) }
            return key.recovered(signature) == digest.leftPadded(to: blockSize)
        }
    }

    func encrypted(_ plaintext: Data, _ algorithm: KeyAlgorithm) throws(KeychainError) -> Data {
        switch algorithm.scheme {
        case .rsaEncryption(let padding): return try encrypted(plaintext, padding, algorithm)
        case .rsaSessionKey:
            return try RSASessionKey.encrypted(plaintext, for: self) { (key) throws(KeychainError) in
                try encrypted(key, .oaep, algorithm)
            }
        default: throw .unsupported(algorithm)
        }
    }

    private func encrypted(
        _ plaintext: Data, _ padding: RSAEncryptionPadding, _ algorithm: KeyAlgorithm
    ) throws(KeychainError) -> Data {
        guard plaintext.count <= padding.roomForPlaintext(in: blockSize, algorithm.digest) else {
            throw padding == .raw ? .wrongBlock(plaintext) : .wrongPlaintext
        }
        let ciphertext: Data?
        switch library(for: algorithm) {
        case .swiftCrypto:
            guard let key = encryptionKey()?.key, let own = padding.swiftCrypto(algorithm.digest) else {
                throw .unsupported(algorithm)
            }
            ciphertext = try? key.encrypt(plaintext, padding: own)
        case .libcrypto:
            guard let key = libcryptoKey() else { throw .unsupported(algorithm) }
            let block = padding == .raw ? plaintext.leftPadded(to: blockSize) : plaintext
            ciphertext = key.encrypted(block, padding, algorithm.digest)
        }
        guard let ciphertext else {
            throw padding == .raw ? .param("RSApubkey wrong size of buffer to encrypt") : .wrongPlaintext
        }
        return ciphertext
    }

    /// Reverses raw signing: gives the signed block.
    func decrypted(_ ciphertext: Data, _ algorithm: KeyAlgorithm) throws(KeychainError) -> Data {
        guard algorithm.scheme == .rsaEncryption(.raw), let key = libcryptoKey() else { throw .unsupported(algorithm) }
        guard ciphertext.count <= blockSize else { throw .wrongBlock(ciphertext) }
        guard let block = key.recovered(ciphertext.leftPadded(to: blockSize)) else { throw .wrongCiphertext }
        return block
    }
}

/// A public and private RSA key.
struct RSAPrivateKeyMaterial: KeyMaterial {
    let key: _RSA.Signing.PrivateKey
    private let encryptionKey: MadeOnce<EncryptionKey?>
    private let libcryptoKey: MadeOnce<LibcryptoKey?>
    private let rejection: MadeOnce<ImplicitRejection>

    /// swift-crypto's key for decryption. It is not marked as safe to share, but it never changes.
    private struct EncryptionKey: @unchecked Sendable {
        let key: _RSA.Encryption.PrivateKey
    }

    init(key: _RSA.Signing.PrivateKey) {
        self.key = key
        let blockSize = (key.keySizeInBits + 7) / 8
        encryptionKey = MadeOnce {
            Secret(wiping: key.derRepresentation).withUnsafeBytes {
                (try? _RSA.Encryption.PrivateKey(unsafeDERRepresentation: $0)).map(EncryptionKey.init)
            }
        }
        libcryptoKey = MadeOnce {
            LibcryptoKey(pkcs1: Secret(wiping: key.derRepresentation), isPrivate: true, blockSize: blockSize)
        }
        rejection = MadeOnce {
            ImplicitRejection(privateKey: Secret(wiping: key.derRepresentation), blockSize: blockSize)
        }
    }

    var type: KeyType { .rsa }
    var isPrivate: Bool { true }
    var sizeInBits: Int { key.keySizeInBits }
    var externalRepresentation: Secret { Secret(wiping: key.derRepresentation) }
    var publicRepresentation: Data { key.publicKey.pkcs1DERRepresentation }
    var publicMaterial: any KeyMaterial { RSAPublicKeyMaterial(key: key.publicKey) }

    func library(for algorithm: KeyAlgorithm) -> KeyLibrary {
        algorithm.library(forModulusOf: sizeInBits)
    }

    func signature(of input: Data, _ algorithm: KeyAlgorithm) throws(KeychainError) -> Data {
        guard case .rsaSignature(let padding, let kind) = algorithm.scheme else { throw .unsupported(algorithm) }
        let digest = algorithm.digestToSign(input, kind)
        guard algorithm.digest.map({ $0.byteCount == digest.count }) ?? (digest.count <= blockSize) else {
            throw .wrongDigest
        }
        let signature: Data?
        switch library(for: algorithm) {
        case .swiftCrypto:
            guard let own = padding.swiftCrypto else { throw .unsupported(algorithm) }
            signature = algorithm.digest?.withTyped(digest) {
                try? key.signature(for: $0, padding: own).rawRepresentation
            }?.flatMap { $0 }
        case .libcrypto:
            guard let key = libcryptoKey() else { throw .unsupported(algorithm) }
            let block = padding == .raw ? digest.leftPadded(to: blockSize) : digest
            signature = key.signature(of: block, padding, algorithm.digest)
        }
        guard let signature else { throw .wrongDigest }
        return signature
    }

    func decrypted(_ ciphertext: Data, _ algorithm: KeyAlgorithm) throws(KeychainError) -> Data {
        switch algorithm.scheme {
        case .rsaEncryption(let padding): return try decrypted(ciphertext, padding, algorithm)
        case .rsaSessionKey:
            return try RSASessionKey.decrypted(ciphertext, for: self) { (key) throws(KeychainError) in
                try decrypted(key, .oaep, algorithm)
            }
        default: throw .unsupported(algorithm)
        }
    }

    private func decrypted(
        _ ciphertext: Data, _ padding: RSAEncryptionPadding, _ algorithm: KeyAlgorithm
    ) throws(KeychainError) -> Data {
        guard ciphertext.count <= blockSize else { throw .wrongBlock(ciphertext) }
        let block = ciphertext.leftPadded(to: blockSize)
        // Always created, so that a wrong padding takes the same time as a right one.
        let substitute = padding == .pkcs1 ? rejection().message(for: block) : nil
        let plaintext: Data?
        switch library(for: algorithm) {
        case .swiftCrypto:
            guard let key = encryptionKey()?.key, let own = padding.swiftCrypto(algorithm.digest) else {
                throw .unsupported(algorithm)
            }
            plaintext = try? key.decrypt(block, padding: own)
        case .libcrypto:
            guard let key = libcryptoKey() else { throw .unsupported(algorithm) }
            plaintext = key.decrypted(block, padding, algorithm.digest)
        }
        guard let result = plaintext ?? substitute else { throw .wrongCiphertext }
        return result
    }
}
