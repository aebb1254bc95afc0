// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim

extension ConformanceSuite {
    /// Rule 1.18 and related rules: texts and bytes are returned unchanged.
    static let textCases: [ConformanceCase] = [
        /// 1.18: Texts of every Unicode plane, and texts that often break, are returned unchanged.
        ConformanceCase("text_ofEveryPlane_comesBackExactly", rules: "1.18", "1.15") { keychain in
            let texts = unusualTexts
            for (index, text) in texts.enumerated() {
                try keychain.addPassword(text, [kSecAttrLabel: text, kSecAttrType: index])
            }
            let items = try keychain.items()
            try expectEqual(items.count, texts.count)
            for item in items {
                let index = try expectValue(item[kSecAttrType as String] as? Int, "an index")
                for key in [kSecAttrAccount, kSecAttrLabel] {
                    let text = item[key as String] as? String
                    try expect(
                        text.map { Array($0.utf8) } == Array(texts[index].utf8), "text \(index) came back different")
                }
            }
        },
        /// 1.18: Each of these texts finds only its own item.
        ConformanceCase("text_ofEveryPlane_findsItself", rules: "1.18") { keychain in
            for (index, text) in unusualTexts.enumerated() {
                try keychain.addPassword(text, [kSecValueData: Data([UInt8(index)])])
            }
            for (index, text) in unusualTexts.enumerated() {
                let found = try keychain.find(
                    [
                        kSecClass: kSecClassGenericPassword, kSecAttrAccount: text, kSecReturnData: true,
                        kSecMatchLimit: kSecMatchLimitAll,
                    ] as CFDictionary)
                try expectEqual(found as? [Data], [Data([UInt8(index)])], "text \(index):")
            }
        },
        /// 1.18: Composed and decomposed letters are different texts.
        ConformanceCase("text_composedAndDecomposed_areDistinct", rules: "1.18") { keychain in
            let composed = "caf\u{E9}"
            let decomposed = "cafe\u{301}"
            try keychain.addPassword(composed, [kSecValueData: secret])
            try keychain.addPassword(decomposed, [kSecValueData: otherSecret])
            let query = [kSecClass: kSecClassGenericPassword, kSecReturnData: true] as CFDictionary
            try expectEqual(keychain.data(query.with(kSecAttrAccount, composed)), secret)
            try expectEqual(keychain.data(query.with(kSecAttrAccount, decomposed)), otherSecret)
            try expect(
                keychain.update(
                    [kSecClass: kSecClassGenericPassword, kSecAttrAccount: composed] as CFDictionary,
                    [kSecAttrAccount: decomposed] as CFDictionary), errSecDuplicateItem)
        },
        /// 1.18: The names of keys are compared by their bytes as well. Unicode treats the Kelvin sign and K as the
        /// same letter, but a key with the Kelvin sign is a different key.
        ConformanceCase("key_ofOtherBytes_isAnotherKey", rules: "1.18", "1.5") { keychain in
            try keychain.addPassword("account")
            for key in ["u_Keychain", "u_UserIndependentKeychain"] {
                try expect(keychain.copyMatching(passwordDictionary().with(key as NSString, true)))
                let other = key.replacingOccurrences(of: "K", with: "\u{212A}")
                try keychain.expectEach(errSecParam, with: other as NSString, true)
            }
        },
        /// 1.18: Some texts take far too long to compare as Unicode text. They are compared by their bytes in every
        /// place that compares a text with a name.
        ConformanceCase("text_ofManyCombiningMarks_isNoName", rules: "1.18", "1.2") { keychain in
            try keychain.addPassword("account")
            let marks = String(repeating: "\u{301}\u{327}", count: 1 << 17)
            for letter in ["c", "r", "u", "v", "x"] {
                // Foundation's own dictionaries compare such keys as Unicode text.
                let key = (letter + marks) as NSString, value = NSNumber(value: true)
                try withBareDictionary([(kSecClass, kSecClassGenericPassword), (key, value)]) { query in
                    try keychain.expectEach(errSecParam, of: query, letter)
                }
            }
            try keychain.expectEach(errSecNoSuchClass, with: kSecClass, marks)
            for (key, name) in [
                (kSecAttrAccessible, "ak"), (kSecAttrSynchronizable, "syna"), (kSecMatchLimit, "m_LimitAll"),
            ] {
                for text in [marks, name + marks] {
                    try keychain.expectEach(errSecParam, from: [.copyMatching], with: key, text)
                }
            }
            let entitled = keychain.application("app", entitledTo: ["com.apple.token", "group"])
            for text in [marks, "com.apple.token" + marks, "group" + marks] {
                try entitled.expectEach(errSecMissingEntitlement, with: kSecAttrAccessGroup, text)
            }
            let asked = passwordDictionary().with(kSecUseAuthenticationUI, "u_AuthUIF" + marks)
            try expect(keychain.copyMatching(asked))
        },
        /// 1.18: Access groups are compared by their bytes as well.
        ConformanceCase("accessGroup_composedAndDecomposed_areDistinct", rules: "1.18", "10.4") { keychain in
            let composed = keychain.application("app", entitledTo: ["caf\u{E9}"])
            let decomposed = keychain.application("app", entitledTo: ["cafe\u{301}"])
            try composed.addPassword("account")
            try expectEqual(decomposed.items().count, 0)
            try expect(
                decomposed.copyMatching(passwordDictionary().with(kSecAttrAccessGroup, "caf\u{E9}")),
                errSecMissingEntitlement)
        },
        /// 1.18: NUL is a character like any other.
        ConformanceCase("text_withNUL_isKeptWhole", rules: "1.18", needs: .anyBytes) { keychain in
            for account in ["a", "a\u{0}", "a\u{0}b", "\u{0}"] {
                try keychain.addPassword(account, [kSecAttrLabel: account, kSecValueData: Data(account.utf8)])
            }
            for account in ["a", "a\u{0}", "a\u{0}b", "\u{0}"] {
                let found = try keychain.dictionaries(
                    [
                        kSecClass: kSecClassGenericPassword, kSecAttrAccount: account, kSecReturnAttributes: true,
                        kSecReturnData: true, kSecMatchLimit: kSecMatchLimitAll,
                    ] as CFDictionary)
                try expectEqual(found.map { $0[kSecAttrLabel as String] as? String }, [account])
                try expectEqual(found.map { $0[kSecValueData as String] as? Data }, [Data(account.utf8)])
            }
        },
        /// 3.14: Attributes of one megabyte are stored whole.
        ConformanceCase("attributes_ofOneMegabyte_areKeptWhole", rules: "3.14", "1.18", needs: .anyBytes) { keychain in
            let text = String(repeating: "0123456789abcdé", count: 1 << 16)
            let data = Data(repeating: 0x5A, count: 1 << 20)
            try keychain.addPassword(text, [kSecAttrLabel: text, kSecAttrGeneric: data])
            let found = try keychain.dictionary(
                [
                    kSecClass: kSecClassGenericPassword, kSecAttrAccount: text, kSecAttrGeneric: data,
                    kSecReturnAttributes: true,
                ] as CFDictionary)
            try expect(found[kSecAttrLabel as String] as? String == text, "the label came back different")
            try expect(found[kSecAttrGeneric as String] as? Data == data, "the data came back different")
            let item = [kSecClass: kSecClassGenericPassword, kSecAttrAccount: text] as CFDictionary
            try expect(keychain.update(item, [kSecAttrAccount: "short"] as CFDictionary))
            try expect(keychain.copyMatching(item), errSecItemNotFound)
        },
        /// 3.5: Data and attributes can contain every byte.
        ConformanceCase("data_ofEveryByte_comesBackExactly", rules: "3.5", "1.15", needs: .anyBytes) { keychain in
            let bytes = Data(0...255)
            try keychain.addPassword("anna", [kSecValueData: bytes, kSecAttrGeneric: bytes])
            let item = try keychain.items().first
            try expectEqual(item?[kSecValueData as String] as? Data, bytes)
            try expectEqual(item?[kSecAttrGeneric as String] as? Data, bytes)
        },
        /// 3.5: Data with endings that a text might lose is returned unchanged.
        ConformanceCase("data_ofOddEndings_comesBackExactly", rules: "3.5") { keychain in
            let endings = ["", "x", "x\n", "x\r\n", "\n", " x ", "x ", "é", "{}", "\"", "x=y;"].map { Data($0.utf8) }
            for (index, data) in endings.enumerated() {
                try keychain.addPassword("\(index)", [kSecValueData: data])
            }
            for (index, data) in endings.enumerated() {
                try expectEqual(
                    keychain.data(
                        [
                            kSecClass: kSecClassGenericPassword, kSecAttrAccount: "\(index)", kSecReturnData: true,
                        ] as CFDictionary), data, "data \(index):")
            }
        },
        /// 3.2: Values are not confused where one ends and the next begins.
        ConformanceCase("keyAttributes_sameTextSplitElsewhere_areDistinct", rules: "3.1", "3.2") { keychain in
            let pairs = [("ab", "c"), ("a", "bc"), ("", "abc"), ("abc", ""), ("a:b", "c"), ("a", "b:c"), ("a/b", "c")]
            for (service, account) in pairs {
                try keychain.addPassword(
                    account, [kSecAttrService: service, kSecValueData: Data((service + "|" + account).utf8)])
            }
            for (service, account) in pairs {
                try expectEqual(
                    keychain.data(
                        [
                            kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: account,
                            kSecReturnData: true,
                        ] as CFDictionary), Data((service + "|" + account).utf8))
            }
        },
    ]

    /// Texts that stores often damage. Each has different bytes.
    private static let unusualTexts: [String] = {
        let planes = (0...16).compactMap { Unicode.Scalar(UInt32($0) << 16 | 0xF2) }.map { "plane " + String($0) }
        let edges: [Unicode.Scalar] = ["\u{1}", "\u{7F}", "\u{80}", "\u{7FF}", "\u{800}", "\u{FFFD}", "\u{10FFFD}"]
        let ends = edges.map { "edge " + String($0) }
        return planes + ends + [
            "", " ", "  ", "tab\tand\nline\r\n", "'; DROP TABLE items; --", "%", "_", "\\", "\"", "\u{FEFF}bom", "bom",
            "🧑🏽‍🚀", "👩‍👩‍👧", "עברית", "العربية", "日本語", "e\u{301}", "\u{E9}", "ﬁ", "fi", "ſ", "s", "S", "I", "ı", "İ", "ß",
            "ss",
            "\u{202E}rtl", "a\u{200B}b", "ab",
        ]
    }()
}
