// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim
import SecItemStore

extension ConformanceSuite {
    /// The permitted uses of a key, and whether it can be exported.
    static let keyPermissionCases: [ConformanceCase] = [
        /// 18.1: A key supports only uses that its item does not forbid, however it was added or looked up.
        ConformanceCase("keyUse_forbiddenByItsItem_isNotSupported", rules: "18.1") { keychain in
            for (forbidden, half) in KeyUse.forbidding {
                for key in try [newPrivateKey(), newKey(kSecAttrKeyTypeRSA, 2048)] {
                    let object = half == kSecAttrKeyClassPrivate ? key : try publicHalf(of: key)
                    try expect(keychain.add([kSecValueRef: object, forbidden: false] as CFDictionary))
                    let found = try foundKey(keychain, [forbidden: false])
                    for use in KeyUse.all(for: object) {
                        let wanted = use.isPossible(with: object) && !use.attributes(half).contains(forbidden)
                        try expectEqual(use.isPossible(with: found), wanted, "\(forbidden) \(use):")
                    }
                    let attributes = SecKeyCopyAttributes(found) as? [String: Any]
                    try expectEqual(attributes?[forbidden as String] as? Bool, false)
                    try expect(keychain.delete([kSecClass: kSecClassKey] as CFDictionary))
                }
            }
        },
        /// 18.1: Neither absent attributes nor those of the other half forbid a use.
        ConformanceCase("keyUse_notForbidden_isSupported", rules: "18.1") { keychain in
            for key in try [newPrivateKey(), newKey(kSecAttrKeyTypeRSA, 2048)] {
                for object in [key, try publicHalf(of: key)] {
                    try expect(keychain.add([kSecValueRef: object] as CFDictionary))
                    let found = try foundKey(keychain, [:])
                    let half = (SecKeyCopyAttributes(object) as? [String: Any])?["kcls"]
                    let bare: [CFString: Any] = [
                        kSecClass: kSecClassKey, kSecValueData: try bytes(of: object), kSecAttrKeyClass: half ?? 0,
                        kSecAttrKeyType: (SecKeyCopyAttributes(object) as? [String: Any])?["type"] ?? 0,
                        kSecAttrApplicationTag: "bare",
                    ]
                    try expect(keychain.add(bare as CFDictionary))
                    let foundBare = try foundKey(keychain, [kSecAttrApplicationTag: "bare"])
                    for use in KeyUse.all(for: object) {
                        try expectEqual(use.isPossible(with: found), use.isPossible(with: object), "\(use):")
                        try expectEqual(use.isPossible(with: foundBare), use.isPossible(with: object), "\(use):")
                    }
                    try expect(try bytes(of: foundBare) == bytes(of: object), "other bytes")
                    try expect(keychain.delete([kSecClass: kSecClassKey] as CFDictionary))
                }
            }
        },
        /// 18.1: The attributes filter, like all attributes.
        ConformanceCase("keyUse_inQuery_isFilter", rules: "18.1", "4.1") { keychain in
            let names = KeyUse.forbidding.map(\.attribute) + [kSecAttrIsExtractable, kSecAttrIsSensitive]
            let (one, other) = (try newPrivateKey(), try newPrivateKey())
            for name in names {
                try expect(keychain.add([kSecValueRef: one, name: false, kSecAttrLabel: "no"] as CFDictionary))
                try expect(keychain.add([kSecValueRef: other, name: true, kSecAttrLabel: "yes"] as CFDictionary))
                for (value, label) in [(false, "no"), (true, "yes")] {
                    let all =
                        [
                            kSecClass: kSecClassKey, name: value, kSecReturnAttributes: true,
                            kSecMatchLimit: kSecMatchLimitAll,
                        ] as CFDictionary
                    try expectEqual(keychain.dictionaries(all).map { $0["labl"] as? String }, [label], "\(name):")
                }
                try expect(keychain.delete([kSecClass: kSecClassKey, name: false] as CFDictionary))
                try expect(keychain.delete([kSecClass: kSecClassKey, name: true] as CFDictionary))
            }
        },
        /// 18.2: No result contains the bytes of a key that must not be exported, and neither does its object.
        ConformanceCase("keptKey_inAnyResult_comesWithoutItsBytes", rules: "18.2", "5.6") { keychain in
            for kept in KeyUse.keepingInside {
                let key = try newPrivateKey()
                let secret = try bytes(of: key)
                let item = [kSecValueRef: key].merging(kept) { $1 } as CFDictionary
                try expect(keychain.add(item.with(kSecReturnData, true)), errSecDataNotAvailable)
                try expectEqual(keychain.items(ofClass: kSecClassKey).count, 0)
                var result: CFTypeRef?
                try expect(keychain.add(item.with(kSecReturnData, true).with(kSecReturnAttributes, true), &result))
                try expectWithout(secret, result)
                for limit in [kSecMatchLimitOne, kSecMatchLimitAll] {
                    for kinds: [CFString] in Shapes.all {
                        var query: CFDictionary = [kSecClass: kSecClassKey, kSecMatchLimit: limit] as CFDictionary
                        for kind in kinds { query = query.with(kind, true) }
                        var result: CFTypeRef?
                        let expected = kinds == [kSecReturnData] ? errSecDataNotAvailable : errSecSuccess
                        try expect(keychain.copyMatching(query, &result), expected, "\(kinds)")
                        try expectWithout(secret, result)
                    }
                }
                try expectKept(foundKey(keychain, [:]))
                try expect(keychain.delete([kSecClass: kSecClassKey] as CFDictionary))
            }
        },
        /// 18.2: In a list of data, keys that must not be exported are left out.
        ConformanceCase("keptKey_amongOthers_isLeftOutOfTheirData", rules: "18.2", "5.6") { keychain in
            let keys = [try newPrivateKey(), try newPrivateKey()]
            try expect(keychain.add([kSecValueRef: keys[0], kSecAttrIsExtractable: false] as CFDictionary))
            try expect(keychain.add([kSecValueRef: keys[1]] as CFDictionary))
            let query = [kSecClass: kSecClassKey, kSecReturnData: true, kSecMatchLimit: kSecMatchLimitAll]
            let found = try keychain.find(query as CFDictionary) as? [Data]
            try expectEqual(found, [try bytes(of: keys[1])])
        },
        /// 18.2: The object of a key that must not be exported can only be added with the same restriction.
        ConformanceCase("keptKey_addedAgain_isKept", rules: "18.2", "3.11") { keychain in
            for kept in KeyUse.keepingInside {
                let key = try newPrivateKey()
                try expect(keychain.add([kSecValueRef: key].merging(kept) { $1 } as CFDictionary))
                let found = try foundKey(keychain, [:])
                try expect(keychain.delete([kSecClass: kSecClassKey] as CFDictionary))
                for (attribute, value) in kept {
                    let other = [kSecValueRef: found, attribute: value as? Bool != true] as CFDictionary
                    try expect(keychain.add(other), errSecParam)
                }
                try expect(keychain.add([kSecValueRef: found] as CFDictionary))
                let query = [kSecClass: kSecClassKey, kSecReturnData: true] as CFDictionary
                try expect(keychain.copyMatching(query), errSecDataNotAvailable)
                try expect(keychain.delete([kSecClass: kSecClassKey] as CFDictionary))
            }
        },
        /// 18.2: No update makes a restricted key exportable. If a query matches several keys, none changes.
        ConformanceCase("keptKey_updated_staysKept", rules: "18.2", "8.1") { keychain in
            for kept in KeyUse.keepingInside {
                try expect(keychain.add([kSecValueRef: try newPrivateKey()].merging(kept) { $1 } as CFDictionary))
                try expect(keychain.add([kSecValueRef: try newPrivateKey()] as CFDictionary))
                let all = [kSecClass: kSecClassKey] as CFDictionary
                let free = [kSecAttrIsExtractable: true, kSecAttrIsSensitive: false, kSecAttrLabel: "free"]
                try expect(keychain.update(all, free as CFDictionary), errSecParam)
                try expectEqual(keychain.items(ofClass: kSecClassKey).compactMap { $0["labl"] as? String }, [])
                for (attribute, value) in kept where kept.count == 1 {
                    let one = [attribute: value as? Bool != true] as CFDictionary
                    try expect(keychain.update(all, one), errSecParam)
                }
                try expect(keychain.update(all, kept.merging([kSecAttrLabel: "kept"]) { $1 } as CFDictionary))
                let query = all.with(kSecReturnData, true).with(kSecMatchLimit, kSecMatchLimitAll)
                try expect(keychain.copyMatching(query), errSecDataNotAvailable)
                try expect(keychain.update(all, [kSecAttrKeyClass: kSecAttrKeyClassPublic] as CFDictionary))
                try expect(keychain.copyMatching(query), errSecDataNotAvailable)
                try expect(keychain.delete(all))
            }
        },
        /// 18.1, 18.2: The restrictions of a new key apply to the returned object and to the item.
        ConformanceCase("newKey_withPermissions_keepsToThem", rules: "18.1", "18.2", "3.11") { keychain in
            for isPermanent in [false, true] {
                for ofPrivate in [true, false] {
                    let said: [CFString: Any] = [
                        kSecAttrIsExtractable: false, kSecAttrIsPermanent: isPermanent, kSecAttrCanSign: false,
                    ]
                    let curve: [CFString: Any] = [
                        kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
                    ]
                    let parameters = curve.merging(ofPrivate ? [kSecPrivateKeyAttrs: said] : said) { $1 }
                    let key = try keychain.createRandomKey(parameters as CFDictionary)
                    try expectKept(key)
                    try expect(!KeyUse.sign.isPossible(with: key), "it signs")
                    try expect(KeyUse.agree.isPossible(with: key), "it does not agree on a key")
                    _ = try bytes(of: publicHalf(of: key))
                    guard isPermanent else { continue }
                    let stored = [kSecClass: kSecClassKey, kSecReturnData: true] as CFDictionary
                    let privateHalf = stored.with(kSecAttrKeyClass, kSecAttrKeyClassPrivate)
                    try expect(keychain.copyMatching(privateHalf), errSecDataNotAvailable)
                    let publicHalf = stored.with(kSecAttrKeyClass, kSecAttrKeyClassPublic)
                    try expect(keychain.copyMatching(publicHalf), ofPrivate ? errSecItemNotFound : errSecSuccess)
                    try expect(keychain.delete([kSecClass: kSecClassKey] as CFDictionary))
                }
            }
        },
        /// 18.2: An identity returns its certificate, but not the bytes of a restricted key.
        ConformanceCase("keptKey_ofAnIdentity_isKept", rules: "18.2", "4.16") { keychain in
            let key = try newPrivateKey()
            let certificate = try newCertificate("anna", of: key)
            try expect(keychain.add([kSecValueRef: certificate] as CFDictionary))
            try expect(keychain.add([kSecValueRef: key, kSecAttrIsExtractable: false] as CFDictionary))
            let query = [kSecClass: kSecClassIdentity, kSecReturnData: true] as CFDictionary
            try expect(keychain.copyMatching(query), errSecDataNotAvailable)
            let found = try keychain.dictionary(query.with(kSecReturnAttributes, true).with(kSecReturnRef, true))
            try expect(found["v_Data"] == nil, "the key's bytes")
            try expectEqual(found["certdata"] as? Data, SecCertificateCopyData(certificate) as Data)
            let identity = try expectValue(found["v_Ref"] as? SecIdentity, "an identity")
            var ownKey: SecKey?
            try expect(SecIdentityCopyPrivateKey(identity, &ownKey))
            try expectKept(try expectValue(ownKey, "a key"))
        },
    ]
}

