// SPDX-License-Identifier: Apache-2.0

// Clients unwrap `kCFBooleanTrue`, and so do the cases.
// swift-format-ignore-file: NeverForceUnwrap

import Foundation
import SecItemShim

extension ConformanceSuite {
    /// The types to which clients cast results. Every cast here works on Apple's platforms.
    static let castCases: [ConformanceCase] = [
        /// 5.1: A result with data casts to data.
        ConformanceCase("cast_dataResult_works", rules: "5.1") { keychain in
            try keychain.addPassword("anna")
            let result = try keychain.find(
                [kSecClass: kSecClassGenericPassword, kSecReturnData: kCFBooleanTrue!] as CFDictionary)
            try expectEqual(result as? Data, secret)
            try expectEqual((result as? NSData).map { $0.length }, secret.count)
            try expect(result as? String == nil, "data casts to text")
            try expect(result as? [String: Any] == nil, "data casts to a dictionary")
            try expect(result as? [Any] == nil, "data casts to an array")
            try expectEqual((result as? Data).flatMap { String(data: $0, encoding: .utf8) }, "correct horse")
        },
        /// 5.1, 5.2: A result with attributes casts to a dictionary.
        ConformanceCase("cast_dictionaryResult_works", rules: "5.1", "5.2") { keychain in
            try keychain.addPassword("anna")
            let result = try keychain.find(
                [
                    kSecClass: kSecClassGenericPassword, kSecReturnAttributes: true, kSecReturnData: true,
                ] as CFDictionary)
            try expectEqual((result as? [String: Any])?[kSecValueData as String] as? Data, secret)
            try expectEqual((result as? [String: AnyObject])?[kSecValueData as String] as? Data, secret)
            try expectEqual((result as? [CFString: Any])?[kSecValueData] as? Data, secret)
            try expectEqual((result as? [AnyHashable: Any])?[kSecValueData as String] as? Data, secret)
            try expectEqual((result as? NSDictionary)?[kSecValueData] as? Data, secret)
            try expectEqual((result as? NSDictionary)?.object(forKey: kSecAttrAccount) as? String, "anna")
            try expectEqual((result as? NSDictionary)?[kSecAttrAccount as String] as? String, "anna")
            try expect(result as? [[String: Any]] == nil, "a dictionary casts to an array")
            try expect(result as? Data == nil, "a dictionary casts to data")
        },
        /// 5.2: Keys of `AnyHashable` can be looked up by the constants themselves.
        ConformanceCase("cast_anyHashableDictionary_findsByConstant", rules: "5.2") { keychain in
            try keychain.addPassword("anna", [kSecAttrLabel: "Anna"])
            let result = try keychain.find(
                [
                    kSecClass: kSecClassGenericPassword, kSecReturnAttributes: true, kSecReturnData: true,
                ] as CFDictionary)
            let item = try expectValue(result as? [AnyHashable: Any], "a dictionary of AnyHashable")
            try expectEqual(item[kSecAttrAccount] as? String, "anna")
            try expectEqual(item[kSecAttrLabel] as? String, "Anna")
            try expectEqual(item[kSecValueData] as? Data, secret)
            try expectEqual(item[AnyHashable("acct")] as? String, "anna")
        },
        /// 5.8: Results of several items cast to arrays.
        ConformanceCase("cast_arrayResult_works", rules: "5.8") { keychain in
            try keychain.addPassword("anna")
            try keychain.addPassword("bert")
            let query = [kSecClass: kSecClassGenericPassword, kSecMatchLimit: kSecMatchLimitAll] as CFDictionary
            let data = try keychain.find(query.with(kSecReturnData, true))
            try expectEqual(data as? [Data], [secret, secret])
            try expectEqual((data as? NSArray)?.count, 2)
            let items = try keychain.find(query.with(kSecReturnAttributes, true))
            try expectEqual((items as? [[String: Any]])?.count, 2)
            try expectEqual((items as? [[String: AnyObject]])?.count, 2)
            try expectEqual((items as? [[CFString: Any]])?.first?[kSecAttrService] as? String, "service")
            try expectEqual((items as? [[AnyHashable: Any]])?.first?[kSecAttrService] as? String, "service")
            try expectEqual((items as? [NSDictionary])?.first?[kSecAttrService] as? String, "service")
            try expectEqual((items as? NSArray)?.count, 2)
            try expectEqual((items as? [Any])?.count, 2)
            try expectEqual((items as? [AnyObject])?.count, 2)
            try expect(items as? [Data] == nil, "dictionaries cast to data")
            try expect(items as? [String: Any] == nil, "an array casts to a dictionary")
        },
        /// 5.5: Values of every type cast to their Swift types.
        ConformanceCase("cast_values_work", rules: "5.5", "7.1") { keychain in
            try keychain.addPassword(
                "anna",
                [
                    kSecAttrGeneric: Data([1, 2]), kSecAttrCreator: 7, kSecAttrIsInvisible: true,
                    kSecAttrType: UInt32(9),
                ])
            let item = try expectValue(try keychain.items().first, "the item")
            try expectEqual(item[kSecAttrAccount as String] as? String, "anna")
            try expect(item[kSecAttrAccount as String] is NSString || item[kSecAttrAccount as String] is String, "text")
            try expectEqual(item[kSecAttrGeneric as String] as? Data, Data([1, 2]))
            try expectEqual(item[kSecAttrCreator as String] as? Int, 7)
            try expectEqual(item[kSecAttrCreator as String] as? UInt32, 7)
            try expectEqual(item[kSecAttrCreator as String] as? NSNumber, 7)
            try expectEqual(item[kSecAttrType as String] as? Int, 9)
            try expectEqual(item[kSecAttrIsInvisible as String] as? Bool, true)
            try expectEqual(item[kSecAttrIsInvisible as String] as? Int, 1)
            try expectEqual(item[kSecAttrSynchronizable as String] as? Bool, false)
            try expectEqual(item[kSecAttrSynchronizable as String] as? Int, 0)
            try expect(item[kSecAttrCreationDate as String] is Date, "no date")
            try expect(item[kSecAttrModificationDate as String] as? Date != nil, "no date")
            try expect(item[kSecAttrAccessControl as String] is SecAccessControl, "no access control")
        },
        /// 5.5: An access control can also be recognised by its type identifier.
        ConformanceCase("cast_accessControl_hasItsTypeIdentifier", rules: "5.5", "11.2") { keychain in
            try keychain.addPassword("anna")
            let object = try expectValue(keychain.items().first?[kSecAttrAccessControl as String], "an access control")
            try expectEqual(CFGetTypeID(object as AnyObject), SecAccessControlGetTypeID())
        },
        /// 5.1: All styles in which clients write queries have the same meaning.
        ConformanceCase("query_everyStyle_isReadAlike", rules: "5.1") { keychain in
            try keychain.addPassword("anna")
            let strings: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword, kSecAttrAccount as String: "anna",
                kSecReturnData as String: kCFBooleanTrue as Any, kSecMatchLimit as String: kSecMatchLimitOne,
            ]
            let constants: [CFString: Any] = [
                kSecClass: kSecClassGenericPassword, kSecAttrAccount: "anna", kSecReturnData: true,
            ]
            let objects: [String: AnyObject] = [
                kSecClass as String: kSecClassGenericPassword, kSecAttrAccount as String: "anna" as NSString,
                kSecReturnData as String: kCFBooleanTrue,
            ]
            let hashables: [AnyHashable: Any] = [
                kSecClass: kSecClassGenericPassword as String, kSecAttrAccount as String: "anna",
                kSecReturnData: NSNumber(value: true),
            ]
            let substring: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword as String,
                kSecAttrAccount as String: String("xanna".dropFirst()), kSecReturnData as String: true,
            ]
            let mutable = NSMutableDictionary()
            mutable[kSecClass] = kSecClassGenericPassword
            mutable[kSecAttrAccount] = "anna"
            mutable[kSecReturnData] = true
            let dictionaries = [
                strings as CFDictionary, constants as CFDictionary, objects as CFDictionary, hashables as CFDictionary,
                substring as CFDictionary, mutable as CFDictionary, strings as NSDictionary,
            ]
            for dictionary in dictionaries {
                try expectEqual(keychain.data(dictionary), secret)
            }
        },
        /// 1.17: Data is accepted in every form that bridges.
        ConformanceCase("valueData_everyFormOfData_isTaken", rules: "1.17") { keychain in
            let slice = (Data([9, 9]) + secret + Data([9])).dropFirst(2).dropLast()
            let forms: [Any] = [secret, secret as NSData, NSMutableData(data: secret), slice]
            for (index, form) in forms.enumerated() {
                try keychain.addPassword("\(index)", [kSecValueData: form])
            }
            for item in try keychain.items() {
                try expectEqual(item[kSecValueData as String] as? Data, secret)
            }
        },
        /// 4.17: The result of one call can be passed to another unchanged.
        ConformanceCase("result_givenBack_isUnderstood", rules: "4.17", "6.3") { keychain in
            try keychain.addPassword("anna", [kSecAttrGeneric: Data([1])])
            let item = try expectValue(
                keychain.find(
                    [
                        kSecClass: kSecClassGenericPassword, kSecReturnAttributes: true, kSecReturnData: true,
                        kSecReturnPersistentRef: true,
                    ] as CFDictionary) as? NSDictionary, "a dictionary")
            let reference = try expectValue(item[kSecValuePersistentRef], "a reference")
            try expect(keychain.copyMatching([kSecValuePersistentRef: reference] as CFDictionary))
            let data = try expectValue(item[kSecValueData], "data")
            try keychain.addPassword("bert", [kSecValueData: data])
            let generic = try expectValue(item[kSecAttrGeneric], "data")
            try expect(
                keychain.copyMatching([kSecClass: kSecClassGenericPassword, kSecAttrGeneric: generic] as CFDictionary))
        },
    ]
}
