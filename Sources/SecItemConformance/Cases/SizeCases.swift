// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim
import SecItemStore

extension ConformanceSuite {
    /// Limits on the size of an item, which are the same in every store.
    static let sizeCases: [ConformanceCase] = [
        /// 3.14: Every call refuses an attribute that is one byte too long, and nothing changes.
        ConformanceCase("attribute_tooLarge_isRefused", rules: "3.14") { keychain in
            try keychain.addPassword("account")
            let most = ItemRecord.greatestAttributeSize
            let values: [(CFString, Any)] = [
                (kSecAttrLabel, String(repeating: "a", count: most + 1)), (kSecAttrLabel, Data(count: most + 1)),
                (kSecAttrAccount, String(repeating: "é", count: most / 2) + "a"),
                (kSecAttrGeneric, NSMutableData(length: most + 1) as Any),
            ]
            for (key, value) in values {
                try keychain.expectEach(errSecDataTooLarge, of: passwordDictionary().with(key, value), "\(key):")
                try expect(
                    keychain.update(passwordDictionary(), [key: value] as CFDictionary), errSecDataTooLarge, "\(key):")
            }
            let host = String(repeating: "a", count: most + 1)
            try expect(
                keychain.copyMatching(
                    [kSecClass: kSecClassInternetPassword, kSecMatchHostOrSubdomainOfHost: host] as CFDictionary),
                errSecDataTooLarge)
            try expectEqual(keychain.accounts(), ["account"])
        },
        /// 3.14: An attribute of the greatest size is stored, and finds the item.
        ConformanceCase("attribute_ofGreatestSize_isKept", rules: "3.14", needs: .anyBytes) { keychain in
            let text = String(repeating: "a", count: ItemRecord.greatestAttributeSize)
            try keychain.addPassword("account", [kSecAttrLabel: text])
            let query = [kSecClass: kSecClassGenericPassword, kSecAttrLabel: text] as CFDictionary
            try expect(keychain.copyMatching(query))
            try expect(keychain.delete(query))
        },
        /// 3.14, 8.1: The attributes of an item have a common limit, whether an add sets them together or updates set
        /// them one by one.
        ConformanceCase("attributes_tooLargeTogether_areRefused", rules: "3.14", "8.1", needs: .anyBytes) { keychain in
            let large = Data(count: ItemRecord.greatestAttributeSize)
            let names = [
                kSecAttrLabel, kSecAttrDescription, kSecAttrComment, kSecAttrGeneric, "prot" as CFString,
                "alis" as CFString, "pcsk" as CFString, "pcsi" as CFString,
            ]
            let all = names.reduce(passwordDictionary()) { $0.with($1, large) }
            try expect(keychain.add(all), errSecDataTooLarge)
            try expect(keychain.add(names.dropLast().reduce(passwordDictionary()) { $0.with($1, large) }))
            try expect(
                keychain.update(passwordDictionary(), ["pcsi": large] as CFDictionary), errSecDataTooLarge)
            let item = try keychain.items().first
            try expect(item?["pcsi"] == nil, "a change that was refused is there")
            try expectEqual(item?["prot"] as? Data, large, "the attributes that fitted:")
        },
        /// 3.14: Hundreds of megabytes in any place of any dictionary are refused, without reading each byte.
        ConformanceCase("value_ofHundredMegabytes_isRefused", rules: "3.14") { keychain in
            try keychain.addPassword("account")
            let text = NSString(string: String(repeating: "0123456789abcdé", count: 100 << 16))
            let data = NSData(data: Data(count: 100 << 20))
            for (key, value, status) in [
                (kSecAttrLabel, text as Any, errSecDataTooLarge), (kSecAttrLabel, data, errSecDataTooLarge),
                (kSecAttrAccessGroup, text, errSecDataTooLarge), (kSecAttrType, text, errSecDataTooLarge),
                (kSecValueData, data, errSecDataTooLarge), (kSecAttrSynchronizable, text, errSecParam),
                (kSecValuePersistentRef, data, errSecParam), (kSecClass, text, errSecNoSuchClass),
                (text as CFString, true, errSecParam),
            ] {
                let dictionary = passwordDictionary().with(key, value)
                let calls: [ConformanceKeychain.Call] = key == kSecAttrAccessGroup ? [.copyMatching] : [.add, .delete]
                try keychain.expectEach(status, from: calls, of: dictionary)
            }
            try expectEqual(keychain.accounts(), ["account"])
        },
    ]
}