private enum KeyUse: String {
    case sign, verify, encrypt, decrypt, agree

    /// Each attribute that forbids a use, and the half of the key that it applies to.
    static var forbidding: [(attribute: CFString, half: CFString)] {
        [
            (kSecAttrCanSign, kSecAttrKeyClassPrivate), (kSecAttrCanDecrypt, kSecAttrKeyClassPrivate),
            (kSecAttrCanDerive, kSecAttrKeyClassPrivate), (kSecAttrCanUnwrap, kSecAttrKeyClassPrivate),
            (kSecAttrCanVerify, kSecAttrKeyClassPublic), (kSecAttrCanEncrypt, kSecAttrKeyClassPublic),
            (kSecAttrCanWrap, kSecAttrKeyClassPublic),
        ]
    }

    /// The attributes that forbid the export of a key.
    static var keepingInside: [[CFString: Any]] {
        [
            [kSecAttrIsExtractable: false], [kSecAttrIsSensitive: true],
            [kSecAttrIsExtractable: false, kSecAttrIsSensitive: true],
        ]
    }

    static func all(for key: SecKey) -> [KeyUse] { [.sign, .verify, .encrypt, .decrypt, .agree] }

    /// The attributes that forbid the use. Decryption with a public key recovers the message of a raw signature, so it
    /// counts as verification.
    func attributes(_ half: CFString) -> [CFString] {
        switch self {
        case .sign: [kSecAttrCanSign]
        case .verify: [kSecAttrCanVerify]
        case .encrypt: [kSecAttrCanEncrypt]
        case .decrypt: [half == kSecAttrKeyClassPublic ? kSecAttrCanVerify : kSecAttrCanDecrypt]
        case .agree: [kSecAttrCanDerive]
        }
    }

