// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim

extension ConformanceSuite {
    /// Section 13: the match rules.
    static let matchCases: [ConformanceCase] = [
        /// 13: A host matches servers with the same name or in its domain.
        ConformanceCase("matchHost_equalOrSubdomain_isFound", rules: "13.1") { keychain in
            for server in ["example.org", "mail.example.org", "a.b.example.org", "badexample.org", "example.com", ""] {
                try expect(
                    keychain.add([kSecClass: kSecClassInternetPassword, kSecAttrServer: server] as CFDictionary))
            }
            let found = try keychain.dictionaries(
                [
                    kSecClass: kSecClassInternetPassword, kSecMatchHostOrSubdomainOfHost: "example.org",
                    kSecReturnAttributes: true, kSecMatchLimit: kSecMatchLimitAll,
                ] as CFDictionary)
            try expectEqual(
                Set(found.compactMap { $0[kSecAttrServer as String] as? String }),
                ["example.org", "mail.example.org", "a.b.example.org"])
        },
        /// 13: A server that is not text matches no host.
        ConformanceCase("matchHost_serverIsData_isNotFound", rules: "13.1") { keychain in
            try expect(
                keychain.add(
                    [
                        kSecClass: kSecClassInternetPassword, kSecAttrServer: Data("example.org".utf8),
                    ] as CFDictionary))
            try expect(
                keychain.copyMatching(
                    [
                        kSecClass: kSecClassInternetPassword, kSecMatchHostOrSubdomainOfHost: "example.org",
                    ] as CFDictionary), errSecItemNotFound)
        },
        /// 13.1: Only items that pass the rule count towards a limit, so a match after other items is found.
        ConformanceCase("matchHost_withLimit_countsWhatPasses", rules: "13.1") { keychain in
            for server in ["a.com", "b.com", "example.org", "c.com", "mail.example.org"] {
                try expect(
                    keychain.add([kSecClass: kSecClassInternetPassword, kSecAttrServer: server] as CFDictionary))
            }
            let query =
                [
                    kSecClass: kSecClassInternetPassword, kSecMatchHostOrSubdomainOfHost: "example.org",
                    kSecReturnAttributes: true,
                ] as CFDictionary
            let one = try keychain.dictionary(query)[kSecAttrServer as String] as? String
            try expect(one?.hasSuffix("example.org") == true, "the wrong one")
            try expectEqual(keychain.dictionaries(query.with(kSecMatchLimit, 2)).count, 2)
            try expectEqual(keychain.dictionaries(query.with(kSecMatchLimit, 5)).count, 2)
        },
        /// 13: A host must be text, and applies only to internet passwords.
        ConformanceCase("matchHost_wrongTypeOrClass_isRefused", rules: "13.1") { keychain in
            for value: Any in [1, Data(), NSNull(), NSArray()] {
                try keychain.expectEach(
                    errSecParam, from: [.copyMatching],
                    of: [kSecClass: kSecClassInternetPassword, kSecMatchHostOrSubdomainOfHost: value] as CFDictionary)
            }
            for itemClass in [kSecClassGenericPassword, kSecClassKey, kSecClassCertificate, kSecClassIdentity] {
                try keychain.expectEach(
                    errSecUnimplemented, from: [.copyMatching],
                    of: [kSecClass: itemClass, kSecMatchHostOrSubdomainOfHost: "example.org"] as CFDictionary)
            }
        },
        /// 13: Rules for certificates do not apply to passwords, but their types are checked.
        ConformanceCase("matchCertificateRule_onPassword_isIgnored", rules: "13.1") { keychain in
            try keychain.addPassword("account")
            for (key, value) in [
                (kSecMatchValidOnDate, Date() as Any), (kSecMatchValidOnDate, NSNull()), (kSecMatchTrustedOnly, true),
                (kSecMatchEmailAddressIfPresent, "anna@example.org"), (kSecMatchIssuers, "no array"),
            ] {
                try keychain.expectEach(errSecSuccess, from: [.copyMatching], with: key, value)
            }
        },
        /// 13: Issuers and policies apply only to certificates.
        ConformanceCase("matchIssuers_onPassword_isUnimplemented", rules: "13.1") { keychain in
            try keychain.addPassword("account")
            try keychain.expectEach(errSecUnimplemented, from: [.copyMatching], with: kSecMatchIssuers, [Data()])
        },
        /// 13: Rules of the wrong type are refused.
        ConformanceCase("matchCertificateRule_wrongType_isParam", rules: "13.1") { keychain in
            try keychain.addPassword("account")
            for (key, value) in [
                (kSecMatchValidOnDate, "now" as Any), (kSecMatchTrustedOnly, 1), (kSecMatchTrustedOnly, "true"),
                (kSecMatchEmailAddressIfPresent, 1), (kSecMatchPolicy, "policy"), (kSecMatchPolicy, NSNull()),
            ] {
                try keychain.expectEach(errSecParam, from: [.copyMatching], with: key, value)
            }
        },
        /// 13: The rules of the Mac's file keychain are accepted and ignored.
        ConformanceCase("matchFileKeychainRule_isIgnored", rules: "13.1", "1.3") { keychain in
            try keychain.addPassword("account")
            for (key, value) in [
                (kSecMatchCaseInsensitive, true as Any), (kSecMatchSubjectContains, "x"),
                (kSecMatchSubjectStartsWith, "x"), (kSecMatchSubjectEndsWith, "x"),
                (kSecMatchSubjectWholeString, "x"), (kSecMatchDiacriticInsensitive, true),
                (kSecMatchWidthInsensitive, true), (kSecMatchSearchList, NSArray()),
            ] {
                try keychain.expectEach(errSecSuccess, from: [.copyMatching], with: key, value)
            }
            try expect(
                keychain.copyMatching(
                    [
                        kSecClass: kSecClassGenericPassword, kSecAttrAccount: "ACCOUNT",
                        kSecMatchCaseInsensitive: true,
                    ] as CFDictionary), errSecItemNotFound)
        },
    ]
}
