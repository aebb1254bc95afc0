// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// The older functions on keys.
@Suite struct KeyPaddingTests {
    private func pair(_ type: CFString, _ size: Int) throws -> (publicKey: SecKey, privateKey: SecKey) {
        var publicKey: SecKey?
        var privateKey: SecKey?
        let parameters = [kSecAttrKeyType: type, kSecAttrKeySizeInBits: size] as CFDictionary
        #expect(SecKeyGeneratePair(parameters, &publicKey, &privateKey) == errSecSuccess)
        return (try #require(publicKey), try #require(privateKey))
    }

    private func sign(_ key: SecKey, _ padding: SecPadding, _ digest: [UInt8], room: Int = 1024) -> (OSStatus, [UInt8])
    {
        var signature = [UInt8](repeating: 0, count: max(room, 1))
        var count = room
        let status = SecKeyRawSign(key, padding, digest, digest.count, &signature, &count)
        return (status, status == errSecSuccess ? Array(signature.prefix(count)) : [])
    }

    @Test func rsa_signsAndVerifies_withEachPadding() throws {
        let (publicKey, privateKey) = try pair(kSecAttrKeyTypeRSA, 2048)
        let paddings: [(SecPadding, Int)] = [
            ([], 256), (.PKCS1, 30), (.PKCS1SHA1, 20), (.PKCS1SHA224, 28), (.PKCS1SHA256, 32), (.PKCS1SHA384, 48),
            (.PKCS1SHA512, 64),
        ]
        for (padding, size) in paddings {
            let digest = [UInt8](repeating: 1, count: size)
            let (status, signature) = sign(privateKey, padding, digest)
            #expect(status == errSecSuccess)
            #expect(signature.count == 256)
            #expect(
                SecKeyRawVerify(publicKey, padding, digest, size, signature, signature.count) == errSecSuccess)
            var other = digest
            other[0] ^= 2
            #expect(SecKeyRawVerify(publicKey, padding, other, size, signature, signature.count) == errSSLCrypto)
            if padding != [] && padding != .PKCS1 {
                #expect(sign(privateKey, padding, Array(digest.dropLast())).0 == errSecParam)
            }
        }
        #expect(sign(privateKey, .OAEP, [1]).0 == errSecParam)
        #expect(sign(publicKey, .PKCS1, [1]).0 == errSecParam)
        #expect(sign(privateKey, .PKCS1, [1], room: 255).0 == errSecParam)
        #expect(sign(privateKey, .PKCS1, [UInt8](repeating: 1, count: 246)).0 == errSecParam)
    }

