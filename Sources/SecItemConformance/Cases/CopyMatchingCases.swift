// SPDX-License-Identifier: Apache-2.0

// Clients unwrap `kCFBooleanTrue`, and so do the cases.
// swift-format-ignore-file: NeverForceUnwrap

import Foundation
import SecItemShim

extension ConformanceSuite {
    /// Section 4: `SecItemCopyMatching`.
    static let copyMatchingCases: [ConformanceCase] = [
        /// 4.1: Without a limit, the result is one item, not an array.
        ConformanceCase("copyMatching_noLimit_givesOne", rules: "4.1", "4.3") { keychain in
            try keychain.addPassword("anna")
            try keychain.addPassword("bert")
            let result = try keychain.find(
                [kSecClass: kSecClassGenericPassword, kSecReturnAttributes: true] as CFDictionary)
            try expect(result is NSDictionary, "not one dictionary")
        },
        /// 4.2: The two constants and whole numbers are limits.
        ConformanceCase("limit_constantOrWholeNumber_isAccepted", rules: "4.2", "4.3") { keychain in
            for account in ["a", "b", "c"] { try keychain.addPassword(account) }
            let query = [kSecClass: kSecClassGenericPassword, kSecReturnData: true] as CFDictionary
            try expectEqual(keychain.data(query.with(kSecMatchLimit, kSecMatchLimitOne)), secret)
            try expectEqual(keychain.data(query.with(kSecMatchLimit, 1)), secret)
            for (limit, count) in [(kSecMatchLimitAll as Any, 3), (2, 2), (3, 3), (4, 3), (2.0, 2), (Int.max, 3)] {
                let found = try keychain.find(query.with(kSecMatchLimit, limit)) as? [Data]
                try expectEqual(found?.count, count, "limit \(limit):")
            }
        },
        /// 4.2: Any other value is refused as a limit.
        ConformanceCase("limit_anythingElse_isParam", rules: "4.2") { keychain in
            try keychain.addPassword("account")
            let values: [Any] = [
                "1", "m_limitone", "", true, false, 1.5, Data([1]), Date(), NSNull(), NSArray(), NSDictionary(),
                NSObject(), Double.infinity, Double.nan, 1e30, UInt64.max,
            ]
            for value in values {
                try keychain.expectEach(errSecParam, from: [.copyMatching], with: kSecMatchLimit, value)
            }
        },
        /// 4.3: Any limit except one gives an array, also for a single match.
        ConformanceCase("limit_all_givesArrayOfOneHit", rules: "4.3", "5.8") { keychain in
            try keychain.addPassword("anna")
            for limit: Any in [kSecMatchLimitAll, 2, 100] {
                let result = try keychain.find(
                    [
                        kSecClass: kSecClassGenericPassword, kSecMatchLimit: limit, kSecReturnData: true,
                    ] as CFDictionary)
                try expectEqual(result as? [Data], [secret], "limit \(limit):")
            }
        },
        /// 4.4: A limit of zero finds nothing.
        ConformanceCase("limit_zero_isNotFound", rules: "4.4") { keychain in
            try keychain.addPassword("account")
            try keychain.expectEach(errSecItemNotFound, from: [.copyMatching], with: kSecMatchLimit, 0)
        },
        /// 4.4: A limit of -1 means all. Other negative numbers give an array of one.
        ConformanceCase("limit_negative_isAllOrOne", rules: "4.4") { keychain in
            for account in ["a", "b", "c"] { try keychain.addPassword(account) }
            for (limit, count) in [(-1, 3), (-2, 1), (-1000, 1), (Int.min, 1)] {
                let found = try keychain.find(
                    [
                        kSecClass: kSecClassGenericPassword, kSecMatchLimit: limit, kSecReturnData: true,
                    ] as CFDictionary)
                try expectEqual((found as? [Data])?.count, count, "limit \(limit):")
            }
        },
        /// 4.5: If nothing matches, the result does not change.
        ConformanceCase("copyMatching_nothingMatches_isNotFound", rules: "4.5") { keychain in
            try keychain.addPassword("anna")
            let marker = "untouched" as NSString
            for limit in [kSecMatchLimitOne, kSecMatchLimitAll] {
                var result: CFTypeRef? = marker
                try expect(
                    keychain.copyMatching(
                        [
                            kSecClass: kSecClassGenericPassword, kSecAttrAccount: "bert", kSecMatchLimit: limit,
                            kSecReturnData: true,
                        ] as CFDictionary, &result), errSecItemNotFound)
                try expect(result === marker, "a result of nothing")
            }
        },
        /// 4.5: An empty keychain has no items of any class.
        ConformanceCase("copyMatching_emptyStore_isNotFound", rules: "4.5") { keychain in
            for itemClass in [
                kSecClassGenericPassword, kSecClassInternetPassword, kSecClassCertificate, kSecClassKey,
                kSecClassIdentity,
            ] {
                let query = [kSecClass: itemClass] as CFDictionary
                try keychain.expectEach(errSecItemNotFound, from: [.copyMatching, .update, .delete], of: query)
            }
        },
        /// 4.6: The pointer for the result may be NULL, with or without a return key.
        ConformanceCase("copyMatching_noResultWanted_isExistenceTest", rules: "4.6") { keychain in
            let query = [kSecClass: kSecClassGenericPassword, kSecAttrAccount: "anna"] as CFDictionary
            try expect(keychain.copyMatching(query, nil), errSecItemNotFound)
            try keychain.addPassword("anna")
            try expect(keychain.copyMatching(query, nil))
            try expect(keychain.copyMatching(query.with(kSecReturnData, true), nil))
        },
        /// 4.7: Without a return key, a look-up of one item does not change the result.
        ConformanceCase("copyMatching_noReturnKey_leavesResultAlone", rules: "4.7") { keychain in
            try keychain.addPassword("anna")
            let marker = "untouched" as NSString
            var result: CFTypeRef? = marker
            try expect(keychain.copyMatching([kSecClass: kSecClassGenericPassword] as CFDictionary, &result))
            try expect(result === marker, "a result that nobody asked for")
        },
        /// 4.7: Without a return key, a look-up of many items gives an empty array.
        ConformanceCase("copyMatching_allWithoutReturnKey_givesEmptyArray", rules: "4.7") { keychain in
            try keychain.addPassword("anna")
            let result = try keychain.find(
                [kSecClass: kSecClassGenericPassword, kSecMatchLimit: kSecMatchLimitAll] as CFDictionary)
            try expectEqual((result as? [Any])?.count, 0)
        },
        /// 4.8: The type of the data in a query is checked. The data itself does not filter.
        ConformanceCase("copyMatching_valueData_isNoFilter", rules: "4.8") { keychain in
            try keychain.addPassword("anna")
            try expect(
                keychain.copyMatching(
                    [kSecClass: kSecClassGenericPassword, kSecValueData: otherSecret] as CFDictionary))
        },
        /// 4.9: The protection class filters; an access control does not.
        ConformanceCase("copyMatching_accessible_isFilter", rules: "4.9") { keychain in
            try keychain.addPassword("anna", [kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock])
            let query = [kSecClass: kSecClassGenericPassword] as CFDictionary
            try expect(keychain.copyMatching(query.with(kSecAttrAccessible, kSecAttrAccessibleAfterFirstUnlock)))
            try expect(
                keychain.copyMatching(query.with(kSecAttrAccessible, kSecAttrAccessibleWhenUnlocked)),
                errSecItemNotFound)
            let control = try accessControl(kSecAttrAccessibleWhenUnlocked)
            try expect(keychain.copyMatching(query.with(kSecAttrAccessControl, control)))
        },
        /// 4.10: Look-ups leave out tombstones unless the query names the attribute.
        ConformanceCase("copyMatching_tombstone_isFilter", rules: "4.10") { keychain in
            try keychain.addPassword("anna")
            let query = [kSecClass: kSecClassGenericPassword] as CFDictionary
            try expect(keychain.copyMatching(query.with("tomb" as NSString, 0)))
            try expect(keychain.copyMatching(query.with("tomb" as NSString, 1)), errSecItemNotFound)
        },
        /// 4.10: A delete leaves no tombstone unless it asks for one.
        ConformanceCase("copyMatching_tombstonesAfterDelete_areNone", rules: "4.10", "7.3") { keychain in
            for isSynchronizable in [true, false] {
                try keychain.addPassword("anna", [kSecAttrSynchronizable: isSynchronizable])
            }
            let query =
                [
                    kSecClass: kSecClassGenericPassword, kSecAttrSynchronizable: kSecAttrSynchronizableAny,
                ] as CFDictionary
            try expect(keychain.delete(query))
            try expect(keychain.copyMatching(query.with("tomb" as NSString, 1)), errSecItemNotFound)
        },
        /// 7.3: A delete that asks for a tombstone leaves one, which has no data and gives way to a new item.
        ConformanceCase("delete_useTombstones_leavesOne", rules: "7.3", "3.1") { keychain in
            for isSynchronizable in [true, false] {
                let more: [CFString: Any] = [kSecAttrSynchronizable: isSynchronizable, kSecAttrLabel: "label"]
                try keychain.addPassword("anna", more)
                let query =
                    [
                        kSecClass: kSecClassGenericPassword, kSecAttrSynchronizable: isSynchronizable,
                    ] as CFDictionary
                let dead = query.with("tomb" as NSString, true)
                try expect(keychain.delete(query.with("u_Tomb" as NSString, true)))
                try expect(keychain.copyMatching(query), errSecItemNotFound)
                try expect(keychain.copyMatching(dead.with(kSecAttrAccount, "anna")))
                try expect(keychain.copyMatching(dead.with(kSecAttrLabel, "label")), errSecItemNotFound)
                try expect(keychain.delete(dead.with("u_Tomb" as NSString, true)))
                try expect(keychain.copyMatching(dead))
                try keychain.addPassword("bert", more)
                try expect(
                    keychain.update(query.with(kSecAttrAccount, "bert"), [kSecAttrAccount: "anna"] as CFDictionary),
                    errSecDuplicateItem)
                try expect(keychain.delete(query))
                try keychain.addPassword("anna", more)
                try expect(keychain.copyMatching(dead), errSecItemNotFound)
                try expect(keychain.delete(query.with("u_Tomb" as NSString, false)))
                try expect(keychain.copyMatching(dead), errSecItemNotFound)
            }
        },
        /// 4.12: A look-up refuses a reference together with an attribute.
        ConformanceCase("copyMatching_referenceAndAttribute_isParam", rules: "4.12") { keychain in
            let reference = try keychain.addForReference(passwordDictionary())
            let query = [kSecValuePersistentRef: reference] as CFDictionary
            for (key, value) in [
                (kSecAttrAccount, "account" as Any), (kSecAttrSynchronizable, false), (kSecAttrSynchronizable, true),
                (kSecAttrAccessGroup, ConformanceKeychain.applicationIdentifier), (kSecAttrLabel, "x"),
            ] {
                try expect(keychain.copyMatching(query.with(key, value)), errSecParam, "\(key):")
            }
        },
        /// 4.12: A reference may be combined with the class, a limit, return keys and "any" for synchronizable.
        ConformanceCase("copyMatching_referenceAndNoAttribute_isFine", rules: "4.12") { keychain in
            let reference = try keychain.addForReference(passwordDictionary().with(kSecValueData, secret))
            let found = try keychain.find(
                [
                    kSecClass: kSecClassGenericPassword, kSecValuePersistentRef: reference,
                    kSecAttrSynchronizable: kSecAttrSynchronizableAny, kSecMatchLimit: kSecMatchLimitAll,
                    kSecReturnData: kCFBooleanTrue!, kSecUseDataProtectionKeychain: true,
                ] as CFDictionary)
            try expectEqual(found as? [Data], [secret])
        },
        /// 4.13: A reference finds a synchronized item too.
        ConformanceCase("copyMatching_referenceToSynchronizedItem_findsIt", rules: "4.13") { keychain in
            let reference = try keychain.addForReference(passwordDictionary().with(kSecAttrSynchronizable, true))
            try expect(keychain.copyMatching([kSecValuePersistentRef: reference] as CFDictionary))
        },
        /// 4.14: If all matching items are damaged, the call fails with `errSecDecode`. Nothing is deleted.
        ConformanceCase("copyMatching_damagedOnly_isDecode", rules: "4.14", needs: .faults) { keychain in
            try keychain.addPassword("anna")
            try keychain.failNext(.corrupt)
            let query = [kSecClass: kSecClassGenericPassword, kSecReturnData: true] as CFDictionary
            try expect(keychain.copyMatching(query), errSecDecode)
            try expect(keychain.copyMatching(query))
        },
        /// 4.15: A look-up without data or reference does not ask the store to decrypt the data.
        ConformanceCase("copyMatching_withoutData_opensNoSecret", rules: "4.15") { keychain in
            try keychain.addPassword("anna")
            let watched = WatchedStore(keychain.store)
            let query = [kSecClass: kSecClassGenericPassword, kSecMatchLimit: kSecMatchLimitAll] as CFDictionary
            for kind in [kSecReturnAttributes, kSecReturnPersistentRef] {
                try expect(ConformanceKeychain(store: watched).copyMatching(query.with(kind, true)))
                try expect(!watched.wanted.contains(.secrets), "\(kind) opened the secret")
            }
            for kind in [kSecReturnData, kSecReturnRef] {
                let watched = WatchedStore(keychain.store)
                try expect(ConformanceKeychain(store: watched).copyMatching(query.with(kind, true)))
                try expect(watched.wanted.contains(.secrets), "\(kind) without the secret")
            }
        },
        /// 4.16: A certificate and the private key with the hash of its public key are an identity.
        ConformanceCase("copyMatching_certificateAndItsKey_areIdentity", rules: "4.16", "17.1") { keychain in
            try keychain.addIdentity(hash: 1)
            let identity = try keychain.dictionary(
                [
                    kSecClass: kSecClassIdentity, kSecReturnAttributes: true, kSecReturnData: true,
                    kSecReturnPersistentRef: true,
                ] as CFDictionary)
            try expectEqual(identity[kSecAttrLabel as String] as? String, "certificate 1")
            try expectEqual(identity[kSecAttrApplicationTag as String] as? String, "tag 1")
            try expectEqual(identity[kSecAttrApplicationLabel as String] as? Data, Data([1]))
            try expectEqual(identity[kSecAttrPublicKeyHash as String] as? Data, Data([1]))
            try expectEqual(identity[kSecValueData as String] as? Data, Data("key 1".utf8))
            try expectEqual(identity["certdata"] as? Data, Data("certificate 1".utf8))
            try expectEqual((identity[kSecValuePersistentRef as String] as? Data)?.prefix(4), Data("idnt".utf8))
        },
        /// 4.16: A certificate with no key, or only a public key, is not an identity.
        ConformanceCase("copyMatching_certificateWithoutPrivateKey_isNoIdentity", rules: "4.16") { keychain in
            try expect(
                keychain.add(
                    [
                        kSecClass: kSecClassCertificate, kSecAttrSerialNumber: Data([1]),
                        kSecAttrPublicKeyHash: Data([1]),
                    ] as CFDictionary))
            let identities = [kSecClass: kSecClassIdentity] as CFDictionary
            try expect(keychain.copyMatching(identities), errSecItemNotFound)
            try expect(
                keychain.add(
                    [
                        kSecClass: kSecClassKey, kSecAttrKeyClass: kSecAttrKeyClassPublic,
                        kSecAttrApplicationLabel: Data([1]),
                    ] as CFDictionary))
            try expect(keychain.copyMatching(identities), errSecItemNotFound)
        },
        /// 4.16: Attributes of the certificate or of the key find an identity.
        ConformanceCase("copyMatching_identityByAttributes_findsIt", rules: "4.16") { keychain in
            try keychain.addIdentity(hash: 1)
            try keychain.addIdentity(hash: 2)
            for (key, value) in [
                (kSecAttrLabel, "certificate 2" as Any), (kSecAttrApplicationTag, "tag 2"),
                (kSecAttrPublicKeyHash, Data([2])), (kSecAttrApplicationLabel, Data([2])),
            ] {
                let found = try keychain.dictionaries(
                    [
                        kSecClass: kSecClassIdentity, key: value, kSecReturnAttributes: true,
                        kSecMatchLimit: kSecMatchLimitAll,
                    ] as CFDictionary)
                try expectEqual(found.map { $0[kSecAttrSerialNumber as String] as? Data }, [Data([2])], "\(key):")
            }
            try expect(
                keychain.copyMatching([kSecClass: kSecClassIdentity, kSecAttrLabel: "key 2"] as CFDictionary),
                errSecItemNotFound)
        },
        /// 4.17: The returned attributes, together with the class, find the item again.
        ConformanceCase("copyMatching_returnedAttributesAsQuery_findTheItem", rules: "4.17") { keychain in
            try keychain.addPassword("anna", [kSecAttrLabel: "Anna", kSecAttrGeneric: Data([1]), kSecAttrType: 7])
            try keychain.addPassword("bert")
            try expect(
                keychain.add(
                    [
                        kSecClass: kSecClassInternetPassword, kSecAttrServer: "example.org", kSecAttrPort: 443,
                        kSecAttrProtocol: kSecAttrProtocolHTTPS, kSecAttrComment: "comment",
                    ] as CFDictionary))
            for query in [
                [kSecClass: kSecClassGenericPassword, kSecAttrAccount: "anna"] as CFDictionary,
                [kSecClass: kSecClassInternetPassword] as CFDictionary,
            ] {
                var attributes = try keychain.dictionary(query.with(kSecReturnAttributes, true))
                attributes[kSecClass as String] = query.object(forKey: kSecClass)
                attributes[kSecMatchLimit as String] = kSecMatchLimitAll
                attributes[kSecReturnAttributes as String] = true
                try expectEqual(keychain.dictionaries(attributes as CFDictionary).count, 1)
            }
        },
        /// 4: An item must match all attributes of the query.
        ConformanceCase("copyMatching_severalAttributes_areAnded", rules: "4.1") { keychain in
            try keychain.addPassword("anna", [kSecAttrLabel: "x", kSecAttrComment: "1"])
            try keychain.addPassword("bert", [kSecAttrLabel: "x", kSecAttrComment: "2"])
            try keychain.addPassword("carl", [kSecAttrLabel: "y", kSecAttrComment: "2"])
            let found = try keychain.dictionaries(
                [
                    kSecClass: kSecClassGenericPassword, kSecAttrLabel: "x", kSecAttrComment: "2",
                    kSecMatchLimit: kSecMatchLimitAll, kSecReturnAttributes: true,
                ] as CFDictionary)
            try expectEqual(found.map { $0[kSecAttrAccount as String] as? String }, ["bert"])
        },
        /// 4: A query for one class does not find items of another.
        ConformanceCase("copyMatching_otherClass_findsNothing", rules: "4.5") { keychain in
            try keychain.addPassword("anna")
            try expect(
                keychain.copyMatching([kSecClass: kSecClassInternetPassword] as CFDictionary), errSecItemNotFound)
        },
    ]
}
