// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalAuthentication
import SecItemSealing
import SecItemShim
import SecItemStore

extension ConformanceSuite {
    /// Items whose secrets are encrypted under a password of their own.
    static let applicationPasswordCases: [ConformanceCase] = [
        /// 4.18: Only the password gives access to the data, whichever query finds the item. Everything else works
        /// without it.
        ConformanceCase("applicationPassword_opensTheData_andNothingElseDoes", rules: "4.18", "12.3", "12.4") {
            keychain in
            let person = AskedPerson()
            for itemClass in GuardedItem.classes {
                let item = GuardedItem(itemClass, "x", .applicationPassword)
                let reference = try keychain.addForReference(item.dictionary.opened(by: "right"))
                let byReference = [kSecClass: itemClass, kSecValuePersistentRef: reference] as CFDictionary
                for query in [item.query, byReference] {
                    let query = query.with(kSecUseOperationPrompt, person.reason)
                    for more in GuardedItem.waysToData {
                        try keychain.expectSealed(more.reduce(query) { $0.with($1.key, $1.value) })
                    }
                    let found = try keychain.dictionary(query.with(kSecReturnAttributes, true))
                    try expectEqual(found["accc"] as? SecAccessControl, item.control)
                    let all = query.with(kSecReturnPersistentRef, true)
                    try expectEqual(try keychain.find(all) as? Data, reference)
                }
                try expect(keychain.update(item.query, [kSecAttrLabel: "label"] as CFDictionary))
                try expectEqual(try keychain.data(item.query.with(kSecReturnData, true).opened(by: "right")), secret)
                try expect(keychain.delete(item.query))
            }
            try person.expectQuestions([])
        },
        /// 4.18: Without a usable password, an add or update changes nothing.
        ConformanceCase("applicationPassword_thatIsMissingOrEmpty_sealsNothing", rules: "4.18") { keychain in
            let item = GuardedItem(kSecClassGenericPassword, "x", .applicationPassword)
            let cleared = LAContext()
            cleared.setCredential(Data("right".utf8), type: .applicationPassword)
            cleared.setCredential(nil, type: .applicationPassword)
            let withoutPassword = item.dictionary.with(kSecUseAuthenticationContext, cleared)
            try expect(keychain.add(withoutPassword), errSecInteractionNotAllowed)
            try expect(keychain.add(item.dictionary), errSecInteractionNotAllowed)
            try expect(keychain.add(item.dictionary.opened(by: "")), errSecParam)
            try expectEqual(keychain.items().count, 0)
            try keychain.addPassword("x")
            let change = [kSecAttrAccessControl: item.control as Any] as CFDictionary
            try expect(keychain.update(item.query, change), errSecInteractionNotAllowed)
            try expect(keychain.update(item.query.opened(by: ""), change), errSecParam)
            try expectEqual(try keychain.data(item.query.with(kSecReturnData, true)), secret)
            try expect(keychain.add(item.dictionary.opened(by: "right")))
        },
        /// 4.18: An add of an existing item does not ask for a new password.
        ConformanceCase("applicationPassword_ofADuplicate_isNotAskedFor", rules: "3.1", "4.18") { keychain in
            for itemClass in GuardedItem.classes {
                let item = GuardedItem(itemClass, "x", .applicationPassword)
                try expect(keychain.add(item.dictionary), errSecInteractionNotAllowed)
                try expect(keychain.add(item.dictionary.opened(by: "right")))
                try expect(keychain.add(item.dictionary), errSecDuplicateItem)
                let silent = item.dictionary.with(kSecUseAuthenticationUI, kSecUseAuthenticationUIFail)
                try expect(keychain.add(silent), errSecInteractionNotAllowed)
                try expect(keychain.add(item.dictionary.opened(by: "other")), errSecDuplicateItem)
                try expectEqual(try keychain.data(item.query.with(kSecReturnData, true).opened(by: "right")), secret)
                try expect(keychain.delete(item.query))
            }
        },
        /// 8.9: An update needs the old password to open the data and the new one to seal it. Without either, nothing
        /// changes.
        ConformanceCase("applicationPassword_update_needsTheOldOne_andKeepsTheData", rules: "8.9", "4.18") { keychain in
            for itemClass in GuardedItem.classes {
                let item = GuardedItem(itemClass, "x", .applicationPassword)
                try expect(keychain.add(item.dictionary.opened(by: "right")))
                let data = item.query.with(kSecReturnData, true)
                let changes: [[CFString: Any]] = [
                    [kSecValueData: otherSecret], [kSecAttrAccessControl: item.control as Any],
                    [kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked],
                    [kSecValueData: otherSecret, kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked],
                ]
                for change in changes {
                    let change = change as CFDictionary
                    try expect(keychain.update(item.query, change), errSecInteractionNotAllowed)
                    try expect(keychain.update(item.query.opened(by: "wrong"), change), errSecAuthFailed)
                    try expect(keychain.update(item.query.opened(by: ""), change), errSecParam)
                }
                try expectEqual(try keychain.data(data.opened(by: "right")), secret)
                try expect(keychain.update(item.query.opened(by: "right"), changes[1] as CFDictionary))
                try expectEqual(try keychain.data(data.opened(by: "right")), secret)
                try expect(keychain.update(item.query.opened(by: "right"), changes[0] as CFDictionary))
                try expectEqual(try keychain.data(data.opened(by: "right")), otherSecret)
                try expect(keychain.copyMatching(data.opened(by: "wrong")), errSecAuthFailed)
                try expect(keychain.delete(item.query))
            }
        },
        /// 8.9: An update can remove the conditions, and later set another password. A store that could lose data on
        /// the way refuses both.
        ConformanceCase("applicationPassword_takenAwayAndSet_isAnother", rules: "8.9", "4.18", needs: .isolation) {
            keychain in
            for itemClass in GuardedItem.classes {
                let item = GuardedItem(itemClass, "x", .applicationPassword)
                let data = item.query.with(kSecReturnData, true)
                try expect(keychain.add(item.dictionary.opened(by: "right")))
                let free = [kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked] as CFDictionary
                try expect(keychain.update(item.query.opened(by: "right"), free))
                try expectEqual(try keychain.data(data), secret)
                let guarded = [kSecAttrAccessControl: item.control as Any] as CFDictionary
                try expect(keychain.update(item.query.opened(by: "new"), guarded))
                try expect(keychain.copyMatching(data.opened(by: "right")), errSecAuthFailed)
                try expectEqual(try keychain.data(data.opened(by: "new")), secret)
                try expect(keychain.delete(item.query))
            }
        },
        /// 4.14, 8.9: Nothing is sealed under a key that somebody else may have chosen, or with a lower cost than a new
        /// item has.
        ConformanceCase("applicationPassword_plantedDerivation_sealsNothing", rules: "4.14", "8.9", needs: .isolation) {
            keychain in
            let planted = AccessConstraints.PasswordDerivation(
                logarithmOfRounds: 1, blockSize: 1, parallelism: 1, salt: Data(repeating: 9, count: 32))
            let costly = AccessConstraints.PasswordDerivation(
                logarithmOfRounds: 4, blockSize: 8, parallelism: 1, salt: Data(repeating: 9, count: 32))
            let item = GuardedItem(kSecClassGenericPassword, "x", .applicationPassword)
            for (derivation, hasData) in [(planted, false), (costly, false), (planted, true)] {
                let dictionary = hasData ? item.dictionary : item.query.with(kSecAttrAccessControl, item.control as Any)
                try expect(keychain.add(dictionary.opened(by: "right")))
                var record = try keychain.storedRecord(of: item)
                let constraints = try expectValue(
                    AccessConstraints(flags: .applicationPassword, password: derivation), "constraints")
                record.attributes[.accessControl] = .data(constraints.encoded)
                if hasData { record.secrets = [.valueData: Secret(secret)] }
                record = try PasswordSeal(Secret(Data("right".utf8)), derivation).sealing(record)
                _ = try keychain.store.update(
                    matching: RecordFilter(itemClass: record.itemClass, reference: record.reference),
                    applying: RecordChanges(
                        attributes: [.accessControl: .data(constraints.encoded)], secrets: record.secrets),
                    interaction: .allowed)
                try expect(
                    keychain.update(item.query.opened(by: "right"), [kSecValueData: otherSecret] as CFDictionary))
                let stored = try keychain.storedRecord(of: item)
                let made = try expectValue(try stored.constraints?.password, "a derivation")
                try expect(made.salt != derivation.salt && made.logarithmOfRounds == 4, "a planted key")
                try expectEqual(
                    try keychain.data(item.query.with(kSecReturnData, true).opened(by: "right")), otherSecret)
                try expect(keychain.delete(item.query))
            }
        },
        /// 4.18: A password may be any bytes, and no other bytes open what it seals.
        ConformanceCase("applicationPassword_ofAnyBytes_opensForThoseAlone", rules: "4.18") { keychain in
            let digest = "635361c48bb9eab14198e76ea8ab7f1a41685d6ad62aa9146d301d4f17eb0ae0".utf8.decodedHexadecimal
            let letters = { Data(repeating: UInt8(ascii: "a"), count: $0) }
            let passwords = [
                letters(1), Data("a\0".utf8), Data("a\0\0".utf8), Data("a\0b".utf8), Data([0]), Data([0, 0]),
                Data([0xff, 0xfe, 0x80]), Data([0xc3]), letters(64), letters(64) + Data([0]),
                // HMAC treats a long key and its digest as the same key.
                letters(65), Data(try expectValue(digest, "a digest")),
                letters(1 << 20), letters(1 << 20 + 1),
            ]
            for (number, password) in passwords.enumerated() {
                let item = GuardedItem(kSecClassGenericPassword, "\(number)", .applicationPassword)
                try expect(keychain.add(item.dictionary.opened(by: password)), errSecSuccess, "\(number):")
                for (other, wrong) in passwords.enumerated() {
                    var result: CFTypeRef?
                    let status = keychain.copyMatching(
                        item.query.with(kSecReturnData, true).opened(by: wrong), &result)
                    try expect(status, other == number ? errSecSuccess : errSecAuthFailed, "\(number) by \(other):")
                    try expectEqual(result as? Data, other == number ? secret : nil)
                }
            }
        },
        /// 4.1, 12.3: A look-up of several items returns data only if all of them open.
        ConformanceCase("applicationPassword_ofManyItems_opensAllOrNone", rules: "4.1", "4.18", "12.3") { keychain in
            try keychain.addPassword("free")
            for name in ["a", "b"] {
                let item = GuardedItem(kSecClassGenericPassword, name, .applicationPassword)
                try expect(keychain.add(item.dictionary.opened(by: "right")))
            }
            let all =
                [kSecClass: kSecClassGenericPassword, kSecMatchLimit: kSecMatchLimitAll, kSecReturnData: true]
                as CFDictionary
            let skipping = all.with(kSecUseAuthenticationUI, kSecUseAuthenticationUISkip)
            try expect(keychain.copyMatching(all), errSecInteractionNotAllowed)
            try expectEqual(try (keychain.find(skipping) as? [Data])?.count, 1)
            try expectEqual(try keychain.find(all.opened(by: "right")) as? [Data], [secret, secret, secret])
            try expectEqual(try keychain.find(skipping.opened(by: "right")) as? [Data], [secret, secret, secret])
            let other = GuardedItem(kSecClassGenericPassword, "c", .applicationPassword)
            try expect(keychain.add(other.dictionary.opened(by: "other")))
            for password in ["right", "other"] {
                try expect(keychain.copyMatching(all.opened(by: password)), errSecAuthFailed)
                let change = [kSecValueData: otherSecret] as CFDictionary
                let query = [kSecClass: kSecClassGenericPassword] as CFDictionary
                try expect(keychain.update(query.opened(by: password), change), errSecAuthFailed)
            }
            try expect(keychain.delete(other.query))
            try expectEqual(try keychain.find(all.opened(by: "right")) as? [Data], [secret, secret, secret])
        },
        /// 4.18: The store receives nothing that reveals the data or the password.
        ConformanceCase("applicationPassword_storeSeesNoSecret", rules: "4.18") { keychain in
            for itemClass in GuardedItem.classes {
                let item = GuardedItem(itemClass, "x", .applicationPassword)
                try expect(keychain.add(item.dictionary.opened(by: "right password")))
                let record = try keychain.storedRecord(of: item)
                try expect(!record.secrets.isEmpty, "no sealed secret")
                for bytes in record.secrets.values.map({ $0.data() }) + [record.constraintBytes] {
                    try expect(bytes.range(of: secret) == nil, "the data in plain sight")
                    try expect(bytes.range(of: Data("right password".utf8)) == nil, "the password in plain sight")
                }
                // Two seals of the same data differ.
                try expect(keychain.delete(item.query))
                try expect(keychain.add(item.dictionary.opened(by: "right password")))
                let again = try keychain.storedRecord(of: item)
                try expect(again.constraintBytes != record.constraintBytes, "the salt of another item")
                try expect(keychain.delete(item.query))
            }
        },
        /// 4.14: If somebody changes the stored bytes, the call fails, and never returns other data.
        ConformanceCase("applicationPassword_changedBytes_openNothing", rules: "4.14", "4.18") { keychain in
            let item = GuardedItem(kSecClassGenericPassword, "x", .applicationPassword)
            try expect(keychain.add(item.dictionary.opened(by: "right")))
            let query = item.query.with(kSecReturnData, true).opened(by: "right")
            let record = try keychain.storedRecord(of: item)
            let sealed = try expectValue(record.secrets[.valueData], "a sealed secret").data()
            var statuses: Set<OSStatus> = []
            for index in sealed.indices {
                var changed = sealed
                changed[index] ^= 1 << UInt8(index % 8)
                try keychain.write(record, secret: changed)
                statuses.insert(keychain.copyMatching(query))
            }
            for count in [0, 1, 8, 9, 20, 21, sealed.count - 1] {
                try keychain.write(record, secret: sealed.prefix(count))
                statuses.insert(keychain.copyMatching(query))
            }
            try expect(statuses == [errSecDecode, errSecAuthFailed], "\(statuses)")
            try keychain.write(record, secret: sealed)
            try expectEqual(try keychain.data(query), secret)
        },
        /// 4.14: A damaged seal or salt of one item does not affect other items.
        ConformanceCase("applicationPassword_thatIsDamaged_isLeftOut", rules: "4.14", "4.18") { keychain in
            try keychain.addPassword("free")
            let items = ["a", "b"].map { GuardedItem(kSecClassGenericPassword, $0, .applicationPassword) }
            for item in items { try expect(keychain.add(item.dictionary.opened(by: "right"))) }
            let all =
                [kSecClass: kSecClassGenericPassword, kSecReturnData: true, kSecMatchLimit: kSecMatchLimitAll]
                as CFDictionary
            let record = try keychain.storedRecord(of: items[0])
            let sealed = try expectValue(record.secrets[.valueData], "a sealed secret").data()
            var flipped = sealed
            flipped[sealed.count - 1] ^= 1
            let tooCostly = AccessConstraints(
                flags: .applicationPassword,
                password: AccessConstraints.PasswordDerivation(
                    logarithmOfRounds: 24, blockSize: 8, parallelism: 1, salt: Data(count: 32)))
            let contradicting = AccessConstraints(flags: .biometryAny, password: tooCostly?.password)
            for (secret, constraints) in [
                (flipped, record.constraintBytes), (sealed, try expectValue(tooCostly, "constraints").encoded),
                (sealed, try expectValue(contradicting, "constraints").encoded),
            ] {
                try keychain.write(record, secret: secret, constraints: constraints)
                let found = try keychain.find(all.opened(by: "right")) as? [Data]
                try expectEqual(found?.count, 2)
                let own = items[0].query.with(kSecReturnData, true).opened(by: "right")
                try expect(keychain.copyMatching(own), errSecDecode)
            }
        },
        /// 12.5: If the context is invalidated while the key is derived, the call returns no data, even if the context
        /// had the password.
        ConformanceCase(
            "applicationPassword_ofAContextThatEnds_opensNothing", rules: "12.5", "4.18"
        ) {
            keychain in
            let item = GuardedItem(kSecClassGenericPassword, "x", .applicationPassword)
            try expect(keychain.add(item.dictionary.opened(by: "right")))
            func query() -> CFDictionary { item.query.with(kSecUseAuthenticationContext, EndingContext()) }
            var result: CFTypeRef?
            try expect(keychain.copyMatching(query().with(kSecReturnData, true), &result), errSecAuthFailed)
            try expect(result == nil, "data")
            try expect(keychain.update(query(), [kSecValueData: otherSecret] as CFDictionary), errSecAuthFailed)
            try expectEqual(try keychain.data(item.query.with(kSecReturnData, true).opened(by: "right")), secret)
            let other = GuardedItem(kSecClassGenericPassword, "y", .applicationPassword).dictionary
            try expect(keychain.add(other.with(kSecUseAuthenticationContext, EndingContext())), errSecAuthFailed)
            try expect(
                keychain.copyMatching(GuardedItem(kSecClassGenericPassword, "y", .applicationPassword).query),
                errSecItemNotFound)
        },
        /// 3.11: An existing key under a password may have another password, so an add does not treat it as the key to
        /// add.
        ConformanceCase("applicationPassword_ofAKeyThatIsThere_isNotTaken", rules: "3.11", "4.18") { keychain in
            let identity = try newIdentity("anna")
            let control = try accessControl(kSecAttrAccessibleWhenUnlockedThisDeviceOnly, .applicationPassword)
            let (certificate, key) = try halves(of: identity)
            let item = [kSecValueRef: key, kSecAttrAccessControl: control] as CFDictionary
            try expect(keychain.add(item.opened(by: "one")))
            for password in ["one", "two"] {
                let whole = [kSecValueRef: identity, kSecAttrAccessControl: control] as CFDictionary
                try expect(keychain.add(whole.opened(by: password)), errSecDuplicateItem)
            }
            try expect(keychain.copyMatching([kSecClass: kSecClassCertificate] as CFDictionary), errSecItemNotFound)
            try expect(keychain.add([kSecValueRef: certificate] as CFDictionary))
            let query = [kSecClass: kSecClassIdentity, kSecReturnRef: true] as CFDictionary
            try expect(keychain.copyMatching(query), errSecInteractionNotAllowed)
            try expect(try keychain.find(query.opened(by: "one")) as? SecIdentity == identity, "another identity")
        },
        /// 4.14: A sealed secret opens only in its own item, under its own constraints.
        ConformanceCase("applicationPassword_movedSecret_opensNothing", rules: "4.14", "4.18") { keychain in
            let items = ["a", "b"].map { GuardedItem(kSecClassGenericPassword, $0, .applicationPassword) }
            for item in items { try expect(keychain.add(item.dictionary.opened(by: "right"))) }
            let first = try keychain.storedRecord(of: items[0]), second = try keychain.storedRecord(of: items[1])
            let query = items[1].query.with(kSecReturnData, true).opened(by: "right")
            let sealed = try expectValue(first.secrets[.valueData], "a sealed secret").data()
            try keychain.write(second, secret: sealed)
            try expect(keychain.copyMatching(query), errSecAuthFailed)
            try keychain.write(second, secret: sealed, constraints: first.constraintBytes)
            try expect(keychain.copyMatching(query), errSecDecode)
            let own = try expectValue(second.secrets[.valueData], "a sealed secret").data()
            try keychain.write(second, secret: own, constraints: second.constraintBytes)
            try expectEqual(try keychain.data(query), secret)
            // The same password and salt with a finger in addition; a derivation that costs too much; another salt; no
            // password.
            let constraints = try expectValue(AccessConstraints(encoded: second.constraintBytes), "constraints")
            let derivation = try expectValue(constraints.password, "a derivation")
            func other(_ rounds: UInt8, _ salt: Data) -> AccessConstraints.PasswordDerivation {
                AccessConstraints.PasswordDerivation(
                    logarithmOfRounds: rounds, blockSize: derivation.blockSize, parallelism: derivation.parallelism,
                    salt: salt)
            }
            let rounds = derivation.logarithmOfRounds
            let salt = derivation.salt
            typealias Flags = AccessConstraints.Flags
            let changes: [(Flags, AccessConstraints.PasswordDerivation?, OSStatus)] = [
                ([.applicationPassword, .biometryAny], derivation, errSecDecode),
                (.applicationPassword, other(63, salt), errSecDecode),
                (.applicationPassword, other(23, salt), errSecDecode),
                (.applicationPassword, other(rounds, Data([1])), errSecDecode),
                (.applicationPassword, other(rounds, Data(count: 32)), errSecAuthFailed),
                (.applicationPassword, nil, errSecDecode), (.biometryAny, derivation, errSecDecode),
            ]
            for (flags, derivation, status) in changes {
                let constraints = try expectValue(
                    AccessConstraints(flags: flags, password: derivation), "constraints")
                try keychain.write(second, secret: own, constraints: constraints.encoded)
                let context = LAContext()
                context.setCredential(Data("right".utf8), type: .applicationPassword)
                _ = context.noteProof(of: .biometry)
                try expect(
                    keychain.copyMatching(query.with(kSecUseAuthenticationContext, context)), status, "\(constraints)")
                try expect(
                    keychain.update(
                        items[1].query.with(kSecUseAuthenticationContext, context),
                        [kSecValueData: otherSecret] as CFDictionary), status, "\(constraints)")
            }
        },
        /// 4.18: All secrets of an item are sealed. They open again when the conditions are removed.
        ConformanceCase("applicationPassword_ofManySecrets_sealsEach", rules: "4.18", "8.9", needs: .manySecrets) {
            keychain in
            let item = GuardedItem(kSecClassInternetPassword, "x", .applicationPassword)
            let notes = Data("private notes".utf8)
            let key = ItemAttribute.extraNotes.code as NSString
            try expect(keychain.add(item.query.with(kSecValueData, secret).with(key, notes)))
            let change = [kSecAttrAccessControl: item.control as Any] as CFDictionary
            try expect(keychain.update(item.query.opened(by: "right"), change))
            let record = try keychain.storedRecord(of: item)
            try expectEqual(record.secrets.count, 2)
            for sealed in record.secrets.values.map({ $0.data() }) {
                try expect(sealed.range(of: notes) == nil && sealed.range(of: secret) == nil, "a secret in plain sight")
            }
            let query = item.query.with(kSecReturnData, true).with(kSecReturnAttributes, true)
            try expectEqual(try keychain.dictionary(query.opened(by: "right"))[key as String] as? Data, notes)
            let free = [kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked] as CFDictionary
            try expect(keychain.update(item.query.opened(by: "right"), free))
            let found = try keychain.dictionary(query)
            try expectEqual(found[key as String] as? Data, notes)
            try expectEqual(found["v_Data"] as? Data, secret)
        },
        /// 4.15, 5.1: A look-up of the object of a private key needs the password. The uses of the object do not.
        ConformanceCase("applicationPassword_ofAKey_isNeededByEachLookUp", rules: "4.15", "4.18", "5.1") { keychain in
            let control = try accessControl(
                kSecAttrAccessibleWhenUnlockedThisDeviceOnly, .applicationPassword)
            let context = LAContext()
            context.setCredential(Data("right".utf8), type: .applicationPassword)
            let attributes: [CFString: Any] = [
                kSecAttrIsPermanent: true, kSecAttrApplicationTag: "made", kSecAttrAccessControl: control,
                kSecUseAuthenticationContext: context,
            ]
            let made = try keychain.createRandomKey(
                [
                    kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
                    kSecPrivateKeyAttrs: attributes,
                ] as CFDictionary)
            try expect(signs(made), errSecSuccess)
            let added = try newPrivateKey()
            try expect(
                keychain.add(
                    [
                        kSecValueRef: added, kSecAttrApplicationTag: "added", kSecAttrAccessControl: control,
                        kSecUseAuthenticationContext: context,
                    ] as CFDictionary))
            for tag in ["made", "added"] {
                let query =
                    [kSecClass: kSecClassKey, kSecAttrApplicationTag: tag, kSecReturnRef: true] as CFDictionary
                for (password, status) in [
                    (nil, errSecInteractionNotAllowed), ("right", errSecSuccess), ("wrong", errSecAuthFailed),
                    ("", errSecParam),
                ] {
                    let query = password.map { query.opened(by: $0) } ?? query
                    var result: CFTypeRef?
                    try expect(keychain.copyMatching(query, &result), status, "\(tag) with \(password ?? "none"):")
                    try expectEqual(result != nil, status == errSecSuccess)
                    guard let result else { continue }
                    let key = try expectValue(result as? SecKey, "a key")
                    for _ in 0..<2 { try expect(signs(key), errSecSuccess) }
                    var data: CFData?
                    try expect(SecItemExport(key, .formatOpenSSL, [], nil, &data))
                }
            }
        },
        /// 8.8: An item that moves to another application's group opens with the same password.
        ConformanceCase("applicationPassword_survives_adoption", rules: "8.8", "4.18") { keychain in
            let item = GuardedItem(kSecClassGenericPassword, "x", .applicationPassword)
            try expect(keychain.application("org.example.other").add(item.dictionary.opened(by: "right")))
            try expectEqual(try keychain.adopt(itemsOf: "org.example.other"), 1)
            try keychain.expectSealed(item.query.with(kSecReturnData, true))
        },
    ]

