// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim

extension ConformanceSuite {
    /// Section 5: the form of results.
    static let resultCases: [ConformanceCase] = [
        /// 5.1: A result of one kind is the object itself.
        ConformanceCase("result_oneKind_isThatObject", rules: "5.1") { keychain in
            try keychain.addPassword("anna")
            let query = [kSecClass: kSecClassGenericPassword] as CFDictionary
            try expectEqual(keychain.find(query.with(kSecReturnData, true)) as? Data, secret)
            let attributes = try keychain.find(query.with(kSecReturnAttributes, true)) as? [String: Any]
            try expectEqual(attributes?[kSecAttrAccount as String] as? String, "anna")
            try expect(attributes?[kSecValueData as String] == nil, "data among the attributes")
            let reference = try keychain.find(query.with(kSecReturnPersistentRef, true)) as? Data
            try expectEqual(reference?.count, 20)
        },
        /// 5.2: A result of two or more kinds is a dictionary.
        ConformanceCase("result_severalKinds_isDictionary", rules: "5.2", "5.10") { keychain in
            try keychain.addPassword("anna")
            let item = try keychain.dictionary(
                [
                    kSecClass: kSecClassGenericPassword, kSecReturnData: true, kSecReturnAttributes: true,
                    kSecReturnPersistentRef: true,
                ] as CFDictionary)
            try expectEqual(item[kSecValueData as String] as? Data, secret)
            try expectEqual((item[kSecValuePersistentRef as String] as? Data)?.count, 20)
            try expectEqual(item[kSecAttrAccount as String] as? String, "anna")
            try expectEqual(item[kSecAttrService as String] as? String, "service")
        },
        /// 5.2: A result of attributes and a persistent reference does not contain the data.
        ConformanceCase("result_attributesAndReference_holdNoData", rules: "5.2", "5.10") { keychain in
            try keychain.addPassword("anna")
            let item = try keychain.dictionary(
                [
                    kSecClass: kSecClassGenericPassword, kSecReturnAttributes: true, kSecReturnPersistentRef: true,
                ] as CFDictionary)
            try expect(item[kSecValueData as String] == nil, "data that nobody asked for")
            try expect(item[kSecValuePersistentRef as String] is Data, "no reference")
            try expect(item["persistref"] == nil && item["UUID"] == nil, "the store's own names leak")
        },
        /// 5.3: A result of data and a persistent reference also contains the attributes.
        ConformanceCase("result_dataAndReference_bringAttributes", rules: "5.3") { keychain in
            try keychain.addPassword("anna")
            let item = try keychain.dictionary(
                [
                    kSecClass: kSecClassGenericPassword, kSecReturnData: true, kSecReturnPersistentRef: true,
                ] as CFDictionary)
            try expectEqual(item[kSecValueData as String] as? Data, secret)
            try expect(item[kSecValuePersistentRef as String] is Data, "no reference")
            try expectEqual(item[kSecAttrAccount as String] as? String, "anna")
        },
        /// 5.4: A result of attributes alone does not contain the class.
        ConformanceCase("result_attributesAlone_holdNoClass", rules: "5.4", "3.17") { keychain in
            var result: CFTypeRef?
            try expect(
                keychain.add(
                    [
                        kSecClass: kSecClassGenericPassword, kSecAttrAccount: "anna", kSecReturnAttributes: true,
                    ] as CFDictionary, &result))
            try expect((result as? [String: Any])?[kSecClass as String] == nil, "a class in the add's result")
            let found = try keychain.items().first
            try expect(found?[kSecClass as String] == nil, "a class in the look-up's result")
        },
        /// 5.4: A result of a reference and another kind contains the class.
        ConformanceCase("result_referenceBesideOthers_bringsTheClass", rules: "5.4", "5.11") { keychain in
            var result: CFTypeRef?
            try expect(
                keychain.add(
                    [
                        kSecClass: kSecClassGenericPassword, kSecAttrAccount: "anna", kSecReturnAttributes: true,
                        kSecReturnRef: true,
                    ] as CFDictionary, &result))
            try expectEqual((result as? [String: Any])?[kSecClass as String] as? String, "genp")
            let found = try keychain.dictionary(
                [
                    kSecClass: kSecClassGenericPassword, kSecReturnAttributes: true, kSecReturnRef: true,
                ] as CFDictionary)
            try expectEqual(found[kSecClass as String] as? String, kSecClassGenericPassword as String)
            try expectEqual(found[kSecAttrAccount as String] as? String, "anna")
        },
        /// 5.5: A look-up returns the item's attributes, the defaults, and the attributes that an Apple device adds.
        ConformanceCase("result_attributesOfLookUp_areThoseOfADevice", rules: "5.5") { keychain in
            try keychain.addPassword("anna", [kSecAttrLabel: "Anna"])
            let item = try keychain.dictionary(
                [kSecClass: kSecClassGenericPassword, kSecReturnAttributes: true] as CFDictionary)
            try expectEqual(
                Set(item.keys),
                ["acct", "svce", "labl", "agrp", "pdmn", "accc", "sync", "tomb", "musr", "cdat", "mdat"])
            try expectEqual(item["tomb"] as? Int, 0)
            try expectEqual(item["musr"] as? Data, Data())
            try expectEqual(item["sync"] as? Int, 0)
            try expect(item["accc"] is SecAccessControl, "no access control")
        },
        /// 5.5: The digest is returned only with the data, and finds the item.
        ConformanceCase("result_digest_comesWithDataOnly", rules: "5.5", "5.11") { keychain in
            try keychain.addPassword("anna")
            try keychain.addPassword("bert", [kSecValueData: otherSecret])
            let item = try keychain.dictionary(
                [
                    kSecClass: kSecClassGenericPassword, kSecAttrAccount: "anna", kSecReturnAttributes: true,
                    kSecReturnData: true,
                ] as CFDictionary)
            let digest = try expectValue(item["sha1"] as? Data, "a digest")
            try expectEqual(digest.count, 20)
            let found = try keychain.dictionaries(
                [
                    kSecClass: kSecClassGenericPassword, "sha1": digest, kSecReturnAttributes: true,
                    kSecMatchLimit: kSecMatchLimitAll,
                ] as CFDictionary)
            try expectEqual(found.map { $0[kSecAttrAccount as String] as? String }, ["anna"])
            let withReference = try keychain.dictionary(
                [
                    kSecClass: kSecClassGenericPassword, kSecReturnAttributes: true, kSecReturnData: true,
                    kSecReturnRef: true,
                ] as CFDictionary)
            try expect(withReference["sha1"] == nil, "a digest beside a reference")
        },
        /// 5.5: An add and a look-up return the same digest.
        ConformanceCase("result_digestOfAdd_isThatOfLookUp", rules: "5.5", "3.17") { keychain in
            var result: CFTypeRef?
            try expect(
                keychain.add(
                    passwordDictionary().with(kSecValueData, secret).with(kSecReturnAttributes, true), &result))
            let digest = try expectValue((result as? [String: Any])?["sha1"] as? Data, "a digest")
            try expectEqual(keychain.items().first?["sha1"] as? Data, digest)
        },
        /// 5.6: A look-up of the data of an item without data succeeds, and gives no result.
        ConformanceCase("result_dataOfDatalessItem_isNothing", rules: "5.6") { keychain in
            try expect(keychain.add(passwordDictionary()))
            let marker = "untouched" as NSString
            var result: CFTypeRef? = marker
            try expect(
                keychain.copyMatching(
                    [kSecClass: kSecClassGenericPassword, kSecReturnData: true] as CFDictionary, &result))
            try expect(result === marker || result == nil, "data from nowhere")
        },
        /// 5.6: In an array, items without data are left out.
        ConformanceCase("result_dataOfDatalessItems_isLeftOutOfTheArray", rules: "5.6") { keychain in
            try expect(keychain.add(passwordDictionary()))
            try keychain.addPassword("anna")
            let found = try keychain.find(
                [
                    kSecClass: kSecClassGenericPassword, kSecReturnData: true, kSecMatchLimit: kSecMatchLimitAll,
                ] as CFDictionary)
            try expectEqual(found as? [Data], [secret])
        },
        /// 5.6: Together with attributes, an item without data gives a dictionary without data.
        ConformanceCase("result_attributesOfDatalessItem_holdNoData", rules: "5.6") { keychain in
            try expect(keychain.add(passwordDictionary()))
            let found = try keychain.dictionary(
                [
                    kSecClass: kSecClassGenericPassword, kSecReturnData: true, kSecReturnAttributes: true,
                ] as CFDictionary)
            try expect(found[kSecValueData as String] == nil, "data from nowhere")
            try expectEqual(found[kSecAttrAccount as String] as? String, "account")
        },
        /// 5.7: A look-up of a live reference to a password succeeds, and gives no result.
        ConformanceCase("result_referenceToPassword_isNothing", rules: "5.7") { keychain in
            for itemClass in [kSecClassGenericPassword, kSecClassInternetPassword] {
                let query = [kSecClass: itemClass, kSecAttrAccount: "anna", kSecReturnRef: true] as CFDictionary
                var result: CFTypeRef?
                try expect(keychain.add(query, &result))
                try expect(result == nil, "a reference to a password that was added")
                try expect(keychain.copyMatching(query, &result))
                try expect(result == nil, "a reference to a password that was found")
            }
        },
        /// 5.8: A look-up of all data gives an array of data.
        ConformanceCase("result_allWithData_isArrayOfData", rules: "5.8") { keychain in
            try keychain.addPassword("anna")
            try keychain.addPassword("bert", [kSecValueData: otherSecret])
            let found = try keychain.find(
                [
                    kSecClass: kSecClassGenericPassword, kSecReturnData: true, kSecMatchLimit: kSecMatchLimitAll,
                ] as CFDictionary)
            let data = try expectValue(found as? [Data], "an array of data")
            try expectEqual(Set(data), [secret, otherSecret])
        },
        /// 5.8: A look-up of all attributes and data gives an array of dictionaries.
        ConformanceCase("result_allWithAttributesAndData_isArrayOfDictionaries", rules: "5.8") { keychain in
            for account in ["anna", "bert", "carl"] {
                try keychain.addPassword(account, [kSecValueData: Data(account.utf8)])
            }
            let items = try keychain.items()
            try expectEqual(items.count, 3)
            for item in items {
                try expectEqual(
                    item[kSecValueData as String] as? Data,
                    (item[kSecAttrAccount as String] as? String).map { Data($0.utf8) })
            }
        },
        /// 5.8: A look-up of all persistent references gives an array of different references.
        ConformanceCase("result_allWithReferences_isArrayOfReferences", rules: "5.8", "5.10") { keychain in
            for account in ["anna", "bert", "carl"] { try keychain.addPassword(account) }
            let found = try keychain.find(
                [
                    kSecClass: kSecClassGenericPassword, kSecReturnPersistentRef: true,
                    kSecMatchLimit: kSecMatchLimitAll,
                ] as CFDictionary)
            try expectEqual((found as? [Data]).map(Set.init)?.count, 3)
        },
        /// 16.3: The result belongs to the caller. Later changes of the item do not change it.
        ConformanceCase("result_afterItemChanged_staysAsItWas", rules: "16.3") { keychain in
            try keychain.addPassword("anna")
            let query = [kSecClass: kSecClassGenericPassword] as CFDictionary
            let data = try keychain.find(query.with(kSecReturnData, true))
            let attributes = try keychain.find(query.with(kSecReturnAttributes, true))
            try expect(
                keychain.update(query, [kSecValueData: otherSecret, kSecAttrAccount: "bert"] as CFDictionary))
            try expect(keychain.delete(query))
            try expectEqual(data as? Data, secret)
            try expectEqual((attributes as? [String: Any])?[kSecAttrAccount as String] as? String, "anna")
        },
    ]
}
