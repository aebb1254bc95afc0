// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim

extension ConformanceSuite {
    /// Section 13: the rules for certificates, and the items that they apply to.
    static let certificateRuleCases: [ConformanceCase] = [
        /// 13: Each rule selects the same certificates in a look-up, an update and a delete.
        ConformanceCase("certificateRules_inEveryVerb_meanTheSame", rules: "13.1", "13.2", "8.1", "9.1") { keychain in
            let chain = try RuledChain()
            for (rule, names) in chain.rules { try chain.expectMeaning(names, rule, kSecClassCertificate, keychain) }
        },
        /// 13: The same holds for identities, each of which is a certificate and its key.
        ConformanceCase("certificateRules_ofIdentities_meanTheSame", rules: "13.1", "8.11", "9.5") { keychain in
            let chain = try RuledChain()
            for (rule, names) in chain.rules { try chain.expectMeaning(names, rule, kSecClassIdentity, keychain) }
        },
        /// 13: Two rules together select what both select.
        ConformanceCase("certificateRules_together_narrow", rules: "13.1") { keychain in
            let chain = try RuledChain()
            // The options of text comparison apply to both rules, so rules with options cannot be combined.
            let rules = chain.rules.filter { !$0.names.isEmpty && $0.rule.count == 1 }
            for (first, second) in zip(rules, rules.dropFirst()) {
                let both = first.rule.merging(second.rule) { $1 }
                guard both.count == 2 else { continue }
                let names = first.names.intersection(second.names)
                try chain.expectMeaning(names, both, kSecClassCertificate, keychain)
            }
        },
        /// 13: Data that is not a certificate satisfies no rule.
        ConformanceCase("certificateRule_onJunk_findsNothing", rules: "13.1") { keychain in
            try expect(keychain.add([kSecClass: kSecClassCertificate, kSecValueData: Data([1])] as CFDictionary))
            try keychain.addIdentity(hash: 1)
            for (rule, _) in try RuledChain().rules {
                for itemClass in [kSecClassCertificate, kSecClassIdentity] {
                    let query = rule.merging([kSecClass: itemClass]) { $1 } as CFDictionary
                    try keychain.expectEach(
                        errSecItemNotFound, from: [.copyMatching, .update, .delete], of: query, "\(rule)")
                }
            }
            try expect(
                keychain.copyMatching([kSecClass: kSecClassCertificate, kSecMatchTrustedOnly: false] as CFDictionary))
        },
        /// 13: Values of the wrong type, and a date that is not a number, are refused in every call.
        ConformanceCase("certificateRule_wrongType_isParam", rules: "13.1") { keychain in
            try expect(keychain.add([kSecValueRef: try newIdentity("anna")] as CFDictionary))
            for (key, value) in [
                (kSecMatchPolicy, "policy" as Any), (kSecMatchPolicy, [SecPolicyCreateBasicX509()]),
                (kSecMatchValidOnDate, "now"), (kSecMatchTrustedOnly, 1), (kSecMatchEmailAddressIfPresent, 1),
                (kSecMatchValidOnDate, Date(timeIntervalSinceReferenceDate: .nan)),
                (kSecMatchSubjectContains, 1), (kSecMatchSubjectWholeString, Data([1])),
                (kSecMatchCaseInsensitive, 1), (kSecMatchItemList, "none"), (kSecMatchItemList, [1]),
            ] {
                for itemClass in [kSecClassCertificate, kSecClassIdentity] {
                    try keychain.expectEach(
                        errSecParam, from: [.copyMatching, .update, .delete],
                        of: [kSecClass: itemClass, key: value] as CFDictionary, "\(key)")
                }
            }
        },
        /// 13: Only certificates that lead to one of the machine's anchors are trusted, as `SecTrust` says.
        ConformanceCase("matchTrustedOnly_isWhatSecTrustSays", rules: "13.1") { keychain in
            var anchors: CFArray?
            try expect(SecTrustCopyAnchorCertificates(&anchors))
            let known = (anchors as? [SecCertificate] ?? []).prefix(4)
            for certificate in known + [try newCertificate("anna", of: newPrivateKey())] {
                try expect(keychain.add([kSecValueRef: certificate] as CFDictionary))
            }
            let trusted = known.filter { certificate in
                var trust: SecTrust?
                guard
                    SecTrustCreateWithCertificates(certificate, SecPolicyCreateBasicX509(), &trust) == errSecSuccess
                else { return false }
                return trust.map { SecTrustEvaluateWithError($0, nil) } ?? false
            }
            var result: CFTypeRef?
            let query: [CFString: Any] = [
                kSecClass: kSecClassCertificate, kSecMatchTrustedOnly: true, kSecReturnRef: true,
                kSecMatchLimit: kSecMatchLimitAll,
            ]
            let status = keychain.copyMatching(query as CFDictionary, &result)
            // Trust cannot be evaluated without OpenSSL.
            if status == errSecUnimplemented { return }
            try expect(status, trusted.isEmpty ? errSecItemNotFound : errSecSuccess)
            try expectEqual(Set(result as? [SecCertificate] ?? []), Set(trusted))
        },
        /// 13: A policy for servers checks the certificate itself: its names, purpose and dates.
        ConformanceCase("matchPolicy_ofServers_looksAtTheLeaf", rules: "13.1") { keychain in
            let year = ("260101000000", "270101000000")
            let key = try newPrivateKey()
            for (serialNumber, host, dates) in [
                (UInt8(1), "mail.example.org" as String?, year), (2, "other.example.org", year), (3, nil, year),
                (4, "mail.example.org", ("240101000000", "250101000000")),
            ] {
                let certificate = try newCertificate(
                    "name \(serialNumber)", issuer: "elsewhere", serialNumber: serialNumber, of: key, dates: dates,
                    host: host)
                try expect(keychain.add([kSecValueRef: certificate] as CFDictionary))
            }
            let query: [CFString: Any] = [
                kSecClass: kSecClassCertificate, kSecReturnAttributes: true, kSecMatchLimit: kSecMatchLimitAll,
                kSecMatchPolicy: SecPolicyCreateSSL(true, "mail.example.org" as CFString),
                kSecMatchValidOnDate: Date(timeIntervalSince1970: 1_790_000_000),
            ]
            var result: CFTypeRef?
            let status = keychain.copyMatching(query as CFDictionary, &result)
            // Trust cannot be evaluated without OpenSSL.
            if status == errSecUnimplemented { return }
            try expect(status)
            try expectEqual((result as? [[String: Any]])?.map { $0["labl"] as? String }, ["name 1"])
            let basic = query.merging([kSecMatchPolicy: SecPolicyCreateBasicX509()]) { $1 }
            try expect(keychain.copyMatching(basic as CFDictionary), errSecItemNotFound)
        },
        /// 13: A list of items limits a query to these items, in every call.
        ConformanceCase("matchItemList_inEveryVerb_meansTheItems", rules: "13.1", "8.1", "9.1") { keychain in
            let identities = try (UInt8(1)...3).map { try newIdentity("name \($0)", serialNumber: $0) }
            for itemClass in [kSecClassKey, kSecClassCertificate, kSecClassIdentity] {
                for isByReference in [false, true] {
                    for identity in identities { try expect(keychain.add([kSecValueRef: identity] as CFDictionary)) }
                    let wanted = try identities.prefix(2).map { identity in
                        let object = try ConformanceSuite.object(itemClass, of: identity)
                        return isByReference ? try ConformanceSuite.reference(to: object, keychain) : object
                    }
                    try ConformanceSuite.expectList(wanted, itemClass, keychain)
                    for half in [kSecClassCertificate, kSecClassKey] {
                        _ = keychain.delete([kSecClass: half] as CFDictionary)
                    }
                }
            }
        },
        /// 13: A list names a password by its persistent reference. An object of another class is not such an item.
        ConformanceCase("matchItemList_ofPasswords_isByReference", rules: "13.1") { keychain in
            let references = try ["anna", "bert"].map { account in
                try keychain.addForReference(passwordDictionary().with(kSecAttrAccount, account))
            }
            let query = [kSecClass: kSecClassGenericPassword] as CFDictionary
            try keychain.expectEach(
                errSecItemNotFound, from: [.copyMatching, .update, .delete],
                of: query.with(kSecMatchItemList, [try newPrivateKey()]))
            // Items in the list must also meet the other conditions.
            let listed = query.with(kSecMatchItemList, [references[0]])
            let all = listed.with(kSecMatchLimit, kSecMatchLimitAll).with(kSecReturnPersistentRef, true)
            try expectEqual(keychain.find(all.with(kSecAttrAccount, "anna")) as? [Data], [references[0]])
            try keychain.expectEach(
                errSecItemNotFound, from: [.copyMatching, .update, .delete], of: listed.with(kSecAttrAccount, "bert"))
            try expect(keychain.delete(listed))
            try expectEqual(keychain.accounts(), ["bert"])
        },
    ]