    /// Random conditions and random proofs: the data can be read and changed only with the right password and all other
    /// proofs. Otherwise item and data do not change.
    static let applicationPasswordLawCases: [ConformanceCase] = RandomRounds.usually(2).map { $0 + 1 }.map { seed in
        ConformanceCase(
            "applicationPassword_seed\(seed)_isNeededBesideAllProofs", rules: "4.18", "8.9",
            needs: RandomRounds.usually(1).contains(seed - 1) ? [] : .speed
        ) { keychain in
            var random = SeededGenerator(seed: UInt64(seed))
            for number in 0..<12 {
                let flags = random.pick(PasswordLaw.conditions).union(.applicationPassword)
                let law = PasswordLaw(GuardedItem(random.pick(GuardedItem.classes), "\(number)", flags))
                try law.hold(on: keychain, &random)
            }
        }
    }
}

/// One item, and everything that a caller may give for it.
private struct PasswordLaw {
    static var conditions: [SecAccessControlCreateFlags] { [[]] + GuardedItem.flagSets }

    let item: GuardedItem
    private let person = AskedPerson()

    init(_ item: GuardedItem) {
        self.item = item
    }

    /// A query with a password, and with or without all other proofs.
    private func query(_ password: String?, isProven: Bool) -> CFDictionary {
        let context = LAContext()
        context.localizedReason = person.reason
        context.setCredential(password.map { Data($0.utf8) }, type: .applicationPassword)
        if isProven {
            _ = context.noteProof(of: .password)
            _ = context.noteProof(of: .biometry)
            context.setCredential(Data("passphrase".utf8), type: .devicePasscode)
        }
        person.answers { _ in throw LAError(.authenticationFailed) }
        return item.query.with(kSecUseAuthenticationContext, context)
    }

