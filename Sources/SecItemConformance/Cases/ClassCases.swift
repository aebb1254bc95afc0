// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim

extension ConformanceSuite {
    /// Section 2: the class of a dictionary, and the order of the checks.
    static let classCases: [ConformanceCase] = [
        /// 2.1: A dictionary with neither a class nor a persistent reference is refused in every call.
        ConformanceCase("class_missing_isParam", rules: "2.1") { keychain in
            try keychain.expectEach(errSecParam, of: [:] as CFDictionary)
            try keychain.expectEach(errSecParam, of: [kSecAttrAccount: "anna"] as CFDictionary)
            try keychain.expectEach(errSecParam, of: [kSecReturnData: true] as CFDictionary)
        },
        /// 2.2: A text that is not a class is refused.
        ConformanceCase("class_unknown_isNoSuchClass", rules: "2.2", "0.3") { keychain in
            for name in ["apls", "abcd", "GENP", "genp ", "", "generic password", "gen\u{0}p"] {
                try keychain.expectEach(errSecNoSuchClass, of: [kSecClass: name] as CFDictionary, name)
            }
        },
        /// 2.3: A class that is not text counts as missing.
        ConformanceCase("class_notText_isParam", rules: "2.3") { keychain in
            for value: Any in [1, true, Data("genp".utf8), Date(), NSNull(), ["genp"], ["a": "b"], NSObject()] {
                try keychain.expectEach(errSecParam, of: [kSecClass: value] as CFDictionary, "\(type(of: value))")
            }
        },
        /// 2.3: If the class is not text, the persistent reference determines the class.
        ConformanceCase("class_notTextBesideReference_isThatOfTheReference", rules: "2.3", "2.4") { keychain in
            let reference = try keychain.addForReference(passwordDictionary())
            try expect(keychain.copyMatching([kSecClass: 1, kSecValuePersistentRef: reference] as CFDictionary))
        },
        /// 2.4: A persistent reference determines the class.
        ConformanceCase("class_missingBesideReference_isThatOfTheReference", rules: "2.4") { keychain in
            let reference = try keychain.addForReference(passwordDictionary().with(kSecValueData, secret))
            let query = [kSecValuePersistentRef: reference] as CFDictionary
            try expectEqual(keychain.data(query.with(kSecReturnData, true)), secret)
            try expect(keychain.update(query, [kSecAttrLabel: "label"] as CFDictionary))
            try expect(keychain.delete(query))
            try expect(keychain.delete(query), errSecItemNotFound)
        },
        /// 2.5: A class that differs from the reference's class is refused.
        ConformanceCase("class_otherThanThatOfTheReference_isNoSuchClass", rules: "2.5") { keychain in
            let reference = try keychain.addForReference(passwordDictionary())
            for itemClass in [kSecClassInternetPassword, kSecClassCertificate, kSecClassKey, kSecClassIdentity] {
                try keychain.expectEach(
                    errSecNoSuchClass, of: [kSecClass: itemClass, kSecValuePersistentRef: reference] as CFDictionary)
            }
            try expectEqual(keychain.items().count, 1)
        },
        /// 2.6: NULL in place of a dictionary is refused.
        ConformanceCase("dictionary_null_isParam", rules: "2.6") { keychain in
            try keychain.addPassword("account")
            try keychain.expectEach(errSecParam, of: nil)
            try expect(keychain.update(passwordDictionary(), nil), errSecParam)
            try expect(keychain.update(nil, nil), errSecParam)
        },
        /// 2.7: An application without any access group may do nothing. This check comes before the check of the class.
        ConformanceCase("order_noAccessGroups_comesBeforeTheClass", rules: "2.7", "3.6") { keychain in
            let stranger = keychain.application("org.example.stranger", entitledTo: [])
            try stranger.expectEach(errSecMissingEntitlement, of: passwordDictionary())
            try stranger.expectEach(errSecMissingEntitlement, of: [kSecClass: "abcd"] as CFDictionary)
            try stranger.expectEach(errSecMissingEntitlement, of: [:] as CFDictionary)
        },
        /// 2.7: The check for attributes that no client may name comes before all others.
        ConformanceCase("order_forbiddenAttribute_comesFirst", rules: "2.7", "1.13") { keychain in
            let stranger = keychain.application("org.example.stranger", entitledTo: [])
            try stranger.expectEach(errSecParam, with: "clip" as NSString, true)
        },
        /// 2.7: An update or delete checks the access group before it parses the rest. The other calls check it
        /// afterwards.
        ConformanceCase("order_accessGroup_comesBeforeParsingInUpdateAndDelete", rules: "2.7") { keychain in
            let app = keychain.application("org.example.app", entitledTo: ["org.example.app"])
            for wrong in [[kSecClass: "abcd"], [kSecClass: kSecClassGenericPassword, "abcd" as NSString: "x"]] {
                let query = (wrong as CFDictionary).with(kSecAttrAccessGroup, "org.example.other")
                try app.expectEach(errSecMissingEntitlement, from: [.update, .delete], of: query)
                for call in [ConformanceKeychain.Call.copyMatching, .add] {
                    let status = app.status(of: call, query)
                    try expect([errSecNoSuchClass, errSecNoSuchAttr].contains(status), "\(call) answered \(status)")
                }
            }
        },
        /// 2.8: If the call fails, the caller's result does not change.
        ConformanceCase("result_onFailure_isLeftAlone", rules: "2.8", "4.5") { keychain in
            let marker = "untouched" as NSString
            let wrong: [CFDictionary?] = [
                nil, [:] as CFDictionary, [kSecClass: "abcd"] as CFDictionary,
                [kSecClass: kSecClassGenericPassword, "abcd": 1, kSecReturnData: true] as CFDictionary,
                [kSecClass: kSecClassGenericPassword, kSecReturnData: 1] as CFDictionary,
            ]
            for dictionary in wrong {
                var result: CFTypeRef? = marker
                try expect(keychain.add(dictionary, &result) != errSecSuccess, "the add succeeded")
                try expect(result === marker, "the add wrote a result")
                try expect(keychain.copyMatching(dictionary, &result) != errSecSuccess, "the look-up succeeded")
                try expect(result === marker, "the look-up wrote a result")
            }
        },
    ]
}
