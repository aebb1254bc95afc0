// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// Keys that are read or made, and sign and verify.
@Suite struct KeyTests {
    private static func attributes(_ type: CFString, _ keyClass: CFString) -> CFDictionary {
        [kSecAttrKeyType: type, kSecAttrKeyClass: keyClass] as CFDictionary
    }

    private static var rsaPublic: CFDictionary { attributes(kSecAttrKeyTypeRSA, kSecAttrKeyClassPublic) }
    private static var curvePublic: CFDictionary { attributes(kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeyClassPublic) }

    private static func code(_ error: Unmanaged<CFError>?) -> Int? {
        error.map { CFErrorGetCode($0.takeRetainedValue()) }
    }

    // MARK: What OpenSSL made

    private func publicKey(_ data: Data, _ attributes: CFDictionary) throws -> SecKey {
        try #require(SecKeyCreateWithData(data as CFData, attributes, nil))
    }

    /// Verifies a signature. Expects that it fails for other data, for another algorithm, and after a change.
    private func check(_ key: SecKey, _ algorithm: SecKeyAlgorithm, _ data: Data, _ signature: Data) {
        #expect(SecKeyIsAlgorithmSupported(key, .verify, algorithm))
        #expect(!SecKeyIsAlgorithmSupported(key, .sign, algorithm))
        #expect(SecKeyVerifySignature(key, algorithm, data as CFData, signature as CFData, nil))
        var changed = signature
        changed[changed.count - 1] ^= 1
        var other = data
        other[0] ^= 1
        for (data, signature) in [(data, changed), (other, signature), (data, Data())] {
            var error: Unmanaged<CFError>?
            #expect(!SecKeyVerifySignature(key, algorithm, data as CFData, signature as CFData, &error))
            #expect(Self.code(error) == Int(errSecVerifyFailed))
        }
    }

    @Test func rsaSignatures_ofOpenSSL_areVerified() throws {
        let key = try publicKey(KeyVectors.rsaPublicKey, Self.rsaPublic)
        check(key, .rsaSignatureMessagePKCS1v15SHA256, KeyVectors.message, KeyVectors.rsaSignature)
        check(key, .rsaSignatureMessagePSSSHA384, KeyVectors.message, KeyVectors.rsaPSSSignature)
        #expect(SecKeyGetBlockSize(key) == 256)
    }

    @Test func curveSignatures_ofOpenSSL_areVerified() throws {
        let vectors: [(Data, Data, SecKeyAlgorithm, Int)] = [
            (KeyVectors.p256PublicKey, KeyVectors.p256Signature, .ecdsaSignatureMessageX962SHA256, 32),
            (KeyVectors.p384PublicKey, KeyVectors.p384Signature, .ecdsaSignatureMessageX962SHA384, 48),
            (KeyVectors.p521PublicKey, KeyVectors.p521Signature, .ecdsaSignatureMessageX962SHA512, 66),
        ]
        for (bytes, signature, algorithm, size) in vectors {
            let key = try publicKey(bytes, Self.curvePublic)
            check(key, algorithm, KeyVectors.message, signature)
            #expect(SecKeyGetBlockSize(key) == size)
            #expect(SecKeyCopyExternalRepresentation(key, nil) as Data? == bytes)
        }
    }

