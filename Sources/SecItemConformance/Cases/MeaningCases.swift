// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim
import SecItemStore

extension ConformanceSuite {
    /// Rules that sections 8, 9 and 13 share: an update or delete acts on the items that its query means, and on no
    /// others.
    static let meaningCases: [ConformanceCase] = [
        /// 8.2, 9.1: A digest that no item has finds nothing.
        ConformanceCase("digest_ofNoItem_meansNone", rules: "8.2", "9.1") { keychain in
            for account in ["anna", "bert"] { try keychain.addPassword(account) }
            let query = [kSecClass: kSecClassGenericPassword, digestKey: Data(count: 20)] as CFDictionary
            try expectUnchanged(keychain) {
                try keychain.expectEach(errSecItemNotFound, from: [.copyMatching, .update, .delete], of: query)
            }
        },
        /// 8.1, 9.1: The digest of an item finds only that item.
        ConformanceCase("digest_ofAnItem_meansThatItem", rules: "8.1", "9.1") { keychain in
            for account in ["anna", "bert", "carl"] { try keychain.addPassword(account) }
            func digest(of account: String) throws -> Data {
                let items = try keychain.items()
                let item = items.first { $0[kSecAttrAccount as String] as? String == account }
                return try expectValue(item?[digestKey as String] as? Data, "a digest")
            }
            let bert = [kSecClass: kSecClassGenericPassword, digestKey: try digest(of: "bert")] as CFDictionary
            try expect(keychain.update(bert, [kSecAttrLabel: "changed"] as CFDictionary))
            try expectEqual(keychain.items().filter { $0[kSecAttrLabel as String] != nil }.count, 1)
            try expect(keychain.delete(bert), errSecItemNotFound)
            let carl = [kSecClass: kSecClassGenericPassword, digestKey: try digest(of: "carl")] as CFDictionary
            try expect(keychain.delete(carl))
            try expectEqual(keychain.accounts(), ["anna", "bert"])
        },
        /// 13.1: A host has the same meaning in an update or delete as in a look-up.
        ConformanceCase("matchHost_inUpdateAndDelete_isFilter", rules: "8.3", "9.2", "13.1") { keychain in
            for server in ["example.org", "mail.example.org", "badexample.org", "example.com"] {
                try expect(
                    keychain.add([kSecClass: kSecClassInternetPassword, kSecAttrServer: server] as CFDictionary))
            }
            let query =
                [
                    kSecClass: kSecClassInternetPassword, kSecMatchHostOrSubdomainOfHost: "example.org",
                ] as CFDictionary
            try expect(keychain.update(query, [kSecAttrLabel: "changed"] as CFDictionary))
            let items = try keychain.items(ofClass: kSecClassInternetPassword)
            try expectEqual(items.filter { $0[kSecAttrLabel as String] != nil }.count, 2)
            try expect(keychain.delete(query))
            try expect(keychain.delete(query), errSecItemNotFound)
            let left = try keychain.items(ofClass: kSecClassInternetPassword).map { $0["srvr"] as? String }
            try expectEqual(Set(left), ["badexample.org", "example.com"])
        },
        /// 8.3, 9.2: A limit does not choose among the matches. More matches than it allows are refused.
        ConformanceCase("limit_inUpdateAndDelete_isNoChoice", rules: "8.3", "9.2") { keychain in
            for account in ["anna", "bert"] { try keychain.addPassword(account) }
            let both = [kSecClass: kSecClassGenericPassword] as CFDictionary
            for (limit, status) in [
                (kSecMatchLimitOne as Any, errSecParam), (1, errSecParam), (-2, errSecParam),
                ("nonsense", errSecParam), (0, errSecItemNotFound),
            ] {
                try expectUnchanged(keychain) {
                    try keychain.expectEach(
                        status, from: [.update, .delete], of: both.with(kSecMatchLimit, limit), "limit \(limit):")
                }
            }
            let changes = [kSecAttrLabel: "changed"] as CFDictionary
            for limit: Any in [kSecMatchLimitAll, -1, 2, Int.max] {
                try expect(keychain.update(both.with(kSecMatchLimit, limit), changes))
            }
            let one = [kSecClass: kSecClassGenericPassword, kSecAttrAccount: "anna"] as CFDictionary
            try expect(keychain.update(one.with(kSecMatchLimit, kSecMatchLimitOne), changes))
            try expect(keychain.delete(one.with(kSecMatchLimit, kSecMatchLimitOne)))
            try expectEqual(keychain.accounts(), ["bert"])
            try keychain.expectEach(
                errSecItemNotFound, from: [.update, .delete], of: one.with(kSecMatchLimit, kSecMatchLimitOne))
            try expect(keychain.delete(both.with(kSecMatchLimit, kSecMatchLimitAll)))
        },
        /// 8.3, 9.2: A rule that would narrow the query, but cannot be evaluated, is refused.
        ConformanceCase("matchRule_inUpdateAndDelete_isParam", rules: "8.3", "9.2", "1.3") { keychain in
            try keychain.addPassword("account")
            try expect(keychain.add([kSecClass: kSecClassCertificate] as CFDictionary))
            for (itemClass, isOfCertificates) in [(kSecClassGenericPassword, false), (kSecClassCertificate, true)] {
                for (key, value, isUnknown) in [
                    (kSecMatchIssuers, [Data()] as Any, false), (kSecMatchIssuers, "no array", true),
                    (kSecMatchIssuers, NSArray(), true), (kSecMatchPolicy, "policy", true),
                    (kSecMatchPolicy, SecPolicyCreateBasicX509(), false), (kSecMatchValidOnDate, NSNull(), false),
                    (kSecMatchTrustedOnly, true, false), (kSecMatchTrustedOnly, 1, true),
                    (kSecMatchEmailAddressIfPresent, "anna@example.org", false),
                    (kSecMatchSubjectContains, "x", false), (kSecMatchSubjectStartsWith, "x", false),
                    (kSecMatchItemList, "none", true), (kSecMatchItemList, ["none"], true),
                    (kSecMatchItemList, [Data([1])], true), (kSecMatchSearchList, NSArray(), true),
                    ("m_Nonsense" as CFString, 1, true),
                ] where isUnknown || !isOfCertificates {
                    let query = [kSecClass: itemClass, key: value] as CFDictionary
                    try keychain.expectEach(errSecParam, from: [.update, .delete], of: query, "\(key):")
                }
            }
            try expectEqual(keychain.accounts(), ["account"])
            try expectEqual(keychain.items(ofClass: kSecClassCertificate).count, 1)
            for rule in [kSecMatchCaseInsensitive, kSecMatchDiacriticInsensitive, kSecMatchWidthInsensitive] {
                let query = passwordDictionary().with(kSecAttrAccount, "ACCOUNT").with(rule, true)
                try keychain.expectEach(errSecItemNotFound, from: [.copyMatching, .update, .delete], of: query)
            }
        },
        /// 4.1, 9.1: The further secrets of an internet password filter as well.
        ConformanceCase(
            "secretAttribute_inQuery_isFilter", rules: "4.1", "8.1", "9.1", needs: .manySecrets
        ) { keychain in
            for note in ["one", "two"] {
                try expect(
                    keychain.add(
                        [
                            kSecClass: kSecClassInternetPassword, kSecAttrServer: note,
                            "binn" as CFString: Data(note.utf8),
                        ] as CFDictionary))
            }
            func query(_ note: String) -> CFDictionary {
                [kSecClass: kSecClassInternetPassword, "binn" as CFString: Data(note.utf8)] as CFDictionary
            }
            try keychain.expectEach(
                errSecItemNotFound, from: [.copyMatching, .update, .delete], of: query("three"))
            try keychain.expectEach(errSecSuccess, from: [.copyMatching, .update, .delete], of: query("two"))
            let left = try keychain.items(ofClass: kSecClassInternetPassword).map { $0["srvr"] as? String }
            try expectEqual(left, ["one"])
        },
        /// 4.10: An update or delete leaves out tombstones unless the query names the attribute.
        ConformanceCase("tombstone_inUpdateAndDelete_isFilter", rules: "4.10") { keychain in
            try keychain.addPassword("dead", ["tomb" as CFString: 1])
            try keychain.addPassword("alive")
            let all = [kSecClass: kSecClassGenericPassword] as CFDictionary
            try expect(keychain.update(all, [kSecAttrLabel: "changed"] as CFDictionary))
            let dead = try keychain.dictionary(all.with("tomb" as NSString, 1).with(kSecReturnAttributes, true))
            try expect(dead[kSecAttrLabel as String] == nil, "the tombstone was changed")
            try expect(keychain.delete(all))
            try expect(keychain.delete(all), errSecItemNotFound)
            try expect(keychain.delete(all.with("tomb" as NSString, 1)))
        },

        // MARK: Identities

        /// 8.11, 9.5: A query that no certificate and no key matches finds nothing.
        ConformanceCase("identities_ofUnknownLabel_areNone", rules: "8.11", "9.5") { keychain in
            for hash in UInt8(1)...2 { try keychain.addIdentity(hash: hash) }
            try expectUnchanged(keychain) {
                try keychain.expectEach(
                    errSecItemNotFound, from: [.copyMatching, .update, .delete],
                    of: [kSecClass: kSecClassIdentity, kSecAttrLabel: "no such"] as CFDictionary)
                try keychain.expectEach(
                    errSecItemNotFound, from: [.update, .delete],
                    of: [kSecClass: kSecClassIdentity, digestKey: Data(count: 20)] as CFDictionary)
            }
        },
        /// 8.11, 9.5: The query must match a certificate and a key, or nothing changes.
        ConformanceCase("identities_oneHalfOnly_areLeftAlone", rules: "8.11", "9.5") { keychain in
            for hash in UInt8(1)...2 { try keychain.addIdentity(hash: hash) }
            try expectUnchanged(keychain) {
                for label in ["certificate 1", "key 2"] {
                    try keychain.expectEach(
                        errSecItemNotFound, from: [.update, .delete],
                        of: [kSecClass: kSecClassIdentity, kSecAttrLabel: label] as CFDictionary, label)
                }
            }
            try expect(
                keychain.update(
                    [kSecClass: kSecClassCertificate, kSecAttrLabel: "certificate 1"] as CFDictionary,
                    [kSecAttrLabel: "both"] as CFDictionary))
            try expect(
                keychain.update(
                    [kSecClass: kSecClassKey, kSecAttrLabel: "key 2"] as CFDictionary,
                    [kSecAttrLabel: "both"] as CFDictionary))
            try expect(keychain.delete([kSecClass: kSecClassIdentity, kSecAttrLabel: "both"] as CFDictionary))
            for (itemClass, left) in [(kSecClassCertificate, "certificate 2"), (kSecClassKey, "key 1")] {
                try expectEqual(keychain.items(ofClass: itemClass).map { $0["labl"] as? String }, [left])
            }
        },
        /// 8.11, 9.5: An attribute that one of the two classes lacks is refused, in the query and in the changes.
        ConformanceCase("identities_attributeOfOneHalf_isNoSuchAttr", rules: "8.11", "9.5") { keychain in
            try keychain.addIdentity(hash: 1)
            let all = [kSecClass: kSecClassIdentity] as CFDictionary
            try expectUnchanged(keychain) {
                for (key, value) in [
                    (kSecAttrSerialNumber, Data([1]) as Any), (kSecAttrApplicationTag, "tag 1"),
                    (kSecAttrPublicKeyHash, Data([1])),
                ] {
                    try keychain.expectEach(errSecNoSuchAttr, from: [.update, .delete], of: all.with(key, value))
                    try expect(keychain.update(all, [key: value] as CFDictionary), errSecNoSuchAttr)
                }
                // If no certificate matches, the attributes are not checked against keys.
                try keychain.expectEach(
                    errSecItemNotFound, from: [.update, .delete], of: all.with(kSecAttrSerialNumber, Data([9])))
                try expect(keychain.copyMatching(all.with(kSecAttrSerialNumber, Data([1]))))
                try expect(keychain.copyMatching(all.with(kSecAttrApplicationTag, "tag 1")))
                try expect(keychain.copyMatching(all.with(kSecAttrApplicationTag, "tag 2")), errSecItemNotFound)
            }
        },
        /// 8.3, 9.2: A limit for identities is refused, because it is undefined for two halves.
        ConformanceCase("identities_limit_isParam", rules: "8.3", "9.2") { keychain in
            try keychain.addIdentity(hash: 1)
            try expectUnchanged(keychain) {
                try keychain.expectEach(
                    errSecParam, from: [.update, .delete],
                    of: [kSecClass: kSecClassIdentity, kSecMatchLimit: kSecMatchLimitOne] as CFDictionary)
            }
            try expect(
                keychain.delete([kSecClass: kSecClassIdentity, kSecMatchLimit: kSecMatchLimitAll] as CFDictionary))
        },
        /// 8.11: If the keys are locked, the certificates do not change.
        ConformanceCase("identities_lockedKeys_keepCertificates", rules: "8.11", needs: .lock) { keychain in
            try keychain.addIdentity(hash: 1)
            let store = try expectValue(keychain.store as? any LockableStore, "a lock")
            try expectUnchanged(keychain) {
                try store.lock()
                let status = keychain.update(
                    [
                        kSecClass: kSecClassIdentity, kSecUseAuthenticationUI: kSecUseAuthenticationUIFail,
                    ] as CFDictionary,
                    [kSecValueData: Data("new".utf8)] as CFDictionary)
                try store.unlock(passphrase: nil)
                try expect(status, errSecInteractionNotAllowed)
            }
        },
        /// 6.6, 8.11: An update by an identity's reference changes only its certificate and its key.
        ConformanceCase("reference_toIdentityInUpdate_changesBothHalves", rules: "6.6", "8.11") { keychain in
            for hash in UInt8(1)...2 { try keychain.addIdentity(hash: hash) }
            let reference = try expectValue(
                keychain.find(
                    [
                        kSecClass: kSecClassIdentity, kSecAttrLabel: "certificate 2", kSecReturnPersistentRef: true,
                    ] as CFDictionary) as? Data, "a reference")
            let query = [kSecValuePersistentRef: reference] as CFDictionary
            try expect(keychain.update(query, [kSecAttrSerialNumber: Data([7])] as CFDictionary), errSecNoSuchAttr)
            try expect(keychain.update(query, [kSecAttrLabel: "changed"] as CFDictionary))
            for (itemClass, other) in [(kSecClassCertificate, "certificate 1"), (kSecClassKey, "key 1")] {
                let labels = try keychain.items(ofClass: itemClass).map { $0["labl"] as? String }
                try expectEqual(Set(labels), ["changed", other])
            }
        },
        /// 4.16: The digest of an identity is that of its certificate.
        ConformanceCase("digest_ofIdentity_isThatOfTheCertificate", rules: "4.16") { keychain in
            for hash in UInt8(1)...2 { try keychain.addIdentity(hash: hash) }
            let certificate = try keychain.items(ofClass: kSecClassCertificate).last
            let digest = try expectValue(certificate?[digestKey as String] as? Data, "a digest")
            let query =
                [
                    kSecClass: kSecClassIdentity, kSecMatchLimit: kSecMatchLimitAll, digestKey: digest,
                ] as CFDictionary
            let found = try keychain.dictionaries(query.with(kSecReturnAttributes, true))
            try expectEqual(found.map { $0["labl"] as? String }, [certificate?["labl"] as? String])
            try expect(keychain.copyMatching(query.with(digestKey, Data(count: 20))), errSecItemNotFound)
        },
    ]
}

/// `kSecAttrSHA1` of Apple's private headers: the digest that look-ups return with the data.
private var digestKey: CFString { "sha1" }

/// Expects that the body changes no item.
func expectUnchanged(
    _ keychain: ConformanceKeychain, file: StaticString = #fileID, line: UInt = #line, _ body: () throws -> Void
) throws {
    let before = try snapshot(of: keychain)
    try body()
    try expect(snapshot(of: keychain) == before, "something has changed", file: file, line: line)
}

private func snapshot(of keychain: ConformanceKeychain) throws -> [[NSDictionary]] {
    let classes = [kSecClassGenericPassword, kSecClassInternetPassword, kSecClassCertificate, kSecClassKey]
    return try classes.map { itemClass in
        try keychain.items(ofClass: itemClass).map { item in
            var item = item
            // Each look-up makes a new object.
            item["accc"] = nil
            return item as NSDictionary
        }
    }
}