    /// Whether the key supports the use. Expects that what the key reports agrees with what it does.
    func isPossible(with key: SecKey) -> Bool {
        let isRSA = (SecKeyCopyAttributes(key) as? [String: Any])?["type"] as? String == "42"
        let message = Data("message".utf8) as CFData
        switch self {
        case .sign:
            let algorithm: SecKeyAlgorithm =
                isRSA ? .rsaSignatureMessagePKCS1v15SHA256 : .ecdsaSignatureMessageX962SHA256
            let isDone = SecKeyCreateSignature(key, algorithm, message, nil) != nil
            return isDone && SecKeyIsAlgorithmSupported(key, .sign, algorithm)
        case .verify:
            return SecKeyIsAlgorithmSupported(
                key, .verify, isRSA ? .rsaSignatureMessagePSSSHA256 : .ecdsaSignatureDigestX962)
        case .encrypt:
            let algorithm: SecKeyAlgorithm = isRSA ? .rsaEncryptionPKCS1 : .eciesEncryptionStandardX963SHA256AESGCM
            return SecKeyCreateEncryptedData(key, algorithm, message, nil) != nil
        case .decrypt:
            return SecKeyIsAlgorithmSupported(
                key, .decrypt, isRSA ? .rsaEncryptionRaw : .eciesEncryptionStandardX963SHA256AESGCM)
        case .agree: return SecKeyIsAlgorithmSupported(key, .keyExchange, .ecdhKeyExchangeStandard)
        }
    }
}

