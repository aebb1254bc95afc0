// SPDX-License-Identifier: Apache-2.0

// Encryption, key agreement and the older functions on keys, as public programs call them.
// swift-format-ignore-file: NeverForceUnwrap

import Foundation
import Security

private enum RSAError: Error {
    case status(OSStatus)
    case unsupported
}

private struct RSACipher {
    let publicKey: SecKey
    let privateKey: SecKey

    init(bits: Int) throws {
        var publicKey, privateKey: SecKey?
        let status = SecKeyGeneratePair(
            [kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeySizeInBits: bits] as CFDictionary, &publicKey, &privateKey)
        guard status == noErr, let publicKey = publicKey, let privateKey = privateKey else {
            throw RSAError.status(status)
        }
        self.publicKey = publicKey
        self.privateKey = privateKey
    }

    func encrypt(_ text: String, _ algorithm: SecKeyAlgorithm) throws -> Data {
        guard SecKeyIsAlgorithmSupported(publicKey, .encrypt, algorithm) else { throw RSAError.unsupported }
        var error: Unmanaged<CFError>?
        guard
            let data = SecKeyCreateEncryptedData(publicKey, algorithm, text.data(using: .utf8)! as CFData, &error)
                as Data?
        else { throw error!.takeRetainedValue() as Error }
        return data
    }

    func decrypt(_ data: Data, _ algorithm: SecKeyAlgorithm) throws -> String? {
        guard SecKeyIsAlgorithmSupported(privateKey, .decrypt, algorithm) else { throw RSAError.unsupported }
        var error: Unmanaged<CFError>?
        guard let plain = SecKeyCreateDecryptedData(privateKey, algorithm, data as CFData, &error) else {
            throw error!.takeRetainedValue() as Error
        }
        return String(data: plain as Data, encoding: .utf8)
    }

    // The same with the functions of iOS 2.

    func encryptInBlock(_ text: String) throws -> [UInt8] {
        let plain = [UInt8](text.utf8)
        var size = SecKeyGetBlockSize(publicKey)
        var block = [UInt8](repeating: 0, count: size)
        let status = SecKeyEncrypt(publicKey, SecPadding.PKCS1, plain, plain.count, &block, &size)
        guard status == errSecSuccess else { throw RSAError.status(status) }
        return Array(block[0..<size])
    }

    func decryptBlock(_ block: [UInt8]) throws -> String? {
        var size = SecKeyGetBlockSize(privateKey)
        var plain = [UInt8](repeating: 0, count: size)
        let status = SecKeyDecrypt(privateKey, .PKCS1, block, block.count, &plain, &size)
        guard status == errSecSuccess else { throw RSAError.status(status) }
        return String(bytes: plain[0..<size], encoding: .utf8)
    }

    func rawSign(_ digest: Data) throws -> Data {
        var signature = Data(count: SecKeyGetBlockSize(privateKey))
        var size = signature.count
        let status = signature.withUnsafeMutableBytes { (out: UnsafeMutableRawBufferPointer) -> OSStatus in
            digest.withUnsafeBytes { (input: UnsafeRawBufferPointer) -> OSStatus in
                SecKeyRawSign(
                    privateKey, .PKCS1SHA256, input.bindMemory(to: UInt8.self).baseAddress!, digest.count,
                    out.bindMemory(to: UInt8.self).baseAddress!, &size)
            }
        }
        guard status == errSecSuccess else { throw RSAError.status(status) }
        return signature.prefix(size)
    }
}

private func agree(_ mine: SecKey, _ theirs: SecKey) throws -> Data {
    let parameters: [String: Any] = [
        SecKeyKeyExchangeParameter.requestedSize.rawValue as String: 32,
        SecKeyKeyExchangeParameter.sharedInfo.rawValue as String: "chat".data(using: .utf8)!,
    ]
    var error: Unmanaged<CFError>?
    guard
        let shared = SecKeyCopyKeyExchangeResult(
            mine, SecKeyAlgorithm.ecdhKeyExchangeStandardX963SHA256, theirs, parameters as CFDictionary, &error)
    else { throw error!.takeRetainedValue() as Error }
    return shared as Data
}

@Sendable func checkKeyOperations() throws {
    let cipher = try RSACipher(bits: 2048)
    let algorithms: [SecKeyAlgorithm] = [
        .rsaEncryptionPKCS1, .rsaEncryptionOAEPSHA1, .rsaEncryptionOAEPSHA256, .rsaEncryptionOAEPSHA512,
        .rsaEncryptionOAEPSHA512AESGCM,
    ]
    for algorithm in algorithms {
        try expectEqual(try cipher.decrypt(cipher.encrypt("hello", algorithm), algorithm), "hello")
    }
    try expectEqual(try cipher.decryptBlock(cipher.encryptInBlock("hello")), "hello")
    let digest = Data(repeating: 3, count: 32)
    let signature = try cipher.rawSign(digest)
    try expect(
        SecKeyVerifySignature(
            cipher.publicKey, .rsaSignatureDigestPKCS1v15SHA256, digest as CFData, signature as CFData, nil))
    let verified = SecKeyRawVerify(
        cipher.publicKey, SecPadding.PKCS1SHA256, [UInt8](digest), digest.count, [UInt8](signature), signature.count)
    try expectEqual(verified, errSecSuccess)
    do {
        _ = try cipher.encrypt(String(repeating: "x", count: 300), .rsaEncryptionPKCS1)
        try expect(false, "too long")
    } catch let error as NSError where error.domain == NSOSStatusErrorDomain {
        try expectEqual(error.code, Int(errSecParam))
    }

    let curve: [String: Any] = [
        kSecAttrKeyType as String: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits as String: 256,
    ]
    let alice = SecKeyCreateRandomKey(curve as CFDictionary, nil)!
    let bob = SecKeyCreateRandomKey(curve as CFDictionary, nil)!
    let secret = try agree(alice, SecKeyCopyPublicKey(bob)!)
    try expectEqual(secret, try agree(bob, SecKeyCopyPublicKey(alice)!))
    try expectEqual(secret.count, 32)

    let algorithm: SecKeyAlgorithm = .eciesEncryptionCofactorVariableIVX963SHA256AESGCM
    try expect(SecKeyIsAlgorithmSupported(SecKeyCopyPublicKey(bob)!, .encrypt, algorithm))
    var error: Unmanaged<CFError>?
    let sealed = SecKeyCreateEncryptedData(SecKeyCopyPublicKey(bob)!, algorithm, digest as CFData, &error)
    let opened = SecKeyCreateDecryptedData(bob, algorithm, sealed!, &error)
    try expectEqual(opened as Data?, digest)
}