    /// The object of the identity, its certificate or its key, depending on the class.
    private static func object(_ itemClass: CFString, of identity: SecIdentity) throws -> Any {
        let (certificate, key) = try halves(of: identity)
        switch itemClass {
        case kSecClassKey: return key
        case kSecClassCertificate: return certificate
        default: return identity
        }
    }

    private static func reference(to object: Any, _ keychain: ConformanceKeychain) throws -> Any {
        let query = [kSecValueRef: object, kSecReturnPersistentRef: true] as CFDictionary
        return try expectValue(try keychain.find(query) as? Data, "a reference")
    }

    /// Expects that calls with a list of two of the three items act on these two.
    private static func expectList(_ wanted: [Any], _ itemClass: CFString, _ keychain: ConformanceKeychain) throws {
        let query = [kSecClass: itemClass, kSecMatchItemList: wanted] as CFDictionary
        let all = query.with(kSecMatchLimit, kSecMatchLimitAll).with(kSecReturnPersistentRef, true)
        try expectEqual((try keychain.find(all) as? [Data])?.count, 2)
        try expect(keychain.update(query, [kSecAttrLabel: "changed"] as CFDictionary))
        let classes = itemClass == kSecClassIdentity ? [kSecClassCertificate, kSecClassKey] : [itemClass]
        for each in classes {
            let changed = try keychain.items(ofClass: each).filter { $0["labl"] as? String == "changed" }
            try expectEqual(changed.count, 2, "\(each)")
        }
        try expect(keychain.delete(query))
        for each in classes { try expectEqual(try keychain.items(ofClass: each).count, 1, "\(each)") }
        try keychain.expectEach(
            errSecItemNotFound, from: [.copyMatching, .update, .delete],
            of: [kSecClass: itemClass, kSecMatchItemList: NSArray()] as CFDictionary)
    }
}

