// SPDX-License-Identifier: Apache-2.0

// Older functions on keys, deprecated by Apple. They take a padding instead of an algorithm.

import Foundation
import SecItemStore

/// The status of `SecKeyRawVerify` for a wrong signature. Apple lists it among the statuses of Secure Transport.
public let errSSLCrypto: OSStatus = -9809

/// Signs a digest. Deprecated by Apple in favour of `SecKeyCreateSignature`. Apple:
/// [SecKeyRawSign](https://developer.apple.com/documentation/security/seckeyrawsign).
///
/// - Parameters:
///   - key: A private key.
///   - padding: For RSA `[]`, `.PKCS1`, or `.PKCS1SHA1` to `.PKCS1SHA512`. For a curve, `.sigRaw` makes a plain
///     signature, and any other value a signature in DER.
///   - dataToSign: The digest.
///   - dataToSignLen: The size of the digest in bytes.
///   - sig: Receives the signature.
///   - sigLen: The capacity of `sig` in bytes. Receives the size of the signature.
/// - Returns: `errSecSuccess`, or `errSecParam` if the key, the padding and the sizes do not fit together.
@discardableResult
public func SecKeyRawSign(
    _ key: SecKey, _ padding: SecPadding, _ dataToSign: UnsafePointer<UInt8>, _ dataToSignLen: Int,
    _ sig: UnsafeMutablePointer<UInt8>, _ sigLen: UnsafeMutablePointer<Int>
) -> OSStatus {
    CallLog.status(of: #function) { () throws(KeychainError) in
        let digest = try bytes(dataToSign, dataToSignLen)
        let name = try signatureAlgorithm(key, padding, digestSize: digest.count)
        let algorithm = try key.algorithm(name, for: .sign)
        let signature = try key.material.signature(of: digest, algorithm)
        try signature.write(to: sig, sigLen)
    }
}

/// Verifies the signature of a digest. Deprecated by Apple in favour of `SecKeyVerifySignature`. Apple:
/// [SecKeyRawVerify](https://developer.apple.com/documentation/security/seckeyrawverify).
///
/// - Parameters:
///   - key: A public key.
///   - padding: As for `SecKeyRawSign`.
///   - signedData: The digest.
///   - signedDataLen: The size of the digest in bytes.
///   - sig: The signature.
///   - sigLen: The size of the signature in bytes.
/// - Returns: `errSecSuccess`; `errSSLCrypto` if the signature is wrong; otherwise `errSecParam`.
@discardableResult
public func SecKeyRawVerify(
    _ key: SecKey, _ padding: SecPadding, _ signedData: UnsafePointer<UInt8>, _ signedDataLen: Int,
    _ sig: UnsafePointer<UInt8>, _ sigLen: Int
) -> OSStatus {
    CallLog.status(of: #function) { () throws(KeychainError) in
        let digest = try bytes(signedData, signedDataLen)
        let name = try signatureAlgorithm(key, padding, digestSize: digest.count)
        let algorithm = try key.algorithm(name, for: .verify)
        guard try key.material.isValid(bytes(sig, sigLen), of: digest, algorithm) else {
            // The status of the older functions; the newer ones give `errSecVerifyFailed`.
            throw KeychainError(errSSLCrypto, "the signature is wrong")
        }
    }
}

/// Encrypts a block with an RSA key. Deprecated by Apple in favour of `SecKeyCreateEncryptedData`. Apple:
/// [SecKeyEncrypt](https://developer.apple.com/documentation/security/seckeyencrypt).
///
/// - Parameters:
///   - key: A public key.
///   - padding: `[]`, `.PKCS1` or `.OAEP` (with SHA-1).
///   - plainText: The data.
///   - plainTextLen: The size of the data in bytes.
///   - cipherText: Receives the block.
///   - cipherTextLen: The capacity of `cipherText` in bytes. Receives the size of the block.
/// - Returns: `errSecSuccess`, or `errSecParam` if the key, the padding and the sizes do not fit together.
@discardableResult
public func SecKeyEncrypt(
    _ key: SecKey, _ padding: SecPadding, _ plainText: UnsafePointer<UInt8>, _ plainTextLen: Int,
    _ cipherText: UnsafeMutablePointer<UInt8>, _ cipherTextLen: UnsafeMutablePointer<Int>
) -> OSStatus {
    CallLog.status(of: #function) { () throws(KeychainError) in
        let algorithm = try key.algorithm(encryptionAlgorithm(key, padding), for: .encrypt)
        let ciphertext = try key.material.encrypted(bytes(plainText, plainTextLen), algorithm)
        try ciphertext.write(to: cipherText, cipherTextLen)
    }
}

