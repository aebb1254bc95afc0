// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim

extension ConformanceSuite {
    /// Section 9: `SecItemDelete`.
    static let deleteCases: [ConformanceCase] = [
        /// 9.1: All matching items are deleted, and no others.
        ConformanceCase("delete_severalMatches_takesAll", rules: "9.1") { keychain in
            for account in ["anna", "bert", "carl"] {
                try keychain.addPassword(account, [kSecAttrLabel: account == "carl" ? "other" : "mine"])
            }
            try expect(
                keychain.delete([kSecClass: kSecClassGenericPassword, kSecAttrLabel: "mine"] as CFDictionary))
            try expectEqual(keychain.accounts(), ["carl"])
        },
        /// 9.1: The primary key deletes one item.
        ConformanceCase("delete_byPrimaryKey_takesThatItem", rules: "9.1") { keychain in
            try keychain.addPassword("account")
            try keychain.addPassword("other")
            try expect(keychain.delete(passwordDictionary()))
            try expectEqual(keychain.accounts(), ["other"])
            try expect(keychain.delete(passwordDictionary()), errSecItemNotFound)
        },
        /// 9.1: If nothing matches, the call fails with `errSecItemNotFound`.
        ConformanceCase("delete_nothingMatches_isNotFound", rules: "9.1") { keychain in
            try keychain.addPassword("account")
            try expect(
                keychain.delete([kSecClass: kSecClassGenericPassword, kSecAttrAccount: "other"] as CFDictionary),
                errSecItemNotFound)
            try expectEqual(keychain.accounts(), ["account"])
        },
        /// 9.3: Return keys are ignored, whatever their values.
        ConformanceCase("delete_returnKeys_areIgnored", rules: "9.3") { keychain in
            try keychain.addPassword("account")
            try expect(
                keychain.delete(
                    [
                        kSecClass: kSecClassGenericPassword, kSecReturnData: true, kSecReturnAttributes: "nonsense",
                        kSecReturnRef: 1, kSecReturnPersistentRef: NSNull(),
                    ] as CFDictionary))
            try expectEqual(keychain.items().count, 0)
        },
        /// 9.4: A query with only a class means all local items of that class.
        ConformanceCase("delete_classAlone_takesAllLocalItems", rules: "9.4") { keychain in
            try keychain.addPassword("anna")
            try keychain.addPassword("bert")
            try keychain.addPassword("synchronized", [kSecAttrSynchronizable: true])
            try expect(keychain.add([kSecClass: kSecClassInternetPassword] as CFDictionary))
            try expect(keychain.delete([kSecClass: kSecClassGenericPassword] as CFDictionary))
            try expectEqual(keychain.accounts(), ["synchronized"])
            try expectEqual(keychain.items(ofClass: kSecClassInternetPassword).count, 1)
        },
        /// 9.5: A persistent reference deletes its item.
        ConformanceCase("delete_byReference_takesThatItem", rules: "9.5") { keychain in
            let reference = try keychain.addForReference(passwordDictionary())
            try keychain.addPassword("other")
            try expect(keychain.delete([kSecValuePersistentRef: reference] as CFDictionary))
            try expectEqual(keychain.accounts(), ["other"])
        },
        /// 9.5: The class identity without a reference means all certificates and keys.
        ConformanceCase("delete_identities_takesCertificatesAndKeys", rules: "9.5") { keychain in
            try keychain.addIdentity(hash: 1)
            try keychain.addIdentity(hash: 2)
            try expect(keychain.delete([kSecClass: kSecClassIdentity] as CFDictionary))
            for itemClass in [kSecClassCertificate, kSecClassKey] {
                try expectEqual(keychain.items(ofClass: itemClass).count, 0, "\(itemClass):")
            }
            try expect(keychain.delete([kSecClass: kSecClassIdentity] as CFDictionary), errSecItemNotFound)
        },
        /// 9.6: A list of items is refused, because a delete that ignored it would delete more than the list.
        ConformanceCase("itemList_inAnyQuery_isParam", rules: "9.6", "13.3") { keychain in
            try keychain.addPassword("account")
            try keychain.expectEach(
                errSecParam, from: [.copyMatching, .update, .delete], with: kSecUseItemList, NSArray())
            try expectEqual(keychain.accounts(), ["account"])
        },
        /// 9.7: Only a look-up can skip items that would need a prompt.
        ConformanceCase("skippingUI_outsideLookUp_isParam", rules: "9.7", "12.3") { keychain in
            try keychain.addPassword("account")
            try keychain.expectEach(
                errSecParam, from: [.add, .update, .delete], with: kSecUseAuthenticationUI, kSecUseAuthenticationUISkip)
            try keychain.expectEach(
                errSecSuccess, from: [.copyMatching], with: kSecUseAuthenticationUI, kSecUseAuthenticationUISkip)
            try expectEqual(keychain.accounts(), ["account"])
        },
        /// 9.8: A value that is not an access control is refused.
        ConformanceCase("accessControl_wrongType_isParam", rules: "9.8", "11.3") { keychain in
            try keychain.addPassword("account")
            for value: Any in ["ak", 1, true, Data(), Date(), NSNull(), NSArray(), NSObject()] {
                try keychain.expectEach(errSecParam, with: kSecAttrAccessControl, value)
            }
            try expectEqual(keychain.accounts(), ["account"])
        },
    ]
}