/// Certificates that differ in the properties that rules check, and the names that each rule selects.
private struct RuledChain {
    private let identities: [(name: String, identity: SecIdentity)]

    init() throws {
        let (now, longAgo) = (("260101000000", "460101000000"), ("010101000000", "020101000000"))
        let rows: [(String, String, (String, String), String?)] = [
            ("Root A", "Root A", now, nil), ("Middle", "Root A", now, nil),
            ("Anna Müller", "Middle", now, "anna@example.org"), ("anna muller", "Root B", now, nil),
            ("Bert", "Root B", longAgo, "bert@example.org"),
        ]
        identities = try rows.enumerated().map { index, row in
            let key = try newPrivateKey()
            let certificate = try newCertificate(
                row.0, issuer: row.1, serialNumber: UInt8(index + 1), of: key, dates: row.2, email: row.3)
            return (row.0, try expectValue(SecIdentityCreate(nil, certificate, key), "an identity"))
        }
    }

    private var everybody: Set<String> { Set(identities.map(\.name)) }

    var rules: [(rule: [CFString: Any], names: Set<String>)] {
        let (rootA, rootB) = (issuer("Root A"), issuer("root  b"))
        let inBertsTime = Date(timeIntervalSince1970: 1_000_000_000)
        let inOurTime = Date(timeIntervalSince1970: 1_790_000_000)
        let (capitals, marks) = (kSecMatchCaseInsensitive, kSecMatchDiacriticInsensitive)
        return [
            ([kSecMatchIssuers: [rootA]], ["Root A", "Middle", "Anna Müller"]),
            ([kSecMatchIssuers: [rootB]], ["anna muller", "Bert"]),
            ([kSecMatchIssuers: [issuer("Middle")]], ["Anna Müller"]),
            ([kSecMatchIssuers: [rootA, rootB, 1] as [Any]], everybody),
            ([kSecMatchIssuers: [Data(fullName("Root A", isUTF8: true))]], []),
            ([kSecMatchIssuers: [Data([1]), "Root A"] as [Any]], []),
            ([kSecMatchValidOnDate: inOurTime], everybody.subtracting(["Bert"])),
            ([kSecMatchValidOnDate: inBertsTime], ["Bert"]),
            ([kSecMatchEmailAddressIfPresent: "ANNA@example.org"], ["Anna Müller"]),
            ([kSecMatchEmailAddressIfPresent: "nobody@example.org"], []),
            ([kSecMatchSubjectContains: "nna"], ["Anna Müller", "anna muller"]),
            ([kSecMatchSubjectContains: "ANNA"], []),
            ([kSecMatchSubjectContains: ""], []),
            ([kSecMatchSubjectContains: "ANNA", capitals: true], ["Anna Müller", "anna muller"]),
            ([kSecMatchSubjectStartsWith: "Ann"], ["Anna Müller"]),
            ([kSecMatchSubjectStartsWith: "nna"], []),
            ([kSecMatchSubjectEndsWith: "ller"], ["Anna Müller", "anna muller"]),
            ([kSecMatchSubjectEndsWith: "lle"], []),
            ([kSecMatchSubjectWholeString: "Anna Muller"], []),
            ([kSecMatchSubjectWholeString: "Anna Muller", marks: true], ["Anna Müller"]),
            (
                [kSecMatchSubjectWholeString: "Anna Muller", marks: true, capitals: true],
                ["Anna Müller", "anna muller"]
            ),
            ([kSecMatchSubjectWholeString: "Anna", capitals: true], []),
        ]
    }

