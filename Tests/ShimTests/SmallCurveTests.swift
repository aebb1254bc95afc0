// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProcessKeychain
import Security
import TestSupport
import Testing

/// Keys on P-192 and P-224, with OpenSSL at the other end.
@Suite(.enabled(if: trustProgramIsThere, "OpenSSL is not there"))
struct SmallCurveTests {
    private static let names = [192: "prime192v1", 224: "secp224r1"]
    private let message = Data("message".utf8) as CFData

    @Test(arguments: [192, 224])
    func newKey_hasItsSize_andIsReadAgain(size: Int) throws {
        let key = try SecKey.new(kSecAttrKeyTypeEC, size)
        let attributes = try #require(SecKeyCopyAttributes(key) as? [CFString: Any])
        #expect(attributes[kSecAttrKeySizeInBits] as? Int == size)
        #expect(attributes[kSecAttrKeyType] as? String == kSecAttrKeyTypeECSECPrimeRandom as String)
        #expect(SecKeyGetBlockSize(key) == size / 8)
        #expect(try SecKey.new(kSecAttrKeyTypeEC, size) != key)
        for (key, keyClass, parts) in [
            (key, kSecAttrKeyClassPrivate, 3), (try #require(SecKeyCopyPublicKey(key)), kSecAttrKeyClassPublic, 2),
        ] {
            let bytes = try #require(key.bytes)
            #expect(bytes.count == 1 + parts * size / 8)
            #expect(Self.key(bytes, keyClass) == key)
            // Another point, and another number, are no such key.
            for index in [1, bytes.count - 1] {
                var changed = bytes
                changed[index] ^= 1
                #expect(Self.key(changed, keyClass) == nil)
            }
            #expect(Self.key(bytes.dropLast(), keyClass) == nil)
        }
        let point = try #require(SecKeyCopyPublicKey(key)?.bytes)
        for number: UInt8 in [0, 0xff] {
            #expect(Self.key(point + Data(repeating: number, count: size / 8), kSecAttrKeyClassPrivate) == nil)
        }
    }

    private static func key(_ bytes: Data, _ keyClass: CFString) -> SecKey? {
        let attributes = [kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeyClass: keyClass]
        return SecKeyCreateWithData(bytes as CFData, attributes as CFDictionary, nil)
    }

    @Test(arguments: [192, 224])
    func everyAlgorithm_works(size: Int) throws {
        let key = try SecKey.new(kSecAttrKeyTypeEC, size)
        let publicKey = try #require(SecKeyCopyPublicKey(key))
        let signing: [SecKeyAlgorithm] = [
            .ecdsaSignatureMessageX962SHA1, .ecdsaSignatureMessageX962SHA224, .ecdsaSignatureMessageX962SHA256,
            .ecdsaSignatureMessageX962SHA384, .ecdsaSignatureMessageX962SHA512, .ecdsaSignatureMessageRFC4754SHA256,
            .ecdsaSignatureDigestX962,
        ]
        for algorithm in signing {
            // The numbers of a signature have leading zeros now and then.
            for _ in 0..<20 {
                let signature = try #require(SecKeyCreateSignature(key, algorithm, message, nil))
                #expect(SecKeyVerifySignature(publicKey, algorithm, message, signature, nil))
                let other = Data("messagf".utf8) as CFData
                #expect(!SecKeyVerifySignature(publicKey, algorithm, other, signature, nil))
                if algorithm == .ecdsaSignatureMessageRFC4754SHA256 { #expect(signature.length == size / 4) }
            }
        }
        let other = try SecKey.new(kSecAttrKeyTypeEC, size)
        let otherPublic = try #require(SecKeyCopyPublicKey(other))
        for algorithm: SecKeyAlgorithm in [
            .ecdhKeyExchangeStandard, .ecdhKeyExchangeCofactorX963SHA256, .ecdhKeyExchangeStandardX963SHA224,
        ] {
            let parameters = [SecKeyKeyExchangeParameter.requestedSize.rawValue: 70] as CFDictionary
            let one = SecKeyCopyKeyExchangeResult(key, algorithm, otherPublic, parameters, nil) as Data?
            #expect(try #require(one).count == (algorithm == .ecdhKeyExchangeStandard ? size / 8 : 70))
            #expect(one == SecKeyCopyKeyExchangeResult(other, algorithm, publicKey, parameters, nil) as Data?)
        }
        let stranger = try #require(SecKeyCopyPublicKey(try SecKey.new(kSecAttrKeyTypeEC, 256)))
        #expect(SecKeyCopyKeyExchangeResult(key, .ecdhKeyExchangeStandard, stranger, [:] as CFDictionary, nil) == nil)
        for algorithm: SecKeyAlgorithm in [
            .eciesEncryptionStandardX963SHA256AESGCM, .eciesEncryptionCofactorVariableIVX963SHA224AESGCM,
        ] {
            let sealed = try #require(SecKeyCreateEncryptedData(publicKey, algorithm, message, nil))
            #expect(SecKeyCreateDecryptedData(key, algorithm, sealed, nil) == message)
        }
    }

    @Test(arguments: [192, 224])
    func files_areReadAndWritten_asOpenSSLDoes(size: Int) throws {
        let files = try KeyFiles()
        let name = try #require(Self.names[size])
        try files.openssl("ecparam -name \(name) -genkey -noout -out @made.pem")
        try files.openssl("pkcs8 -topk8 -nocrypt -in @made.pem -out @made8.pem")
        let made = try #require(ReadFile(files.read("made.pem")).keys.first)
        #expect(try ReadFile(files.read("made8.pem")).keys == [made])
        try files.openssl("ec -in @made.pem -pubout -out @public.pem")
        let publicKey = try #require(SecKeyCopyPublicKey(made))
        #expect(try ReadFile(files.read("public.pem")).keys == [publicKey])
        // What is written is read by OpenSSL, and each verifies the other's signatures.
        try files.write(try exported(made, .formatOpenSSL), "written")
        try files.openssl("ec -inform DER -in @written -out @again.pem")
        #expect(try ReadFile(files.read("again.pem")).keys == [made])
        try files.write(message as Data, "message")
        try files.openssl("dgst -sha256 -sign @made.pem -out @signature @message")
        let algorithm = SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256
        #expect(try SecKeyVerifySignature(publicKey, algorithm, message, files.read("signature") as CFData, nil))
        let signature = try #require(SecKeyCreateSignature(made, algorithm, message, nil))
        try files.write(signature as Data, "own")
        #expect(try files.openssl("dgst -sha256 -verify @public.pem -signature @own @message").contains("OK"))
        // A certificate, and a file with both.
        try files.openssl("req -x509 -key @made.pem -subj /CN=small -out @small.pem")
        try files.openssl("pkcs12 -export -inkey @made.pem -in @small.pem -passout pass:secret -out @small.p12")
        let item = try ImportedItem.one(files.read("small.p12"))
        #expect(item.key == made)
        #expect(item.certificate.flatMap(SecCertificateCopyKey) == publicKey)
    }

    @Test(.processKeychain, arguments: [192, 224])
    func key_isStored_andFoundByReference(size: Int) throws {
        let tag = Data(UUID().uuidString.utf8)
        let parameters: [CFString: Any] = [
            kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: size,
            kSecPrivateKeyAttrs: [kSecAttrIsPermanent: true, kSecAttrApplicationTag: tag],
        ]
        let key = try #require(SecKeyCreateRandomKey(parameters as CFDictionary, nil))
        let query: [CFString: Any] = [
            kSecClass: kSecClassKey, kSecAttrApplicationTag: tag, kSecReturnRef: true, kSecAttrKeySizeInBits: size,
        ]
        var found: CFTypeRef?
        #expect(SecItemCopyMatching(query as CFDictionary, &found) == errSecSuccess)
        #expect(found as? SecKey == key)
        #expect(SecItemDelete([kSecClass: kSecClassKey, kSecAttrApplicationTag: tag] as CFDictionary) == errSecSuccess)
    }

    /// `SecKeyCreateWithData` reads PKCS #1 and X9.63, and of the forms with an algorithm only that of public RSA keys.
    @Test func formsOfFiles_areNoExternalRepresentation() throws {
        let files = try KeyFiles()
        try files.openssl("genrsa -traditional -out @rsa 2048")
        try files.openssl("pkcs8 -topk8 -nocrypt -in @rsa -outform DER -out @rsa8")
        try files.openssl("rsa -inform DER -in @rsa8 -traditional -outform DER -out @rsa1")
        try files.openssl("rsa -inform DER -in @rsa8 -pubout -outform DER -out @rsaInfo")
        try files.openssl("rsa -inform DER -in @rsa8 -RSAPublicKey_out -outform DER -out @rsaPublic")
        try files.openssl("ecparam -name prime256v1 -genkey -noout -outform DER -out @ec")
        try files.openssl("pkcs8 -topk8 -nocrypt -inform DER -in @ec -outform DER -out @ec8")
        try files.openssl("ec -inform DER -in @ec -pubout -outform DER -out @ecInfo")
        let cases: [(file: String, type: CFString, keyClass: CFString, isRead: Bool)] = [
            ("rsa1", kSecAttrKeyTypeRSA, kSecAttrKeyClassPrivate, true),
            ("rsa8", kSecAttrKeyTypeRSA, kSecAttrKeyClassPrivate, false),
            ("rsaPublic", kSecAttrKeyTypeRSA, kSecAttrKeyClassPublic, true),
            ("rsaInfo", kSecAttrKeyTypeRSA, kSecAttrKeyClassPublic, true),
            ("rsa8", kSecAttrKeyTypeRSA, kSecAttrKeyClassPublic, false),
            ("ec", kSecAttrKeyTypeEC, kSecAttrKeyClassPrivate, false),
            ("ec8", kSecAttrKeyTypeEC, kSecAttrKeyClassPrivate, false),
            ("ecInfo", kSecAttrKeyTypeEC, kSecAttrKeyClassPublic, false),
        ]
        for (file, type, keyClass, isRead) in cases {
            var error: Unmanaged<CFError>?
            let attributes = [kSecAttrKeyType: type, kSecAttrKeyClass: keyClass]
            let key = SecKeyCreateWithData(try files.read(file) as CFData, attributes as CFDictionary, &error)
            #expect((key != nil) == isRead, "\(file) \(keyClass)")
            #expect(error.map { OSStatus($0.takeRetainedValue().code) } == (isRead ? nil : errSecParam))
        }
    }
}
