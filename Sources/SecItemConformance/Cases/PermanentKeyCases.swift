// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim
import SecItemStore

extension ConformanceSuite {
    static let permanentKeyCases: [ConformanceCase] = [
        /// 3.11: Only permanent keys are stored. The stored private key belongs to the returned key.
        ConformanceCase("permanentKey_isStored_andIsThatKey", rules: "3.11", "5.1") { keychain in
            for (parameters, classes) in Wanted.all + Wanted.misleading(try newPrivateKey()) {
                let key = try keychain.createRandomKey(
                    Wanted.curve.merging(parameters) { $1 } as CFDictionary)
                let stored = try keychain.items(ofClass: kSecClassKey)
                try expectEqual(stored.compactMap { $0["kcls"] as? Int }.sorted(), classes, "\(parameters)")
                for item in stored {
                    try expectEqual(item["perm"] as? Int, 1)
                    try expectEqual(item["klbl"] as? Data, try label(of: key))
                }
                if classes.contains(1) { try expectSignature(by: keychain, for: key) }
                if !classes.isEmpty { try expect(keychain.delete([kSecClass: kSecClassKey] as CFDictionary)) }
            }
        },
        /// 3.11: Attributes of one half take precedence over those of both.
        ConformanceCase("permanentKey_attributesOfAHalf_standAboveThoseOfBoth", rules: "3.11") { keychain in
            let parameters: [CFString: Any] = [
                kSecAttrIsPermanent: true, kSecAttrLabel: "both", kSecAttrApplicationTag: Data("both".utf8),
                kSecPrivateKeyAttrs: [kSecAttrApplicationTag: Data("private".utf8), kSecAttrKeySizeInBits: 521],
                kSecPublicKeyAttrs: [kSecAttrLabel: "public", kSecAttrAccessible: kSecAttrAccessibleAlways],
            ]
            _ = try keychain.createRandomKey(Wanted.curve.merging(parameters) { $1 } as CFDictionary)
            for (keyClass, label, tag) in [
                (kSecAttrKeyClassPrivate, "both", "private"), (kSecAttrKeyClassPublic, "public", "both"),
            ] {
                let item = try keychain.dictionary(
                    [kSecClass: kSecClassKey, kSecAttrKeyClass: keyClass, kSecReturnAttributes: true] as CFDictionary)
                try expectEqual(item["labl"] as? String, label)
                try expectEqual(item["atag"] as? Data, Data(tag.utf8))
                try expectEqual(item["bsiz"] as? Int, 256)
                let isPublic = keyClass == kSecAttrKeyClassPublic
                try expectEqual(
                    item["pdmn"] as? String,
                    (isPublic ? kSecAttrAccessibleAlways : kSecAttrAccessibleWhenUnlocked) as String)
            }
        },
        /// 3.11: If one half cannot be stored, neither is.
        ConformanceCase("permanentKey_thatCannotBeStored_leavesNothing", rules: "3.11", "10.4") { keychain in
            let keychain = keychain.application("keys", entitledTo: ["keys"])
            for (attribute, value, status): (CFString, Any, OSStatus) in [
                (kSecAttrAccessGroup, "other", errSecMissingEntitlement), (kSecAttrLabel, Date(), errSecParam),
                (kSecAttrAccessible, "nonsense", errSecParam), ("none" as CFString, 1, errSecNoSuchAttr),
                (kSecAttrLabel, String(repeating: "x", count: 2 << 20), errSecDataTooLarge),
            ] {
                for half in [kSecPrivateKeyAttrs, kSecPublicKeyAttrs] {
                    let parameters: [CFString: Any] = [kSecAttrIsPermanent: true, half: [attribute: value]]
                    var answer = errSecSuccess
                    do {
                        _ = try keychain.createRandomKey(Wanted.curve.merging(parameters) { $1 } as CFDictionary)
                    } catch let error as KeychainError {
                        answer = error.status
                    }
                    try expect(answer, status, "\(half) \(attribute)")
                    try expectEqual(try keychain.items(ofClass: kSecClassKey).count, 0, "\(half) \(attribute)")
                }
            }
        },
    ]
}

/// Parameters, and the key classes of the items that they store: 0 for public, 1 for private.
private enum Wanted {
    static var curve: [CFString: Any] {
        [kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256]
    }

    static var all: [(parameters: [CFString: Any], classes: [Int])] {
        let yes: [CFString: Any] = [kSecAttrIsPermanent: true]
        let no: [CFString: Any] = [kSecAttrIsPermanent: false]
        let none: [CFString: Any] = [:]
        var all: [(parameters: [CFString: Any], classes: [Int])] = [(none, []), (no, []), (yes, [0, 1])]
        all.append(([kSecPrivateKeyAttrs: yes], [1]))
        all.append(([kSecPublicKeyAttrs: yes], [0]))
        all.append(([kSecPrivateKeyAttrs: yes, kSecPublicKeyAttrs: yes], [0, 1]))
        all.append(([kSecAttrIsPermanent: true, kSecPublicKeyAttrs: no], [1]))
        all.append(([kSecAttrIsPermanent: true, kSecPrivateKeyAttrs: no], [0]))
        return all
    }

    /// Parameters that claim that the new key is another key or another half.
    static func misleading(_ other: SecKey) -> [(parameters: [CFString: Any], classes: [Int])] {
        let yes: [CFString: Any] = [kSecAttrIsPermanent: true]
        return [
            ([kSecValueRef: other, kSecPrivateKeyAttrs: yes], [1]),
            ([kSecValueData: Data([1]), kSecPublicKeyAttrs: yes], [0]),
            ([kSecAttrKeyClass: kSecAttrKeyClassPrivate, kSecAttrIsPermanent: true], [0, 1]),
            ([kSecAttrKeyClass: kSecAttrKeyClassPublic, kSecPrivateKeyAttrs: yes], [1]),
        ]
    }
}

private func label(of key: SecKey) throws -> Data {
    let attributes = SecKeyCopyAttributes(key) as? [String: Any]
    return try expectValue(attributes?["klbl"] as? Data, "the label of a key")
}

/// Expects that the stored private key signs, and that the returned key verifies the signature.
private func expectSignature(by keychain: ConformanceKeychain, for key: SecKey) throws {
    let query: [CFString: Any] = [
        kSecClass: kSecClassKey, kSecAttrKeyClass: kSecAttrKeyClassPrivate, kSecReturnRef: true,
    ]
    let stored = try expectValue(try keychain.find(query as CFDictionary) as? SecKey, "the key")
    let message = Data("message".utf8) as CFData, algorithm = SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256
    let signature = try expectValue(SecKeyCreateSignature(stored, algorithm, message, nil), "a signature")
    let publicKey = try expectValue(SecKeyCopyPublicKey(key), "a public key")
    try expect(SecKeyVerifySignature(publicKey, algorithm, message, signature, nil), "the signature is another's")
}