    private func issuer(_ name: String) -> Data { Data(fullName(name)) }

    /// Expects that a query selects the certificates with those names, in every call.
    func expectMeaning(
        _ names: Set<String>, _ rule: [CFString: Any], _ itemClass: CFString, _ keychain: ConformanceKeychain
    ) throws {
        for (_, identity) in identities {
            let status = keychain.add([kSecValueRef: identity] as CFDictionary)
            try expect([errSecSuccess, errSecDuplicateItem].contains(status), "an add answered \(status)")
        }
        let query = rule.merging([kSecClass: itemClass]) { $1 } as CFDictionary
        let expected = names.isEmpty ? errSecItemNotFound : errSecSuccess
        var result: CFTypeRef?
        let all = query.with(kSecMatchLimit, kSecMatchLimitAll).with(kSecReturnAttributes, true)
        try expect(keychain.copyMatching(all, &result), expected, "\(rule)")
        try expectEqual(Set((result as? [[String: Any]] ?? []).compactMap { $0["labl"] as? String }), names, "\(rule)")
        let mark = UUID().uuidString
        try expect(keychain.update(query, ["alis": mark] as CFDictionary), expected, "\(rule)")
        let certificates = try keychain.items(ofClass: kSecClassCertificate)
        let changed = certificates.filter { $0["alis"] as? String == mark }
        try expectEqual(Set(changed.compactMap { $0["labl"] as? String }), names, "changed by \(rule)")
        let keys = try keychain.items(ofClass: kSecClassKey).filter { $0["alis"] as? String == mark }
        let hashes = itemClass == kSecClassIdentity ? changed.compactMap { $0["pkhh"] as? Data } : []
        try expectEqual(Set(keys.compactMap { $0["klbl"] as? Data }), Set(hashes), "keys changed by \(rule)")
        try expect(keychain.delete(query), expected, "\(rule)")
        let left = try keychain.items(ofClass: kSecClassCertificate)
        try expectEqual(Set(left.compactMap { $0["labl"] as? String }), everybody.subtracting(names), "left by \(rule)")
        let keyCount = try keychain.items(ofClass: kSecClassKey).count
        try expectEqual(keyCount, identities.count - (itemClass == kSecClassIdentity ? names.count : 0), "\(rule)")
    }
}
