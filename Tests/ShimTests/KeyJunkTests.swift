// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemConformance
import Security
import Testing

/// Junk, truncated and changed keys and inputs give a key or an error, and never crash.
@Suite struct KeyJunkTests {
    private static func changed(_ data: Data, _ random: inout SeededGenerator) -> Data {
        var result = data
        switch Int.random(in: 0..<4, using: &random) {
        case 0: result = Data(data.prefix(Int.random(in: 0...data.count, using: &random)))
        case 1: result.append(UInt8.random(in: 0...255, using: &random))
        case 2:
            return Data((0..<Int.random(in: 0..<200, using: &random)).map { _ in .random(in: 0...255, using: &random) })
        default:
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                result[Int.random(in: 0..<result.count, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            }
        }
        return result
    }

    private static var kinds: [(CFString, Int)] {
        [
            (kSecAttrKeyTypeRSA, 1024), (kSecAttrKeyTypeEC, 256), (kSecAttrKeyTypeEC, 521),
        ]
    }

    @Test func keys_changedInAnyWay_areReadOrRefused() throws {
        var random = SeededGenerator()
        for (type, size) in Self.kinds {
            let whole = try SecKey.new(type, size)
            let half = try #require(SecKeyCopyPublicKey(whole))
            for (key, keyClass) in [(whole, kSecAttrKeyClassPrivate), (half, kSecAttrKeyClassPublic)] {
                let bytes = try #require(SecKeyCopyExternalRepresentation(key, nil) as Data?)
                for _ in RandomRounds.usually(500) {
                    guard let read = SecKey.make(type, keyClass, Self.changed(bytes, &random)) else { continue }
                    use(read)
                }
            }
        }
    }

    /// Uses a key that could be read. The operations must end too.
    private func use(_ key: SecKey) {
        let data = Data(repeating: 1, count: 32) as CFData
        let rsa: [SecKeyAlgorithm] = [.rsaSignatureDigestPKCS1v15SHA256, .rsaEncryptionOAEPSHA384, .rsaEncryptionRaw]
        for algorithm in rsa + [.ecdsaSignatureDigestX962SHA256, .eciesEncryptionCofactorVariableIVX963SHA256AESGCM] {
            _ = SecKeyCreateSignature(key, algorithm, data, nil)
            _ = SecKeyVerifySignature(key, algorithm, data, data, nil)
            _ = SecKeyCreateEncryptedData(key, algorithm, data, nil)
        }
    }

    @Test func ciphertextsAndSignatures_changedInAnyWay_areRefusedOrTaken() throws {
        var random = SeededGenerator()
        let message = Data("message".utf8)
        for (type, size) in Self.kinds {
            let key = try SecKey.new(type, size)
            let publicKey = try #require(SecKeyCopyPublicKey(key))
            for name in ConstantTable.all.filter({ $0.name.hasPrefix("kSecKeyAlgorithm") }).map(\.value) {
                let algorithm = SecKeyAlgorithm(rawValue: name as CFString)
                if let ciphertext = SecKeyCreateEncryptedData(publicKey, algorithm, message as CFData, nil) as Data? {
                    for _ in RandomRounds.usually(20) {
                        let changed = Self.changed(ciphertext, &random)
                        _ = SecKeyCreateDecryptedData(key, algorithm, changed as CFData, nil)
                    }
                }
                if let signature = SecKeyCreateSignature(key, algorithm, message as CFData, nil) as Data? {
                    for _ in RandomRounds.usually(20) {
                        let changed = Self.changed(signature, &random)
                        let isValid = SecKeyVerifySignature(key, algorithm, message as CFData, changed as CFData, nil)
                        #expect(!isValid)
                        let fits = SecKeyVerifySignature(
                            publicKey, algorithm, message as CFData, changed as CFData, nil)
                        #expect(!fits || changed == signature, "\(name)")
                    }
                }
            }
        }
    }

    @Test func exchangeParameters_ofAnyKind_areTakenOrRefused() throws {
        let key = try SecKey.new(kSecAttrKeyTypeEC, 256)
        let publicKey = try #require(SecKeyCopyPublicKey(key))
        let size = SecKeyKeyExchangeParameter.requestedSize.rawValue
        let info = SecKeyKeyExchangeParameter.sharedInfo.rawValue
        let wrong: [[CFString: Any]] = [
            [:], [size: 0], [size: -1], [size: Int.max], [size: 1.5], [size: "32"], [size: Data()], [info: Data()],
            [size: 32, info: "text"], [size: 32, info: 1],
        ]
        for parameters in wrong {
            var error: Unmanaged<CFError>?
            let secret = SecKeyCopyKeyExchangeResult(
                key, .ecdhKeyExchangeStandardX963SHA256, publicKey, parameters as CFDictionary, &error)
            #expect(secret == nil, "\(parameters)")
            #expect(error.map { CFErrorGetCode($0.takeRetainedValue()) } == Int(errSecParam))
        }
        for other in [try SecKey.new(kSecAttrKeyTypeEC, 384), try SecKey.new(kSecAttrKeyTypeRSA, 1024)] {
            #expect(
                SecKeyCopyKeyExchangeResult(
                    key, .ecdhKeyExchangeStandard, try #require(SecKeyCopyPublicKey(other)), [:] as CFDictionary, nil)
                    == nil)
        }
        let typed = [SecKeyKeyExchangeParameter.requestedSize: 32]
        #expect(
            SecKeyCopyKeyExchangeResult(
                key, .ecdhKeyExchangeStandardX963SHA256, publicKey, typed as CFDictionary, nil)?.length == 32)
    }
}
