// SPDX-License-Identifier: Apache-2.0

// The older functions on keys, which take a padding instead of an algorithm. Deprecated by Apple.

import Foundation

/// What `SecKeyRawVerify` answers for a signature that does not fit. Apple has it among the statuses of Secure Transport.
public let errSSLCrypto: OSStatus = -9809

/// Signs a digest. Deprecated by Apple in favour of `SecKeyCreateSignature`. Apple:
/// [SecKeyRawSign](https://developer.apple.com/documentation/security/seckeyrawsign).
///
/// - Parameters:
///   - key: A private key.
///   - padding: For RSA `[]`, `.PKCS1`, or `.PKCS1SHA1` to `.PKCS1SHA512`; for a curve `.sigRaw` for a plain
///     signature, anything else for one in DER.
///   - dataToSign: The digest.
///   - dataToSignLen: How many bytes it has.
///   - sig: Receives the signature.
///   - sigLen: How many bytes there is room for; receives how many there are.
/// - Returns: `errSecSuccess`, or `errSecParam` if the key, the padding and the sizes do not go together.
@discardableResult
public func SecKeyRawSign(
    _ key: SecKey, _ padding: SecPadding, _ dataToSign: UnsafePointer<UInt8>, _ dataToSignLen: Int,
    _ sig: UnsafeMutablePointer<UInt8>, _ sigLen: UnsafeMutablePointer<Int>
) -> OSStatus {
    statusOfOlderCall { () throws(KeychainError) in
        let digest = try bytes(dataToSign, dataToSignLen)
        let name = try signatureAlgorithm(key, padding, digestSize: digest.count)
        let algorithm = try key.algorithm(name, for: .sign)
        let key = try key.opened()
        let signature = try key.performing(.sign, algorithm) { () throws(KeychainError) in
            try key.material.signature(of: digest, algorithm)
        }
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
///   - signedDataLen: How many bytes it has.
///   - sig: The signature.
///   - sigLen: How many bytes it has.
/// - Returns: `errSecSuccess`, `errSSLCrypto` for a signature that does not fit, otherwise `errSecParam`.
@discardableResult
public func SecKeyRawVerify(
    _ key: SecKey, _ padding: SecPadding, _ signedData: UnsafePointer<UInt8>, _ signedDataLen: Int,
    _ sig: UnsafePointer<UInt8>, _ sigLen: Int
) -> OSStatus {
    statusOfOlderCall { () throws(KeychainError) in
        let digest = try bytes(signedData, signedDataLen)
        let name = try signatureAlgorithm(key, padding, digestSize: digest.count)
        let algorithm = try key.algorithm(name, for: .verify)
        let isValid = try key.performing(.verify, algorithm) { () throws(KeychainError) in
            try key.material.isValid(bytes(sig, sigLen), of: digest, algorithm)
        }
        guard isValid else {
            // The older functions' status for it; the newer ones answer `errSecVerifyFailed`.
            throw KeychainError(errSSLCrypto, "the signature does not fit")
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
///   - plainTextLen: How many bytes it has.
///   - cipherText: Receives the block.
///   - cipherTextLen: How many bytes there is room for; receives how many there are.
/// - Returns: `errSecSuccess`, or `errSecParam` if the key, the padding and the sizes do not go together.
@discardableResult
public func SecKeyEncrypt(
    _ key: SecKey, _ padding: SecPadding, _ plainText: UnsafePointer<UInt8>, _ plainTextLen: Int,
    _ cipherText: UnsafeMutablePointer<UInt8>, _ cipherTextLen: UnsafeMutablePointer<Int>
) -> OSStatus {
    statusOfOlderCall { () throws(KeychainError) in
        let algorithm = try key.algorithm(encryptionAlgorithm(key, padding), for: .encrypt)
        let ciphertext = try key.performing(.encrypt, algorithm) { () throws(KeychainError) in
            try key.material.encrypted(bytes(plainText, plainTextLen), algorithm)
        }
        try ciphertext.write(to: cipherText, cipherTextLen)
    }
}

/// Decrypts a block with an RSA key. Deprecated by Apple in favour of `SecKeyCreateDecryptedData`. Apple:
/// [SecKeyDecrypt](https://developer.apple.com/documentation/security/seckeydecrypt).
///
/// - Parameters:
///   - key: A private key; without padding, a public key too.
///   - padding: As for `SecKeyEncrypt`. Without padding, zeros at the beginning of what comes out are left away.
///   - cipherText: The block.
///   - cipherTextLen: How many bytes it has.
///   - plainText: Receives the data.
///   - plainTextLen: How many bytes there is room for; receives how many there are.
/// - Returns: `errSecSuccess`, or `errSecParam` if the key, the padding and the data do not go together.
@discardableResult
public func SecKeyDecrypt(
    _ key: SecKey, _ padding: SecPadding, _ cipherText: UnsafePointer<UInt8>, _ cipherTextLen: Int,
    _ plainText: UnsafeMutablePointer<UInt8>, _ plainTextLen: UnsafeMutablePointer<Int>
) -> OSStatus {
    statusOfOlderCall { () throws(KeychainError) in
        let algorithm = try key.algorithm(encryptionAlgorithm(key, padding), for: .decrypt)
        let key = try key.opened()
        let plaintext = try key.performing(.decrypt, algorithm) { () throws(KeychainError) in
            try key.material.decrypted(bytes(cipherText, cipherTextLen), algorithm)
        }
        try (padding == [] ? plaintext.drop { $0 == 0 } : plaintext).write(to: plainText, plainTextLen)
    }
}

/// Runs a call that answers a status alone.
private func statusOfOlderCall(_ body: () throws(KeychainError) -> Void) -> OSStatus {
    do throws(KeychainError) {
        try body()
        return errSecSuccess
    } catch {
        return error.status
    }
}

/// On a curve, a digest says by its length what made it; any other is taken as it is.
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
