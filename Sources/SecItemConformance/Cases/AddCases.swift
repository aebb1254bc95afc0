// SPDX-License-Identifier: Apache-2.0

// Clients unwrap `kCFBooleanTrue`, and so do the cases.
// swift-format-ignore-file: NeverForceUnwrap

import Foundation
import SecItemShim

extension ConformanceSuite {
    /// Section 3: `SecItemAdd`.
    static let addCases: [ConformanceCase] = [
        /// 3: A look-up finds an added generic password.
        ConformanceCase("add_genericPassword_isFound", rules: "3.1", "4.1", "5.1") { keychain in
            try expect(
                keychain.add(
                    [
                        kSecClass: kSecClassGenericPassword, kSecAttrService: "mail", kSecAttrAccount: "anna",
                        kSecValueData: secret,
                    ] as CFDictionary))
            let found = try keychain.data(
                [
                    kSecClass: kSecClassGenericPassword, kSecAttrService: "mail", kSecAttrAccount: "anna",
                    kSecReturnData: kCFBooleanTrue!,
                ] as CFDictionary)
            try expectEqual(found, secret)
        },
        /// 3: A look-up finds an added internet password.
        ConformanceCase("add_internetPassword_isFound", rules: "3.1", "4.1", "5.1") { keychain in
            let item =
                [
                    kSecClass: kSecClassInternetPassword, kSecAttrServer: "example.org", kSecAttrAccount: "anna",
                    kSecAttrProtocol: kSecAttrProtocolHTTPS, kSecAttrPort: 443, kSecAttrPath: "/login",
                ] as CFDictionary
            try expect(keychain.add(item.with(kSecValueData, secret)))
            try expectEqual(keychain.data(item.with(kSecReturnData, true)), secret)
        },
        /// 3.1: A second item with the same primary key is a duplicate, whatever else differs. The first item does not
        /// change.
        ConformanceCase("add_samePrimaryKey_isDuplicate", rules: "3.1") { keychain in
            try expect(
                keychain.add(
                    [
                        kSecClass: kSecClassGenericPassword, kSecAttrService: "mail", kSecAttrAccount: "anna",
                        kSecAttrLabel: "first", kSecValueData: secret,
                    ] as CFDictionary))
            try expect(
                keychain.add(
                    [
                        kSecClass: kSecClassGenericPassword, kSecAttrService: "mail", kSecAttrAccount: "anna",
                        kSecAttrLabel: "second", kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock,
                        kSecValueData: otherSecret,
                    ] as CFDictionary), errSecDuplicateItem)
            let items = try keychain.items()
            try expectEqual(items.count, 1)
            try expectEqual(items.first?[kSecValueData as String] as? Data, secret)
            try expectEqual(items.first?[kSecAttrLabel as String] as? String, "first")
        },
        /// 3.1: If the item is a duplicate, the caller's result does not change.
        ConformanceCase("add_duplicate_leavesResultAlone", rules: "3.1", "2.8") { keychain in
            let item =
                [
                    kSecClass: kSecClassGenericPassword, kSecAttrAccount: "anna", kSecReturnAttributes: true,
                ] as CFDictionary
            try expect(keychain.add(item))
            let marker = "untouched" as NSString
            var result: CFTypeRef? = marker
            try expect(keychain.add(item, &result), errSecDuplicateItem)
            try expect(result === marker, "the result was written on failure")
        },
        /// 3.1: After a delete, the same primary key can be added again.
        ConformanceCase("add_afterDelete_succeeds", rules: "3.1", "7.3") { keychain in
            let item = [kSecClass: kSecClassGenericPassword, kSecAttrAccount: "anna"] as CFDictionary
            try expect(keychain.add(item))
            try expect(keychain.delete(item))
            try expect(keychain.add(item))
        },
        /// 3.1: The class is part of the primary key.
        ConformanceCase("add_sameAttributesInAnotherClass_succeeds", rules: "3.1") { keychain in
            for itemClass in [kSecClassGenericPassword, kSecClassInternetPassword, kSecClassCertificate, kSecClassKey] {
                try expect(keychain.add([kSecClass: itemClass, kSecAttrLabel: "same"] as CFDictionary))
            }
        },
        /// 3.2: A missing attribute of the primary key equals an empty one.
        ConformanceCase("add_missingKeyAttribute_equalsEmptyOne", rules: "3.2") { keychain in
            try expect(keychain.add([kSecClass: kSecClassGenericPassword, kSecAttrAccount: "anna"] as CFDictionary))
            try expect(
                keychain.add(
                    [
                        kSecClass: kSecClassGenericPassword, kSecAttrAccount: "anna", kSecAttrService: "",
                    ] as CFDictionary), errSecDuplicateItem)
            try expect(
                keychain.add(
                    [
                        kSecClass: kSecClassGenericPassword, kSecAttrAccount: "anna", kSecAttrService: Data(),
                    ] as CFDictionary), errSecDuplicateItem, "empty data:")
            try expectEqual(
                keychain.dictionary(
                    [
                        kSecClass: kSecClassGenericPassword, kSecAttrService: "", kSecReturnAttributes: true,
                    ] as CFDictionary)[kSecAttrAccount as String] as? String, "anna")
        },
        /// 3.2: Two passwords without account and service collide.
        ConformanceCase("add_noKeyAttributesTwice_isDuplicate", rules: "3.2") { keychain in
            for itemClass in [kSecClassGenericPassword, kSecClassInternetPassword, kSecClassCertificate, kSecClassKey] {
                try expect(keychain.add([kSecClass: itemClass, kSecAttrLabel: "one"] as CFDictionary))
                try expect(
                    keychain.add([kSecClass: itemClass, kSecAttrLabel: "two"] as CFDictionary), errSecDuplicateItem)
            }
        },
        /// 3.2: Label, description, comment, generic, creator and type are not part of a password's key.
        ConformanceCase("add_differingOnlyOutsideTheKey_isDuplicate", rules: "3.2") { keychain in
            let differences: [(CFString, Any)] = [
                (kSecAttrLabel, "label"), (kSecAttrDescription, "description"), (kSecAttrComment, "comment"),
                (kSecAttrGeneric, Data([1])), (kSecAttrCreator, 1), (kSecAttrType, 2), (kSecAttrIsInvisible, true),
                (kSecAttrIsNegative, true), (kSecAttrAccessible, kSecAttrAccessibleAfterFirstUnlock),
                (kSecValueData, otherSecret),
            ]
            let item = [kSecClass: kSecClassGenericPassword, kSecAttrAccount: "anna"] as CFDictionary
            try expect(keychain.add(item))
            for (key, value) in differences {
                try expect(keychain.add(item.with(key, value)), errSecDuplicateItem, "\(key):")
            }
        },
        /// 3.2: The result has the attributes of the primary key that the caller left out, with empty values.
        ConformanceCase("add_missingKeyAttributes_areReturnedEmpty", rules: "3.2", "3.17") { keychain in
            var result: CFTypeRef?
            try expect(
                keychain.add(
                    [kSecClass: kSecClassInternetPassword, kSecReturnAttributes: true] as CFDictionary, &result))
            let added = try expectValue(result as? [String: Any], "attributes")
            for key in [
                kSecAttrAccount, kSecAttrServer, kSecAttrPath, kSecAttrSecurityDomain, kSecAttrAuthenticationType,
            ] {
                try expectEqual(added[key as String] as? String, "", "\(key):")
            }
            try expectEqual(added[kSecAttrPort as String] as? Int, 0)
            try expectEqual(added[kSecAttrProtocol as String] as? Int, 0)
            try expectEqual(added[kSecAttrSynchronizable as String] as? Int, 0)
        },
        /// 3.3: An absent view hint or token equals an empty one, so two items cannot differ only in that.
        ConformanceCase("add_absentViewHint_equalsEmptyOne", rules: "3.3") { keychain in
            let item = [kSecClass: kSecClassGenericPassword, kSecAttrAccount: "anna"] as CFDictionary
            try expect(keychain.add(item))
            for key in [kSecAttrSyncViewHint, kSecAttrTokenID] {
                try expect(keychain.add(item.with(key, "")), errSecDuplicateItem, "\(key):")
            }
            try expect(keychain.add(item.with(kSecAttrSyncViewHint, "view")))
            try expect(
                keychain.add(item.with(kSecAttrSyncViewHint, "view")), errSecDuplicateItem)
        },
        /// 3.4: Both dates are the time of the add, whatever dates the caller gives.
        ConformanceCase("add_datesGiven_areIgnored", rules: "3.4") { keychain in
            let before = Date()
            var result: CFTypeRef?
            try expect(
                keychain.add(
                    [
                        kSecClass: kSecClassGenericPassword, kSecAttrAccount: "anna",
                        kSecAttrCreationDate: Date(timeIntervalSince1970: 0),
                        kSecAttrModificationDate: Date(timeIntervalSince1970: 1), kSecReturnAttributes: true,
                    ] as CFDictionary, &result))
            let added = try expectValue(result as? [String: Any], "attributes")
            let found = try keychain.items().first
            for key in [kSecAttrCreationDate as String, kSecAttrModificationDate as String] {
                let date = try expectValue(added[key] as? Date, "\(key) as a date")
                try expect(date >= before && date <= Date(), "\(key) is not the time of the add")
                try expectEqual(found?[key] as? Date, date, "\(key) found:")
            }
        },
        /// 3.4: A date of the wrong type is refused all the same.
        ConformanceCase("add_dateOfWrongType_isRefused", rules: "3.4", "1.9") { keychain in
            for value: Any in ["yesterday", 0, Data(), true, NSNull()] {
                try keychain.expectEach(errSecParam, with: kSecAttrCreationDate, value)
                try keychain.expectEach(errSecParam, with: kSecAttrModificationDate, value)
            }
        },
        /// 3.5: An item need not have data.
        ConformanceCase("add_withoutData_succeeds", rules: "3.5", "5.6") { keychain in
            try expect(keychain.add([kSecClass: kSecClassGenericPassword, kSecAttrAccount: "anna"] as CFDictionary))
            let items = try keychain.items()
            try expectEqual(items.count, 1)
            try expect(items[0][kSecValueData as String] == nil, "data from nowhere")
        },
        /// 3.5: Empty data is stored as empty data.
        ConformanceCase("add_emptyData_isReturnedEmpty", rules: "3.5") { keychain in
            try expect(
                keychain.add(
                    [
                        kSecClass: kSecClassGenericPassword, kSecAttrAccount: "anna", kSecValueData: Data(),
                    ] as CFDictionary))
            try expectEqual(
                keychain.data(
                    [
                        kSecClass: kSecClassGenericPassword, kSecAttrAccount: "anna", kSecReturnData: true,
                    ] as CFDictionary), Data())
        },
        /// 3.7: The default protection class is "when unlocked", and "always" for a certificate.
        ConformanceCase("add_noAccessible_getsTheClassDefault", rules: "3.7") { keychain in
            for (itemClass, expected) in [
                (kSecClassGenericPassword, "ak"), (kSecClassInternetPassword, "ak"), (kSecClassKey, "ak"),
                (kSecClassCertificate, "dk"),
            ] {
                try expect(keychain.add([kSecClass: itemClass, kSecAttrLabel: "x"] as CFDictionary))
                let item = try keychain.items(ofClass: itemClass).first
                try expectEqual(item?[kSecAttrAccessible as String] as? String, expected, "\(itemClass):")
            }
        },
        /// 3.8: "Any" for synchronizable is dropped, and the item is local.
        ConformanceCase("add_synchronizableAny_isLocal", rules: "3.8") { keychain in
            try expect(
                keychain.add(
                    [
                        kSecClass: kSecClassGenericPassword, kSecAttrAccount: "anna",
                        kSecAttrSynchronizable: kSecAttrSynchronizableAny,
                    ] as CFDictionary))
            try expectEqual(keychain.items().first?[kSecAttrSynchronizable as String] as? Int, 0)
            try expect(
                keychain.copyMatching([kSecClass: kSecClassGenericPassword, kSecAttrAccount: "anna"] as CFDictionary))
        },
        /// 3.9: An add drops match keys and stores the item, as on the Mac.
        ConformanceCase("add_matchKeys_areDropped", rules: "3.9") { keychain in
            let keys: [(CFString, Any)] = [
                (kSecMatchLimit, kSecMatchLimitAll), (kSecMatchLimit, "nonsense"), (kSecMatchCaseInsensitive, true),
                (kSecMatchIssuers, [Data()]), (kSecMatchPolicy, 1), (kSecMatchHostOrSubdomainOfHost, "example.org"),
            ]
            for (index, (key, value)) in keys.enumerated() {
                let item = [kSecClass: kSecClassGenericPassword, kSecAttrAccount: "\(index)"] as CFDictionary
                try expect(keychain.add(item.with(key, value)), errSecSuccess, "\(key):")
            }
            try expectEqual(keychain.items().count, keys.count)
        },
        /// 3.9: An add refuses a list of items.
        ConformanceCase("add_itemList_isRefused", rules: "3.9") { keychain in
            try keychain.expectEach(errSecParam, from: [.add], with: kSecUseItemList, NSArray())
            try expectEqual(keychain.items().count, 0)
        },
        /// 3.10: An add refuses a persistent reference of the old form.
        ConformanceCase("add_oldPersistentReference_isRefused", rules: "3.10") { keychain in
            let reference = Data("genp".utf8) + Data([0, 0, 0, 0, 0, 0, 0, 1])
            try keychain.expectEach(errSecParam, from: [.add], with: kSecValuePersistentRef, reference)
            try expectEqual(keychain.items().count, 0)
        },
        /// 3.10: An add ignores a persistent reference of the new form, and gives the new item a reference of its own.
        ConformanceCase("add_persistentReference_isReplaced", rules: "3.10", "2.4") { keychain in
            let reference = Data("genp".utf8) + Data(repeating: 7, count: 16)
            let own = try keychain.addForReference(
                [kSecValuePersistentRef: reference, kSecAttrAccount: "anna"] as CFDictionary)
            try expect(own != reference, "the caller chose the item's reference")
            try expect(keychain.copyMatching([kSecValuePersistentRef: own] as CFDictionary))
            try expect(
                keychain.copyMatching([kSecValuePersistentRef: reference] as CFDictionary), errSecItemNotFound)
        },
        /// 3.11: `kSecValueRef` refuses an object that is not an item.
        ConformanceCase("add_foreignValueRef_isRefused", rules: "3.11", "1.6") { keychain in
            for value: Any in ["text", 1, Data(), NSNull(), NSObject(), [1]] {
                try keychain.expectEach(errSecParam, with: kSecValueRef, value)
            }
        },
        /// 3.11: An identity is not stored as an item, so an add by its class is refused.
        ConformanceCase("add_identityByClass_isRefused", rules: "3.11") { keychain in
            try expect(
                keychain.add([kSecClass: kSecClassIdentity, kSecAttrLabel: "anna"] as CFDictionary), errSecParam)
        },
        /// 3.14: Data far larger than a password is stored whole.
        ConformanceCase("add_largeData_isStoredWhole", rules: "3.14", needs: .anyBytes) { keychain in
            let large = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
            try expect(
                keychain.add(
                    [
                        kSecClass: kSecClassGenericPassword, kSecAttrAccount: "anna", kSecValueData: large,
                    ] as CFDictionary))
            try expect(
                try keychain.data([kSecClass: kSecClassGenericPassword, kSecReturnData: true] as CFDictionary) == large,
                "the data came back different")
        },
        /// 3.14: 16 MiB of data are stored whole.
        ConformanceCase("add_sixteenMebibytes_areStoredWhole", rules: "3.14", needs: .anyBytes) { keychain in
            let large = Data(repeating: 0xA5, count: 16 << 20)
            try expect(
                keychain.add(
                    [
                        kSecClass: kSecClassGenericPassword, kSecAttrAccount: "anna", kSecValueData: large,
                    ] as CFDictionary))
            try expect(
                try keychain.data([kSecClass: kSecClassGenericPassword, kSecReturnData: true] as CFDictionary) == large,
                "the data came back different")
        },
        /// 3.14: More than 16 MiB of data are refused, and no item is stored or changed.
        ConformanceCase("add_moreThanSixteenMebibytes_isRefused", rules: "3.14") { keychain in
            let tooLarge = Data(count: (16 << 20) + 1)
            let item = [kSecClass: kSecClassGenericPassword, kSecAttrAccount: "anna"] as CFDictionary
            try expect(
                keychain.add(item.with(kSecValueData, tooLarge)), errSecDataTooLarge)
            try expectEqual(keychain.items().count, 0)
            try expect(keychain.add(item.with(kSecValueData, secret)))
            try expect(
                keychain.update(item, [kSecValueData: tooLarge] as CFDictionary), errSecDataTooLarge)
            try expectEqual(keychain.items().first?[kSecValueData as String] as? Data, secret)
        },
        /// 3.15: Without a return key, the result does not change.
        ConformanceCase("add_noReturnKey_leavesResultAlone", rules: "3.15") { keychain in
            var result: CFTypeRef?
            try expect(
                keychain.add([kSecClass: kSecClassGenericPassword, kSecAttrAccount: "anna"] as CFDictionary, &result))
            try expect(result == nil, "a result that nobody asked for")
            try expect(
                keychain.add(
                    [
                        kSecClass: kSecClassGenericPassword, kSecAttrAccount: "bert", kSecReturnData: false,
                    ] as CFDictionary, &result))
            try expect(result == nil, "a result that was declined")
        },
        /// 3.15: A return key without a pointer for the result is allowed.
        ConformanceCase("add_returnKeyWithoutResult_succeeds", rules: "3.15") { keychain in
            try expect(
                keychain.add(
                    [
                        kSecClass: kSecClassGenericPassword, kSecAttrAccount: "anna", kSecReturnData: true,
                        kSecReturnAttributes: true,
                    ] as CFDictionary, nil))
            try expectEqual(keychain.items().count, 1)
        },
        /// 3.16: An add returns data, attributes or a reference of the one item, never an array.
        ConformanceCase("add_oneReturnKey_givesThatKind", rules: "3.16", "5.1") { keychain in
            var result: CFTypeRef?
            try expect(
                keychain.add(
                    [
                        kSecClass: kSecClassGenericPassword, kSecAttrAccount: "a", kSecValueData: secret,
                        kSecReturnData: true, kSecMatchLimit: kSecMatchLimitAll,
                    ] as CFDictionary, &result))
            try expectEqual(result as? Data, secret)
            try expect(
                keychain.add(
                    [
                        kSecClass: kSecClassGenericPassword, kSecAttrAccount: "b", kSecReturnAttributes: true,
                    ] as CFDictionary, &result))
            try expectEqual((result as? [String: Any])?[kSecAttrAccount as String] as? String, "b")
            try expect(
                keychain.add(
                    [
                        kSecClass: kSecClassGenericPassword, kSecAttrAccount: "c", kSecReturnPersistentRef: true,
                    ] as CFDictionary, &result))
            try expectEqual((result as? Data)?.count, 20)
        },
        /// 3.16: If an add without data asks for the data, it returns empty data. A look-up returns nothing.
        ConformanceCase("add_returningDataOfDatalessItem_givesEmptyData", rules: "3.16", "5.6") { keychain in
            var result: CFTypeRef?
            try expect(
                keychain.add(
                    [
                        kSecClass: kSecClassGenericPassword, kSecAttrAccount: "anna", kSecReturnData: true,
                    ] as CFDictionary, &result))
            try expectEqual(result as? Data, Data())
        },
        /// 3.17: The attributes that an add returns are those of the item and the defaults. The store's own attributes
        /// are not among them.
        ConformanceCase("add_returningAttributes_givesThoseOfTheItem", rules: "3.17", "5.10") { keychain in
            var result: CFTypeRef?
            try expect(
                keychain.add(
                    [
                        kSecClass: kSecClassGenericPassword, kSecAttrService: "mail", kSecAttrAccount: "anna",
                        kSecAttrLabel: "Mail", kSecValueData: secret, kSecReturnAttributes: true,
                    ] as CFDictionary, &result))
            let added = try expectValue(result as? [String: Any], "attributes")
            try expectEqual(
                Set(added.keys),
                ["acct", "svce", "labl", "agrp", "pdmn", "accc", "sync", "cdat", "mdat", "sha1"])
            try expectEqual(added["agrp"] as? String, ConformanceKeychain.applicationIdentifier)
            try expectEqual(added["pdmn"] as? String, "ak")
            try expectEqual((added["sha1"] as? Data)?.count, 20)
        },
    ]
}