    @Test func curveSignature_ofDigest_isVerified() throws {
        let key = try publicKey(KeyVectors.p256PublicKey, Self.curvePublic)
        let digest = try #require(Data(base64Encoded: "q1MKE+RZFJgrefm34/uplM/R8/si9xzqGvvwK0YMbR0="))
        check(key, .ecdsaSignatureDigestX962SHA256, digest, KeyVectors.p256Signature)
        check(key, .ecdsaSignatureDigestX962, digest, KeyVectors.p256Signature)
        var error: Unmanaged<CFError>?
        #expect(
            !SecKeyVerifySignature(
                key, .ecdsaSignatureDigestX962SHA256, Data(count: 31) as CFData, KeyVectors.p256Signature as CFData,
                &error))
        #expect(Self.code(error) == Int(errSecParam))
    }

    // MARK: What we make

    private static var kinds: [(CFString, Int, [SecKeyAlgorithm])] {
        [
            (
                kSecAttrKeyTypeRSA, 2048,
                [
                    .rsaSignatureMessagePKCS1v15SHA1, .rsaSignatureMessagePKCS1v15SHA256,
                    .rsaSignatureMessagePKCS1v15SHA384, .rsaSignatureMessagePKCS1v15SHA512,
                    .rsaSignatureMessagePSSSHA256,
                    .rsaSignatureMessagePSSSHA512,
                ]
            ),
            (
                kSecAttrKeyTypeECSECPrimeRandom, 256,
                [.ecdsaSignatureMessageX962SHA256, .ecdsaSignatureMessageRFC4754SHA256]
            ),
            (kSecAttrKeyTypeEC, 384, [.ecdsaSignatureMessageX962SHA384, .ecdsaSignatureMessageRFC4754SHA384]),
            (kSecAttrKeyTypeECSECPrimeRandom, 521, [.ecdsaSignatureMessageX962SHA512, .ecdsaSignatureMessageX962SHA1]),
        ]
    }

    @Test(arguments: 0..<4)
    func newKey_signs_andItsPublicHalfVerifies(_ index: Int) throws {
        let (type, size, algorithms) = Self.kinds[index]
        let parameters = [kSecAttrKeyType: type, kSecAttrKeySizeInBits: size] as CFDictionary
        let key = try #require(SecKeyCreateRandomKey(parameters, nil))
        let publicKey = try #require(SecKeyCopyPublicKey(key))
        for algorithm in algorithms {
            #expect(SecKeyIsAlgorithmSupported(key, .sign, algorithm))
            let signature = try #require(
                SecKeyCreateSignature(key, algorithm, KeyVectors.message as CFData, nil) as Data?)
            check(publicKey, algorithm, KeyVectors.message, signature)
        }
    }

    @Test(arguments: 0..<4)
    func attributes_sayWhatEachHalfCanDo(_ index: Int) throws {
        let (type, size, _) = Self.kinds[index]
        let parameters = [kSecAttrKeyType: type, kSecAttrKeySizeInBits: size] as CFDictionary
        let key = try #require(SecKeyCreateRandomKey(parameters, nil))
        let publicKey = try #require(SecKeyCopyPublicKey(key))
        let isRSA = type == kSecAttrKeyTypeRSA
        for (half, isPrivate) in [(key, true), (publicKey, false)] {
            let attributes = try #require(SecKeyCopyAttributes(half) as? [CFString: Any])
            let expected: [(CFString, Bool)] = [
                (kSecAttrCanSign, isPrivate), (kSecAttrCanVerify, !isPrivate), (kSecAttrCanEncrypt, !isPrivate),
                // The public half of an RSA key can undo raw signatures.
                (kSecAttrCanDecrypt, isPrivate || isRSA), (kSecAttrCanDerive, isPrivate && !isRSA),
                (kSecAttrCanWrap, !isPrivate), (kSecAttrCanUnwrap, isPrivate), (kSecAttrIsPermanent, false),
                (kSecAttrIsExtractable, true), (kSecAttrIsSensitive, false),
            ]
            for (name, value) in expected {
                #expect(attributes[name] as? Bool == value, "\(name) \(isPrivate)")
                #expect(attributes[name] as? Int == (value ? 1 : 0), "\(name) \(isPrivate)")
            }
            #expect(attributes[kSecAttrKeySizeInBits] as? Int == size)
            #expect(attributes[kSecAttrEffectiveKeySize] as? Int == size)
        }
    }

    @Test(arguments: 0..<4)
    func newKey_exportedAndRead_isTheSame(_ index: Int) throws {
        let (type, size, _) = Self.kinds[index]
        let parameters = [kSecAttrKeyType: type, kSecAttrKeySizeInBits: size] as CFDictionary
        let key = try #require(SecKeyCreateRandomKey(parameters, nil))
        let bytes = try #require(SecKeyCopyExternalRepresentation(key, nil))
        let again = try #require(
            SecKeyCreateWithData(bytes, Self.attributes(type, kSecAttrKeyClassPrivate), nil))
        #expect(again == key)
        #expect(again.hashValue == key.hashValue)
        let publicKey = try #require(SecKeyCopyPublicKey(key))
        #expect(SecKeyCopyPublicKey(again) == publicKey)
        #expect(publicKey != key)
        #expect(SecKeyCopyPublicKey(publicKey) == publicKey)
        #expect(try #require(SecKeyCreateRandomKey(parameters, nil)) != key)
    }

    @Test func attributes_sayWhatTheKeyIs() throws {
        let key = try publicKey(KeyVectors.p256PublicKey, Self.curvePublic)
        let attributes = try #require(SecKeyCopyAttributes(key) as? [CFString: Any])
        #expect(attributes[kSecAttrKeyType] as? String == kSecAttrKeyTypeECSECPrimeRandom as String)
        #expect(attributes[kSecAttrKeyClass] as? String == kSecAttrKeyClassPublic as String)
        #expect(attributes[kSecAttrKeySizeInBits] as? Int == 256)
        #expect(attributes[kSecAttrIsExtractable] as? Bool == true)
        #expect(attributes[kSecAttrCanVerify] as? Bool == true)
        #expect(attributes[kSecAttrCanSign] as? Bool == false)
        #expect((attributes[kSecAttrApplicationLabel] as? Data)?.count == 20)
        #expect(attributes[kSecValueData] == nil)
    }

    @Test func key_hasItsTypeIdentifier_andShowsNoBytes() throws {
        let key = try #require(
            SecKeyCreateRandomKey([kSecAttrKeyType: "73", kSecAttrKeySizeInBits: 256] as CFDictionary, nil))
        #expect(CFGetTypeID(key) == SecKeyGetTypeID())
        #expect((key as AnyObject as? SecKey) === key)
        let text = "<SecKey: private, ellipticCurve, 256 bits>"
        #expect(CFCopyDescription(key) as String == text)
    }

    // MARK: What is refused

    @Test func data_thatIsNoKey_isParam() {
        let privateRSA = Self.attributes(kSecAttrKeyTypeRSA, kSecAttrKeyClassPrivate)
        let cases: [(Data, CFDictionary)] = [
            (Data(), Self.rsaPublic), (Data([1, 2, 3]), Self.rsaPublic), (KeyVectors.rsaPublicKey, privateRSA),
            (KeyVectors.rsaPublicKey, Self.curvePublic), (Data(count: 65), Self.curvePublic),
            (KeyVectors.p256PublicKey, [kSecAttrKeyType: kSecAttrKeyTypeEC] as CFDictionary),
            (KeyVectors.p256PublicKey, [kSecAttrKeyClass: kSecAttrKeyClassPublic] as CFDictionary),
            (KeyVectors.p256PublicKey, [:] as CFDictionary),
        ]
        for (data, attributes) in cases {
            var error: Unmanaged<CFError>?
            #expect(SecKeyCreateWithData(data as CFData, attributes, &error) == nil)
            #expect(Self.code(error) == Int(errSecParam))
        }
    }

    @Test func whatIsNotThere_isUnimplemented() throws {
        var error: Unmanaged<CFError>?
        let aes = Self.attributes(kSecAttrKeyTypeAES, kSecAttrKeyClassSymmetric)
        #expect(SecKeyCreateWithData(Data(count: 16) as CFData, aes, &error) == nil)
        #expect(Self.code(error) == Int(errSecUnimplemented))

        let curve: [CFString: Any] = [kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeySizeInBits: 256]
        let token: [CFString: Any] = [kSecAttrTokenID: kSecAttrTokenIDSecureEnclave]
        for more in [token, token.merging([kSecAttrIsPermanent: true]) { $1 }] {
            let parameters = curve.merging(more) { $1 } as CFDictionary
            #expect(SecKeyCreateRandomKey(parameters, &error) == nil)
            #expect(Self.code(error) == Int(errSecUnimplemented), "\(more)")
        }
    }

    @Test func algorithm_ofAnotherKeyOrUnknown_isParam() throws {
        var error: Unmanaged<CFError>?
        let key = try SecKey.new(kSecAttrKeyTypeEC, 256)
        let message = KeyVectors.message as CFData
        for algorithm in [SecKeyAlgorithm.rsaSignatureMessagePSSSHA256, SecKeyAlgorithm(rawValue: "nonsense")] {
            #expect(SecKeyCreateSignature(key, algorithm, message, &error) == nil)
            let failure = try #require(error?.takeRetainedValue())
            #expect(failure.code == Int(errSecParam))
            #expect(
                failure.userInfo["NSDescription"] as? String
                    == "\(algorithm.rawValue): algorithm not supported by the key \(key)")
        }
    }

    @Test func size_thatIsNoNumber_isParam() {
        for size: Any in ["256 bits", Data([1]), "", [256]] {
            var error: Unmanaged<CFError>?
            let parameters = [kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeySizeInBits: size] as CFDictionary
            #expect(SecKeyCreateRandomKey(parameters, &error) == nil, "\(size)")
            #expect(Self.code(error) == Int(errSecParam), "\(size)")
        }
    }

    @Test func size_thatNoKeyHas_isNotAllowed() {
        for (type, size): (CFString, Any) in [
            (kSecAttrKeyTypeEC, 255), (kSecAttrKeyTypeRSA, 512), (kSecAttrKeyTypeRSA, -1), (kSecAttrKeyTypeRSA, 8200),
        ] {
            var error: Unmanaged<CFError>?
            let parameters = [kSecAttrKeyType: type, kSecAttrKeySizeInBits: size] as CFDictionary
            #expect(SecKeyCreateRandomKey(parameters, &error) == nil)
            #expect(Self.code(error) == Int(errSecKeySizeNotAllowed))
        }
    }
}
