// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim
import Security
import Testing

/// Every algorithm with every key and operation: the operation does what `SecKeyIsAlgorithmSupported` says.
@Suite struct KeyAlgorithmTests {
    private static let keys: [SecKey] = {
        let kinds: [(CFString, Int)] = [
            (kSecAttrKeyTypeRSA, 1024), (kSecAttrKeyTypeRSA, 2048), (kSecAttrKeyTypeEC, 256), (kSecAttrKeyTypeEC, 384),
            (kSecAttrKeyTypeEC, 521),
        ]
        return kinds.compactMap { try? SecKey.new($0.0, $0.1) }
    }()

    private static let algorithms = ConstantTable.all
        .filter { $0.name.hasPrefix("kSecKeyAlgorithm") }
        .map { SecKeyAlgorithm(rawValue: $0.value as CFString) }

    private static func input(_ algorithm: SecKeyAlgorithm) -> Data {
        let name = algorithm.rawValue as String
        let sizes = ["SHA1": 20, "SHA224": 28, "SHA256": 32, "SHA384": 48, "SHA512": 64]
        let size = name.split(separator: ":").compactMap { sizes[String($0)] }.first
        return Data(repeating: 7, count: name.contains("digest") ? size ?? 20 : 20)
    }

    private static func isParam(_ error: Unmanaged<CFError>?) -> Bool {
        error.map { CFErrorGetCode($0.takeRetainedValue()) } == Int(errSecParam)
    }

    @Test func table_hasEveryAlgorithmOnce() {
        #expect(Self.algorithms.count == 87)
        #expect(Set(KeyAlgorithmDocumentation.names) == Set(Self.algorithms.map { $0.rawValue as String }))
    }

    @Test(arguments: algorithms)
    func algorithm_withEveryKey_doesWhatItIsSaidToDo(_ algorithm: SecKeyAlgorithm) throws {
        #expect(Self.keys.count == 5)
        var supporters = 0
        for key in Self.keys {
            let publicKey = try #require(SecKeyCopyPublicKey(key))
            supporters += try checkSignature(algorithm, key, publicKey)
            supporters += try checkEncryption(algorithm, key, publicKey)
            supporters += try checkExchange(algorithm, key, publicKey)
        }
        #expect(supporters >= 1, "\(algorithm.rawValue)")
    }

    /// - Returns: 1 if the key supports the algorithm.
    private func checkSignature(_ algorithm: SecKeyAlgorithm, _ key: SecKey, _ publicKey: SecKey) throws -> Int {
        let data = Self.input(algorithm) as CFData
        for (signer, verifier) in [(key, publicKey), (publicKey, key)] {
            let signs = SecKeyIsAlgorithmSupported(signer, .sign, algorithm)
            let verifies = SecKeyIsAlgorithmSupported(verifier, .verify, algorithm)
            #expect(signs == verifies)
            var error: Unmanaged<CFError>?
            guard let signature = SecKeyCreateSignature(signer, algorithm, data, &error) else {
                #expect(!signs, "\(algorithm.rawValue) \(signer)")
                let isParam1 = Self.isParam(error)
                #expect(isParam1)
                #expect(!SecKeyVerifySignature(verifier, algorithm, data, Data(count: 64) as CFData, &error))
                let isParam2 = Self.isParam(error)
                #expect(isParam2)
                continue
            }
            #expect(signs && signer == key)
            #expect(SecKeyVerifySignature(verifier, algorithm, data, signature, nil), "\(algorithm.rawValue) \(key)")
            var other = signature as Data
            other[other.count - 1] ^= 1
            #expect(!SecKeyVerifySignature(verifier, algorithm, data, other as CFData, nil))
            return 1
        }
        return 0
    }

    private func checkEncryption(_ algorithm: SecKeyAlgorithm, _ key: SecKey, _ publicKey: SecKey) throws -> Int {
        let data = Self.input(algorithm) as CFData
        #expect(!SecKeyIsAlgorithmSupported(key, .encrypt, algorithm))
        var error: Unmanaged<CFError>?
        guard let ciphertext = SecKeyCreateEncryptedData(publicKey, algorithm, data, &error) else {
            let isParam3 = Self.isParam(error)
            #expect(isParam3)
            #expect(!SecKeyIsAlgorithmSupported(publicKey, .encrypt, algorithm), "\(algorithm.rawValue) \(key)")
            #expect(!SecKeyIsAlgorithmSupported(key, .decrypt, algorithm), "\(algorithm.rawValue) \(key)")
            #expect(SecKeyCreateDecryptedData(key, algorithm, Data(count: 300) as CFData, &error) == nil)
            let isParam4 = Self.isParam(error)
            #expect(isParam4)
            return 0
        }
        #expect(SecKeyIsAlgorithmSupported(publicKey, .encrypt, algorithm))
        #expect(SecKeyIsAlgorithmSupported(key, .decrypt, algorithm))
        let plaintext = try #require(SecKeyCreateDecryptedData(key, algorithm, ciphertext, nil) as Data?)
        let isRaw = algorithm == .rsaEncryptionRaw
        #expect(isRaw ? plaintext.suffix(data.length) == data as Data : plaintext == data as Data)
        #expect(!isRaw || plaintext.count == SecKeyGetBlockSize(key))
        return 1
    }