    func hold(on keychain: ConformanceKeychain, _ random: inout SeededGenerator) throws {
        let dictionary = query("right", isProven: false).with(kSecValueData, secret)
        try expect(keychain.add(dictionary.with(kSecAttrAccessControl, item.control as Any)))
        var data = secret
        for round in 0..<8 {
            let password = random.pick(["right", "right", "wrong", nil])
            let isProven = random.chance(60)
            let demandsProof = item.flags != .applicationPassword
            let query = query(password, isProven: isProven)
            let opens = password == "right" && (isProven || !demandsProof)
            let status: OSStatus
            switch Int.random(in: 0..<3, using: &random) {
            case 0:
                var result: CFTypeRef?
                status = keychain.copyMatching(query.with(kSecReturnData, true), &result)
                try expectEqual(result as? Data, opens ? data : nil)
            case 1:
                let new = Data("data \(item.name) \(round)".utf8)
                status = keychain.update(query, [kSecValueData: new] as CFDictionary)
                if opens { data = new }
            default:
                status = keychain.update(query, [kSecAttrAccessControl: item.control as Any] as CFDictionary)
            }
            let what = "\(item.flags.rawValue) for \(password ?? "none"), proven \(isProven):"
            if opens {
                try expect(status, errSecSuccess, what)
            } else {
                try expect([errSecAuthFailed, errSecInteractionNotAllowed].contains(status), "\(what) \(status)")
                if password == nil { try expect(status, errSecInteractionNotAllowed, what) }
                if password == "wrong", isProven || !demandsProof { try expect(status, errSecAuthFailed, what) }
            }
            let all = self.query("right", isProven: true)
            try expectEqual(try keychain.data(all.with(kSecReturnData, true)), data, what)
            let found = try keychain.dictionary(all.with(kSecReturnAttributes, true))
            try expectEqual(found["accc"] as? SecAccessControl, item.control, what)
        }
        try expect(keychain.delete(item.query))
    }
}

