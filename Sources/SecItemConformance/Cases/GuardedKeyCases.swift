// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalAuthentication
import SecItemShim

extension ConformanceSuite {
    /// Private keys whose items require a proof. A look-up returns the object without the proof, but each use of the
    /// object needs it.
    static let guardedKeyCases: [ConformanceCase] = [
        /// 4.15, 5.1: The object, its attributes and its public key ask nobody. Each use asks.
        ConformanceCase("guardedKey_everyUse_needsTheProof", rules: "4.15", "5.1", "12.4", needs: .noPassphrase) {
            keychain in
            let person = AskedPerson()
            let (key, found) = try keychain.addGuardedKey(person)
            try expectEqual(found, key)
            try expectEqual(try expectValue(SecKeyCopyPublicKey(found), "a half"), SecKeyCopyPublicKey(key))
            try expectEqual(SecKeyGetBlockSize(found), SecKeyGetBlockSize(key))
            try expect(SecKeyIsAlgorithmSupported(found, .sign, .ecdsaSignatureMessageX962SHA256), "no signatures")
            try expect(!SecKeyIsAlgorithmSupported(found, .verify, .ecdsaSignatureMessageX962SHA256), "a public key")
            try expect(SecKeyCopyAttributes(found) != nil, "no attributes")
            try person.expectQuestions([])
            for use in GuardedUse.allCases {
                for (code, status) in [
                    (LAError.Code.userCancel, errSecUserCanceled), (.authenticationFailed, errSecAuthFailed),
                ] {
                    person.answers { _ in throw LAError(code) }
                    try expect(use.status(found), status, "\(use):")
                    try person.expectQuestions([.passwordOrFinger], "\(use)")
                }
                person.answers { _ in }
                for _ in 0..<2 { try expect(use.status(found), errSecSuccess, "\(use):") }
                try person.expectQuestions([.passwordOrFinger, .passwordOrFinger], "\(use)")
            }
        },
        /// 12.5: A context asks once for all uses.
        ConformanceCase("guardedKey_withContext_isAskedForOnce", rules: "12.5", needs: .noPassphrase) { keychain in
            let person = AskedPerson()
            let context = LAContext()
            context.localizedReason = person.reason
            let found = try keychain.addGuardedKey(person, [kSecUseAuthenticationContext: context]).found
            for use in GuardedUse.allCases { try expect(use.status(found), errSecSuccess, "\(use):") }
            try person.expectQuestions([.passwordOrFinger])
            context.invalidate()
            for use in GuardedUse.allCases { try expect(use.status(found), errSecAuthFailed, "\(use):") }
        },
        /// 12.4: An object that was looked up without permission to ask never asks.
        ConformanceCase(
            "guardedKey_withoutPermissionToAsk_isInteractionNotAllowed", rules: "12.4", needs: .noPassphrase
        ) { keychain in
            let person = AskedPerson()
            let found = try keychain.addGuardedKey(
                person, [kSecUseAuthenticationUI: kSecUseAuthenticationUIFail]
            ).found
            for use in GuardedUse.allCases { try expect(use.status(found), errSecInteractionNotAllowed, "\(use):") }
            try person.expectQuestions([])
        },
        /// 12.6: Whether a key's object asks depends on what its context allows at each use, whatever it allowed before.
        ConformanceCase("guardedKey_whoseContextAllowsLater_asks", rules: "12.6", needs: .noPassphrase) { keychain in
            let person = AskedPerson()
            for isAllowedAtFirst in [false, true] {
                let context = LAContext()
                context.localizedReason = person.reason
                context.interactionNotAllowed = !isAllowedAtFirst
                let found = try keychain.addGuardedKey(person, [kSecUseAuthenticationContext: context]).found
                context.interactionNotAllowed = true
                let use = GuardedUse.allCases[0]
                try expect(use.status(found), errSecInteractionNotAllowed)
                try person.expectQuestions([])
                context.interactionNotAllowed = false
                try expect(use.status(found), errSecSuccess)
                try person.expectQuestions([.passwordOrFinger])
                try expect(keychain.delete([kSecClass: kSecClassKey] as CFDictionary))
            }
        },
        /// 3.11: The object of a guarded key cannot be added again, with other conditions or with none.
        ConformanceCase("guardedKey_addedFromItsObject_isUnimplemented", rules: "3.11", needs: .noPassphrase) {
            keychain in
            let person = AskedPerson()
            let found = try keychain.addGuardedKey(person).found
            try expect(
                keychain.add([kSecValueRef: found, kSecAttrApplicationTag: "copy"] as CFDictionary), errSecUnimplemented
            )
            try expectEqual(
                keychain.copyMatching([kSecClass: kSecClassKey, kSecAttrApplicationTag: "copy"] as CFDictionary),
                errSecItemNotFound)
            // The object still identifies its item.
            try expect(keychain.delete([kSecValueRef: found] as CFDictionary))
            try expect(GuardedUse.sign.status(found), errSecItemNotFound)
            try person.expectQuestions([])
        },
        /// 4.15, 8.9: Wrong attributes of a guarded key neither open nor damage it. With the old attributes, it works
        /// again.
        ConformanceCase(
            "guardedKey_withOtherAttributes_isNeitherOpenNorLost", rules: "4.15", "8.9", needs: .noPassphrase
        ) { keychain in
            let person = AskedPerson()
            let key = try keychain.addGuardedKey(person).key
            let query =
                [kSecClass: kSecClassKey, kSecAttrApplicationTag: "tag", kSecUseOperationPrompt: person.reason]
                as CFDictionary
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
                if let found = try? keychain.find(failing.with(kSecReturnRef, true)) as? SecKey {
                    for use in GuardedUse.allCases {
                        try expect(use.status(found) != errSecSuccess, "\(use) without a proof after \(change)")
                    }
                }
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
                try expectEqual(found, key)
                for use in GuardedUse.allCases {
                    try expect(use.status(found), errSecSuccess, "\(use) after \(change):")
                    try person.expectQuestions([.passwordOrFinger])
                }
            }
        },
        /// 4.16, 5.1: A look-up returns an identity with a guarded key without the proof. Each use of the key needs it.
        ConformanceCase(
            "guardedIdentity_withAFreeCertificate_asksAtEachUse", rules: "4.15", "4.16", "5.1", needs: .noPassphrase
        ) { keychain in
            let person = AskedPerson()
            let identity = try newIdentity("anna")
            let (certificate, key) = try halves(of: identity)
            let control = try accessControl(kSecAttrAccessibleWhenUnlockedThisDeviceOnly, .userPresence)
            try expect(keychain.add([kSecValueRef: certificate] as CFDictionary))
            try expect(keychain.add([kSecValueRef: key, kSecAttrAccessControl: control] as CFDictionary))
            let query = [kSecClass: kSecClassIdentity, kSecUseOperationPrompt: person.reason] as CFDictionary
            let found = try keychain.identity(query)
            try expect(found == identity, "another identity")
            let own = try halves(of: found).key
            try person.expectQuestions([])
            person.answers { _ in throw LAError(.userCancel) }
            try expect(GuardedUse.sign.status(own), errSecUserCanceled)
            person.answers { _ in }
            try expect(GuardedUse.sign.status(own), errSecSuccess)
            try expect(GuardedUse.copyBytes.status(own), errSecSuccess)
            try person.expectQuestions([.passwordOrFinger, .passwordOrFinger, .passwordOrFinger])
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
                try person.expectQuestions([question])
                try expect(keychain.delete(query))
            }
        },
    ]
}

/// A use of a private key.
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

    /// Adds a new private key with "user presence", and looks up its object.
    fileprivate func addGuardedKey(
        _ person: AskedPerson, _ more: [CFString: Any] = [:]
    ) throws -> (key: SecKey, found: SecKey) {
        let key = try newPrivateKey()
        let control = try accessControl(kSecAttrAccessibleWhenUnlockedThisDeviceOnly, .userPresence)
        try expect(
            add([kSecValueRef: key, kSecAttrApplicationTag: "tag", kSecAttrAccessControl: control] as CFDictionary))
        var query: [CFString: Any] = [
            kSecClass: kSecClassKey, kSecAttrApplicationTag: "tag", kSecReturnRef: true,
            kSecUseOperationPrompt: person.reason,
        ]
        query.merge(more) { $1 }
        let found = try expectValue(find(query as CFDictionary) as? SecKey, "a key")
        return (key, found)
    }
}
