// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalAuthentication
import SecItemShim

extension ConformanceSuite {
    /// Private keys whose items require a proof. A look-up opens the object as it opens data; its uses ask nobody.
    static let guardedKeyCases: [ConformanceCase] = [
        /// 4.15, 5.1: The look-up asks. What is done with the object asks nobody.
        ConformanceCase("guardedKey_onceLookedUp_needsNoMoreProof", rules: "4.15", "5.1", "12.4", needs: .noPassphrase)
        {
            keychain in
            let person = AskedPerson()
            let (key, query) = try keychain.addGuardedKey(person)
            for (code, status) in [
                (LAError.Code.userCancel, errSecUserCanceled), (.authenticationFailed, errSecAuthFailed),
            ] {
                person.answers { _ in throw LAError(code) }
                var result: CFTypeRef?
                try expect(keychain.copyMatching(query, &result), status)
                try expect(result == nil, "an object without the proof")
                try person.expectQuestions([.passwordOrFinger])
            }
            person.answers { _ in }
            let found = try expectValue(keychain.find(query) as? SecKey, "a key")
            try person.expectQuestions([.passwordOrFinger])
            try expectEqual(found, key)
            try expectEqual(try expectValue(SecKeyCopyPublicKey(found), "a half"), SecKeyCopyPublicKey(key))
            for use in GuardedUse.allCases { try expect(use.status(found), errSecSuccess, "\(use):") }
            try person.expectQuestions([])
            // The same object can be added again, with other conditions or with none.
            try expect(keychain.add([kSecValueRef: found, kSecAttrApplicationTag: "copy"] as CFDictionary))
            try expect(keychain.delete([kSecValueRef: found] as CFDictionary))
            try expect(keychain.copyMatching(query), errSecItemNotFound)
        },
        /// 4.15: The object of a key that was made with conditions asks nobody. The stored key needs the proof.
        ConformanceCase("guardedKey_made_needsTheProofWhenLookedUp", rules: "4.15", needs: .noPassphrase) { keychain in
            let person = AskedPerson()
            let control = try accessControl(kSecAttrAccessibleWhenUnlockedThisDeviceOnly, .userPresence)
            let attributes: [CFString: Any] = [
                kSecAttrIsPermanent: true, kSecAttrApplicationTag: "tag", kSecAttrAccessControl: control,
            ]
            let made = try keychain.createRandomKey(
                [
                    kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
                    kSecPrivateKeyAttrs: attributes,
                ] as CFDictionary)
            for use in GuardedUse.allCases { try expect(use.status(made), errSecSuccess, "\(use):") }
            let query = guardedKeyQuery(person)
            try expect(
                keychain.copyMatching(query.with(kSecUseAuthenticationUI, kSecUseAuthenticationUIFail)),
                errSecInteractionNotAllowed)
            try person.expectQuestions([])
            try expectEqual(try keychain.find(query) as? SecKey, made)
            try person.expectQuestions([.passwordOrFinger])
        },
        /// 12.5, 12.6: A context asks once for all look-ups, and only while it allows it.
        ConformanceCase("guardedKey_withContext_isAskedForOnce", rules: "12.5", "12.6", needs: .noPassphrase) {
            keychain in
            let person = AskedPerson()
            let context = LAContext()
            context.localizedReason = person.reason
            context.interactionNotAllowed = true
            let query = try keychain.addGuardedKey(person).query.with(kSecUseAuthenticationContext, context)
            try expect(keychain.copyMatching(query), errSecInteractionNotAllowed)
            try person.expectQuestions([])
            context.interactionNotAllowed = false
            let found = try (0..<2).map { _ in try expectValue(keychain.find(query) as? SecKey, "a key") }
            try person.expectQuestions([.passwordOrFinger])
            context.invalidate()
            try expect(keychain.copyMatching(query), errSecAuthFailed)
            for use in GuardedUse.allCases { try expect(use.status(found[0]), errSecSuccess, "\(use):") }
        },
        /// 4.15, 8.9: Wrong attributes of a guarded key neither open nor damage it. With the old attributes, it works
        /// again.
        ConformanceCase(
            "guardedKey_withOtherAttributes_isNeitherOpenNorLost", rules: "4.15", "8.9", needs: .noPassphrase
        ) { keychain in
            let person = AskedPerson()
            let (key, reference) = try keychain.addGuardedKey(person)
            let query = reference.with(kSecReturnRef, false)
            let before = try keychain.dictionary(query.with(kSecReturnAttributes, true))
            let changes: [[CFString: Any]] = [
                [kSecAttrKeyClass: kSecAttrKeyClassPublic], [kSecAttrKeyClass: kSecAttrKeyClassSymmetric],
                [kSecAttrKeyType: kSecAttrKeyTypeRSA], [kSecAttrKeySizeInBits: 1], [kSecAttrEffectiveKeySize: 1],
                [kSecAttrApplicationLabel: Data("other".utf8)], [kSecAttrCanSign: false],
                [kSecAttrKeyClass: kSecAttrKeyClassPublic, kSecAttrKeyType: kSecAttrKeyTypeRSA],
            ]
            let control = try accessControl(kSecAttrAccessibleWhenUnlockedThisDeviceOnly, .userPresence)
            for change in changes {
                try expect(keychain.update(query, change as CFDictionary), errSecSuccess, "\(change)")
                try person.expectQuestions([])
                // Neither the data nor a use is available without the proof, whatever the attributes say.
                let failing = query.with(kSecUseAuthenticationUI, kSecUseAuthenticationUIFail)
                try expect(keychain.copyMatching(failing.with(kSecReturnData, true)), errSecInteractionNotAllowed)
                try expect(keychain.copyMatching(failing.with(kSecReturnRef, true)), errSecInteractionNotAllowed)
                try person.expectQuestions([])
                // Setting conditions again does not turn the object into one that needs no proof.
                try expect(keychain.update(query, [kSecAttrAccessControl: control] as CFDictionary))
                try person.expectQuestions([.passwordOrFinger])
                let names = change.keys.map { $0 as String }
                let old = Dictionary(uniqueKeysWithValues: names.compactMap { name in before[name].map { (name, $0) } })
                let missing = names.filter { old[$0] == nil }
                try expect(missing.isEmpty || missing == [kSecAttrCanSign as String], "\(missing)")
                let undone = missing.isEmpty ? old : [kSecAttrCanSign as String: true]
                try expect(keychain.update(query, undone as CFDictionary), errSecSuccess, "\(change)")
                try person.expectQuestions([])
                let found = try expectValue(try keychain.find(query.with(kSecReturnRef, true)) as? SecKey, "a key")
                try person.expectQuestions([.passwordOrFinger])
                try expectEqual(found, key)
                for use in GuardedUse.allCases {
                    try expect(use.status(found), errSecSuccess, "\(use) after \(change):")
                }
            }
        },
        /// 4.16, 5.1: A look-up of an identity with a guarded key needs the proof, though its certificate is free.
        ConformanceCase(
            "guardedIdentity_withAFreeCertificate_needsTheProof", rules: "4.15", "4.16", "5.1", needs: .noPassphrase
        ) { keychain in
            let person = AskedPerson()
            let identity = try newIdentity("anna")
            let (certificate, key) = try halves(of: identity)
            let control = try accessControl(kSecAttrAccessibleWhenUnlockedThisDeviceOnly, .userPresence)
            try expect(keychain.add([kSecValueRef: certificate] as CFDictionary))
            try expect(keychain.add([kSecValueRef: key, kSecAttrAccessControl: control] as CFDictionary))
            let query = [kSecClass: kSecClassIdentity, kSecUseOperationPrompt: person.reason] as CFDictionary
            person.answers { _ in throw LAError(.userCancel) }
            try expect(keychain.copyMatching(query.with(kSecReturnRef, true)), errSecUserCanceled)
            person.answers { _ in }
            _ = person.questions()
            let found = try keychain.identity(query)
            try person.expectQuestions([.passwordOrFinger])
            try expect(found == identity, "another identity")
            for use in GuardedUse.allCases {
                try expect(use.status(try halves(of: found).key), errSecSuccess, "\(use):")
            }
            try expect(keychain.delete(query))
            try person.expectQuestions([])
        },
        /// 3.11, 4.15: If an identity is added with conditions, both halves have them, and one question opens it.
        ConformanceCase("guardedIdentity_asAWhole_isOneQuestion", rules: "3.11", "4.15", "4.16", needs: .noPassphrase) {
            keychain in
            let person = AskedPerson()
            let identity = try newIdentity("anna")
            for flags in [SecAccessControlCreateFlags.userPresence, .biometryCurrentSet] {
                let control = try accessControl(kSecAttrAccessibleWhenUnlockedThisDeviceOnly, flags)
                try expect(keychain.add([kSecValueRef: identity, kSecAttrAccessControl: control] as CFDictionary))
                for itemClass in [kSecClassCertificate, kSecClassKey] {
                    let half = try keychain.dictionary(
                        [kSecClass: itemClass, kSecReturnAttributes: true] as CFDictionary)
                    try expectEqual(half["accc"] as? SecAccessControl, control)
                }
                let question = flags == .userPresence ? AskedPerson.Question.passwordOrFinger : .finger
                let query = [kSecClass: kSecClassIdentity, kSecUseOperationPrompt: person.reason] as CFDictionary
                let failing = query.with(kSecUseAuthenticationUI, kSecUseAuthenticationUIFail)
                try expect(keychain.copyMatching(failing.with(kSecReturnRef, true)), errSecInteractionNotAllowed)
                try person.expectQuestions([])
                let found = try keychain.identity(query)
                try expect(found == identity, "another identity")
                try person.expectQuestions([question])
                try expect(GuardedUse.sign.status(try halves(of: found).key), errSecSuccess)
                try person.expectQuestions([])
                try expect(keychain.delete(query))
            }
        },
    ]
}

