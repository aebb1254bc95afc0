// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import Security
import Testing

/// Project Wycheproof's vectors: valid ones are accepted, and invalid ones are refused.
@Suite struct WycheproofTests {
    private struct File: Decodable {
        let testGroups: [Group]
    }

    private struct Group: Decodable {
        let sha: String?
        let mgfSha: String?
        let sLen: Int?
        let keyAsn: String?
        let privateKeyPkcs8: String?
        let publicKey: Key?
        let tests: [Vector]
    }

    private struct Key: Decodable {
        let uncompressed: String?
    }

    private struct Vector: Decodable {
        let tcId: Int
        let msg: String?
        let sig: String?
        let ct: String?
        let label: String?
        let `public`: String?
        let `private`: String?
        let shared: String?
        let result: String
    }

    private func groups(_ name: String) throws -> [Group] {
        try JSONDecoder().decode(File.self, from: KeyVectorFiles.data(name)).testGroups
    }

    private static func algorithm(_ prefix: String, _ sha: String?) -> SecKeyAlgorithm {
        let digest = (sha ?? "").replacing("-", with: "")
        // Apple's name for PSS with SHA-224 ends in 24, although its salt has 28 bytes.
        let saltSize = digest == "SHA224" ? 24 : digestSizes[sha ?? ""] ?? 0
        let detail = prefix.contains("PSS") ? ":\(digest):\(saltSize)" : ""
        return SecKeyAlgorithm(rawValue: "\(prefix):\(digest)\(detail)" as CFString)
    }

    private static let digestSizes = ["SHA-1": 20, "SHA-224": 28, "SHA-256": 32, "SHA-384": 48, "SHA-512": 64]

    private func bytes(_ hex: String?) throws -> Data { try #require(Data(hex: hex ?? "")) }

    private func checkSignatures(
        _ file: String, _ prefix: String, _ type: CFString, key: (Group) -> String?,
        expects: (Group, Vector) -> Bool? = { _, vector in ["valid": true, "invalid": false][vector.result] }
    ) throws {
        var checked = 0
        for group in try groups(file) {
            let key = try #require(SecKey.make(type, kSecAttrKeyClassPublic, bytes(key(group))))
            for vector in group.tests {
                guard let expected = expects(group, vector) else { continue }
                let valid = SecKeyVerifySignature(
                    key, Self.algorithm(prefix, group.sha), try bytes(vector.msg) as CFData,
                    try bytes(vector.sig) as CFData, nil)
                #expect(valid == expected, "\(file) \(vector.tcId)")
                checked += 1
            }
        }
        #expect(checked > 50, "\(file)")
    }

    @Test func rsaPKCS1Signatures() throws {
        try checkSignatures(
            "rsa_signature_test.json", "algid:sign:RSA:message-PKCS1v15", kSecAttrKeyTypeRSA, key: \.keyAsn)
    }

    @Test(arguments: ["rsa_pss_2048_sha1_mgf1_20_test.json", "rsa_pss_2048_sha256_mgf1_32_test.json"])
    func rsaPSSSignatures(_ file: String) throws {
        try checkSignatures(file, "algid:sign:RSA:message-PSS", kSecAttrKeyTypeRSA, key: \.keyAsn) {
            // SHA-1 is weak, but callers ask for it explicitly.
            _, vector in vector.result != "invalid"
        }
    }

    /// Another digest in the mask or another salt length is another algorithm.
    @Test func rsaPSSSignatures_ofOtherParameters_areRefused() throws {
        try checkSignatures("rsa_pss_misc_test.json", "algid:sign:RSA:message-PSS", kSecAttrKeyTypeRSA, key: \.keyAsn) {
            group, _ in group.sha == group.mgfSha && group.sLen == Self.digestSizes[group.sha ?? ""]
        }
    }

    @Test(arguments: [
        ("ecdsa_secp256r1_sha256_test.json", "X962"), ("ecdsa_secp256r1_sha256_p1363_test.json", "RFC4754"),
        ("ecdsa_secp384r1_sha384_test.json", "X962"), ("ecdsa_secp521r1_sha512_test.json", "X962"),
    ])
    func ecdsaSignatures(_ file: String, _ form: String) throws {
        try checkSignatures(file, "algid:sign:ECDSA:message-\(form)", kSecAttrKeyTypeECSECPrimeRandom) {
            $0.publicKey?.uncompressed
        }
    }

    @Test(arguments: [
        "rsa_oaep_2048_sha1_mgf1sha1_test.json", "rsa_oaep_2048_sha256_mgf1sha256_test.json",
        "rsa_oaep_misc_test.json",
    ])
    func rsaOAEP(_ file: String) throws {
        var checked = [String: Int]()
        for group in try groups(file) where group.sha == group.mgfSha {
            var items: CFArray?
            let file = try bytes(group.privateKeyPkcs8) as CFData
            #expect(SecItemImport(file, nil, nil, nil, [], nil, nil, &items) == errSecSuccess)
            let key = try #require((items as? [SecKey])?.first)
            for vector in group.tests {
                let plaintext = SecKeyCreateDecryptedData(
                    key, Self.algorithm("algid:encrypt:RSA:OAEP", group.sha), try bytes(vector.ct) as CFData, nil)
                let isOurs = vector.result != "invalid" && vector.label ?? "" == ""
                #expect(plaintext as Data? == (isOurs ? try bytes(vector.msg) : nil), "\(file) \(vector.tcId)")
                checked[group.sha ?? "", default: 0] += 1
            }
        }
        #expect(file != "rsa_oaep_misc_test.json" || checked.count == 5, "\(checked)")
    }

    @Test func ecdh() throws {
        for vector in try groups("ecdh_secp256r1_ecpoint_test.json").flatMap(\.tests) {
            let theirs = try bytes(vector.public)
            guard vector.result != "acceptable",
                let publicKey = SecKey.make(kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeyClassPublic, theirs)
            else {
                #expect(vector.result != "valid", "\(vector.tcId)")
                continue
            }
            let number = try bytes(vector.private).suffix(32)
            let scalar = Data(count: 32 - number.count) + number
            let privateKey = try #require(
                SecKey.make(
                    kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeyClassPrivate,
                    P256.KeyAgreement.PrivateKey(rawRepresentation: scalar).x963Representation))
            for algorithm in [SecKeyAlgorithm.ecdhKeyExchangeStandard, .ecdhKeyExchangeCofactor] {
                let secret = SecKeyCopyKeyExchangeResult(privateKey, algorithm, publicKey, [:] as CFDictionary, nil)
                #expect(secret as Data? == (try bytes(vector.shared)), "\(vector.tcId)")
            }
            #expect(vector.result == "valid", "\(vector.tcId)")
        }
    }
}