/// Decrypts a block with an RSA key. Deprecated by Apple in favour of `SecKeyCreateDecryptedData`. Apple:
/// [SecKeyDecrypt](https://developer.apple.com/documentation/security/seckeydecrypt).
///
/// - Parameters:
///   - key: A private key. Without padding, a public key works too.
///   - padding: As for `SecKeyEncrypt`. Without padding, leading zeros of the result are removed.
///   - cipherText: The block.
///   - cipherTextLen: The size of the block in bytes.
///   - plainText: Receives the data.
///   - plainTextLen: The capacity of `plainText` in bytes. Receives the size of the data.
/// - Returns: `errSecSuccess`, or `errSecParam` if the key, the padding and the data do not fit together.
@discardableResult
public func SecKeyDecrypt(
    _ key: SecKey, _ padding: SecPadding, _ cipherText: UnsafePointer<UInt8>, _ cipherTextLen: Int,
    _ plainText: UnsafeMutablePointer<UInt8>, _ plainTextLen: UnsafeMutablePointer<Int>
) -> OSStatus {
    CallLog.status(of: #function) { () throws(KeychainError) in
        let algorithm = try key.algorithm(encryptionAlgorithm(key, padding), for: .decrypt)
        let plaintext = try key.material.decrypted(bytes(cipherText, cipherTextLen), algorithm)
        try (padding == [] ? plaintext.drop { $0 == 0 } : plaintext).write(to: plainText, plainTextLen)
    }
}

/// On a curve, the length of a digest selects the algorithm. A digest of any other length is used unchanged.
private func signatureAlgorithm(
    _ key: SecKey, _ padding: SecPadding, digestSize: Int
) throws(KeychainError) -> SecKeyAlgorithm {
    if key.material.type == .ellipticCurve {
        if padding == .sigRaw { return .ecdsaSignatureDigestRFC4754 }
        let ofLength: [Int: SecKeyAlgorithm] = [
            20: .ecdsaSignatureDigestX962SHA1, 28: .ecdsaSignatureDigestX962SHA224,
            32: .ecdsaSignatureDigestX962SHA256, 48: .ecdsaSignatureDigestX962SHA384,
            64: .ecdsaSignatureDigestX962SHA512,
        ]
        return ofLength[digestSize] ?? .ecdsaSignatureDigestX962
    }
    switch padding {
    case []: return .rsaSignatureRaw
    case .PKCS1: return .rsaSignatureDigestPKCS1v15Raw
    case .PKCS1SHA1: return .rsaSignatureDigestPKCS1v15SHA1
    case .PKCS1SHA224: return .rsaSignatureDigestPKCS1v15SHA224
    case .PKCS1SHA256: return .rsaSignatureDigestPKCS1v15SHA256
    case .PKCS1SHA384: return .rsaSignatureDigestPKCS1v15SHA384
    case .PKCS1SHA512: return .rsaSignatureDigestPKCS1v15SHA512
    default: throw .param("RSA keys do not sign with this padding")
    }
}

private func encryptionAlgorithm(_ key: SecKey, _ padding: SecPadding) throws(KeychainError) -> SecKeyAlgorithm {
    guard key.material.type == .rsa else { throw .param("only RSA keys encrypt with a padding") }
    switch padding {
    case []: return .rsaEncryptionRaw
    case .PKCS1: return .rsaEncryptionPKCS1
    case .OAEP: return .rsaEncryptionOAEPSHA1
    default: throw .param("RSA keys do not encrypt with this padding")
    }
}

private func bytes(_ start: UnsafePointer<UInt8>, _ count: Int) throws(KeychainError) -> Data {
    guard count >= 0 else { throw .param("a length is negative") }
    return Data(bytes: start, count: count)
}

extension Data {
    fileprivate func write(
        to start: UnsafeMutablePointer<UInt8>, _ room: UnsafeMutablePointer<Int>
    ) throws(KeychainError) {
        guard count <= room.pointee else {
            throw .param("buffer too small (required \(count), provided \(room.pointee))")
        }
        copyBytes(to: start, count: count)
        room.pointee = count
    }
}
