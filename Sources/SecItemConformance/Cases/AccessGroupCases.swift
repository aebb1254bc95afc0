// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim

extension ConformanceSuite {
    /// Section 10: which application an item belongs to.
    static let accessGroupCases: [ConformanceCase] = [
        /// 10: An application never sees, changes or deletes another application's items.
        ConformanceCase("application_another_seesNothing", rules: "10.4", "4.11") { keychain in
            try keychain.addPassword("account")
            let stranger = keychain.application("org.example.stranger")
            for query in [passwordDictionary(), [kSecClass: kSecClassGenericPassword] as CFDictionary] {
                try stranger.expectEach(errSecItemNotFound, from: [.copyMatching, .update, .delete], of: query)
            }
            try expectEqual(keychain.items().first?[kSecValueData as String] as? Data, secret)
            try expect(keychain.items().first?[kSecAttrLabel as String] == nil, "a stranger changed the item")
        },
        /// 10: A delete of all items deletes all of the caller's own items, and no others.
        ConformanceCase("application_deletingAll_sparesOthers", rules: "9.4", "10.4") { keychain in
            let stranger = keychain.application("org.example.stranger")
            for application in [keychain, stranger] {
                for isSynchronizable in [true, false] {
                    try application.addPassword("account", [kSecAttrSynchronizable: isSynchronizable])
                }
                for itemClass in [kSecClassInternetPassword, kSecClassCertificate, kSecClassKey] {
                    try expect(application.add([kSecClass: itemClass] as CFDictionary))
                }
            }
            for itemClass in [kSecClassGenericPassword, kSecClassInternetPassword, kSecClassCertificate, kSecClassKey] {
                try expect(
                    stranger.delete(
                        [
                            kSecClass: itemClass, kSecAttrSynchronizable: kSecAttrSynchronizableAny,
                        ] as CFDictionary))
                try expectEqual(stranger.items(ofClass: itemClass).count, 0)
            }
            try expectEqual(keychain.items().count, 2)
            for itemClass in [kSecClassInternetPassword, kSecClassCertificate, kSecClassKey] {
                try expectEqual(keychain.items(ofClass: itemClass).count, 1, "\(itemClass):")
            }
        },
        /// 10: Each application may have the same item.
        ConformanceCase("application_sameItem_isEachOnesOwn", rules: "10.2", "3.1") { keychain in
            let stranger = keychain.application("org.example.stranger")
            try keychain.addPassword("account")
            try stranger.addPassword("account", [kSecValueData: otherSecret])
            let query = passwordDictionary().with(kSecReturnData, true)
            try expectEqual(keychain.data(query), secret)
            try expectEqual(stranger.data(query), otherSecret)
        },
        /// 10: A persistent reference does not open another application's item.
        ConformanceCase("application_foreignReference_isNotFound", rules: "10.4", "6.3") { keychain in
            let reference = try keychain.addForReference(passwordDictionary())
            let stranger = keychain.application("org.example.stranger")
            let query = [kSecValuePersistentRef: reference] as CFDictionary
            try stranger.expectEach(errSecItemNotFound, from: [.copyMatching, .update, .delete], of: query)
            try expect(keychain.copyMatching(query))
        },
        /// 10.2: A new item goes to the first group. Without groups, it goes to the application's own.
        ConformanceCase("add_noAccessGroup_goesToTheFirst", rules: "3.6", "10.1", "10.2") { keychain in
            try keychain.addPassword("account")
            try expectEqual(
                keychain.items().first?[kSecAttrAccessGroup as String] as? String,
                ConformanceKeychain.applicationIdentifier)
            let member = keychain.application("org.example.member", entitledTo: ["team", "org.example.member"])
            try member.addPassword("account")
            try expectEqual(member.items().first?[kSecAttrAccessGroup as String] as? String, "team")
        },
        /// 10.1: The group for tokens is never the default.
        ConformanceCase("add_tokenGroupFirst_goesToTheSecond", rules: "3.6", "10.1") { keychain in
            let app = keychain.application("app", entitledTo: ["com.apple.token", "app"])
            try app.addPassword("account")
            try expectEqual(app.items().first?[kSecAttrAccessGroup as String] as? String, "app")
            let reader = keychain.application("reader", entitledTo: ["com.apple.token"])
            try expect(reader.add(passwordDictionary()), errSecMissingEntitlement)
            try expect(reader.copyMatching(passwordDictionary()), errSecItemNotFound)
        },
        /// 3.6: No call writes to the group for tokens.
        ConformanceCase("tokenGroup_named_isReadOnly", rules: "3.6") { keychain in
            for app in [keychain, keychain.application("app", entitledTo: ["app", "com.apple.token"])] {
                try app.expectEach(
                    errSecMissingEntitlement, from: [.add, .update, .delete], with: kSecAttrAccessGroup,
                    "com.apple.token")
            }
        },
        /// 10.4: If a query or a change names a group that the application does not have, the call fails. This holds
        /// for all four calls.
        ConformanceCase("accessGroup_notEntitled_isMissingEntitlement", rules: "3.6", "4.11", "10.4", "8.8") {
            keychain in
            let app = keychain.application("app", entitledTo: ["app"])
            try app.addPassword("account")
            for group in ["other", "", "App", "app ", "*"] {
                try app.expectEach(errSecMissingEntitlement, with: kSecAttrAccessGroup, group)
                try expect(
                    app.update(passwordDictionary(), [kSecAttrAccessGroup: group] as CFDictionary),
                    errSecMissingEntitlement)
            }
            try expectEqual(app.accounts(), ["account"])
        },
        /// 10.4: If the query does not name a group, items of other applications are not found.
        ConformanceCase("accessGroup_notNamed_hidesForeignItems", rules: "10.4", "4.11") { keychain in
            let owner = keychain.application("owner", entitledTo: ["owner", "team"])
            try owner.addPassword("private")
            try owner.addPassword("shared", [kSecAttrAccessGroup: "team"])
            let member = keychain.application("member", entitledTo: ["member", "team"])
            try expectEqual(member.accounts(), ["shared"])
            try expect(member.delete([kSecClass: kSecClassGenericPassword] as CFDictionary))
            try expectEqual(owner.accounts(), ["private"])
        },
        /// 4.11: If the query names a group, it finds only that group's items.
        ConformanceCase("accessGroup_named_isFilter", rules: "4.11") { keychain in
            let app = keychain.application("app", entitledTo: ["app", "team"])
            try app.addPassword("account")
            try app.addPassword("account", [kSecAttrAccessGroup: "team", kSecValueData: otherSecret])
            try expectEqual(
                app.data(passwordDictionary().with(kSecAttrAccessGroup, "team").with(kSecReturnData, true)),
                otherSecret)
            try expect(app.delete(passwordDictionary().with(kSecAttrAccessGroup, "team")))
            try expectEqual(app.data(passwordDictionary().with(kSecReturnData, true)), secret)
        },
        /// 3.1: The group is part of the primary key.
        ConformanceCase("accessGroup_isPartOfTheKey", rules: "3.1", "8.8") { keychain in
            let app = keychain.application("app", entitledTo: ["app", "team"])
            try app.addPassword("account")
            try app.addPassword("account", [kSecAttrAccessGroup: "team"])
            try expect(app.add(passwordDictionary().with(kSecAttrAccessGroup, "team")), errSecDuplicateItem)
            try expect(
                app.update(
                    passwordDictionary().with(kSecAttrAccessGroup, "app"),
                    [kSecAttrAccessGroup: "team"] as CFDictionary), errSecDuplicateItem)
        },
        /// 10: An application without entitlements may name any group, as on the simulator.
        ConformanceCase("accessGroup_withoutEntitlements_isFree", rules: "10.1") { keychain in
            try keychain.addPassword("shared", [kSecAttrAccessGroup: "team"])
            let query = [kSecClass: kSecClassGenericPassword, kSecAttrAccessGroup: "team"] as CFDictionary
            try expect(keychain.copyMatching(query))
            try expect(keychain.application("org.example.friend").copyMatching(query))
            try expect(keychain.copyMatching([kSecClass: kSecClassGenericPassword] as CFDictionary), errSecItemNotFound)
            try expect(keychain.delete([kSecClass: kSecClassGenericPassword] as CFDictionary), errSecItemNotFound)
            try expect(keychain.delete(query))
        },
        /// 4.11: The wildcard gives access to all groups.
        ConformanceCase("accessGroup_wildcard_seesAll", rules: "4.11") { keychain in
            try keychain.addPassword("mine")
            try keychain.addPassword("shared", [kSecAttrAccessGroup: "team"])
            let root = keychain.application("root", entitledTo: ["*"])
            try expectEqual(root.accounts(), ["mine", "shared"])
            try expect(
                root.copyMatching(
                    [kSecClass: kSecClassGenericPassword, kSecAttrAccessGroup: "team"] as CFDictionary))
            try expect(
                root.update(
                    [kSecClass: kSecClassGenericPassword] as CFDictionary, [kSecAttrLabel: "seen"] as CFDictionary))
            try expect(root.delete([kSecClass: kSecClassGenericPassword] as CFDictionary))
            try expectEqual(keychain.items().count, 0)
        },
        /// 10.5: A group that is not text gives `errSecMissingEntitlement` in an update or delete, and `errSecParam`
        /// elsewhere.
        ConformanceCase("accessGroup_notText_isRefused", rules: "10.5", "1.9") { keychain in
            try keychain.addPassword("account")
            for value: Any in [1, true, Date(), NSNull(), NSArray()] {
                try keychain.expectEach(
                    errSecMissingEntitlement, from: [.update, .delete], with: kSecAttrAccessGroup, value)
                try keychain.expectEach(
                    errSecParam, from: [.add, .copyMatching], with: kSecAttrAccessGroup, value)
            }
            let root = keychain.application("root", entitledTo: ["*"])
            try root.expectEach(errSecParam, from: [.update, .delete], with: kSecAttrAccessGroup, 1)
        },
        /// 3.6: An application without any group has no access.
        ConformanceCase("accessGroups_none_isMissingEntitlement", rules: "3.6", "2.7") { keychain in
            let nobody = keychain.application("nobody", entitledTo: [])
            try nobody.expectEach(errSecMissingEntitlement, of: passwordDictionary())
        },
    ]
}