/// A context that becomes invalid after it has given the password.
private final class EndingContext: NSObject, AuthenticationContext {
    private let hasGiven = LockedValue(false)

    var interactionNotAllowed: Bool { false }
    var isInvalidated: Bool { hasGiven.withLock { $0 } }
    var localizedReason: String { "" }
    var passphrase: Secret? { nil }

    var applicationPassword: Secret? {
        hasGiven.withLock { $0 = true }
        return Secret(Data("right".utf8))
    }

    func hasProven(_ methods: PresenceRequest.Methods) -> Bool { false }
    func noteProof(of methods: PresenceRequest.Methods) -> Bool { !isInvalidated }
    func keep(applicationPassword: Secret) -> Bool { !isInvalidated }
    func keep(passphrase: Secret) -> Bool { !isInvalidated }
}

private func signs(_ key: SecKey) -> OSStatus {
    var error: Unmanaged<CFError>?
    let signature = SecKeyCreateSignature(key, .ecdsaSignatureMessageX962SHA256, Data("message".utf8) as CFData, &error)
    if signature != nil { return errSecSuccess }
    return error.map { OSStatus(truncatingIfNeeded: CFErrorGetCode($0.takeRetainedValue())) } ?? errSecParam
}

extension CFDictionary {
    /// The dictionary with a context that has this application password.
    fileprivate func opened(by password: String) -> CFDictionary { opened(by: Data(password.utf8)) }

