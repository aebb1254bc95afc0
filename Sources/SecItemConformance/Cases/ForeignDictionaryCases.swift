// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim

extension ConformanceSuite {
    /// Section 16: dictionaries in the form in which C clients make them.
    static let foreignDictionaryCases: [ConformanceCase] = [
        /// 16.1: A dictionary without callbacks can be read if its keys are Apple's constants.
        ConformanceCase("bareDictionary_constantKeys_isRead", rules: "16.1") { keychain in
            try withBareDictionary([
                (kSecClass, kSecClassGenericPassword), (kSecAttrAccount, "anna" as NSString),
                (kSecValueData, secret as NSData),
            ]) { try expect(keychain.add($0)) }
            try withBareDictionary([
                (kSecClass, kSecClassGenericPassword), (kSecAttrAccount, "anna" as NSString),
                (kSecReturnData, kCFBooleanTrue),
            ]) { try expectEqual(keychain.data($0), secret) }
            try withBareDictionary([(kSecClass, kSecClassGenericPassword)]) { query in
                try withBareDictionary([(kSecAttrLabel, "label" as NSString)]) { changes in
                    try expect(keychain.update(query, changes))
                }
                try expectEqual(keychain.items().first?[kSecAttrLabel as String] as? String, "label")
                try expect(keychain.delete(query))
            }
        },
        /// 16.1: Keys are compared by their text, not by their identity.
        ConformanceCase("bareDictionary_keysThatAreOtherObjects_isRead", rules: "16.1") { keychain in
            func copy(_ text: NSString) -> NSString { NSMutableString(string: text as String) }
            try keychain.addPassword("anna")
            try withBareDictionary([
                (copy(kSecClass), copy(kSecClassGenericPassword)), (copy(kSecReturnData), kCFBooleanTrue),
                (copy(kSecUseDataProtectionKeychain), kCFBooleanTrue),
            ]) { try expectEqual(keychain.data($0), secret) }
        },
        /// 1.9: NULL as a value is refused.
        ConformanceCase("bareDictionary_nullValue_isParam", rules: "1.9", "16.1", "8.10") { keychain in
            try keychain.addPassword("account")
            for key in [kSecAttrLabel, kSecAttrAccount, kSecValueData, kSecReturnData, kSecUseOperationPrompt] {
                try withBareDictionary([(kSecClass, kSecClassGenericPassword), (key, nil)]) {
                    try keychain.expectEach(errSecParam, of: $0, "\(key) NULL:")
                }
            }
            for key in [kSecAttrLabel, kSecValueData] {
                try withBareDictionary([(key, nil)]) {
                    try expect(keychain.update(passwordDictionary(), $0), errSecParam, "\(key) NULL:")
                }
            }
            try withBareDictionary([(kSecClass, nil)]) { try keychain.expectEach(errSecParam, of: $0, "class NULL:") }
            try expectEqual(keychain.items().first?[kSecValueData as String] as? Data, secret)
        },
        /// 16.1: An empty dictionary without callbacks is read as an empty dictionary.
        ConformanceCase("bareDictionary_empty_isParam", rules: "2.1", "16.1") { keychain in
            try withBareDictionary([]) { try keychain.expectEach(errSecParam, of: $0) }
        },
        /// 16.1: An array without callbacks can be read, and NULL in it is refused.
        ConformanceCase("bareArray_isRead_nullInItIsParam", rules: "1.9", "16.1") { keychain in
            try keychain.addPassword("account")
            try keychain.addPassword("bert")
            let found = try keychain.find(passwordDictionary().with(kSecReturnPersistentRef, true))
            let reference = try expectValue(found as? NSData, "a reference")
            try withBareArray([reference]) { array in
                try expect(keychain.copyMatching(passwordDictionary().with(kSecMatchItemList, array)))
            }
            for elements in [[nil], [reference, nil], [nil, reference]] as [[AnyObject?]] {
                try withBareArray(elements) { array in
                    let query = passwordDictionary().with(kSecMatchItemList, array)
                    try expect(keychain.copyMatching(query), errSecParam)
                    try expect(keychain.delete(query), errSecParam)
                }
            }
            // A name that cannot be read matches no certificate.
            try withBareArray([nil]) { array in
                let query: [CFString: Any] = [kSecClass: kSecClassCertificate, kSecMatchIssuers: array]
                try expect(keychain.copyMatching(query as CFDictionary), errSecItemNotFound)
            }
            try expectEqual(keychain.accounts(), ["account", "bert"])
        },
        /// 16.1: Changing the dictionary after the call does not change the stored item.
        ConformanceCase("mutableDictionary_changedLater_changesNothing", rules: "16.1", "16.3") { keychain in
            let account = NSMutableString(string: "anna")
            let data = NSMutableData(data: secret)
            let item = NSMutableDictionary()
            item.setObject(kSecClassGenericPassword, forKey: kSecClass)
            item.setObject(account, forKey: kSecAttrAccount)
            item.setObject(data, forKey: kSecValueData)
            try expect(keychain.add(item))
            account.setString("bert")
            data.setData(otherSecret)
            try expectEqual(keychain.accounts(), ["anna"])
            try expectEqual(keychain.items().first?[kSecValueData as String] as? Data, secret)
        },
    ]
}
