// SPDX-License-Identifier: Apache-2.0

// Clients unwrap `kCFBooleanTrue`, and so do the cases.
// swift-format-ignore-file: NeverForceUnwrap

import Foundation
import SecItemShim

extension ConformanceSuite {
    /// Section 1, the table of values: the values that each kind of attribute accepts, and their stored form.
    static let coercionCases: [ConformanceCase] = [
        /// 1 (string): text, UTF-8 and a UUID become text.
        ConformanceCase("stringAttribute_textDataOrUUID_becomesText", rules: "1.15") { keychain in
            let uuid = UUID()
            let values: [(Any, String)] = [
                ("view", "view"), (Data("view".utf8), "view"), (uuid, uuid.uuidString), ("", ""),
            ]
            for (index, (given, kept)) in values.enumerated() {
                try keychain.addPassword("\(index)", [kSecAttrSyncViewHint: given])
                let found = try keychain.dictionary(
                    [
                        kSecClass: kSecClassGenericPassword, kSecAttrAccount: "\(index)", kSecReturnAttributes: true,
                        kSecAttrSyncViewHint: given,
                    ] as CFDictionary)
                try expectEqual(found[kSecAttrSyncViewHint as String] as? String, kept)
            }
        },
        /// 1 (string): anything else is refused.
        ConformanceCase("stringAttribute_anythingElse_isParam", rules: "1.15") { keychain in
            for value: Any in [
                1, 1.5, true, Date(), NSArray(), NSDictionary(), NSNull(), Data([0xFF, 0xFE]), NSObject(),
            ] {
                try keychain.expectEach(errSecParam, with: kSecAttrSyncViewHint, value)
                try keychain.expectEach(errSecParam, with: kSecAttrAccessible, value)
            }
        },
        /// 1 (blob): text, data and numbers are kept as they are.
        ConformanceCase("blobAttribute_textDataOrNumber_isKeptAsGiven", rules: "1.15") { keychain in
            try keychain.addPassword("text", [kSecAttrGeneric: "generic"])
            try keychain.addPassword("data", [kSecAttrGeneric: Data([1, 2, 3])])
            try keychain.addPassword("number", [kSecAttrGeneric: 42])
            try keychain.addPassword("real", [kSecAttrGeneric: 1.5])
            let found = try keychain.items()
            func generic(_ account: String) -> Any? {
                found.first { $0["acct"] as? String == account }?[kSecAttrGeneric as String]
            }
            try expectEqual(generic("text") as? String, "generic")
            try expectEqual(generic("data") as? Data, Data([1, 2, 3]))
            try expect(generic("data") as? String == nil, "data came back as text")
            try expectEqual(generic("number") as? Int, 42)
            try expectEqual(generic("real") as? Double, 1.5)
        },
        /// 1 (blob): anything else is refused.
        ConformanceCase("blobAttribute_anythingElse_isParam", rules: "1.15") { keychain in
            for value: Any in [true, false, Date(), NSArray(), NSDictionary(), NSNull(), NSUUID(), NSObject()] {
                for key in [kSecAttrAccount, kSecAttrLabel, kSecAttrGeneric] {
                    try keychain.expectEach(errSecParam, with: key, value)
                }
            }
        },
        /// 1 (data): data is kept, text becomes its UTF-8, and a number becomes four bytes.
        ConformanceCase("dataAttribute_dataTextOrNumber_becomesData", rules: "1.15") { keychain in
            let values: [(Any, Data)] = [
                (Data([1, 2, 3]), Data([1, 2, 3])), ("café", Data("café".utf8)), ("", Data()),
                (258, withUnsafeBytes(of: Int32(258)) { Data($0) }), (-1, Data(repeating: 0xFF, count: 4)),
            ]
            for (index, (given, kept)) in values.enumerated() {
                let certificate =
                    [
                        kSecClass: kSecClassCertificate, kSecAttrSerialNumber: Data([UInt8(index)]),
                        kSecAttrSubject: given,
                    ] as CFDictionary
                try expect(keychain.add(certificate))
                let found = try keychain.dictionary(certificate.with(kSecReturnAttributes, true))
                try expectEqual(found[kSecAttrSubject as String] as? Data, kept)
            }
        },
        /// 1 (data): anything else is refused.
        ConformanceCase("dataAttribute_anythingElse_isParam", rules: "1.15") { keychain in
            for value: Any in [true, Date(), NSArray(), NSDictionary(), NSNull(), NSUUID(), NSObject()] {
                try keychain.expectEach(
                    errSecParam, of: [kSecClass: kSecClassCertificate, kSecAttrSubject: value] as CFDictionary)
            }
        },
        /// 1 (number): numbers are kept, booleans become 0 and 1, decimal text becomes its number, and other text is
        /// kept.
        ConformanceCase("numberAttribute_numberBooleanOrText_isCoerced", rules: "1.19") { keychain in
            let numbers: [(Any, Int)] = [
                (42, 42), (-7, -7), (0, 0), (true, 1), (false, 0), ("42", 42), ("-7", -7),
                ("2147483647", 2_147_483_647),
                ("-2147483648", -2_147_483_648), (Int64(5_000_000_000), 5_000_000_000),
            ]
            for (index, (given, kept)) in numbers.enumerated() {
                try keychain.addPassword("\(index)", [kSecAttrType: given])
                let found = try keychain.dictionary(
                    [
                        kSecClass: kSecClassGenericPassword, kSecAttrAccount: "\(index)", kSecAttrType: given,
                        kSecReturnAttributes: true,
                    ] as CFDictionary)
                try expectEqual(found[kSecAttrType as String] as? Int, kept, "\(given):")
            }
        },
        /// 1 (number): text that differs from the printed form of a 32-bit number stays text.
        ConformanceCase("numberAttribute_otherText_staysText", rules: "1.19") { keychain in
            let texts = ["http", "042", "+7", "1.0", " 42", "42 ", "", "2147483648", "-0", "0x2A", "٤٢", "1e3"]
            for (index, text) in texts.enumerated() {
                try keychain.addPassword("\(index)", [kSecAttrType: text])
                let found = try keychain.dictionary(
                    [
                        kSecClass: kSecClassGenericPassword, kSecAttrAccount: "\(index)", kSecAttrType: text,
                        kSecReturnAttributes: true,
                    ] as CFDictionary)
                try expectEqual(found[kSecAttrType as String] as? String, text)
            }
        },
        /// 1 (number): a fraction is kept.
        ConformanceCase("numberAttribute_fraction_isKept", rules: "1.19") { keychain in
            try keychain.addPassword("anna", [kSecAttrCreator: 1.5])
            try expectEqual(keychain.items().first?[kSecAttrCreator as String] as? Double, 1.5)
            try expect(
                keychain.copyMatching([kSecClass: kSecClassGenericPassword, kSecAttrCreator: 1.5] as CFDictionary))
            try expect(
                keychain.copyMatching([kSecClass: kSecClassGenericPassword, kSecAttrCreator: 1] as CFDictionary),
                errSecItemNotFound)
        },
        /// 1 (number): anything else is refused.
        ConformanceCase("numberAttribute_anythingElse_isParam", rules: "1.19") { keychain in
            for value: Any in [Data([1]), Date(), NSArray(), NSDictionary(), NSNull(), NSUUID(), NSObject()] {
                for key in [kSecAttrType, kSecAttrCreator, kSecAttrIsInvisible, kSecAttrIsNegative] {
                    try keychain.expectEach(errSecParam, with: key, value)
                }
            }
        },
        /// 1 (number): a flag is returned as a number that casts to both `Bool` and `Int`.
        ConformanceCase("numberAttribute_boolean_castsToBoolAndInt", rules: "1.19", "16.2") { keychain in
            try keychain.addPassword("anna", [kSecAttrIsInvisible: kCFBooleanTrue!, kSecAttrIsNegative: false])
            let item = try expectValue(try keychain.items().first, "the item")
            try expectEqual(item[kSecAttrIsInvisible as String] as? Bool, true)
            try expectEqual(item[kSecAttrIsInvisible as String] as? Int, 1)
            try expectEqual(item[kSecAttrIsNegative as String] as? Bool, false)
            try expectEqual(item[kSecAttrIsNegative as String] as? Int, 0)
            try expectEqual(item[kSecAttrSynchronizable as String] as? Bool, false)
            try expectEqual(item[kSecAttrSynchronizable as String] as? Int, 0)
        },
        /// 1 (date): a date is returned unchanged.
        ConformanceCase("dateAttribute_date_isKept", rules: "1.15") { keychain in
            let dates = [
                Date(timeIntervalSinceReferenceDate: 0), Date(timeIntervalSince1970: 1_700_000_000.123_456),
                Date(timeIntervalSince1970: -1), Date.distantPast, Date.distantFuture,
            ]
            for (index, date) in dates.enumerated() {
                let key =
                    [
                        kSecClass: kSecClassKey, kSecAttrApplicationTag: "\(index)", "sdat": date,
                    ] as CFDictionary
                try expect(keychain.add(key))
                try expectEqual(keychain.dictionary(key.with(kSecReturnAttributes, true))["sdat"] as? Date, date)
            }
        },
        /// 1 (date): anything else is refused.
        ConformanceCase("dateAttribute_anythingElse_isParam", rules: "1.15") { keychain in
            for value: Any in [1, 1.5, true, "2024-01-01", Data(), NSArray(), NSDictionary(), NSNull(), NSObject()] {
                try keychain.expectEach(errSecParam, of: [kSecClass: kSecClassKey, "sdat": value] as CFDictionary)
                try keychain.expectEach(errSecParam, of: [kSecClass: kSecClassKey, "edat": value] as CFDictionary)
            }
        },
        /// 1 (SHA-1): a digest has exactly twenty bytes.
        ConformanceCase("digestAttribute_notTwentyBytes_isParam", rules: "1.15") { keychain in
            try keychain.addPassword("account")
            try keychain.expectEach(
                errSecItemNotFound, from: [.copyMatching], with: "sha1" as NSString, Data(count: 20))
            for value: Any in [Data(), Data(count: 19), Data(count: 21), "12345678901234567890", 1, true, NSNull()] {
                try keychain.expectEach(errSecParam, with: "sha1" as NSString, value)
            }
        },
        /// 1 (UUID): sixteen bytes, no bytes, a UUID and NSNull are accepted.
        ConformanceCase("multiUserAttribute_uuidDataOrNull_isAccepted", rules: "1.9", "1.15") { keychain in
            try keychain.addPassword("account")
            for nobody: Any in [Data(), NSNull()] {
                try expect(keychain.copyMatching(passwordDictionary().with("musr" as NSString, nobody)))
            }
            for somebody: Any in [Data(count: 16), NSUUID()] {
                try expect(
                    keychain.copyMatching(passwordDictionary().with("musr" as NSString, somebody)), errSecItemNotFound)
            }
            for value: Any in [Data(count: 15), 1, true, Date(), NSArray()] {
                try keychain.expectEach(errSecParam, with: "musr" as NSString, value)
            }
        },
        /// 1.15: An account may be a number. It is returned as a number, and differs from the account with the number's
        /// text.
        ConformanceCase("account_number_isLegal", rules: "1.15") { keychain in
            let item = [kSecClass: kSecClassGenericPassword, kSecAttrAccount: 1234] as CFDictionary
            try expect(keychain.add(item))
            try expectEqual(keychain.items().first?[kSecAttrAccount as String] as? Int, 1234)
            try expect(keychain.copyMatching(item))
            try expect(
                keychain.copyMatching([kSecClass: kSecClassGenericPassword, kSecAttrAccount: "1234"] as CFDictionary),
                errSecItemNotFound)
        },
        /// 1.15: A server may be data, and is returned as data.
        ConformanceCase("server_data_isLegal", rules: "1.15") { keychain in
            let server = Data("example.org".utf8)
            try expect(keychain.add([kSecClass: kSecClassInternetPassword, kSecAttrServer: server] as CFDictionary))
            let item = try keychain.items(ofClass: kSecClassInternetPassword).first
            try expectEqual(item?[kSecAttrServer as String] as? Data, server)
        },
        /// 1.16: Text and data of the same bytes are the same primary key.
        ConformanceCase("blobAttribute_textAndDataOfSameBytes_collide", rules: "1.16") { keychain in
            try expect(keychain.add([kSecClass: kSecClassGenericPassword, kSecAttrAccount: "abc"] as CFDictionary))
            try expect(
                keychain.add(
                    [kSecClass: kSecClassGenericPassword, kSecAttrAccount: Data("abc".utf8)] as CFDictionary),
                errSecDuplicateItem)
        },
        /// 1.16: Text and data of the same bytes find each other.
        ConformanceCase("blobAttribute_textAndDataOfSameBytes_findEachOther", rules: "1.16") { keychain in
            try keychain.addPassword("text", [kSecAttrGeneric: "abc"])
            try keychain.addPassword("data", [kSecAttrGeneric: Data("abc".utf8)])
            for value: Any in ["abc", Data("abc".utf8)] {
                let found = try keychain.dictionaries(
                    [
                        kSecClass: kSecClassGenericPassword, kSecAttrGeneric: value, kSecMatchLimit: kSecMatchLimitAll,
                        kSecReturnAttributes: true,
                    ] as CFDictionary)
                try expectEqual(found.count, 2)
            }
        },
        /// 1.17: `kSecValueData` accepts only data, in every call and in the changes of an update.
        ConformanceCase("valueData_notData_isParam", rules: "1.17", "4.8", "8.10") { keychain in
            try keychain.addPassword("account")
            for value: Any in ["secret", 1, true, Date(), NSArray(), NSDictionary(), NSNull(), NSObject()] {
                try keychain.expectEach(errSecParam, with: kSecValueData, value)
                try expect(
                    keychain.update(passwordDictionary(), [kSecValueData: value] as CFDictionary), errSecParam)
            }
            try expectEqual(keychain.items().first?[kSecValueData as String] as? Data, secret)
        },
        /// 1.18: Matching is exact: case, spaces and prefixes count.
        ConformanceCase("matching_anyDifference_findsNothing", rules: "1.18") { keychain in
            try keychain.addPassword("anna@example.org")
            for other in ["Anna@example.org", "anna@example.org ", "anna@example", "anna%", "*", ""] {
                try expect(
                    keychain.copyMatching(
                        [kSecClass: kSecClassGenericPassword, kSecAttrAccount: other] as CFDictionary),
                    errSecItemNotFound, other)
            }
        },
        /// 1.19: Apple's constants for the class and type of a key are decimal texts. They are returned as numbers.
        ConformanceCase("keyConstants_areReturnedAsNumbers", rules: "1.19", "16.4") { keychain in
            let key =
                [
                    kSecClass: kSecClassKey, kSecAttrKeyClass: kSecAttrKeyClassPrivate,
                    kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeySizeInBits: 2048,
                ] as CFDictionary
            try expect(keychain.add(key))
            let found = try keychain.dictionary(key.with(kSecReturnAttributes, true))
            try expectEqual(found[kSecAttrKeyClass as String] as? Int, 1)
            try expectEqual(found[kSecAttrKeyType as String] as? Int, 42)
            try expectEqual(found[kSecAttrKeySizeInBits as String] as? Int, 2048)
            try expect(keychain.copyMatching([kSecClass: kSecClassKey, kSecAttrKeyClass: 1] as CFDictionary))
        },
        /// 1.19: Constants for protocols and authentication types are returned as texts.
        ConformanceCase("internetConstants_areReturnedAsText", rules: "1.19") { keychain in
            let item =
                [
                    kSecClass: kSecClassInternetPassword, kSecAttrServer: "example.org",
                    kSecAttrProtocol: kSecAttrProtocolHTTPS,
                    kSecAttrAuthenticationType: kSecAttrAuthenticationTypeHTTPBasic,
                ] as CFDictionary
            try expect(keychain.add(item))
            let found = try keychain.dictionary(item.with(kSecReturnAttributes, true))
            try expectEqual(found[kSecAttrProtocol as String] as? String, kSecAttrProtocolHTTPS as String)
            try expectEqual(
                found[kSecAttrAuthenticationType as String] as? String, kSecAttrAuthenticationTypeHTTPBasic as String)
        },
        /// 16.4: The creator and type are part of the primary key of keys, but not of passwords.
        ConformanceCase("creatorAndType_inKeysOnly_makeItemsDistinct", rules: "16.4") { keychain in
            for (key, value) in [(kSecAttrCreator, 1), (kSecAttrType, 2)] {
                try expect(keychain.add([kSecClass: kSecClassKey, key: value] as CFDictionary))
            }
            try expect(keychain.add([kSecClass: kSecClassGenericPassword, kSecAttrCreator: 1] as CFDictionary))
            try expect(
                keychain.add([kSecClass: kSecClassGenericPassword, kSecAttrType: 2] as CFDictionary),
                errSecDuplicateItem)
        },
    ]
}