    /// The dictionary with a context that has this application password.
    fileprivate func opened(by password: Data) -> CFDictionary {
        let context = LAContext()
        context.setCredential(password, type: .applicationPassword)
        return with(kSecUseAuthenticationContext, context)
    }
}

extension ConformanceKeychain {
    /// Expects that only the password "right" opens the data of an item.
    fileprivate func expectSealed(_ query: CFDictionary, file: StaticString = #fileID, line: UInt = #line) throws {
        func expectNothing(_ query: CFDictionary, _ status: OSStatus) throws {
            var result: CFTypeRef?
            try expect(copyMatching(query, &result), status, file: file, line: line)
            try expect(result == nil, "a result without the password", file: file, line: line)
        }
        let failing = query.with(kSecUseAuthenticationUI, kSecUseAuthenticationUIFail)
        let skipping = query.with(kSecUseAuthenticationUI, kSecUseAuthenticationUISkip)
        try expectNothing(query, errSecInteractionNotAllowed)
        try expectNothing(failing, errSecInteractionNotAllowed)
        try expectNothing(skipping, errSecItemNotFound)
        for query in [query, failing, skipping] {
            try expectNothing(query.opened(by: "wrong"), errSecAuthFailed)
            try expectNothing(query.opened(by: ""), errSecParam)
            var result: CFTypeRef?
            try expect(copyMatching(query.opened(by: "right"), &result), errSecSuccess, file: file, line: line)
            try expect(holdsSecret(result), "no data with the password", file: file, line: line)
        }
    }

