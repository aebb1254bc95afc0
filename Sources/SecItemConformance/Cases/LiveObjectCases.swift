// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim
import SecItemStore

extension ConformanceSuite {
    /// Rules of sections 2 to 6 and 9 about live keys, certificates and identities.
    static let liveObjectCases: [ConformanceCase] = [
        /// 3.11, 5.1: A key can be added as an object. A look-up returns an equal key.
        ConformanceCase("liveKey_added_comesBack", rules: "2.4", "3.11", "5.1") { keychain in
            let key = try newPrivateKey()
            try expect(keychain.add([kSecValueRef: key] as CFDictionary))
            let found = try keychain.find([kSecClass: kSecClassKey, kSecReturnRef: true] as CFDictionary)
            let again = try expectValue(found as? SecKey, "a key")
            try expect(again == key, "another key came back")
            let message = Data("message".utf8) as CFData
            let algorithm = SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256
            let signature = try expectValue(SecKeyCreateSignature(again, algorithm, message, nil), "a signature")
            let publicKey = try expectValue(SecKeyCopyPublicKey(key), "a public key")
            try expect(SecKeyVerifySignature(publicKey, algorithm, message, signature, nil), "the signature is wrong")
        },
        /// 3.11: A key sets attributes of its item. The caller's attributes take precedence.
        ConformanceCase("liveKey_added_bringsItsAttributes", rules: "3.11") { keychain in
            let key = try newPrivateKey()
            let publicKey = try expectValue(SecKeyCopyPublicKey(key), "a public key")
            try expect(keychain.add([kSecValueRef: key, kSecAttrApplicationTag: "tag"] as CFDictionary))
            try expect(
                keychain.add([kSecValueRef: publicKey, kSecAttrApplicationLabel: Data([1])] as CFDictionary))
            for (keyClass, object) in [(kSecAttrKeyClassPrivate, key), (kSecAttrKeyClassPublic, publicKey)] {
                let found = try keychain.dictionary(
                    [
                        kSecClass: kSecClassKey, kSecAttrKeyClass: keyClass, kSecReturnAttributes: true,
                        kSecReturnData: true,
                    ] as CFDictionary)
                let isPrivate = keyClass == kSecAttrKeyClassPrivate
                try expectEqual(found[kSecAttrKeyType as String] as? Int, 73)
                try expectEqual(found[kSecAttrKeySizeInBits as String] as? Int, 256)
                try expectEqual(found[kSecAttrCanSign as String] as? Bool, isPrivate)
                try expectEqual(found[kSecAttrCanVerify as String] as? Bool, !isPrivate)
                try expectEqual((found[kSecAttrApplicationLabel as String] as? Data)?.count, isPrivate ? 20 : 1)
                try expectEqual(found[kSecValueData as String] as? Data, try bytes(of: object))
            }
        },
        /// 3.11, 9.5: In a look-up, an update and a delete, the object means its own item.
        ConformanceCase("liveKey_inQuery_findsItsItem", rules: "2.4", "3.11", "9.5") { keychain in
            let keys = [try newPrivateKey(), try newPrivateKey()]
            for (index, key) in keys.enumerated() {
                try expect(keychain.add([kSecValueRef: key, kSecAttrLabel: "\(index)"] as CFDictionary))
            }
            let query = [kSecValueRef: keys[1], kSecReturnAttributes: true] as CFDictionary
            try expectEqual(keychain.dictionary(query)[kSecAttrLabel as String] as? String, "1")
            let named = [kSecValueRef: keys[1], kSecAttrLabel: "0"] as CFDictionary
            try expect(keychain.copyMatching(named), errSecItemNotFound)
            let second = [kSecValueRef: keys[1]] as CFDictionary
            try expect(keychain.update(second, [kSecAttrLabel: "changed"] as CFDictionary))
            try expectEqual(keychain.dictionary(query)[kSecAttrLabel as String] as? String, "changed")
            try expect(keychain.delete(second))
            try expect(keychain.delete(second), errSecItemNotFound)
            try expectEqual(try keychain.items(ofClass: kSecClassKey).map { $0["labl"] as? String }, ["0"])
        },
        /// 3.11: The same key twice is a duplicate.
        ConformanceCase("liveKey_addedTwice_isDuplicate", rules: "3.1", "3.11") { keychain in
            let key = [kSecValueRef: try newPrivateKey()] as CFDictionary
            try expect(keychain.add(key))
            try expect(keychain.add(key), errSecDuplicateItem)
        },
        /// 3.11: An object is refused if its class differs, or together with data or attributes that contradict it.
        ConformanceCase("liveObject_contradicted_isParam", rules: "3.11") { keychain in
            let key = try newPrivateKey()
            for itemClass in [kSecClassGenericPassword, kSecClassCertificate, kSecClassIdentity] {
                try keychain.expectEach(errSecParam, of: [kSecClass: itemClass, kSecValueRef: key] as CFDictionary)
            }
            try expect(
                keychain.add([kSecValueRef: key, kSecValueData: Data([1])] as CFDictionary), errSecParam)
            try keychain.expectEach(
                errSecParam, from: [.copyMatching, .update, .delete],
                of: [kSecValueRef: key, kSecAttrApplicationLabel: Data([1])] as CFDictionary)
        },
        /// 3.11, 3.12, 5.1: A certificate can be added as an object. Its label is its subject, and a look-up returns
        /// it.
        ConformanceCase("liveCertificate_added_comesBack", rules: "3.11", "3.12", "5.1") { keychain in
            let certificate = try newCertificate("mail.example.org", of: newPrivateKey())
            var result: CFTypeRef?
            try expect(keychain.add([kSecValueRef: certificate, kSecReturnRef: true] as CFDictionary, &result))
            try expect(result as? SecCertificate == certificate, "what was added")
            let query = [kSecClass: kSecClassCertificate, kSecAttrLabel: "mail.example.org"] as CFDictionary
            try expect(
                try keychain.find(query.with(kSecReturnRef, true)) as? SecCertificate == certificate, "what was found")
            let found = try keychain.dictionary(
                query.with(kSecReturnAttributes, true).with(kSecReturnData, true).with(kSecReturnRef, true))
            try expectEqual(found[kSecAttrSerialNumber as String] as? Data, Data([1]))
            try expectEqual(found[kSecAttrCertificateType as String] as? Int, 3)
            try expectEqual(found[kSecAttrSubject as String] as? Data, found[kSecAttrIssuer as String] as? Data)
            try expectEqual(found[kSecValueData as String] as? Data, SecCertificateCopyData(certificate) as Data)
            try expect(found[kSecValueRef as String] as? SecCertificate == certificate, "the reference")
        },
        /// 3.11, 9.5: A certificate identifies its item by issuer and serial number.
        ConformanceCase("liveCertificate_inQuery_findsItsItem", rules: "3.11", "9.5") { keychain in
            let key = try newPrivateKey()
            let certificates = try (1...3).map { try newCertificate("same", serialNumber: $0, of: key) }
            for certificate in certificates.prefix(2) {
                try expect(keychain.add([kSecValueRef: certificate] as CFDictionary))
            }
            let second = [kSecValueRef: certificates[1], kSecReturnAttributes: true] as CFDictionary
            try expectEqual(keychain.dictionary(second)[kSecAttrSerialNumber as String] as? Data, Data([2]))
            try expect(keychain.copyMatching([kSecValueRef: certificates[2]] as CFDictionary), errSecItemNotFound)
            try expect(keychain.delete([kSecValueRef: certificates[0]] as CFDictionary))
            try expect(keychain.copyMatching([kSecClass: kSecClassCertificate] as CFDictionary))
            try expect(keychain.copyMatching([kSecValueRef: certificates[0]] as CFDictionary), errSecItemNotFound)
        },
        /// 4.16, 5.1, 17.1: A certificate and its key, each added as an object, are an identity.
        ConformanceCase("liveIdentity_ofCertificateAndKey_isFound", rules: "4.16", "5.1", "17.1") { keychain in
            let key = try newPrivateKey()
            let certificate = try newCertificate("anna", of: key)
            try expect(keychain.add([kSecValueRef: try newPrivateKey()] as CFDictionary))
            try expect(keychain.add([kSecValueRef: certificate] as CFDictionary))
            let query = [kSecClass: kSecClassIdentity, kSecReturnRef: true] as CFDictionary
            try expect(keychain.copyMatching(query), errSecItemNotFound)
            try expect(keychain.add([kSecValueRef: key] as CFDictionary))
            let identity = try expectValue(keychain.find(query) as? SecIdentity, "an identity")
            var ownCertificate: SecCertificate?
            var ownKey: SecKey?
            try expect(SecIdentityCopyCertificate(identity, &ownCertificate))
            try expect(SecIdentityCopyPrivateKey(identity, &ownKey))
            try expect(ownCertificate == certificate && ownKey == key, "not the two that were added")
        },
        /// 5.1: A look-up of all references gives an array of objects.
        ConformanceCase("liveKeys_all_areAnArray", rules: "5.1", "5.8") { keychain in
            let keys = [try newPrivateKey(), try newPrivateKey()]
            for key in keys { try expect(keychain.add([kSecValueRef: key] as CFDictionary)) }
            let found = try keychain.find(
                [kSecClass: kSecClassKey, kSecReturnRef: true, kSecMatchLimit: kSecMatchLimitAll] as CFDictionary)
            try expect(Set(found as? [SecKey] ?? []) == Set(keys), "not the keys that were added")
        },
        /// 4.14, 5.1: An item that has no live form is left out, and does not count towards a limit.
        ConformanceCase("liveKeys_oneBroken_areTheOthers", rules: "4.14", "5.1", "5.8") { keychain in
            let broken: [CFString: Any] = [
                kSecClass: kSecClassKey, kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeyClass: kSecAttrKeyClassPublic,
                kSecValueData: Data([1]),
            ]
            // The broken item is the oldest, so it is found first.
            try expect(keychain.add(broken as CFDictionary))
            let keys = [try newPrivateKey(), try newPrivateKey()]
            for key in keys { try expect(keychain.add([kSecValueRef: key] as CFDictionary)) }
            let query = [kSecClass: kSecClassKey, kSecReturnRef: true] as CFDictionary
            let all = try keychain.find(query.with(kSecMatchLimit, kSecMatchLimitAll)) as? [SecKey]
            try expect(all?.count == 2 && Set(all ?? []) == Set(keys), "not the keys that are good")
            let two = try keychain.find(query.with(kSecMatchLimit, 2)) as? [SecKey]
            try expect(two?.count == 2 && Set(two ?? []) == Set(keys), "not the two keys that are good")
            try expect(try keychain.find(query) as? SecKey == keys[0], "not the first key that is good")
            let shapes = query.with(kSecReturnAttributes, true).with(kSecMatchLimit, kSecMatchLimitAll)
            try expectEqual(keychain.dictionaries(shapes).count, 2)
        },
        /// 0.2, 5.1: Data that is not a key or certificate has no live form. An add that asks for the reference is
        /// refused.
        ConformanceCase("result_referenceToJunk_isDecode", rules: "0.2", "5.1") { keychain in
            let publicRSA: [CFString: Any] = [
                kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeyClass: kSecAttrKeyClassPublic,
            ]
            for (itemClass, attributes) in [(kSecClassCertificate, [:]), (kSecClassKey, publicRSA)] {
                let item: [CFString: Any] = [kSecClass: itemClass, kSecValueData: Data([1])]
                let junk = item.merging(attributes) { $1 } as CFDictionary
                let wanting = junk.with(kSecReturnRef, true)
                try expect(keychain.add(wanting), errSecDecode)
                try expect(keychain.copyMatching(wanting), errSecItemNotFound)
                try expect(keychain.add(junk))
                try expect(keychain.copyMatching(wanting), errSecDecode)
            }
        },
        /// 0.2: A key of an unsupported type has no live form.
        ConformanceCase("result_referenceToOtherKey_isUnimplemented", rules: "0.2", "5.1") { keychain in
            let item =
                [
                    kSecClass: kSecClassKey, kSecAttrKeyType: kSecAttrKeyTypeAES,
                    kSecAttrKeyClass: kSecAttrKeyClassSymmetric,
                    kSecValueData: Data(count: 16),
                ] as CFDictionary
            try expect(keychain.add(item))
            try expect(keychain.copyMatching(item.with(kSecReturnRef, true)), errSecUnimplemented)
        },
    ]
}
