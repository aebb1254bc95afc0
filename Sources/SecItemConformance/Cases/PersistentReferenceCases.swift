// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim

extension ConformanceSuite {
    /// Section 6: persistent references.
    static let persistentReferenceCases: [ConformanceCase] = [
        /// 6.1: A reference consists of the four letters of the class and sixteen bytes.
        ConformanceCase("reference_ofEachClass_startsWithTheClass", rules: "6.1") { keychain in
            for itemClass in [kSecClassGenericPassword, kSecClassInternetPassword, kSecClassCertificate, kSecClassKey] {
                let reference = try keychain.addForReference([kSecClass: itemClass] as CFDictionary)
                try expectEqual(reference.count, 20)
                try expectEqual(reference.prefix(4), Data((itemClass as String).utf8))
                let found = try keychain.find([kSecClass: itemClass, kSecReturnPersistentRef: true] as CFDictionary)
                try expectEqual(found as? Data, reference)
            }
        },
        /// 6.2: A reference of the old form is accepted, but finds no item.
        ConformanceCase("reference_oldForm_isNotFound", rules: "6.2", "6.3") { keychain in
            try keychain.addPassword("account")
            for row in [Data([0, 0, 0, 0, 0, 0, 0, 1]), Data(repeating: 0xFF, count: 8)] {
                let query = [kSecValuePersistentRef: Data("genp".utf8) + row] as CFDictionary
                try keychain.expectEach(errSecItemNotFound, from: [.copyMatching, .update, .delete], of: query)
                try keychain.expectEach(
                    errSecItemNotFound, from: [.copyMatching], of: query.with(kSecMatchLimit, kSecMatchLimitAll))
            }
            try expectEqual(keychain.accounts(), ["account"])
        },
        /// 6.3: A value that is not a reference is refused, with or without a class.
        ConformanceCase("reference_junk_isParam", rules: "6.2", "6.3", "2.1") { keychain in
            let reference = try keychain.addForReference(passwordDictionary())
            let junk: [Any] = [
                Data(), Data([1]), Data("genp".utf8), reference.prefix(19), reference + Data([0]), reference.prefix(13),
                Data("junk".utf8) + reference.dropFirst(4), Data(count: 20), Data(count: 12), Data(count: 100_000),
                "genp", 1, true, NSNull(), NSArray(), NSUUID(), NSObject(),
            ]
            for value in junk {
                try keychain.expectEach(errSecParam, of: [kSecValuePersistentRef: value] as CFDictionary, "\(value)")
                try keychain.expectEach(
                    errSecParam,
                    of: [kSecClass: kSecClassGenericPassword, kSecValuePersistentRef: value] as CFDictionary,
                    "\(value) with class")
            }
            try expectEqual(keychain.items().count, 1)
        },
        /// 6.3: A reference to an item that was deleted or never existed finds nothing.
        ConformanceCase("reference_toNoItem_isNotFound", rules: "6.3", "6.4") { keychain in
            let gone = try keychain.addForReference(passwordDictionary())
            try expect(keychain.delete(passwordDictionary()))
            try keychain.addPassword("other")
            for reference in [gone, Data("genp".utf8) + Data(count: 16), Data("inet".utf8) + gone.dropFirst(4)] {
                let query = [kSecValuePersistentRef: reference] as CFDictionary
                try keychain.expectEach(errSecItemNotFound, from: [.copyMatching, .update, .delete], of: query)
            }
        },
        /// 6.4: An update does not change the reference, even if it changes the primary key.
        ConformanceCase("reference_afterUpdate_isTheSame", rules: "6.4") { keychain in
            let reference = try keychain.addForReference(passwordDictionary())
            let query = [kSecValuePersistentRef: reference] as CFDictionary
            for change in [
                [kSecAttrLabel: "label"], [kSecAttrAccount: "other"], [kSecAttrService: "other"],
                [kSecAttrSynchronizable: true], [kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock],
            ] {
                try expect(keychain.update(query, change as CFDictionary), errSecSuccess, "\(change)")
            }
            let found = try keychain.dictionary(query.with(kSecReturnAttributes, true))
            try expectEqual(found[kSecAttrAccount as String] as? String, "other")
            try expectEqual(
                keychain.find(
                    [
                        kSecClass: kSecClassGenericPassword, kSecAttrAccount: "other", kSecAttrSynchronizable: true,
                        kSecReturnPersistentRef: true,
                    ] as CFDictionary) as? Data, reference)
        },
        /// 6.4: If the same item is added again, it has another reference.
        ConformanceCase("reference_afterDeleteAndAdd_isAnother", rules: "6.4") { keychain in
            let old = try keychain.addForReference(passwordDictionary())
            try expect(keychain.delete([kSecValuePersistentRef: old] as CFDictionary))
            let new = try keychain.addForReference(passwordDictionary())
            try expect(old != new, "a reference was used again")
            try expect(keychain.copyMatching([kSecValuePersistentRef: old] as CFDictionary), errSecItemNotFound)
        },
        /// 6.5: An update or delete refuses a reference of the old form together with an attribute.
        ConformanceCase("reference_oldFormAndAttribute_isParam", rules: "6.5") { keychain in
            let query =
                [
                    kSecValuePersistentRef: Data("genp".utf8) + Data(count: 8), kSecAttrAccount: "account",
                ] as CFDictionary
            try keychain.expectEach(errSecParam, from: [.copyMatching, .update, .delete], of: query)
        },
        /// 6.5: In an update or delete, an item must match both the reference and the attributes.
        ConformanceCase("reference_andAttributeInUpdateOrDelete_areAnded", rules: "6.5") { keychain in
            let reference = try keychain.addForReference(passwordDictionary())
            let other = [kSecValuePersistentRef: reference, kSecAttrAccount: "other"] as CFDictionary
            try keychain.expectEach(errSecItemNotFound, from: [.update, .delete], of: other)
            let same = [kSecValuePersistentRef: reference, kSecAttrAccount: "account"] as CFDictionary
            try keychain.expectEach(errSecSuccess, from: [.update, .delete], of: same)
            try expectEqual(keychain.items().count, 0)
        },
        /// 6.6: The reference of an identity is that of its certificate with another class, and finds it.
        ConformanceCase("reference_toIdentity_findsIt", rules: "6.6") { keychain in
            try keychain.addIdentity(hash: 1)
            try keychain.addIdentity(hash: 2)
            let reference = try expectValue(
                keychain.find(
                    [
                        kSecClass: kSecClassIdentity, kSecAttrLabel: "certificate 2", kSecReturnPersistentRef: true,
                    ] as CFDictionary) as? Data, "a reference")
            let found = try keychain.dictionary(
                [kSecValuePersistentRef: reference, kSecReturnAttributes: true] as CFDictionary)
            try expectEqual(found[kSecAttrLabel as String] as? String, "certificate 2")
            let certificate = Data("cert".utf8) + reference.dropFirst(4)
            try expect(keychain.copyMatching([kSecValuePersistentRef: certificate] as CFDictionary))
        },
        /// 6.6: A delete by an identity's reference deletes only the certificate and its key.
        ConformanceCase("reference_toIdentityInDelete_takesBothHalves", rules: "6.6", "9.5") { keychain in
            try keychain.addIdentity(hash: 1)
            try keychain.addIdentity(hash: 2)
            let reference = try expectValue(
                keychain.find(
                    [
                        kSecClass: kSecClassIdentity, kSecAttrLabel: "certificate 2", kSecReturnPersistentRef: true,
                    ] as CFDictionary) as? Data, "a reference")
            let query = [kSecValuePersistentRef: reference] as CFDictionary
            try expect(keychain.delete(query))
            try expect(keychain.delete(query), errSecItemNotFound)
            for itemClass in [kSecClassCertificate, kSecClassKey] {
                try expectEqual(keychain.items(ofClass: itemClass).count, 1, "\(itemClass):")
            }
            try expect(keychain.copyMatching([kSecClass: kSecClassIdentity] as CFDictionary))
        },
        /// 9.5: A key stays while another certificate belongs to it.
        ConformanceCase("reference_toIdentityOfSharedKeyInDelete_keepsTheKey", rules: "6.6", "9.5") { keychain in
            try keychain.addIdentity(hash: 1)
            try expect(
                keychain.add(
                    [
                        kSecClass: kSecClassCertificate, kSecAttrSerialNumber: Data([9]), kSecAttrLabel: "renewed",
                        kSecAttrPublicKeyHash: Data([1]),
                    ] as CFDictionary))
            for (label, keys) in [("certificate 1", 1), ("renewed", 0)] {
                let reference = try expectValue(
                    keychain.find(
                        [
                            kSecClass: kSecClassIdentity, kSecAttrLabel: label, kSecReturnPersistentRef: true,
                        ] as CFDictionary) as? Data, "a reference")
                try expect(keychain.delete([kSecValuePersistentRef: reference] as CFDictionary))
                try expectEqual(keychain.items(ofClass: kSecClassKey).count, keys, "keys after \(label):")
            }
        },
    ]
}
