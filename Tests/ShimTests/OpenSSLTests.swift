// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import TestSupport
import Testing

private let opensslIsThere = (try? Program("openssl", ["version"]).run().status) == 0

/// Tests in both directions against the program `openssl`: each accepts what the other makes.
@Suite(.enabled(if: opensslIsThere, "the program openssl is not there"))
struct OpenSSLTests {
    private static let digests: [(name: String, size: Int)] = [
        ("SHA1", 20), ("SHA224", 28), ("SHA256", 32), ("SHA384", 48), ("SHA512", 64),
    ]

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func path(_ name: String) -> String { folder.url.appendingPathComponent(name).path }

    private func write(_ data: Data, _ name: String) throws { try data.write(to: URL(fileURLWithPath: path(name))) }

    private func read(_ name: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path(name))) }

    /// Runs `openssl`. A word that begins with `@` is a file in the folder.
    @discardableResult
    private func openssl(_ words: String) throws -> String {
        let arguments = words.split(separator: " ").map {
            $0.hasPrefix("@") ? path(String($0.dropFirst())) : String($0)
        }
        return try Program("openssl", arguments).output()
    }

    private func rsaKey(_ size: Int) throws -> (privateKey: SecKey, publicKey: SecKey) {
        try openssl("genpkey -quiet -algorithm RSA -pkeyopt rsa_keygen_bits:\(size) -out @key.pem")
        try openssl("pkey -in @key.pem -pubout -out @public.pem")
        try openssl("pkey -in @key.pem -traditional -outform DER -out @key.der")
        let key = try #require(SecKey.make(kSecAttrKeyTypeRSA, kSecAttrKeyClassPrivate, read("key.der")))
        return (key, try #require(SecKeyCopyPublicKey(key)))
    }

    private func curveKey(_ curve: String, _ name: String) throws -> (privateKey: SecKey, publicKey: SecKey) {
        let size = ["P-256": 32, "P-384": 48, "P-521": 66][curve] ?? 0
        try openssl("genpkey -quiet -algorithm EC -pkeyopt ec_paramgen_curve:\(curve) -out @\(name).pem")
        try openssl("pkey -in @\(name).pem -pubout -out @\(name).public.pem")
        try openssl("pkey -in @\(name).pem -traditional -outform DER -out @\(name).der")
        try openssl("pkey -pubin -in @\(name).public.pem -outform DER -out @\(name).public.der")
        let point = try read("\(name).public.der").suffix(1 + 2 * size)
        // SEC 1: a version, then the private number in an octet string.
        let start = try #require(try read("\(name).der").firstRange(of: Data([2, 1, 1, 4, UInt8(size)]))?.upperBound)
        let bytes = point + (try read("\(name).der"))[start..<start + size]
        let key = try #require(SecKey.make(kSecAttrKeyTypeEC, kSecAttrKeyClassPrivate, bytes))
        return (key, try #require(SecKeyCopyPublicKey(key)))
    }

    private func check(
        _ keys: (privateKey: SecKey, publicKey: SecKey), _ algorithm: String, _ input: Data, pem: String = "key",
        publicPem: String = "public", options: String
    ) throws {
        let algorithm = SecKeyAlgorithm(rawValue: algorithm as CFString)
        try write(input, "input")
        let signature = SecKeyCreateSignature(keys.privateKey, algorithm, input as CFData, nil)
        try write(try #require(signature, "\(algorithm.rawValue)") as Data, "ours")
        try openssl("pkeyutl -verify -pubin -inkey @\(publicPem).pem -in @input -sigfile @ours \(options)")
        try openssl("pkeyutl -sign -inkey @\(pem).pem -in @input -out @theirs \(options)")
        #expect(
            SecKeyVerifySignature(keys.publicKey, algorithm, input as CFData, try read("theirs") as CFData, nil),
            "\(algorithm.rawValue)")
    }

    @Test func rsaSignatures() throws {
        let keys = try rsaKey(2048)
        for (digest, size) in Self.digests {
            let input = Data((0..<size).map { UInt8($0) })
            try check(
                keys, "algid:sign:RSA:digest-PKCS1v15:\(digest)", input,
                options: "-pkeyopt rsa_padding_mode:pkcs1 -pkeyopt digest:\(digest)")
            try check(
                keys, "algid:sign:RSA:digest-PSS:\(digest):\(digest):\(size == 28 ? 24 : size)", input,
                options: "-pkeyopt rsa_padding_mode:pss -pkeyopt digest:\(digest) -pkeyopt rsa_pss_saltlen:\(size)")
        }
        try check(
            keys, "algid:sign:RSA:digest-PKCS1v15", Data("any bytes".utf8), options: "-pkeyopt rsa_padding_mode:pkcs1")
        let block = Data(count: 200) + Data(repeating: 9, count: 56)
        try write(block, "block")
        let signature = SecKeyCreateSignature(keys.privateKey, .rsaSignatureRaw, block as CFData, nil)
        try write(try #require(signature) as Data, "ours")
        try openssl("rsautl -verify -raw -pubin -inkey @public.pem -in @ours -out @again")
        #expect(try read("again") == block)
        try openssl("rsautl -sign -raw -inkey @key.pem -in @block -out @theirs")
        #expect(
            SecKeyVerifySignature(
                keys.publicKey, .rsaSignatureRaw, block as CFData, try read("theirs") as CFData, nil))
    }

    @Test(arguments: [1024, 2048, 4096])
    func messageSignatures_ofRSAKeys(_ size: Int) throws {
        let keys = try rsaKey(size)
        try checkMessages(keys, "algid:sign:RSA:message-PKCS1v15:", publicPem: "public")
    }

    /// Signatures of a message with every digest: ours verified by the program, and the program's verified by us.
    private func checkMessages(
        _ keys: (privateKey: SecKey, publicKey: SecKey), _ algorithms: String, publicPem: String
    ) throws {
        let message = Data("message".utf8)
        try write(message, "message")
        for (digest, _) in Self.digests {
            let algorithm = SecKeyAlgorithm(rawValue: algorithms + digest as CFString)
            let signature = SecKeyCreateSignature(keys.privateKey, algorithm, message as CFData, nil)
            try write(try #require(signature) as Data, "ours")
            try openssl("dgst -\(digest.lowercased()) -verify @\(publicPem).pem -signature @ours @message")
            try openssl("dgst -\(digest.lowercased()) -sign @key.pem -out @theirs @message")
            #expect(
                SecKeyVerifySignature(keys.publicKey, algorithm, message as CFData, try read("theirs") as CFData, nil))
        }
    }

    @Test func rsaEncryption() throws {
        let keys = try rsaKey(2048)
        let paddings =
            Self.digests.map {
                (
                    "OAEP:\($0.name)", Data("message".utf8),
                    "oaep -pkeyopt rsa_oaep_md:\($0.name) -pkeyopt rsa_mgf1_md:\($0.name)"
                )
            }
            + [("PKCS1", Data("message".utf8), "pkcs1"), ("raw", Data(count: 249) + Data("message".utf8), "none")]
        for (name, plaintext, mode) in paddings {
            let algorithm = SecKeyAlgorithm(rawValue: "algid:encrypt:RSA:\(name)" as CFString)
            try write(plaintext, "plain")
            let ciphertext = SecKeyCreateEncryptedData(keys.publicKey, algorithm, plaintext as CFData, nil)
            try write(try #require(ciphertext) as Data, "ours")
            try openssl("pkeyutl -decrypt -inkey @key.pem -in @ours -out @again -pkeyopt rsa_padding_mode:\(mode)")
            #expect(try read("again") == plaintext, "\(name)")
            try openssl(
                "pkeyutl -encrypt -pubin -inkey @public.pem -in @plain -out @theirs -pkeyopt rsa_padding_mode:\(mode)")
            let again = SecKeyCreateDecryptedData(keys.privateKey, algorithm, try read("theirs") as CFData, nil)
            #expect(again as Data? == plaintext, "\(name)")
        }
    }

    @Test(arguments: ["P-256", "P-384", "P-521"])
    func ecdsaSignatures(_ curve: String) throws {
        let keys = try curveKey(curve, "key")
        for (digest, size) in Self.digests {
            try check(
                keys, "algid:sign:ECDSA:digest-X962:\(digest)", Data((0..<size).map { UInt8($0) }),
                publicPem: "key.public", options: "")
        }
        try checkMessages(keys, "algid:sign:ECDSA:message-X962:", publicPem: "key.public")
    }

    @Test(arguments: ["P-256", "P-384", "P-521"])
    func keyExchange(_ curve: String) throws {
        let mine = try curveKey(curve, "mine")
        let theirs = try curveKey(curve, "theirs")
        try openssl("pkeyutl -derive -inkey @theirs.pem -peerkey @mine.public.pem -out @secret")
        let secret = try read("secret")
        let plain = SecKeyCopyKeyExchangeResult(
            mine.privateKey, .ecdhKeyExchangeStandard, theirs.publicKey, [:] as CFDictionary, nil)
        #expect(plain as Data? == secret)
        let parameters: [CFString: Any] = [
            SecKeyKeyExchangeParameter.requestedSize.rawValue: 100,
            SecKeyKeyExchangeParameter.sharedInfo.rawValue: Data([1, 2, 3]),
        ]
        let hex = secret.map { String(format: "%02x", $0) }.joined()
        for (digest, _) in Self.digests {
            try openssl(
                "kdf -binary -out @derived -keylen 100 -kdfopt digest:\(digest) -kdfopt hexkey:\(hex) -kdfopt hexinfo:010203 X963KDF"
            )
            let algorithm = SecKeyAlgorithm(rawValue: "algid:keyexchange:ECDH:KDFX963:\(digest)" as CFString)
            let derived = SecKeyCopyKeyExchangeResult(
                mine.privateKey, algorithm, theirs.publicKey, parameters as CFDictionary, nil)
            #expect(derived as Data? == (try read("derived")), "\(digest)")
        }
    }
}
