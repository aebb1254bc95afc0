// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim
import SecItemStore

extension ConformanceSuite {
    /// Values that are nearly alike, and how updates and locks treat them. Each store decides these points itself.
    static let valueCases: [ConformanceCase] = [
        /// 3.1: The parts of a primary key are compared one by one, not joined.
        ConformanceCase("add_keysThatReadAlikeWhenJoined_areTwoItems", rules: "3.1", needs: .anyBytes) { keychain in
            let parts = [("a\u{0}b", "c"), ("a", "b\u{0}c"), ("", "a\u{0}b\u{0}c"), ("a\u{0}b\u{0}c", "")]
            for (account, service) in parts {
                try keychain.addPassword(account, [kSecAttrService: service, kSecAttrLabel: "\(account)/\(service)"])
            }
            for (account, service) in parts {
                let query = [
                    kSecClass: kSecClassGenericPassword, kSecAttrAccount: account, kSecAttrService: service,
                    kSecReturnAttributes: true, kSecMatchLimit: kSecMatchLimitAll,
                ]
                let labels = try keychain.dictionaries(query as CFDictionary).map { $0[kSecAttrLabel as String] }
                try expectEqual(labels as? [String], ["\(account)/\(service)"])
            }
        },
        /// 1.19: Fractions are compared exactly, and numbers that are not finite are values like others.
        ConformanceCase("numberAttribute_fractionsNearEachOther_areTold", rules: "1.19") { keychain in
            let numbers: [Double] = [1.25, 1.5, 1.75, 2, -1.5, .infinity, -.infinity, .nan]
            for number in numbers { try keychain.addPassword("\(number)", [kSecAttrType: number]) }
            for number in numbers {
                let found = try keychain.dictionaries(
                    [
                        kSecClass: kSecClassGenericPassword, kSecAttrType: number, kSecReturnAttributes: true,
                        kSecMatchLimit: kSecMatchLimitAll,
                    ] as CFDictionary)
                try expectEqual(found.map { $0[kSecAttrAccount as String] as? String }, ["\(number)"])
            }
        },
        /// 8.6: A clock that was set back does not make an item's date earlier, because programs that synchronize keep
        /// the later change.
        ConformanceCase("update_clockWentBack_makesTheDateLaterStill", rules: "8.6") { keychain in
            try keychain.addPassword("account")
            let tomorrow = Date(
                timeIntervalSinceReferenceDate: Date().timeIntervalSinceReferenceDate.rounded() + 86_400)
            let filter = RecordFilter(
                itemClass: .genericPassword, attributes: [.account: .string("account")],
                accessGroups: [ConformanceKeychain.applicationIdentifier])
            let changes = RecordChanges(attributes: [:], secrets: [:], modificationDate: tomorrow)
            try expectEqual(keychain.store.update(matching: filter, applying: changes, interaction: .forbidden), 1)
            var last = try keychain.modificationDate()
            try expectEqual(last, tomorrow)
            for label in ["one", "two"] {
                try expect(keychain.update(passwordDictionary(), [kSecAttrLabel: label] as CFDictionary))
                let date = try keychain.modificationDate()
                try expect(date > last, "changed at \(last), and then at \(date)")
                last = date
            }
        },
        /// 3.11: A live key of either half sets all its attributes.
        ConformanceCase("liveKey_ofEitherHalf_bringsEveryAttribute", rules: "3.11", "5.1") { keychain in
            let key = try newPrivateKey()
            let halves = [(key, true), (try expectValue(SecKeyCopyPublicKey(key), "a public key"), false)]
            for (half, _) in halves { try expect(keychain.add([kSecValueRef: half] as CFDictionary)) }
            for (half, isPrivate) in halves {
                let keyClass = isPrivate ? kSecAttrKeyClassPrivate : kSecAttrKeyClassPublic
                let query = [kSecClass: kSecClassKey, kSecAttrKeyClass: keyClass] as CFDictionary
                let shown = try keychain.dictionary(query.with(kSecReturnAttributes, true))
                let expected = [
                    "kcls": isPrivate ? 1 : 0, "type": 73, "bsiz": 256, "esiz": 256, "perm": 1,
                    "priv": isPrivate ? 1 : 0, "modi": 1, "sens": 0, "asen": 0, "extr": 1, "next": 0,
                    "encr": isPrivate ? 0 : 1, "decr": isPrivate ? 1 : 0, "drve": isPrivate ? 1 : 0,
                    "sign": isPrivate ? 1 : 0, "vrfy": isPrivate ? 0 : 1, "snrc": 0, "vyrc": 0,
                    "wrap": isPrivate ? 0 : 1, "unwp": isPrivate ? 1 : 0,
                ]
                for (name, number) in expected {
                    try expectEqual(shown[name] as? Int, number, "\(name) of the \(isPrivate ? "private" : "public"):")
                }
                let object = try keychain.find(query.with(kSecReturnRef, true))
                try expectEqual(object as? SecKey, half)
            }
        },
        /// 3.11, 3.12: A live certificate sets all its attributes, and its subject and issuer are not confused.
        ConformanceCase("liveCertificate_ofAnotherIssuer_bringsEveryAttribute", rules: "3.11", "3.12") { keychain in
            let key = try newPrivateKey()
            let certificate = try newCertificate("subject", issuer: "issuer", serialNumber: 9, of: key)
            try expect(keychain.add([kSecValueRef: certificate] as CFDictionary))
            let shown = try keychain.dictionary(
                [kSecClass: kSecClassCertificate, kSecReturnAttributes: true] as CFDictionary)
            try expectEqual(
                shown[kSecAttrSubject as String] as? Data,
                try nameContent(SecCertificateCopyNormalizedSubjectSequence(certificate) as Data?))
            try expectEqual(
                shown[kSecAttrIssuer as String] as? Data,
                try nameContent(SecCertificateCopyNormalizedIssuerSequence(certificate) as Data?))
            try expectEqual(shown[kSecAttrSerialNumber as String] as? Data, Data([9]))
            try expectEqual(shown[kSecAttrCertificateEncoding as String] as? Int, 3)
            try expectEqual(shown[kSecAttrCertificateType as String] as? Int, 3)
            try expectEqual(shown[kSecAttrLabel as String] as? String, "subject")
            try expectEqual((shown[kSecAttrPublicKeyHash as String] as? Data)?.count, 20)
        },
        /// 3.12: The key identifier of a certificate becomes an attribute of its item. A certificate without one sets
        /// none.
        ConformanceCase("liveCertificate_withAKeyIdentifier_bringsIt", rules: "3.12") { keychain in
            let identifier = Data([1, 2, 3])
            let key = try newPrivateKey()
            try expect(
                keychain.add(
                    [kSecValueRef: try newCertificate("one", of: key, keyIdentifier: identifier)] as CFDictionary))
            try expect(keychain.add([kSecValueRef: try newCertificate("two", of: key)] as CFDictionary))
            let query = [kSecClass: kSecClassCertificate, kSecReturnAttributes: true] as CFDictionary
            let found = try keychain.dictionary(query.with(kSecAttrSubjectKeyID, identifier))
            try expectEqual(found[kSecAttrLabel as String] as? String, "one")
            try expectEqual(found[kSecAttrSubjectKeyID as String] as? Data, identifier)
            let other = try keychain.dictionary(query.with(kSecAttrLabel, "two"))
            try expect(other[kSecAttrSubjectKeyID as String] == nil, "an identifier out of nothing")
        },
        /// 3.13: A whole name finds the same items as its content, also with other case and spaces. Bytes that are not
        /// a name are compared as they are.
        ConformanceCase("issuer_asAWholeName_isItsContent", rules: "3.13") { keychain in
            let certificate = try newCertificate("subject", issuer: "The Issuer", of: newPrivateKey())
            try expect(keychain.add([kSecValueRef: certificate] as CFDictionary))
            let query = [kSecClass: kSecClassCertificate] as CFDictionary
            let content = try nameContent(SecCertificateCopyNormalizedIssuerSequence(certificate) as Data?)
            let names = ["The Issuer", "THE ISSUER", " the  issuer "].map { Data(fullName($0)) }
            for issuer in [content] + names {
                try expect(keychain.copyMatching(query.with(kSecAttrIssuer, issuer)))
            }
            for issuer in [Data(fullName("subject")), Data(fullName("The Issuer", isUTF8: true)), Data()] {
                try expect(keychain.copyMatching(query.with(kSecAttrIssuer, issuer)), errSecItemNotFound)
            }
            let whole = query.with(kSecAttrIssuer, names[0]).with(kSecAttrSerialNumber, Data([9]))
            try expect(keychain.add(whole))
            let shown = try keychain.dictionary(whole.with(kSecReturnAttributes, true))
            try expectEqual(shown[kSecAttrIssuer as String] as? Data, content)
            let bytes = Data([0x30, 9, 1])
            try expect(keychain.update(whole, [kSecAttrIssuer: bytes] as CFDictionary))
            let changed = try keychain.dictionary(
                query.with(kSecAttrIssuer, bytes).with(kSecReturnAttributes, true))
            try expectEqual(changed[kSecAttrIssuer as String] as? Data, bytes)
            try expect(keychain.delete(query.with(kSecAttrIssuer, names[1])))
            try expect(keychain.copyMatching(query.with(kSecAttrIssuer, content)), errSecItemNotFound)
            try keychain.expectEach(
                errSecParam, of: [kSecClass: kSecClassCertificate, kSecAttrIssuer: "The Issuer"] as CFDictionary)
        },
        /// 5.2: A result of two references contains no attributes.
        ConformanceCase("result_twoReferences_holdsNoAttributes", rules: "5.2", "5.4") { keychain in
            try keychain.addPassword("account", [kSecAttrLabel: "label"])
            let shown = try keychain.dictionary(
                passwordDictionary().with(kSecReturnPersistentRef, true).with(kSecReturnRef, true))
            try expectEqual(Set(shown.keys), [kSecClass as String, kSecValuePersistentRef as String])
        },
        /// 14: The attributes of an item can be read while its data is locked.
        ConformanceCase("lockedStore_attributesOfLockedItem_areReturned", rules: "14", needs: .lock) { keychain in
            try keychain.addPassword("account", [kSecAttrLabel: "label"])
            let reference = try keychain.find(passwordDictionary().with(kSecReturnPersistentRef, true)) as? Data
            try keychain.locked {
                let shown = try keychain.dictionary(passwordDictionary().with(kSecReturnAttributes, true))
                try expectEqual(shown[kSecAttrLabel as String] as? String, "label")
                try expectEqual(
                    keychain.find(passwordDictionary().with(kSecReturnPersistentRef, true)) as? Data, reference)
                try expect(keychain.copyMatching(passwordDictionary()))
            }
        },
        /// 14: An item cannot be moved into a protection class whose key is locked, or out of one, and stays as it is.
        ConformanceCase("lockedStore_changeOfProtection_isInteractionNotAllowed", rules: "14", needs: .lock) {
            keychain in
            try keychain.addPassword("locked")
            try keychain.addPassword("open", [kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock])
            func query(_ account: String) -> CFDictionary {
                [kSecClass: kSecClassGenericPassword, kSecAttrAccount: account] as CFDictionary
            }
            try keychain.locked {
                for (account, protection) in [
                    ("locked", kSecAttrAccessibleAfterFirstUnlock), ("open", kSecAttrAccessibleWhenUnlocked),
                ] {
                    try expect(
                        keychain.update(query(account), [kSecAttrAccessible: protection] as CFDictionary),
                        errSecInteractionNotAllowed, "\(account):")
                }
                try expectEqual(keychain.data(query("open").with(kSecReturnData, true)), secret)
                try expect(
                    keychain.copyMatching(query("locked").with(kSecReturnData, true)), errSecInteractionNotAllowed)
            }
            try expectEqual(keychain.data(query("locked").with(kSecReturnData, true)), secret)
        },
        /// 14, 11.4: What needs a passphrase is locked with it.
        ConformanceCase(
            "lockedStore_dataOfItemWhenPasscodeSet_isInteractionNotAllowed", rules: "14", "11.4",
            needs: [.lock, .passphrase]
        ) { keychain in
            try keychain.addPassword(
                "account", [kSecAttrAccessible: kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly])
            let query = passwordDictionary().with(kSecReturnData, true)
            try keychain.locked { try expect(keychain.copyMatching(query), errSecInteractionNotAllowed) }
            try expectEqual(keychain.data(query), secret)
        },
    ]
}

extension ConformanceKeychain {
    /// When the one item was changed last.
    fileprivate func modificationDate() throws -> Date {
        try expectValue(items().first?[kSecAttrModificationDate as String] as? Date, "a date")
    }
}