/// Combinations of return keys.
private enum Shapes {
    static var all: [[CFString]] {
        let data = kSecReturnData
        return [
            [data], [data, kSecReturnAttributes], [data, kSecReturnRef], [data, kSecReturnPersistentRef],
            [data, kSecReturnAttributes, kSecReturnRef, kSecReturnPersistentRef], [kSecReturnAttributes],
        ]
    }
}

private func newKey(_ type: CFString, _ size: Int) throws -> SecKey {
    let parameters = [kSecAttrKeyType: type, kSecAttrKeySizeInBits: size] as CFDictionary
    return try expectValue(SecKeyCreateRandomKey(parameters, nil), "a key")
}

private func publicHalf(of key: SecKey) throws -> SecKey {
    try expectValue(SecKeyCopyPublicKey(key), "a public key")
}

private func foundKey(_ keychain: ConformanceKeychain, _ attributes: [CFString: Any]) throws -> SecKey {
    let query: [CFString: Any] = [kSecClass: kSecClassKey, kSecReturnRef: true]
    return try expectValue(try keychain.find(query.merging(attributes) { $1 } as CFDictionary) as? SecKey, "a key")
}

/// Expects that the key's object does not give its bytes, reports that, and works.
private func expectKept(_ key: SecKey, file: StaticString = #fileID, line: UInt = #line) throws {
    var error: Unmanaged<CFError>?
    let bytes = SecKeyCopyExternalRepresentation(key, &error)
    try expect(bytes == nil, "the key's bytes", file: file, line: line)
    let status = (error?.takeRetainedValue() as NSError?)?.code
    try expectEqual(status, Int(errSecDataNotAvailable), file: file, line: line)
    let attributes = SecKeyCopyAttributes(key) as? [String: Any]
    let says = attributes?["extr"] as? Bool == false || attributes?["sens"] as? Bool == true
    try expect(says, "the key says that it leaves", file: file, line: line)
    try expect(KeyUse.agree.isPossible(with: key), "the key does not work", file: file, line: line)
}

/// Expects that a result does not contain the secret.
private func expectWithout(_ secret: Data, _ result: CFTypeRef?) throws {
    if let array = result as? NSArray { for each in array { try expectWithout(secret, each as AnyObject) } }
    if let dictionary = result as? [String: Any] {
        for (name, value) in dictionary {
            try expect((value as? Data)?.range(of: secret) == nil, "the key's bytes under \(name)")
        }
    }
    try expect((result as? Data)?.range(of: secret) == nil, "the key's bytes")
}
