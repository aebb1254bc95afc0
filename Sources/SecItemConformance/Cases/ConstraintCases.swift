// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalAuthentication
import SecItemShim
import SecItemStore

extension ConformanceSuite {
    /// Sections 3, 4, 8, 11 and 12: items that require a proof from the person.
    static let constraintCases: [ConformanceCase] = [
        /// 11.2: Every class and set of conditions is returned as it was stored. Nobody is asked for attributes.
        ConformanceCase("constraints_ofEveryClass_comeBack", rules: "3.17", "4.15", "11.2") { keychain in
            let person = AskedPerson()
            for (number, flags) in GuardedItem.flagSets.enumerated() {
                for itemClass in GuardedItem.classes {
                    let item = GuardedItem(itemClass, "\(number)", flags)
                    var result: CFTypeRef?
                    try expect(keychain.add(item.dictionary.with(kSecReturnAttributes, true), &result))
                    try expectEqual((result as? [String: Any])?["accc"] as? SecAccessControl, item.control)
                    let query = item.query.with(kSecUseOperationPrompt, person.reason)
                    let found = try keychain.dictionary(query.with(kSecReturnAttributes, true))
                    try expectEqual(found["accc"] as? SecAccessControl, item.control, "\(itemClass)")
                    try expectEqual(found["pdmn"] as? String, "aku")
                    try expect(keychain.copyMatching(query))
                    let all = query.with(kSecMatchLimit, kSecMatchLimitAll).with(kSecReturnPersistentRef, true)
                    try expectEqual(try (keychain.find(all) as? [Data])?.count, 1)
                }
            }
            try person.expectQuestions([])
        },
        /// 4.15, 12.4: The data needs the proof, whatever else the query returns and however it finds the item.
        ConformanceCase(
            "constraints_withoutProof_giveNoData", rules: "4.15", "12.3", "12.4", "14", needs: .noPassphrase
        ) { keychain in
            let person = AskedPerson()
            for itemClass in GuardedItem.classes {
                let item = GuardedItem(itemClass, "x", .userPresence)
                let reference = try keychain.addForReference(item.dictionary)
                let byReference = [kSecValuePersistentRef: reference] as CFDictionary
                for query in [item.query, byReference] {
                    for more in GuardedItem.waysToData {
                        let query = (query.mutableCopy() as? NSMutableDictionary ?? [:]) as NSDictionary
                        try expectGuarded(keychain, more.reduce(query) { $0.with($1.key, $1.value) }, person)
                    }
                }
                try expect(keychain.delete(item.query))
            }
        },
        /// 4.1, 12.4: One question opens all items for which its proof is enough.
        ConformanceCase("constraints_ofManyItems_areOneQuestion", rules: "4.1", "12.4", needs: .noPassphrase) {
            keychain in
            let person = AskedPerson()
            let all =
                [
                    kSecClass: kSecClassGenericPassword, kSecMatchLimit: kSecMatchLimitAll, kSecReturnData: true,
                    kSecUseOperationPrompt: person.reason,
                ] as CFDictionary
            try keychain.addPassword("free")
            for number in 0..<3 { try keychain.add(GuardedItem(kSecClassGenericPassword, "\(number)", .userPresence)) }
            try expectEqual(try (keychain.find(all) as? [Data])?.count, 4)
            try person.expectQuestions([.passwordOrFinger])
            // A finger also proves the presence of the person.
            try keychain.add(GuardedItem(kSecClassGenericPassword, "finger", .biometryAny))
            try expectEqual(try (keychain.find(all) as? [Data])?.count, 5)
            try person.expectQuestions([.finger])
            try keychain.add(GuardedItem(kSecClassGenericPassword, "both", [.and, .biometryAny, .devicePasscode]))
            try expectEqual(try (keychain.find(all) as? [Data])?.count, 6)
            try person.expectQuestions([.finger, .password])
            let skipping = all.with(kSecUseAuthenticationUI, kSecUseAuthenticationUISkip)
            try expectEqual(try (keychain.find(skipping) as? [Data])?.count, 1)
            // Skipped items do not count towards the limit.
            let one = skipping.with(kSecMatchLimit, kSecMatchLimitOne)
            try keychain.addPassword("last", [kSecValueData: otherSecret])
            try expect(keychain.delete(passwordDictionary().with(kSecAttrAccount, "free")))
            try expectEqual(try keychain.find(one) as? Data, otherSecret)
            try person.expectQuestions([])
        },
        /// 12.5: A context asks once for each proof. After it was invalidated, calls with it fail.
        ConformanceCase("constraints_withContext_areAskedForOnce", rules: "12.1", "12.5", "12.6", needs: .noPassphrase)
        { keychain in
            let person = AskedPerson()
            let context = LAContext()
            context.localizedReason = person.reason
            try keychain.add(GuardedItem(kSecClassGenericPassword, "0", .userPresence))
            try keychain.add(GuardedItem(kSecClassInternetPassword, "1", .userPresence))
            try keychain.add(GuardedItem(kSecClassGenericPassword, "2", .devicePasscode))
            func query(_ itemClass: CFString, _ name: String) -> CFDictionary {
                GuardedItem(itemClass, name, .userPresence).query.with(kSecReturnData, true)
                    .with(kSecUseAuthenticationContext, context)
            }
            context.interactionNotAllowed = true
            try expect(keychain.copyMatching(query(kSecClassGenericPassword, "0")), errSecInteractionNotAllowed)
            context.interactionNotAllowed = false
            for _ in 0..<2 {
                try expectEqual(try keychain.data(query(kSecClassGenericPassword, "0")), secret)
                try expectEqual(try keychain.data(query(kSecClassInternetPassword, "1")), secret)
            }
            try person.expectQuestions([.passwordOrFinger])
            try expectEqual(try keychain.data(query(kSecClassGenericPassword, "2")), secret)
            try person.expectQuestions([.password])
            // The context remembers the proof, so the call succeeds even if it forbids questions.
            context.interactionNotAllowed = true
            try expectEqual(try keychain.data(query(kSecClassGenericPassword, "0")), secret)
            context.invalidate()
            for call in ConformanceKeychain.Call.allCases {
                let status = keychain.status(of: call, query(kSecClassGenericPassword, "0"))
                try expect(status, errSecAuthFailed, "\(call):")
            }
            try person.expectQuestions([])
        },
        /// 8.9: New data and a new protection need the proof. Other attributes do not.
        ConformanceCase(
            "constraints_update_needsTheProofForDataAndProtection", rules: "8.9", "8.1", "12.4", needs: .noPassphrase
        ) {
            keychain in
            let person = AskedPerson()
            for itemClass in GuardedItem.classes {
                let item = GuardedItem(itemClass, "x", .userPresence)
                try keychain.add(item)
                let query = item.query.with(kSecUseOperationPrompt, person.reason)
                try expect(keychain.update(query, [kSecAttrLabel: "new"] as CFDictionary))
                try person.expectQuestions([])
                let other = try accessControl(kSecAttrAccessibleWhenUnlockedThisDeviceOnly, .devicePasscode)
                let changes: [[CFString: Any]] = [
                    [kSecValueData: otherSecret], [kSecAttrAccessControl: other],
                    [kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock],
                ]
                person.answers { _ in throw LAError(.userCancel) }
                for change in changes {
                    try expect(keychain.update(query, change as CFDictionary), errSecUserCanceled, "\(change.keys)")
                    let failing = query.with(kSecUseAuthenticationUI, kSecUseAuthenticationUIFail)
                    try expect(keychain.update(failing, change as CFDictionary), errSecInteractionNotAllowed)
                }
                _ = person.questions()
                try expect(
                    keychain.update(query, [kSecAttrSynchronizable: true] as CFDictionary), errSecParam)
                person.answers { _ in }
                try expectEqual(try keychain.data(query.with(kSecReturnData, true)), secret)
                try expectEqual(
                    try keychain.dictionary(query.with(kSecReturnAttributes, true))["accc"] as? SecAccessControl,
                    item.control)
                _ = person.questions()
                try expect(keychain.update(query, changes[0] as CFDictionary))
                try expect(keychain.update(query, changes[1] as CFDictionary))
                try person.expectQuestions([.passwordOrFinger, .passwordOrFinger])
                try expectEqual(try keychain.data(query.with(kSecReturnData, true)), otherSecret)
                try person.expectQuestions([.password])
                // A protection class alone removes the conditions. This needs the proof that they require.
                try expect(keychain.update(query, changes[2] as CFDictionary))
                try person.expectQuestions([.password])
                try expectEqual(try keychain.data(query.with(kSecReturnData, true)), otherSecret)
                let found = try keychain.dictionary(query.with(kSecReturnAttributes, true))
                try expectEqual(
                    found["accc"] as? SecAccessControl, accessControl(kSecAttrAccessibleAfterFirstUnlock))
                // Adding conditions to an item without any needs no proof.
                try expect(keychain.update(query, changes[1] as CFDictionary))
                try person.expectQuestions([])
                try expect(
                    keychain.copyMatching(query.with(kSecReturnData, true).with(kSecUseNoAuthenticationUI, true)),
                    errSecInteractionNotAllowed)
                try expect(keychain.delete(query))
            }
        },
        /// 8.1: An update of many items asks one question, and changes all or none.
        ConformanceCase("constraints_updateOfMany_isAllOrNothing", rules: "8.1", "8.9", needs: .noPassphrase) {
            keychain in
            let person = AskedPerson()
            try keychain.addPassword("free")
            try keychain.add(GuardedItem(kSecClassGenericPassword, "0", .userPresence))
            try keychain.add(GuardedItem(kSecClassGenericPassword, "1", .devicePasscode))
            let all = [kSecClass: kSecClassGenericPassword, kSecUseOperationPrompt: person.reason] as CFDictionary
            let change = [kSecValueData: otherSecret] as CFDictionary
            person.answers { _ in throw LAError(.authenticationFailed) }
            try expect(keychain.update(all, change), errSecAuthFailed)
            try expectEqual(
                try keychain.data(passwordDictionary().with(kSecAttrAccount, "free").with("r_Data" as NSString, true)),
                secret)
            person.answers { _ in }
            _ = person.questions()
            try expect(keychain.update(all, change))
            try person.expectQuestions([.password])
            let data = try keychain.find(all.with(kSecReturnData, true).with(kSecMatchLimit, kSecMatchLimitAll))
            try expectEqual(data as? [Data], [otherSecret, otherSecret, otherSecret])
        },
        /// 3.19: A delete asks nobody, because the constraints of Apple's functions permit it.
        ConformanceCase("constraints_delete_asksNobody", rules: "3.19", "9.1") { keychain in
            let person = AskedPerson()
            for itemClass in GuardedItem.classes {
                let item = GuardedItem(itemClass, "x", [.or, .biometryAny, .devicePasscode])
                try keychain.add(item)
                try expect(keychain.delete(item.query.with(kSecUseOperationPrompt, person.reason)))
                try expect(keychain.copyMatching(item.query), errSecItemNotFound)
            }
            try person.expectQuestions([])
        },
        /// 3.19: Conditions that cannot be checked here are refused.
        ConformanceCase("constraints_thatCannotBeChecked_areNotAvailable", rules: "3.19") { keychain in
            let sets: [SecAccessControlCreateFlags] = [
                .companion, [.applicationPassword, .companion], [.and, .companion, .biometryAny], .or, .and,
            ]
            for flags in sets {
                let control = try accessControl(kSecAttrAccessibleWhenUnlockedThisDeviceOnly, flags)
                let item = passwordDictionary().with(kSecAttrAccessControl, control).with(kSecValueData, secret)
                try expect(keychain.add(item), errSecNotAvailable)
                try expectEqual(keychain.items().count, 0)
                try keychain.addPassword("account")
                try expect(
                    keychain.update(passwordDictionary(), [kSecAttrAccessControl: control] as CFDictionary),
                    errSecNotAvailable)
                try expect(keychain.copyMatching(passwordDictionary().with(kSecAttrAccessControl, control)))
                try expect(keychain.delete(passwordDictionary().with(kSecAttrAccessControl, control)))
            }
        },
        /// 3.19: `privateKeyUsage` fits a key of a chip only. Nothing else can be sealed under it, whatever else is set.
        ConformanceCase("constraints_ofPrivateKeyUsage_areAuthFailed", rules: "3.19", "8.9") { keychain in
            let key = try newPrivateKey(), identity = try newIdentity("anna")
            let others = GuardedItem.flagSets + [[], .applicationPassword, .companion, .or, .and]
            for flags in others where !flags.contains(.userPresence) || flags == .userPresence {
                let control = try accessControl(
                    kSecAttrAccessibleWhenUnlockedThisDeviceOnly, flags.union(.privateKeyUsage))
                func guarded(_ item: CFDictionary) -> CFDictionary { item.with(kSecAttrAccessControl, control) }
                for itemClass in GuardedItem.classes {
                    let item = GuardedItem(itemClass, "x", []).query.with(kSecValueData, secret)
                    try expect(keychain.add(guarded(item)), errSecAuthFailed, "\(itemClass) \(flags):")
                    try expect(keychain.copyMatching([kSecClass: itemClass] as CFDictionary), errSecItemNotFound)
                    try expect(keychain.add(item))
                    let change = [kSecAttrAccessControl: control] as CFDictionary
                    try expect(keychain.update(item, change), errSecAuthFailed, "\(itemClass) \(flags):")
                    try expect(keychain.delete(item))
                }
                for object in [key, identity] as [AnyObject] {
                    try expect(keychain.add(guarded([kSecValueRef: object] as CFDictionary)), errSecAuthFailed)
                }
                let attributes: [CFString: Any] = [kSecAttrIsPermanent: true, kSecAttrAccessControl: control]
                let parameters =
                    [
                        kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
                        kSecPrivateKeyAttrs: attributes,
                    ] as CFDictionary
                let failure = Result { try keychain.createRandomKey(parameters) }
                guard case .failure(let error as KeychainError) = failure else {
                    throw ConformanceFailure(description: "a key", file: #fileID, line: #line)
                }
                try expectEqual(error.status, errSecAuthFailed)
                for itemClass in [kSecClassKey, kSecClassCertificate] {
                    try expect(keychain.copyMatching([kSecClass: itemClass] as CFDictionary), errSecItemNotFound)
                }
            }
        },
        /// 4.15: A condition on the secrets never finds a guarded item, so nobody can find out the data by trial.
        ConformanceCase("constraints_ruleOnSecrets_findsNothing", rules: "4.15", "4.9", needs: .noPassphrase) {
            keychain in
            let person = AskedPerson()
            let item = GuardedItem(kSecClassGenericPassword, "x", .userPresence)
            try keychain.add(item)
            let query = item.query.with(kSecUseOperationPrompt, person.reason)
            let found = try keychain.dictionary(query.with(kSecReturnAttributes, true).with(kSecReturnData, true))
            _ = person.questions()
            let byDigest = query.with("sha1" as NSString, try expectValue(found["sha1"], "a digest"))
            try keychain.expectEach(errSecItemNotFound, from: [.copyMatching, .update, .delete], of: byDigest)
            try person.expectQuestions([])
        },
        /// 8.8: Constraints move with the item.
        ConformanceCase("constraints_survive_adoption", rules: "8.8", needs: .noPassphrase) { keychain in
            let person = AskedPerson()
            let other = keychain.application("org.example.other")
            let item = GuardedItem(kSecClassGenericPassword, "x", .userPresence)
            try expect(other.add(item.dictionary))
            try expectEqual(try keychain.adopt(itemsOf: "org.example.other"), 1)
            let query = item.query.with(kSecUseOperationPrompt, person.reason)
            try expectGuarded(keychain, query.with(kSecReturnData, true), person)
        },
        /// 4.14: An item with unreadable constraints is damaged, never unprotected. A delete still removes it.
        ConformanceCase("constraints_unreadable_areDamage", rules: "4.14", needs: .noPassphrase) { keychain in
            let person = AskedPerson()
            let item = GuardedItem(kSecClassGenericPassword, "x", .userPresence)
            try keychain.add(item)
            let changes = RecordChanges(attributes: [.accessControl: .data(Data([9, 9]))], secrets: [:])
            do {
                _ = try keychain.store.update(
                    matching: RecordFilter(itemClass: .genericPassword, attributes: [.account: .string("x")]),
                    applying: changes, interaction: .allowed)
            } catch let error as StoreError where error.code == .corrupt {
                // A store that checks constraints refuses these.
                return
            }
            let query = item.query.with(kSecUseOperationPrompt, person.reason)
            try expect(keychain.copyMatching(query.with(kSecReturnData, true)), errSecDecode)
            try expect(keychain.update(query, [kSecValueData: otherSecret] as CFDictionary), errSecDecode)
            let bare = try accessControl(kSecAttrAccessibleWhenUnlocked)
            try expect(keychain.update(query, [kSecAttrAccessControl: bare] as CFDictionary), errSecDecode)
            try keychain.addPassword("free")
            try expectEqual(
                try keychain.find(
                    [kSecClass: kSecClassGenericPassword, kSecReturnData: true] as CFDictionary) as? Data, secret)
            try expect(keychain.delete(query))
            try person.expectQuestions([])
        },
        /// 4.15: If the constraints change while the person is asked, the new ones are asked for as well.
        ConformanceCase("constraints_changedMeanwhile_areAskedForAgain", rules: "4.15", needs: .noPassphrase) {
            keychain in
            let person = AskedPerson()
            let item = GuardedItem(kSecClassGenericPassword, "x", .userPresence)
            try keychain.add(item)
            let stricter = try expectValue(AccessConstraints(flags: .devicePasscode), "constraints")
            let store = keychain.store
            person.answers { question in
                guard question == .passwordOrFinger else { throw LAError(.userCancel) }
                _ = try store.update(
                    matching: RecordFilter(itemClass: .genericPassword, attributes: [.account: .string("x")]),
                    applying: RecordChanges(attributes: [.accessControl: .data(stricter.encoded)], secrets: [:]),
                    interaction: .allowed)
            }
            let query = item.query.with(kSecReturnData, true).with(kSecUseOperationPrompt, person.reason)
            try expect(keychain.copyMatching(query), errSecUserCanceled)
            try person.expectQuestions([.passwordOrFinger, .password])
        },
        /// 12.4: An authenticator that looks up the item it is asked about does not wait for itself.
        ConformanceCase(
            "constraints_askedForByTheAuthenticator_areInteractionNotAllowed", rules: "12.4", needs: .noPassphrase
        ) { keychain in
            let person = AskedPerson()
            let item = GuardedItem(kSecClassGenericPassword, "x", .userPresence)
            try keychain.add(item)
            let reason = person.reason
            person.answers { _ in
                let query = GuardedItem(kSecClassGenericPassword, "x", .userPresence).query
                let status = keychain.copyMatching(
                    query.with(kSecReturnData, true).with(kSecUseOperationPrompt, reason))
                if status == errSecInteractionNotAllowed { throw LAError(.userCancel) }
            }
            let query = item.query.with(kSecReturnData, true).with(kSecUseOperationPrompt, reason)
            try expect(keychain.copyMatching(query), errSecUserCanceled)
        },
    ]
}

// MARK: - Items

/// An item with an access control.
struct GuardedItem {
    let itemClass: CFString
    let name: String
    let flags: SecAccessControlCreateFlags

