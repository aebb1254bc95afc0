// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim

extension ConformanceSuite {
    /// Section 7: synchronized and local items.
    static let synchronizableCases: [ConformanceCase] = [
        /// 7.1: Without the attribute, every call that finds items finds only local ones.
        ConformanceCase("synchronizable_notNamed_meansLocal", rules: "7.1") { keychain in
            try keychain.addPassword("account", [kSecAttrSynchronizable: true])
            try keychain.expectEach(
                errSecItemNotFound, from: [.copyMatching, .update, .delete], of: passwordDictionary())
            try expectEqual(keychain.accounts(), ["account"])
        },
        /// 7.1: True, false and "any" select items.
        ConformanceCase("synchronizable_named_chooses", rules: "7.1") { keychain in
            try keychain.addPassword("synchronized", [kSecAttrSynchronizable: true])
            try keychain.addPassword("local", [kSecAttrSynchronizable: false])
            let choices: [(Any, Set<String>)] = [
                (true, ["synchronized"]), (false, ["local"]), (1, ["synchronized"]), (0, ["local"]),
                (kSecAttrSynchronizableAny, ["synchronized", "local"]),
            ]
            for (choice, expected) in choices {
                let found = try keychain.dictionaries(
                    [
                        kSecClass: kSecClassGenericPassword, kSecAttrSynchronizable: choice,
                        kSecReturnAttributes: true, kSecMatchLimit: kSecMatchLimitAll,
                    ] as CFDictionary)
                try expectEqual(
                    Set(found.compactMap { $0[kSecAttrAccount as String] as? String }), expected, "\(choice):")
            }
        },
        /// 7.1: The result says whether the item is synchronized.
        ConformanceCase("synchronizable_returned_isNumber", rules: "7.1", "16.2") { keychain in
            try keychain.addPassword("account", [kSecAttrSynchronizable: true])
            let item = try keychain.items().first
            try expectEqual(item?[kSecAttrSynchronizable as String] as? Int, 1)
            try expectEqual(item?[kSecAttrSynchronizable as String] as? Bool, true)
        },
        /// 7.2: The same item may exist twice, synchronized and local.
        ConformanceCase("synchronizable_isPartOfTheKey", rules: "7.2") { keychain in
            try keychain.addPassword("account", [kSecAttrSynchronizable: true])
            try keychain.addPassword("account", [kSecAttrSynchronizable: false])
            for isSynchronizable in [true, false] {
                try expect(
                    keychain.add(passwordDictionary().with(kSecAttrSynchronizable, isSynchronizable)),
                    errSecDuplicateItem)
            }
        },
        /// 7.3: A delete with "any" deletes both. With true or false, it deletes only one of them.
        ConformanceCase("delete_synchronizable_takesWhatItNames", rules: "7.1", "7.3") { keychain in
            for isSynchronizable in [true, false] {
                try keychain.addPassword("account", [kSecAttrSynchronizable: isSynchronizable])
            }
            try expect(keychain.delete(passwordDictionary().with(kSecAttrSynchronizable, true)))
            try expectEqual(keychain.items().map { $0[kSecAttrSynchronizable as String] as? Int }, [0])
            try keychain.addPassword("account", [kSecAttrSynchronizable: true])
            try expect(
                keychain.delete(passwordDictionary().with(kSecAttrSynchronizable, kSecAttrSynchronizableAny)))
            try expectEqual(keychain.items().count, 0)
        },
        /// 7.4: An access control with constraints is refused for a synchronized item.
        ConformanceCase("synchronizable_withConstraints_isParam", rules: "7.4") { keychain in
            let control = try accessControl(kSecAttrAccessibleWhenUnlocked, .userPresence)
            let item = passwordDictionary().with(kSecAttrSynchronizable, true)
            try expect(keychain.add(item.with(kSecAttrAccessControl, control)), errSecParam)
            try keychain.addPassword("account")
            try expect(
                keychain.update(
                    passwordDictionary(),
                    [kSecAttrSynchronizable: true, kSecAttrAccessControl: control] as CFDictionary), errSecParam)
        },
        /// 7.4: An access control without constraints is allowed.
        ConformanceCase("synchronizable_withBareAccessControl_isStored", rules: "7.4") { keychain in
            let control = try accessControl(kSecAttrAccessibleAfterFirstUnlock)
            try keychain.addPassword("account", [kSecAttrSynchronizable: true, kSecAttrAccessControl: control])
            try expectEqual(keychain.items().first?[kSecAttrAccessible as String] as? String, "ck")
        },
        /// 7.5: A synchronized item may have a class for this device only.
        ConformanceCase("synchronizable_thisDeviceOnly_isStored", rules: "7.5") { keychain in
            try keychain.addPassword(
                "account",
                [kSecAttrSynchronizable: true, kSecAttrAccessible: kSecAttrAccessibleWhenUnlockedThisDeviceOnly])
            try expectEqual(keychain.items().first?[kSecAttrAccessible as String] as? String, "aku")
        },
    ]
}
