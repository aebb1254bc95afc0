// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

extension OnChips {
    /// Rules for a key that a chip has made.
    @Suite struct ChipKeyTests {
        init() {
            _ = Machine.own
            LinuxKeychain.applicationIdentifier = "org.example.chip"
        }

        static let signatures: [SecKeyAlgorithm] = [
            .ecdsaSignatureRFC4754, .ecdsaSignatureDigestX962, .ecdsaSignatureDigestX962SHA1,
            .ecdsaSignatureDigestX962SHA224, .ecdsaSignatureDigestX962SHA256, .ecdsaSignatureDigestX962SHA384,
            .ecdsaSignatureDigestX962SHA512, .ecdsaSignatureMessageX962SHA1, .ecdsaSignatureMessageX962SHA224,
            .ecdsaSignatureMessageX962SHA256, .ecdsaSignatureMessageX962SHA384, .ecdsaSignatureMessageX962SHA512,
            .ecdsaSignatureDigestRFC4754SHA256, .ecdsaSignatureMessageRFC4754SHA512,
        ]

        static let exchanges: [SecKeyAlgorithm] = [
            .ecdhKeyExchangeStandard, .ecdhKeyExchangeStandardX963SHA1, .ecdhKeyExchangeStandardX963SHA224,
            .ecdhKeyExchangeStandardX963SHA256, .ecdhKeyExchangeStandardX963SHA384, .ecdhKeyExchangeStandardX963SHA512,
            .ecdhKeyExchangeCofactor, .ecdhKeyExchangeCofactorX963SHA256,
        ]

        static let encryptions: [SecKeyAlgorithm] = [
            .eciesEncryptionStandardX963SHA1AESGCM, .eciesEncryptionStandardX963SHA256AESGCM,
            .eciesEncryptionCofactorVariableIVX963SHA224AESGCM, .eciesEncryptionCofactorVariableIVX963SHA512AESGCM,
        ]

        /// The length in bytes of the digest that an algorithm accepts.
        private func input(for algorithm: SecKeyAlgorithm) -> Data {
            let name = algorithm.rawValue as String
            let sizes = ["SHA1": 20, "SHA224": 28, "SHA256": 32, "SHA384": 48, "SHA512": 64]
            let size = name.contains("message") ? 1000 : sizes.first { name.hasSuffix($0.key) }?.value ?? 32
            return Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        }

        private func makeKey(_ attributes: [CFString: Any] = [:]) throws -> SecKey {
            let parameters: [CFString: Any] = [
                kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
                kSecAttrTokenID: kSecAttrTokenIDSecureEnclave, kSecPrivateKeyAttrs: attributes,
            ]
            var error: Unmanaged<CFError>?
            let key = SecKeyCreateRandomKey(parameters as CFDictionary, &error)
            return try #require(key, "\(String(describing: error?.takeRetainedValue()))")
        }

        private func softwareKey() throws -> SecKey {
            let parameters: [CFString: Any] = [
                kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
            ]
            return try #require(SecKeyCreateRandomKey(parameters as CFDictionary, nil))
        }

        // MARK: Uses

        @Test(arguments: signatures)
        func signature_isThatOfThePublicKey(_ algorithm: SecKeyAlgorithm) throws {
            let key = try makeKey()
            let publicKey = try #require(SecKeyCopyPublicKey(key))
            #expect(SecKeyIsAlgorithmSupported(key, .sign, algorithm))
            let input = input(for: algorithm)
            var error: Unmanaged<CFError>?
            let signature = SecKeyCreateSignature(key, algorithm, input as CFData, &error)
            let made = try #require(signature, "\(String(describing: error?.takeRetainedValue()))")
            #expect(SecKeyVerifySignature(publicKey, algorithm, input as CFData, made, nil))
            var other = input
            other[0] ^= 1
            #expect(!SecKeyVerifySignature(publicKey, algorithm, other as CFData, made, nil))
        }

        @Test(arguments: exchanges)
        func exchange_givesWhatTheOtherSideGets(_ algorithm: SecKeyAlgorithm) throws {
            let (mine, theirs) = (try makeKey(), try softwareKey())
            let parameters: [CFString: Any] = [
                SecKeyKeyExchangeParameter.requestedSize.rawValue: 45,
                SecKeyKeyExchangeParameter.sharedInfo.rawValue: Data("info".utf8),
            ]
            func secret(_ key: SecKey, _ other: SecKey) throws -> Data {
                let publicKey = try #require(SecKeyCopyPublicKey(other))
                return try #require(
                    SecKeyCopyKeyExchangeResult(key, algorithm, publicKey, parameters as CFDictionary, nil)) as Data
            }
            #expect(try secret(mine, theirs) == secret(theirs, mine))
        }

