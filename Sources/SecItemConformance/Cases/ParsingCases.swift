// SPDX-License-Identifier: Apache-2.0

// Clients unwrap `kCFBooleanTrue`, and so do the cases.
// swift-format-ignore-file: NeverForceUnwrap

import Foundation
import SecItemShim

extension ConformanceSuite {
    /// Section 1: the keys of a dictionary, in all four calls.
    static let parsingCases: [ConformanceCase] = [
        /// 1.1: An attribute that the class does not have is refused.
        ConformanceCase("attribute_ofAnotherClass_isNoSuchAttr", rules: "1.1", "0.3") { keychain in
            try keychain.addPassword("account")
            for key in [kSecAttrServer, kSecAttrApplicationTag, kSecAttrSerialNumber, kSecAttrPort] {
                try keychain.expectEach(errSecNoSuchAttr, with: key, "value")
            }
            try expect(
                keychain.update(passwordDictionary(), [kSecAttrServer: "example.org"] as CFDictionary),
                errSecNoSuchAttr)
            try expect(
                keychain.delete(
                    [kSecClass: kSecClassCertificate, kSecAttrApplicationTag: Data([1])] as CFDictionary),
                errSecNoSuchAttr)
            try expectEqual(keychain.accounts(), ["account"])
        },
        /// 1.1: A key of four characters that no class has is refused, whatever the characters.
        ConformanceCase("attribute_unknownFourCharacters_isNoSuchAttr", rules: "1.1") { keychain in
            for key in ["abcd", "rdat", "meta", "ACCT", "é́éé", "    ", "salt"] where key.utf16.count == 4 {
                try keychain.expectEach(errSecNoSuchAttr, with: key as NSString, "value")
                try expect(
                    keychain.update(passwordDictionary(), [key: "value"] as CFDictionary), errSecNoSuchAttr, key)
            }
        },
        /// 1.1: The length of a key is in UTF-16 units, so two emoji are a key of length four.
        ConformanceCase("attribute_twoEmoji_isNoSuchAttr", rules: "1.1") { keychain in
            try keychain.expectEach(errSecNoSuchAttr, with: "🔑🔒" as NSString, "value")
        },
        /// 1.2: Other keys with the first letter of `kSecClass` are refused.
        ConformanceCase("key_ofClassFamilyUnknown_isParam", rules: "1.2") { keychain in
            for key in ["classes", "clazz", "cl"] {
                try keychain.expectEach(errSecParam, with: key as NSString, kSecClassGenericPassword)
            }
        },
        /// 1.3: Look-ups and adds ignore an unknown match key.
        ConformanceCase("key_ofMatchFamilyUnknown_isIgnored", rules: "1.3") { keychain in
            try keychain.addPassword("account")
            let query = passwordDictionary().with("m_Nonsense" as NSString, "value")
            try expect(keychain.copyMatching(query))
            try expect(keychain.delete(passwordDictionary()))
            try expect(keychain.add(query))
        },
        /// 1.4: A return key needs a boolean. The number 1 is refused.
        ConformanceCase("returnKey_notBoolean_isParam", rules: "1.4", "16.2") { keychain in
            try keychain.addPassword("account")
            for key in [kSecReturnData, kSecReturnAttributes, kSecReturnRef, kSecReturnPersistentRef] {
                for value: Any in [1 as NSNumber, 0 as NSNumber, "true", Data([1]), NSNull(), Date(), NSArray()] {
                    try keychain.expectEach(errSecParam, from: [.copyMatching], with: key, value)
                    let other = [kSecClass: kSecClassGenericPassword, kSecAttrAccount: "other"] as CFDictionary
                    try expect(keychain.add(other.with(key, value)), errSecParam, "add with \(key)")
                }
            }
            try expectEqual(keychain.accounts(), ["account"])
        },
        /// 1.4: An unknown return key is refused.
        ConformanceCase("returnKey_unknown_isParam", rules: "1.4") { keychain in
            try keychain.addPassword("account")
            for key in ["r_Nonsense", "rounds", "r_data"] {
                try keychain.expectEach(errSecParam, with: key as NSString, true)
            }
            try expectEqual(keychain.accounts(), ["account"])
        },
        /// 1.4: A return key with false equals no key.
        ConformanceCase("returnKey_false_isAbsent", rules: "1.4", "5.9") { keychain in
            try keychain.addPassword("account")
            var result: CFTypeRef?
            try expect(
                keychain.copyMatching(
                    [
                        kSecClass: kSecClassGenericPassword, kSecReturnData: kCFBooleanFalse!, kSecReturnRef: false,
                        kSecReturnAttributes: false, kSecReturnPersistentRef: false,
                    ] as CFDictionary, &result))
            try expect(result == nil, "a result that was declined")
        },
        /// 1.5: An unknown use key is refused.
        ConformanceCase("useKey_unknown_isParam", rules: "1.5") { keychain in
            try keychain.addPassword("account")
            for key in ["u_Nonsense", "u_", "unknown"] {
                try keychain.expectEach(errSecParam, with: key as NSString, true)
            }
        },
        /// 1.6: An unknown value key is refused.
        ConformanceCase("valueKey_unknown_isParam", rules: "1.6") { keychain in
            try keychain.addPassword("account")
            for key in ["v_Nonsense", "v_data", "value"] {
                try keychain.expectEach(errSecParam, with: key as NSString, Data([1]))
            }
        },
        /// 1.7: Keys that begin with "f" are ignored.
        ConformanceCase("key_ofFamilyF_isIgnored", rules: "1.7") { keychain in
            try keychain.addPassword("account")
            let query = passwordDictionary().with("f_anything" as NSString, 1)
            try expect(keychain.copyMatching(query))
            try expect(keychain.delete(query))
            try expect(keychain.add(query))
        },
        /// 1.7: All other keys are refused: those with another first letter, of one letter, or empty.
        ConformanceCase("key_ofNoFamily_isParam", rules: "1.7") { keychain in
            try keychain.addPassword("account")
            let keys = [
                "xylophone", "account", "Class", "", "a", "m", "f", "é", "éclass", "🔑", "_", "kSecClass", "prf",
            ]
            for key in keys {
                try keychain.expectEach(errSecParam, with: key as NSString, "value")
            }
            try keychain.expectEach(errSecParam, with: kSecAttrPersistentReference, Data(count: 16))
        },
        /// 1.8: A number as a key counts as an attribute that no class has.
        ConformanceCase("key_number_isNoSuchAttr", rules: "1.8") { keychain in
            try keychain.expectEach(errSecNoSuchAttr, with: 7 as NSNumber, "value")
        },
        /// 1.8: Any other object as a key is refused.
        ConformanceCase("key_neitherTextNorNumber_isParam", rules: "1.8") { keychain in
            for key: any NSCopying in [NSData(), NSDate(), NSArray(), NSDictionary(), NSUUID()] {
                try keychain.expectEach(errSecParam, with: key, "value")
            }
        },
        /// 1.9: NSNull is refused as the value of an attribute.
        ConformanceCase("value_null_isParam", rules: "1.9") { keychain in
            try keychain.addPassword("account")
            let keys = [
                kSecAttrLabel, kSecAttrAccount, kSecAttrType, kSecAttrAccessGroup, kSecAttrCreationDate,
                kSecAttrSynchronizable, kSecAttrAccessible, kSecAttrAccessControl, kSecValueData,
                kSecValuePersistentRef,
            ]
            for key in keys where key != kSecAttrAccessGroup {
                try keychain.expectEach(errSecParam, with: key, NSNull())
                if key == kSecValuePersistentRef { continue }
                try expect(
                    keychain.update(passwordDictionary(), [key: NSNull()] as CFDictionary), errSecParam, "set \(key)")
            }
            try keychain.expectEach(errSecParam, from: [.add, .copyMatching], with: kSecAttrAccessGroup, NSNull())
        },
        /// 1.9: Swift converts a nil optional to NSNull, and it is treated as such.
        ConformanceCase("value_optionalNone_isParam", rules: "1.9") { keychain in
            let forgotten: String? = nil
            let item: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrAccount as String: forgotten as Any,
            ]
            try keychain.expectEach(errSecParam, of: item as CFDictionary)
        },
        /// 1.10: `kSecUseDataProtectionKeychain` is accepted everywhere and changes nothing.
        ConformanceCase("dataProtectionKey_anywhere_isAccepted", rules: "1.10") { keychain in
            for value: Any in [true, false, 1, "1", NSNull(), Data()] {
                let item = passwordDictionary().with(kSecUseDataProtectionKeychain, value)
                try expect(keychain.add(item))
                try expect(keychain.copyMatching(item))
                try expect(
                    keychain.update(
                        item, [kSecAttrLabel: "label", kSecUseDataProtectionKeychain: value] as CFDictionary))
                try expect(keychain.delete(item))
            }
        },
        /// 1.11: If a dictionary has several mistakes, the status is that of one of them.
        ConformanceCase("dictionary_severalMistakes_answersOneOfThem", rules: "1.11") { keychain in
            let query = passwordDictionary().with("abcd" as NSString, 1).with("xylophone" as NSString, 1)
            for call in ConformanceKeychain.Call.allCases {
                let status = keychain.status(of: call, query)
                try expect([errSecParam, errSecNoSuchAttr].contains(status), "\(call) answered \(status)")
            }
        },
        /// 1.12: A dictionary with far more keys than exist is refused.
        ConformanceCase("dictionary_tooManyKeys_isParam", rules: "1.12") { keychain in
            try keychain.addPassword("account")
            let query = NSMutableDictionary(object: kSecClassGenericPassword, forKey: kSecClass)
            for index in 0..<50 { query.setObject(true, forKey: "m_rule\(index)" as NSString) }
            try expect(keychain.copyMatching(query))
            for index in 50..<200 { query.setObject(true, forKey: "m_rule\(index)" as NSString) }
            try keychain.expectEach(errSecParam, of: query)
            try expectEqual(keychain.accounts(), ["account"])
        },
        /// 1.12: The number of keys besides attributes that a dictionary of each class may have.
        ConformanceCase("dictionary_keysOfEachClass_areCounted", rules: "1.12") { keychain in
            let rooms = [
                kSecClassGenericPassword: 90, kSecClassInternetPassword: 80, kSecClassCertificate: 95,
                kSecClassKey: 77, kSecClassIdentity: 44,
            ]
            for (itemClass, room) in rooms {
                let query = NSMutableDictionary(object: itemClass, forKey: kSecClass)
                for index in 1..<room { query.setObject(true, forKey: "f\(index)" as NSString) }
                // Attributes of the class do not count, and neither does the data.
                query.setObject("label", forKey: kSecAttrLabel)
                query.setObject(Data(), forKey: kSecValueData)
                query.setObject(try accessControl(kSecAttrAccessibleWhenUnlocked), forKey: kSecAttrAccessControl)
                try keychain.expectEach(
                    errSecItemNotFound, from: [.copyMatching, .update, .delete], of: query, "\(itemClass), \(room):")
                query.setObject(true, forKey: "f0" as NSString)
                try keychain.expectEach(errSecParam, of: query, "\(itemClass), \(room + 1):")
            }
        },
        /// 1.13: No client may mark an item as an app clip's.
        ConformanceCase("appClipItem_anywhere_isParam", rules: "1.13") { keychain in
            try keychain.addPassword("account")
            for value: Any in [true, false, 0, "x"] {
                try keychain.expectEach(errSecParam, with: "clip" as NSString, value)
                try expect(keychain.update(passwordDictionary(), ["clip": value] as CFDictionary), errSecParam)
            }
        },
        /// 1.14: Sharing groups do not exist: the call fails with `errSecMissingEntitlement`, or with `errSecParam` for
        /// a synchronized item.
        ConformanceCase("sharingGroup_anywhere_isRefused", rules: "1.14", "8.8") { keychain in
            try keychain.addPassword("account")
            try keychain.expectEach(errSecMissingEntitlement, with: "ggrp" as NSString, "family")
            for isOn: Any in [true, 1, "1"] {
                let synchronized = passwordDictionary().with(kSecAttrSynchronizable, isOn)
                try keychain.expectEach(
                    errSecParam, of: synchronized.with("ggrp" as NSString, "family"), "sync \(isOn)")
            }
            try expect(keychain.update(passwordDictionary(), ["ggrp": "family"] as CFDictionary), errSecParam)
        },
        /// 16.2: The values of `kSecAttrSynchronizable` that count as true, and those that count as false.
        ConformanceCase("synchronizable_numberOrText_isTakenAsBoolean", rules: "16.2", "7.1") { keychain in
            for isOn: Any in [true, 1, 7, "1"] {
                try expect(
                    keychain.add(passwordDictionary().with(kSecAttrSynchronizable, isOn)), errSecSuccess, "\(isOn)")
                try expect(keychain.copyMatching(passwordDictionary()), errSecItemNotFound)
                try expect(keychain.delete(passwordDictionary().with(kSecAttrSynchronizable, true)))
            }
            for isOff: Any in [false, 0, "0"] {
                try expect(
                    keychain.add(passwordDictionary().with(kSecAttrSynchronizable, isOff)), errSecSuccess, "\(isOff)")
                try expect(keychain.copyMatching(passwordDictionary()))
                try expect(keychain.delete(passwordDictionary().with(kSecAttrSynchronizable, false)))
            }
        },
        /// 16.2: Values that are not truth values are refused.
        ConformanceCase("synchronizable_neitherNumberNorDecimal_isParam", rules: "16.2", "1.9") { keychain in
            for value: Any in [Data([1]), Date(), NSNull(), NSArray(), NSDictionary()] {
                try keychain.expectEach(errSecParam, with: kSecAttrSynchronizable, value)
            }
        },
        /// 15.3: `kSecAttrAccess` and `kSecUseKeychain` belong to the Mac's file keychain and are dropped.
        ConformanceCase("fileKeychainKeys_anywhere_areDropped", rules: "15.3") { keychain in
            for key in [kSecAttrAccess, kSecUseKeychain] {
                let item = passwordDictionary().with(key, "anything")
                try expect(keychain.add(item))
                try expect(keychain.copyMatching(item))
                try expect(keychain.update(item, [kSecAttrLabel: "label"] as CFDictionary))
                try expect(keychain.delete(item))
            }
            try keychain.addPassword("account")
            try expect(
                keychain.update(
                    passwordDictionary(), [kSecAttrLabel: "label", kSecAttrAccess: "anything"] as CFDictionary))
        },
    ]
}
