// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim
import SecItemStore

extension ConformanceSuite {
    /// Section 8: `SecItemUpdate`.
    static let updateCases: [ConformanceCase] = [
        /// 8.1: An update of the data changes only the data.
        ConformanceCase("update_data_changesIt", rules: "8.1", "8.10") { keychain in
            try keychain.addPassword("account", [kSecAttrLabel: "label"])
            try expect(keychain.update(passwordDictionary(), [kSecValueData: otherSecret] as CFDictionary))
            let item = try keychain.items().first
            try expectEqual(item?[kSecValueData as String] as? Data, otherSecret)
            try expectEqual(item?[kSecAttrLabel as String] as? String, "label")
            try expectEqual(item?[kSecAttrAccount as String] as? String, "account")
        },
        /// 8.1: An update of an attribute does not change the data.
        ConformanceCase("update_attribute_keepsTheData", rules: "8.1") { keychain in
            try keychain.addPassword("account")
            try expect(keychain.update(passwordDictionary(), [kSecAttrLabel: "label"] as CFDictionary))
            let item = try keychain.items().first
            try expectEqual(item?[kSecAttrLabel as String] as? String, "label")
            try expectEqual(item?[kSecValueData as String] as? Data, secret)
        },
        /// 8.1: All matching items are updated, and no others.
        ConformanceCase("update_severalMatches_changesAll", rules: "8.1") { keychain in
            for account in ["anna", "bert", "carl"] {
                try keychain.addPassword(account, [kSecAttrLabel: account == "carl" ? "other" : "mine"])
            }
            try expect(
                keychain.update(
                    [kSecClass: kSecClassGenericPassword, kSecAttrLabel: "mine"] as CFDictionary,
                    [kSecAttrComment: "changed"] as CFDictionary))
            let changed = try keychain.dictionaries(
                [
                    kSecClass: kSecClassGenericPassword, kSecAttrComment: "changed", kSecReturnAttributes: true,
                    kSecMatchLimit: kSecMatchLimitAll,
                ] as CFDictionary)
            try expectEqual(Set(changed.compactMap { $0[kSecAttrAccount as String] as? String }), ["anna", "bert"])
        },
        /// 8.1: The new attributes find the item, and the old ones no longer do.
        ConformanceCase("update_attribute_isWhatLooksUpTheItem", rules: "8.1") { keychain in
            try keychain.addPassword("account", [kSecAttrLabel: "old"])
            try expect(keychain.update(passwordDictionary(), [kSecAttrLabel: "new"] as CFDictionary))
            try expect(keychain.copyMatching(passwordDictionary().with(kSecAttrLabel, "new")))
            try expect(keychain.copyMatching(passwordDictionary().with(kSecAttrLabel, "old")), errSecItemNotFound)
        },
        /// 8.1: If one of several items cannot be changed, none is.
        ConformanceCase("update_oneOfSeveralFails_changesNone", rules: "8.1", "8.7") { keychain in
            for account in ["a", "b", "c", "d"] { try keychain.addPassword(account, [kSecAttrLabel: "label"]) }
            try expect(
                keychain.update(
                    [kSecClass: kSecClassGenericPassword, kSecAttrLabel: "label"] as CFDictionary,
                    [kSecAttrAccount: "e", kSecAttrLabel: "changed", kSecValueData: otherSecret] as CFDictionary),
                errSecDuplicateItem)
            try expectEqual(keychain.accounts(), ["a", "b", "c", "d"])
            for item in try keychain.items() {
                try expectEqual(item[kSecAttrLabel as String] as? String, "label")
                try expectEqual(item[kSecValueData as String] as? Data, secret)
            }
        },
        /// 8.2: If nothing matches, the call fails with `errSecItemNotFound`.
        ConformanceCase("update_nothingMatches_isNotFound", rules: "8.2") { keychain in
            try keychain.addPassword("account")
            try expect(
                keychain.update(
                    [kSecClass: kSecClassGenericPassword, kSecAttrAccount: "other"] as CFDictionary,
                    [kSecValueData: otherSecret] as CFDictionary), errSecItemNotFound)
            try expectEqual(keychain.items().first?[kSecValueData as String] as? Data, secret)
        },
        /// 8.3: Return keys in the query are dropped, as on the Mac.
        ConformanceCase("update_returnKeysInQuery_areDropped", rules: "8.3") { keychain in
            try keychain.addPassword("account")
            try keychain.addPassword("other")
            let query =
                [
                    kSecClass: kSecClassGenericPassword, kSecReturnData: true, kSecReturnAttributes: 1,
                    kSecMatchCaseInsensitive: true,
                ] as CFDictionary
            try expect(keychain.update(query, [kSecAttrLabel: "changed"] as CFDictionary))
            for item in try keychain.items() {
                try expectEqual(item[kSecAttrLabel as String] as? String, "changed")
            }
        },
        /// 8.4: An update sets attributes and the data. Any other key counts as an unknown attribute.
        ConformanceCase("update_settingNoAttribute_isNoSuchAttr", rules: "8.4", "1.1") { keychain in
            try keychain.addPassword("account")
            let others: [(CFString, Any)] = [
                (kSecClass, kSecClassGenericPassword), (kSecReturnData, true), (kSecReturnAttributes, true),
                (kSecReturnRef, true), (kSecReturnPersistentRef, true), (kSecMatchLimit, kSecMatchLimitOne),
                (kSecMatchIssuers, NSArray()), (kSecUseOperationPrompt, "prompt"), (kSecUseNoAuthenticationUI, true),
                (kSecUseAuthenticationUI, kSecUseAuthenticationUIFail), (kSecValuePersistentRef, Data(count: 20)),
                (kSecAttrServer, "example.org"), ("u_CredRef", Data()), ("nonsense", 1), ("", 1), ("f_anything", 1),
            ]
            for (key, value) in others {
                try expect(
                    keychain.update(passwordDictionary(), [kSecAttrLabel: "changed", key: value] as CFDictionary),
                    errSecNoSuchAttr, "\(key):")
            }
            try expect(keychain.items().first?[kSecAttrLabel as String] == nil, "the update went through")
        },
        /// 8.4: A key that is not text is refused.
        ConformanceCase("update_settingKeyThatIsNoText_isParam", rules: "8.4") { keychain in
            try keychain.addPassword("account")
            for key: any NSCopying in [7 as NSNumber, NSData(), NSDate(), NSArray(), NSUUID()] {
                try expect(
                    keychain.update(
                        passwordDictionary(), ([kSecAttrLabel: "changed"] as CFDictionary).with(key, "value")),
                    errSecParam, "\(key):")
            }
        },
        /// 8.4: The attribute for one of several users cannot be set, and is ignored.
        ConformanceCase("update_settingMultiUser_isIgnored", rules: "8.4") { keychain in
            try keychain.addPassword("account")
            for value: Any in [Data(count: 16), NSUUID(), "nonsense", 1] {
                try expect(
                    keychain.update(passwordDictionary(), ["musr": value, kSecAttrLabel: "label"] as CFDictionary))
            }
            let item = try keychain.items().first
            try expectEqual(item?["musr"] as? Data, Data())
            try expectEqual(item?[kSecAttrLabel as String] as? String, "label")
        },
        /// 8.5: An update without changes succeeds if something matches, and sets the modification date.
        ConformanceCase("update_settingNothing_changesTheDate", rules: "8.5", "8.6") { keychain in
            try expect(keychain.update(passwordDictionary(), [:] as CFDictionary), errSecItemNotFound)
            try keychain.addPassword("account")
            let before = try keychain.items().first?[kSecAttrModificationDate as String] as? Date
            try expect(keychain.update(passwordDictionary(), [:] as CFDictionary))
            let after = try keychain.items().first?[kSecAttrModificationDate as String] as? Date
            try expect(try expectValue(after, "a date") > expectValue(before, "a date"), "the date is the old one")
        },
        /// 8.6: The modification date is the time of the update, whatever the caller says.
        ConformanceCase("update_settingModificationDate_isIgnored", rules: "8.6") { keychain in
            try keychain.addPassword("account")
            let before = Date()
            try expect(
                keychain.update(
                    passwordDictionary(),
                    [kSecAttrModificationDate: Date(timeIntervalSince1970: 0)] as CFDictionary))
            let date = try keychain.items().first?[kSecAttrModificationDate as String] as? Date
            try expect(try expectValue(date, "a date") >= before, "the caller's date was taken")
        },
        /// 8.6: The creation date changes only if the update sets it.
        ConformanceCase("update_creationDate_changesOnlyIfGiven", rules: "8.6") { keychain in
            try keychain.addPassword("account")
            let created = try keychain.items().first?[kSecAttrCreationDate as String] as? Date
            try expect(keychain.update(passwordDictionary(), [kSecAttrLabel: "label"] as CFDictionary))
            try expectEqual(keychain.items().first?[kSecAttrCreationDate as String] as? Date, created)
            let given = Date(timeIntervalSince1970: 1_000_000)
            try expect(keychain.update(passwordDictionary(), [kSecAttrCreationDate: given] as CFDictionary))
            try expectEqual(keychain.items().first?[kSecAttrCreationDate as String] as? Date, given)
        },
        /// 8.7: The primary key may change. Then another item can have the old one.
        ConformanceCase("update_primaryKey_movesTheItem", rules: "8.7") { keychain in
            try keychain.addPassword("account")
            try expect(
                keychain.update(
                    passwordDictionary(), [kSecAttrAccount: "moved", kSecAttrService: "elsewhere"] as CFDictionary))
            try expect(keychain.copyMatching(passwordDictionary()), errSecItemNotFound)
            try expectEqual(keychain.accounts(), ["moved"])
            try keychain.addPassword("account")
        },
        /// 8.7: A collision with another item is a duplicate and changes nothing.
        ConformanceCase("update_primaryKeyOfAnotherItem_isDuplicate", rules: "8.7") { keychain in
            try keychain.addPassword("account")
            try keychain.addPassword("other", [kSecValueData: otherSecret])
            try expect(
                keychain.update(passwordDictionary(), [kSecAttrAccount: "other"] as CFDictionary), errSecDuplicateItem)
            try expectEqual(
                keychain.data(passwordDictionary().with(kSecReturnData, true)), secret)
            try expectEqual(
                keychain.data(
                    [
                        kSecClass: kSecClassGenericPassword, kSecAttrAccount: "other", kSecReturnData: true,
                    ] as CFDictionary), otherSecret)
        },
        /// 8.7: Several matching items cannot get the same primary key.
        ConformanceCase("update_severalMatchesToOneKey_isDuplicate", rules: "8.7") { keychain in
            try keychain.addPassword("anna")
            try keychain.addPassword("bert")
            try expect(
                keychain.update(
                    [kSecClass: kSecClassGenericPassword] as CFDictionary, [kSecAttrAccount: "one"] as CFDictionary),
                errSecDuplicateItem)
            try expectEqual(keychain.accounts(), ["anna", "bert"])
        },
        /// 8.7: An item does not collide with itself.
        ConformanceCase("update_primaryKeyToItself_succeeds", rules: "8.7") { keychain in
            try keychain.addPassword("account")
            try expect(
                keychain.update(
                    passwordDictionary(), [kSecAttrAccount: "account", kSecAttrService: "service"] as CFDictionary))
            try expect(
                keychain.update(passwordDictionary(), [kSecAttrAccount: Data("account".utf8)] as CFDictionary))
            try expectEqual(keychain.items().first?[kSecAttrAccount as String] as? Data, Data("account".utf8))
        },
        /// 8.7: Two items can exchange their primary keys through a free one.
        ConformanceCase("update_swapThroughFreeKey_succeeds", rules: "8.7") { keychain in
            try keychain.addPassword("a", [kSecValueData: Data("a".utf8)])
            try keychain.addPassword("b", [kSecValueData: Data("b".utf8)])
            for (from, to) in [("a", "free"), ("b", "a"), ("free", "b")] {
                try expect(
                    keychain.update(
                        [kSecClass: kSecClassGenericPassword, kSecAttrAccount: from] as CFDictionary,
                        [kSecAttrAccount: to] as CFDictionary), errSecSuccess, "\(from) to \(to)")
            }
            for item in try keychain.items() {
                try expect(
                    item[kSecValueData as String] as? Data
                        != (item[kSecAttrAccount as String] as? String).map { Data($0.utf8) }, "nothing was swapped")
            }
        },
        /// 8.8: An item may only move to another group of the application.
        ConformanceCase("update_accessGroup_movesWithinTheEntitled", rules: "8.8") { keychain in
            let app = keychain.application("app", entitledTo: ["app", "team"])
            try app.addPassword("account")
            try expect(
                app.update(passwordDictionary(), [kSecAttrAccessGroup: "stranger"] as CFDictionary),
                errSecMissingEntitlement)
            try expect(app.update(passwordDictionary(), [kSecAttrAccessGroup: "team"] as CFDictionary))
            try expectEqual(app.items().first?[kSecAttrAccessGroup as String] as? String, "team")
            try expectEqual(keychain.application("friend", entitledTo: ["team"]).accounts(), ["account"])
        },
        /// 8.9: Either attribute can change the protection class.
        ConformanceCase("update_protection_changesBothAttributes", rules: "8.9", "11.2") { keychain in
            try keychain.addPassword("account")
            try expect(
                keychain.update(
                    passwordDictionary(), [kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock] as CFDictionary))
            try expectEqual(keychain.items().first?[kSecAttrAccessible as String] as? String, "ck")
            let control = try accessControl(kSecAttrAccessibleWhenUnlockedThisDeviceOnly)
            try expect(keychain.update(passwordDictionary(), [kSecAttrAccessControl: control] as CFDictionary))
            let item = try keychain.items().first
            try expectEqual(item?[kSecAttrAccessible as String] as? String, "aku")
            try expectEqual(item?[kSecAttrAccessControl as String] as? SecAccessControl, control)
            try expectEqual(item?[kSecValueData as String] as? Data, secret)
        },
        /// 8.9: A local item may become synchronized and keeps its reference.
        ConformanceCase("update_synchronizable_changesInPlace", rules: "8.9") { keychain in
            let reference = try keychain.addForReference(passwordDictionary().with(kSecValueData, secret))
            try expect(keychain.update(passwordDictionary(), [kSecAttrSynchronizable: true] as CFDictionary))
            try expect(keychain.copyMatching(passwordDictionary()), errSecItemNotFound)
            try expectEqual(
                keychain.data([kSecValuePersistentRef: reference, kSecReturnData: true] as CFDictionary), secret)
        },
        /// 8.9: This fails if the same item already exists as a synchronized one.
        ConformanceCase("update_synchronizableBesideTwin_isDuplicate", rules: "8.9", "7.2") { keychain in
            try keychain.addPassword("account")
            try keychain.addPassword("account", [kSecAttrSynchronizable: true])
            try expect(
                keychain.update(passwordDictionary(), [kSecAttrSynchronizable: true] as CFDictionary),
                errSecDuplicateItem)
        },
        /// 8.10: An update may set the data of an item that had none, and may set empty data.
        ConformanceCase("update_dataOfDatalessItem_setsIt", rules: "8.10") { keychain in
            try expect(keychain.add(passwordDictionary()))
            for data in [secret, Data(), otherSecret] {
                try expect(keychain.update(passwordDictionary(), [kSecValueData: data] as CFDictionary))
                try expectEqual(keychain.data(passwordDictionary().with(kSecReturnData, true)), data)
            }
        },
        /// 8.11: An update of identities changes the certificate and then the key.
        ConformanceCase("update_identity_changesBothHalves", rules: "8.11") { keychain in
            try keychain.addIdentity(hash: 1)
            try expect(
                keychain.update(
                    [kSecClass: kSecClassIdentity] as CFDictionary, [kSecAttrLabel: "renamed"] as CFDictionary))
            for itemClass in [kSecClassCertificate, kSecClassKey] {
                try expectEqual(
                    keychain.items(ofClass: itemClass).first?[kSecAttrLabel as String] as? String, "renamed")
            }
        },
        /// 8.12: Every update makes the modification date strictly later.
        ConformanceCase("update_severalInARow_makeItYoungerEachTime", rules: "8.12") { keychain in
            try keychain.addPassword("account")
            var dates: [Date] = []
            for count in 0..<20 {
                try expect(keychain.update(passwordDictionary(), [kSecAttrType: count] as CFDictionary))
                let date = try keychain.items().first?[kSecAttrModificationDate as String] as? Date
                dates.append(try expectValue(date, "a date"))
            }
            try expect(zip(dates, dates.dropFirst()).allSatisfy { $0 < $1 }, "the dates do not rise")
        },
        /// 8.12: If the date of an item is in the future, because a clock was wrong, an update still makes it later.
        ConformanceCase("update_clockBehindTheItem_makesItYounger", rules: "8.12") { keychain in
            for seconds in [Date().timeIntervalSinceReferenceDate + 86_400, 60_000_000_000] {
                let ahead = Date(timeIntervalSinceReferenceDate: seconds)
                let attributes: [ItemAttribute: AttributeValue] = [
                    .account: .string("account"), .service: .string("service"), .synchronizable: .integer(0),
                    .tombstone: .integer(0), .multiUser: .data(Data()), .accessible: .string("ak"),
                    .accessGroup: .string(ConformanceKeychain.applicationIdentifier), .creationDate: .date(ahead),
                    .modificationDate: .date(ahead),
                ]
                let record = ItemRecord(
                    reference: PersistentReference(itemClass: .genericPassword), attributes: attributes, secrets: [:])
                try keychain.store.insert(record, interaction: .allowed)
                var last = ahead
                for count in 0..<3 {
                    try expect(keychain.update(passwordDictionary(), [kSecAttrType: count] as CFDictionary))
                    let date = try keychain.items().first?[kSecAttrModificationDate as String] as? Date
                    try expect(date.map { $0 > last } ?? false, "\(String(describing: date)) is not after \(last)")
                    last = date ?? last
                }
                try expect(keychain.delete(passwordDictionary()))
            }
        },
        /// 8.13: Values of the wrong type are refused and change nothing.
        ConformanceCase("update_valueOfWrongType_isParam", rules: "8.13") { keychain in
            try keychain.addPassword("account")
            let wrong: [(CFString, Any)] = [
                (kSecAttrLabel, true), (kSecAttrAccount, Date()), (kSecAttrType, Data()), (kSecAttrCreationDate, "now"),
                (kSecAttrAccessible, "nonsense"), (kSecAttrAccessible, 1), (kSecAttrAccessControl, "ak"),
                (kSecAttrSynchronizable, Data()), (kSecAttrAccessGroup, 1), (kSecAttrGeneric, NSArray()),
            ]
            for (key, value) in wrong {
                try expect(
                    keychain.update(passwordDictionary(), [kSecAttrComment: "x", key: value] as CFDictionary),
                    errSecParam, "\(key):")
            }
            try expect(keychain.items().first?[kSecAttrComment as String] == nil, "the update went through")
        },
    ]
}