private enum GuardedUse: CaseIterable {
    case sign, agree, decrypt, copyBytes, export

    func status(_ key: SecKey) -> OSStatus {
        var error: Unmanaged<CFError>?
        let message = Data("message".utf8) as CFData
        let result: Any?
        switch self {
        case .sign: result = SecKeyCreateSignature(key, .ecdsaSignatureMessageX962SHA256, message, &error)
        case .agree:
            guard let publicKey = SecKeyCopyPublicKey(key) else { return errSecParam }
            result = SecKeyCopyKeyExchangeResult(key, .ecdhKeyExchangeStandard, publicKey, [:] as CFDictionary, &error)
        case .decrypt:
            let algorithm = SecKeyAlgorithm.eciesEncryptionStandardX963SHA256AESGCM
            guard let publicKey = SecKeyCopyPublicKey(key),
                let ciphertext = SecKeyCreateEncryptedData(publicKey, algorithm, message, nil)
            else { return errSecParam }
            result = SecKeyCreateDecryptedData(key, algorithm, ciphertext, &error)
        case .copyBytes: result = SecKeyCopyExternalRepresentation(key, &error)
        case .export:
            var data: CFData?
            return SecItemExport(key, .formatOpenSSL, [], nil, &data)
        }
        guard result == nil else { return errSecSuccess }
        return error.map { OSStatus(truncatingIfNeeded: CFErrorGetCode($0.takeRetainedValue())) } ?? errSecParam
    }
}

extension ConformanceKeychain {
    fileprivate func identity(_ query: CFDictionary) throws -> SecIdentity {
        try expectValue(try find(query.with(kSecReturnRef, true)) as? SecIdentity, "an identity")
    }

    /// Adds a new private key with "user presence".
    ///
    /// - Returns: The key, and a query for its object.
    fileprivate func addGuardedKey(_ person: AskedPerson) throws -> (key: SecKey, query: CFDictionary) {
        let key = try newPrivateKey()
        let control = try accessControl(kSecAttrAccessibleWhenUnlockedThisDeviceOnly, .userPresence)
        try expect(
            add([kSecValueRef: key, kSecAttrApplicationTag: "tag", kSecAttrAccessControl: control] as CFDictionary))
        return (key, guardedKeyQuery(person))
    }
}

private func guardedKeyQuery(_ person: AskedPerson) -> CFDictionary {
    [
        kSecClass: kSecClassKey, kSecAttrApplicationTag: "tag", kSecReturnRef: true,
        kSecUseOperationPrompt: person.reason,
    ] as CFDictionary
}