    @Test func curve_signsAndVerifies() throws {
        let (publicKey, privateKey) = try pair(kSecAttrKeyTypeEC, 256)
        for (padding, size) in [(SecPadding.PKCS1, 32), (.PKCS1, 20), (.PKCS1, 17), (.sigRaw, 32), ([], 32)] {
            let digest = [UInt8](repeating: 1, count: size)
            let (status, signature) = sign(privateKey, padding, digest)
            #expect(status == errSecSuccess)
            #expect((signature.count == 64) == (padding == .sigRaw))
            #expect(
                SecKeyRawVerify(publicKey, padding, digest, size, signature, signature.count) == errSecSuccess)
        }
    }

    @Test func rsa_encryptsAndDecrypts_withEachPadding() throws {
        let (publicKey, privateKey) = try pair(kSecAttrKeyTypeRSA, 2048)
        #expect(SecKeyGetBlockSize(publicKey) == 256)
        for padding in [SecPadding.PKCS1, .OAEP, []] {
            let plaintext = Array("message".utf8)
            var ciphertext = [UInt8](repeating: 0, count: 256)
            var count = 256
            #expect(
                SecKeyEncrypt(publicKey, padding, plaintext, plaintext.count, &ciphertext, &count) == errSecSuccess)
            #expect(count == 256)
            var result = [UInt8](repeating: 0, count: 256)
            var room = 3
            #expect(SecKeyDecrypt(privateKey, padding, ciphertext, count, &result, &room) == errSecParam)
            room = 256
            #expect(SecKeyDecrypt(privateKey, padding, ciphertext, count, &result, &room) == errSecSuccess)
            #expect(Array(result.prefix(room)) == plaintext)
            // Random bytes are what a padding consists of.
            var again = [UInt8](repeating: 0, count: 256)
            #expect(SecKeyEncrypt(publicKey, padding, plaintext, plaintext.count, &again, &count) == errSecSuccess)
            #expect((again == ciphertext) == padding.isEmpty)
        }
        var room = 256
        var result = [UInt8](repeating: 0, count: 256)
        #expect(SecKeyEncrypt(publicKey, .sigRaw, [1], 1, &result, &room) == errSecParam)
        #expect(SecKeyEncrypt(publicKey, .PKCS1, [1], -1, &result, &room) == errSecParam)
        let curve = try pair(kSecAttrKeyTypeEC, 256)
        #expect(SecKeyEncrypt(curve.publicKey, .PKCS1, [1], 1, &result, &room) == errSecParam)
    }

    @Test func pair_ofAnImpossibleSize_isRefused() {
        let parameters = [kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeySizeInBits: 512] as CFDictionary
        #expect(SecKeyGeneratePair(parameters, nil, nil) == errSecKeySizeNotAllowed)
    }

    /// No key is made that is less permanent, or less restricted, than was asked for.
    @Test func pair_withParametersThatCannotBeRead_isRefused() {
        let attributes: [[CFString: Any]] = [
            [kSecPrivateKeyAttrs: "text"], [kSecPrivateKeyAttrs: [kSecAttrIsExtractable]],
            [kSecPublicKeyAttrs: NSNull()], [kSecAttrIsPermanent: "yes"], [kSecAttrIsPermanent: 2],
            [kSecPrivateKeyAttrs: [kSecAttrIsPermanent: Data([1])]],
        ]
        for attributes in attributes {
            let parameters = attributes.merging([kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeySizeInBits: 256]) { $1 }
            #expect(SecKeyGeneratePair(parameters as CFDictionary, nil, nil) == errSecParam, "\(attributes)")
        }
    }

    @Test func pair_madeInTheBackground_isDelivered() async throws {
        let parameters: [CFString: Any] = [kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeySizeInBits: 256]
        let isPair = await withCheckedContinuation { done in
            SecKeyGeneratePairAsync(parameters as CFDictionary, DispatchQueue.global()) {
                publicKey, privateKey, error in
                done.resume(
                    returning: error == nil && publicKey != nil && privateKey.flatMap(SecKeyCopyPublicKey) == publicKey)
            }
        }
        #expect(isPair)
    }

    /// Each half has the permissions that were requested for it.
    @Test func pair_madeInTheBackground_keepsToItsPermissions() async throws {
        let parameters: [CFString: Any] = [
            kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeySizeInBits: 256,
            kSecPublicKeyAttrs: [kSecAttrCanVerify: false], kSecPrivateKeyAttrs: [kSecAttrCanDerive: false],
        ]
        let uses = await withCheckedContinuation { done in
            SecKeyGeneratePairAsync(parameters as CFDictionary, DispatchQueue.global()) { publicKey, privateKey, _ in
                done.resume(
                    returning: [
                        publicKey.map {
                            SecKeyIsAlgorithmSupported($0, .verify, .ecdsaSignatureMessageX962SHA256)
                        },
                        privateKey.map { SecKeyIsAlgorithmSupported($0, .keyExchange, .ecdhKeyExchangeStandard) },
                        privateKey.map { SecKeyIsAlgorithmSupported($0, .sign, .ecdsaSignatureMessageX962SHA256) },
                    ])
            }
        }
        #expect(uses == [false, false, true])
    }
}