    init(_ itemClass: CFString, _ name: String, _ flags: SecAccessControlCreateFlags) {
        self.itemClass = itemClass
        self.name = name
        self.flags = flags
    }

    static var classes: [CFString] {
        [kSecClassGenericPassword, kSecClassInternetPassword, kSecClassCertificate, kSecClassKey]
    }

    static let flagSets: [SecAccessControlCreateFlags] = [
        .userPresence, .biometryAny, .devicePasscode, [.or, .biometryAny, .devicePasscode],
        [.and, .biometryAny, .devicePasscode], [.or, .companion, .biometryAny],
    ]

    /// The return keys of look-ups that ask for the data alone or with other results.
    static var waysToData: [[CFString: Any]] {
        [
            [kSecReturnData: true], [kSecReturnData: true, kSecReturnAttributes: true],
            [kSecReturnData: true, kSecReturnPersistentRef: true],
            [kSecReturnData: true, kSecMatchLimit: kSecMatchLimitAll],
            [kSecReturnData: true, kSecReturnAttributes: true, kSecMatchLimit: 7],
        ]
    }

    var control: SecAccessControl? {
        SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, flags, nil)
    }

    /// The query that finds the item.
    var query: CFDictionary {
        switch itemClass {
        case kSecClassCertificate: [kSecClass: itemClass, kSecAttrSerialNumber: Data(name.utf8)] as CFDictionary
        case kSecClassKey: [kSecClass: itemClass, kSecAttrApplicationTag: name] as CFDictionary
        default: [kSecClass: itemClass, kSecAttrAccount: name] as CFDictionary
        }
    }