    fileprivate func storedRecord(of item: GuardedItem) throws -> ItemRecord {
        for itemClass in ItemClass.stored {
            let records = try store.records(
                matching: RecordFilter(itemClass: itemClass), parts: [.attributes, .secrets], limit: nil,
                interaction: .allowed)
            let found = records.first { record in
                record.isConstrained && (record.attributes[.account]?.string ?? item.name) == item.name
            }
            if let found { return found }
        }
        return try expectValue(nil, "the item in the store")
    }

    /// Changes an item in the store directly, without the keychain.
    fileprivate func write(_ record: ItemRecord, secret: Data, constraints: Data? = nil) throws {
        let attributes = constraints.map { [ItemAttribute.accessControl: AttributeValue.data($0)] } ?? [:]
        // In two steps, because a store may refuse to change both at once.
        for changes in [
            RecordChanges(attributes: attributes, secrets: [:]),
            RecordChanges(attributes: [:], secrets: [.valueData: Secret(secret)]),
        ] where !changes.attributes.isEmpty || !changes.secrets.isEmpty {
            let count = try store.update(
                matching: RecordFilter(itemClass: record.itemClass, reference: record.reference), applying: changes,
                interaction: .allowed)
            try expectEqual(count, 1)
        }
    }
}

extension ItemRecord {
    /// The constraints as they are in the store.
    fileprivate var constraintBytes: Data {
        if case .data(let bytes) = attributes[.accessControl] { bytes } else { Data() }
    }
}