    private func checkExchange(_ algorithm: SecKeyAlgorithm, _ key: SecKey, _ publicKey: SecKey) throws -> Int {
        let isSupported = SecKeyIsAlgorithmSupported(key, .keyExchange, algorithm)
        #expect(!SecKeyIsAlgorithmSupported(publicKey, .keyExchange, algorithm))
        var error: Unmanaged<CFError>?
        let parameters: [CFString: Any] = [
            SecKeyKeyExchangeParameter.requestedSize.rawValue: 100,
            SecKeyKeyExchangeParameter.sharedInfo.rawValue: Data("info".utf8),
        ]
        let attributes = try #require(SecKeyCopyAttributes(key) as? [CFString: Any])
        let size = try #require(attributes[kSecAttrKeySizeInBits] as? Int)
        let other = try SecKey.new(isSupported ? kSecAttrKeyTypeEC : kSecAttrKeyTypeEC, isSupported ? size : 256)
        let theirs = try #require(SecKeyCopyPublicKey(other))
        let mine = SecKeyCopyKeyExchangeResult(key, algorithm, theirs, parameters as CFDictionary, &error) as Data?
        guard isSupported else {
            let isRefused = mine == nil && Self.isParam(error)
            #expect(isRefused, "\(algorithm.rawValue)")
            return 0
        }
        let their = SecKeyCopyKeyExchangeResult(other, algorithm, publicKey, parameters as CFDictionary, nil) as Data?
        #expect(mine != nil && mine == their)
        let derives = (algorithm.rawValue as String).contains("KDF")
        #expect(mine?.count == (derives ? 100 : SecKeyGetBlockSize(key)))
        let empty = SecKeyCopyKeyExchangeResult(key, algorithm, theirs, [:] as CFDictionary, &error)
        #expect((empty == nil) == derives)
        return 1
    }

    @Test func documentation_isMadeOfTheTable() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let file = root.appendingPathComponent("docs/key-algorithms.md")
        let text = try String(contentsOf: file, encoding: .utf8)
        let written = text.split(separator: "\n").filter { $0.hasPrefix("| `") }.map(String.init)
        let made = KeyAlgorithmDocumentation.rows
        #expect(written == made, "docs/key-algorithms.md should have:\n\(made.joined(separator: "\n"))")
    }

    // MARK: What Apple's functions do beyond the algorithm

    @Test func paddingThatDoesNotFit_isNotSupported() throws {
        let small = try #require(Self.keys.first)
        let publicKey = try #require(SecKeyCopyPublicKey(small))
        #expect(!SecKeyIsAlgorithmSupported(small, .sign, .rsaSignatureMessagePSSSHA512))
        #expect(SecKeyIsAlgorithmSupported(small, .sign, .rsaSignatureMessagePSSSHA384))
        #expect(!SecKeyIsAlgorithmSupported(publicKey, .encrypt, .rsaEncryptionOAEPSHA512))
        #expect(SecKeyIsAlgorithmSupported(publicKey, .encrypt, .rsaEncryptionOAEPSHA384))
    }

    @Test func plaintextThatDoesNotFit_isRefusedWithApplesText() throws {
        let publicKey = try #require(SecKeyCopyPublicKey(Self.keys[1]))
        let room: [(SecKeyAlgorithm, Int)] = [
            (.rsaEncryptionPKCS1, 256 - 11), (.rsaEncryptionOAEPSHA1, 256 - 42), (.rsaEncryptionOAEPSHA256, 256 - 66),
            (.rsaEncryptionOAEPSHA384, 256 - 98), (.rsaEncryptionOAEPSHA512, 256 - 130),
        ]
        for (algorithm, most) in room {
            #expect(SecKeyCreateEncryptedData(publicKey, algorithm, Data(count: most) as CFData, nil) != nil)
            var error: Unmanaged<CFError>?
            #expect(SecKeyCreateEncryptedData(publicKey, algorithm, Data(count: most + 1) as CFData, &error) == nil)
            let failure = try #require(error?.takeRetainedValue())
            #expect(
                failure.localizedDescription
                    == "The operation couldn’t be completed. (OSStatus error -50 - RSAencrypt wrong input size (err -23))"
            )
            #expect(failure.userInfo["NSDescription"] as? String == "RSAencrypt wrong input size (err -23)")
        }
    }

    /// An error for wrong padding would be an oracle. Instead, the same ciphertext always gives the same other bytes.
    @Test func pkcs1Decryption_ofWrongPadding_givesTheSameOtherBytes() throws {
        let key = Self.keys[1]
        var lengths = Set<Int>()
        for seed in 1...20 {
            let junk = Data(repeating: UInt8(seed), count: 256) as CFData
            let first = try #require(SecKeyCreateDecryptedData(key, .rsaEncryptionPKCS1, junk, nil) as Data?)
            #expect(SecKeyCreateDecryptedData(key, .rsaEncryptionPKCS1, junk, nil) as Data? == first)
            #expect(first.count <= 245)
            lengths.insert(first.count)
        }
        #expect(lengths.count > 5)
        #expect(SecKeyCreateDecryptedData(key, .rsaEncryptionPKCS1, Data(count: 257) as CFData, nil) == nil)
    }

    @Test func rawSignature_isUndoneByThePublicKey() throws {
        let key = Self.keys[1]
        let publicKey = try #require(SecKeyCopyPublicKey(key))
        let data = Data("padded by the caller".utf8)
        let signature = try #require(SecKeyCreateSignature(key, .rsaSignatureRaw, data as CFData, nil))
        let block = try #require(SecKeyCreateDecryptedData(publicKey, .rsaEncryptionRaw, signature, nil) as Data?)
        #expect(block == Data(count: 256 - data.count) + data)
    }
}