    var dictionary: CFDictionary {
        query.with(kSecValueData, secret).with(kSecAttrAccessControl, control as Any)
    }
}

extension ConformanceKeychain {
    func add(_ item: GuardedItem, file: StaticString = #fileID, line: UInt = #line) throws {
        try expect(add(item.dictionary), errSecSuccess, "add of \(item.name):", file: file, line: line)
    }
}

/// Expects that only a proof gives the data of an item with "user presence".
func expectGuarded(
    _ keychain: ConformanceKeychain, _ query: CFDictionary, _ person: AskedPerson,
    file: StaticString = #fileID, line: UInt = #line
) throws {
    let query = query.with(kSecUseOperationPrompt, person.reason)
    func expectNothing(_ query: CFDictionary, _ status: OSStatus) throws {
        var result: CFTypeRef?
        try expect(keychain.copyMatching(query, &result), status, file: file, line: line)
        try expect(result == nil, "a result without the proof", file: file, line: line)
    }
    for (key, value) in [
        (kSecUseAuthenticationUI, kSecUseAuthenticationUIFail as Any), (kSecUseNoAuthenticationUI, true),
    ] {
        try expectNothing(query.with(key, value), errSecInteractionNotAllowed)
    }
    try expectNothing(query.with(kSecUseAuthenticationUI, kSecUseAuthenticationUISkip), errSecItemNotFound)
    try person.expectQuestions([], file: file, line: line)
    let refusals: [(LAError.Code, OSStatus)] = [
        (.userCancel, errSecUserCanceled), (.authenticationFailed, errSecAuthFailed),
        (.notInteractive, errSecInteractionNotAllowed), (.systemCancel, errSecAuthFailed),
    ]
    for (code, status) in refusals {
        person.answers { _ in throw LAError(code) }
        try expectNothing(query, status)
        try person.expectQuestions([.passwordOrFinger], file: file, line: line)
    }
    person.answers { _ in }
    var result: CFTypeRef?
    try expect(keychain.copyMatching(query, &result), errSecSuccess, file: file, line: line)
    try expect(holdsSecret(result), "no data with the proof", file: file, line: line)
    try person.expectQuestions([.passwordOrFinger], file: file, line: line)
}

/// Whether a result contains the secret.
func holdsSecret(_ result: Any?) -> Bool {
    switch result {
    case let data as Data: data == secret
    case let dictionary as [String: Any]: holdsSecret(dictionary["v_Data"])
    case let array as [Any]: array.contains(where: holdsSecret)
    default: false
    }
}