        @Test(arguments: encryptions)
        func whatIsEncryptedForIt_isDecrypted(_ algorithm: SecKeyAlgorithm) throws {
            let key = try makeKey()
            let publicKey = try #require(SecKeyCopyPublicKey(key))
            let text = Data("text".utf8)
            let sealed = try #require(SecKeyCreateEncryptedData(publicKey, algorithm, text as CFData, nil))
            #expect(SecKeyCreateDecryptedData(key, algorithm, sealed, nil) as Data? == text)
            var damaged = sealed as Data
            damaged[damaged.count - 1] ^= 1
            #expect(SecKeyCreateDecryptedData(key, algorithm, damaged as CFData, nil) == nil)
        }

        @Test func keyOfAnotherCurve_isRefused() throws {
            let parameters: [CFString: Any] = [
                kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 384,
            ]
            let other = try #require(
                SecKeyCreateRandomKey(parameters as CFDictionary, nil).flatMap(SecKeyCopyPublicKey))
            var error: Unmanaged<CFError>?
            let secret = SecKeyCopyKeyExchangeResult(
                try makeKey(), .ecdhKeyExchangeStandard, other, [:] as CFDictionary, &error)
            #expect(secret == nil)
            #expect(error?.takeRetainedValue().code == Int(errSecParam))
        }

        // A chip has room for three keys.
        @Test func manyThreadsAndKeys_haveTheirTurn() throws {
            let keys = try (0..<8).map { _ in try makeKey() }
            let message = Data("message".utf8)
            let results = ResultsOfThreads()
            DispatchQueue.concurrentPerform(iterations: 16) { turn in
                let key = keys[turn % 8]
                let signature = SecKeyCreateSignature(
                    key, .ecdsaSignatureMessageX962SHA256, message as CFData, nil)
                let publicKey = SecKeyCopyPublicKey(key)
                results.add(
                    signature.map { made in
                        publicKey.map {
                            SecKeyVerifySignature($0, .ecdsaSignatureMessageX962SHA256, message as CFData, made, nil)
                        } ?? false
                    } ?? false)
            }
            #expect(results.all == Array(repeating: true, count: 16))
        }

        // MARK: It does not leave

        @Test func bytes_doNotLeave() throws {
            let tag = Data("leave".utf8)
            let key = try makeKey([kSecAttrIsPermanent: true, kSecAttrApplicationTag: tag])
            #expect(SecKeyCopyExternalRepresentation(key, nil) == nil)
            let query: [CFString: Any] = [kSecClass: kSecClassKey, kSecAttrApplicationTag: tag, kSecReturnData: true]
            var result: CFTypeRef?
            #expect(SecItemCopyMatching(query as CFDictionary, &result) != errSecSuccess)
            #expect(result == nil)
            var all = query
            all[kSecReturnAttributes] = true
            #expect(SecItemCopyMatching(all as CFDictionary, &result) == errSecSuccess)
            let attributes = try #require(result as? [CFString: Any])
            #expect(attributes[kSecValueData] == nil)
            #expect(attributes[kSecAttrTokenID] as? String == kSecAttrTokenIDSecureEnclave as String)
            // Changes that would allow an export are refused.
            for change in [
                [kSecAttrIsExtractable: 1, kSecAttrIsSensitive: 0], [kSecAttrTokenID: "other"],
                [kSecValueData: Data([1])], [kSecAttrSynchronizable: true],
            ]
                as [[CFString: Any]]
            {
                let query: [CFString: Any] = [kSecClass: kSecClassKey, kSecAttrApplicationTag: tag]
                #expect(SecItemUpdate(query as CFDictionary, change as CFDictionary) != errSecSuccess, "\(change)")
            }
        }

        @Test func attributes_sayWhereItIs() throws {
            let attributes = try #require(SecKeyCopyAttributes(try makeKey()) as? [CFString: Any])
            #expect(attributes[kSecAttrTokenID] as? String == kSecAttrTokenIDSecureEnclave as String)
            #expect(attributes[kSecAttrIsExtractable] as? Int == 0)
            #expect(attributes[kSecAttrIsSensitive] as? Int == 1)
        }

        /// A key that is made again from its attributes has the same permissions.
        @Test func keyReadAgain_keepsToItsPermissions() throws {
            let key = try makeKey()
            let wrapped = try #require((SecKeyCopyAttributes(key) as? [String: Any])?["toid"])
            func keyAgain(_ permission: Any?) -> SecKey? {
                var attributes: [String: Any] = [
                    kSecAttrKeyType as String: kSecAttrKeyTypeECSECPrimeRandom, "toid": wrapped,
                    kSecAttrTokenID as String: kSecAttrTokenIDSecureEnclave,
                ]
                attributes[kSecAttrCanSign as String] = permission
                return SecKeyCreateWithData(Data() as CFData, attributes as CFDictionary, nil)
            }
            let algorithm = SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256
            for (permission, signs) in [(nil, true), (true, true), (false, false)] as [(Bool?, Bool)] {
                let again = try #require(keyAgain(permission))
                let signature = SecKeyCreateSignature(again, algorithm, Data("message".utf8) as CFData, nil)
                #expect((signature != nil) == signs)
                #expect(again == key)
            }
            #expect(keyAgain(Date()) == nil)
        }

        // A software key must not be treated as one of the chip's.
        @Test func softwareKey_isNoneOfTheChip() throws {
            let key = try softwareKey()
            let item: [CFString: Any] = [kSecValueRef: key, kSecAttrTokenID: kSecAttrTokenIDSecureEnclave]
            #expect(SecItemAdd(item as CFDictionary, nil) == errSecUnimplemented)
            let tag = Data("software".utf8)
            #expect(SecItemAdd([kSecValueRef: key, kSecAttrApplicationTag: tag] as CFDictionary, nil) == errSecSuccess)
            let query: [CFString: Any] = [kSecClass: kSecClassKey, kSecAttrApplicationTag: tag]
            let change: [CFString: Any] = [kSecAttrTokenID: kSecAttrTokenIDSecureEnclave]
            #expect(SecItemUpdate(query as CFDictionary, change as CFDictionary) == errSecUnimplemented)
        }

        // MARK: What there is

        @Test(arguments: [kSecAttrKeyTypeRSA as String: 2048, kSecAttrKeyTypeECSECPrimeRandom as String: 384])
        func otherKinds_areRefused(_ type: String, _ size: Int) {
            let parameters: [CFString: Any] = [
                kSecAttrKeyType: type, kSecAttrKeySizeInBits: size, kSecAttrTokenID: kSecAttrTokenIDSecureEnclave,
            ]
            var error: Unmanaged<CFError>?
            #expect(SecKeyCreateRandomKey(parameters as CFDictionary, &error) == nil)
            #expect(error?.takeRetainedValue().code == Int(errSecUnimplemented))
        }

        @Test func whatAsksForAPerson_isRefused() throws {
            let control = try #require(
                SecAccessControlCreateWithFlags(
                    nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, [.privateKeyUsage, .userPresence], nil))
            let parameters: [CFString: Any] = [
                kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
                kSecAttrTokenID: kSecAttrTokenIDSecureEnclave, kSecPrivateKeyAttrs: [kSecAttrAccessControl: control],
            ]
            var error: Unmanaged<CFError>?
            #expect(SecKeyCreateRandomKey(parameters as CFDictionary, &error) == nil)
            let reason = try #require(error?.takeRetainedValue())
            #expect(reason.code == Int(errSecUnimplemented))
            #expect(reason.localizedDescription.contains("proof"), "\(reason.localizedDescription)")
        }

        @Test func anotherProcess_findsAndUsesIt() throws {
            let control = try #require(
                SecAccessControlCreateWithFlags(
                    nil, kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly, .privateKeyUsage, nil))
            _ = try makeKey([
                kSecAttrIsPermanent: true, kSecAttrApplicationTag: Data("other process".utf8),
                kSecAttrAccessControl: control,
            ])
            #expect(try Machine.own.probe("sign", "other process") == "ok")
        }

        @Test func withoutTheChip_theKeyIsOfNoUse() throws {
            _ = try makeKey([kSecAttrIsPermanent: true, kSecAttrApplicationTag: Data("moved".utf8)])
            #expect(try Machine.own.probe("sign", "moved", other: ["SECITEM_TPM": "none"]) == "\(errSecUnimplemented)")
            let other = try Machine()
            #expect(
                try Machine.own.probe("sign", "moved", other: ["SECITEM_TPM": other.environment["SECITEM_TPM"] ?? ""])
                    == "\(errSecNotAvailable)")
            #expect(
                try Machine.own.probe("sign", "moved", other: ["SECITEM_TPM": "swtpm:path=/nowhere"])
                    == "\(errSecNotAvailable)")
        }
    }
}

/// Results of several threads.
final class ResultsOfThreads: @unchecked Sendable {
    private let lock = NSLock()
    private var results: [Bool] = []

    func add(_ result: Bool) { lock.withLock { results.append(result) } }
    var all: [Bool] { lock.withLock { results } }
}
