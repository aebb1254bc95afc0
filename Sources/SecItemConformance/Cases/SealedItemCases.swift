// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalAuthentication
import SecItemShim
import SecItemStore

extension ConformanceSuite {
    /// Section 12, in a store whose passphrase replaces the person's proof.
    static let sealedItemCases: [ConformanceCase] = [
        /// 12.4, 12.6: The passphrase opens guarded items. A wrong one does not, and neither do the keys of the
        /// unlocked store.
        ConformanceCase("sealedItem_opensWithThePassphraseOnly", rules: "12.4", "12.6", needs: .passphrase) {
            keychain in
            let person = AskedPerson()
            for flags in GuardedItem.takingPassphrase {
                let item = GuardedItem(kSecClassGenericPassword, "\(flags.rawValue)", flags)
                try keychain.add(item)
                let query = item.query.with(kSecReturnData, true).with(kSecUseOperationPrompt, person.reason)
                let wrong = LAContext(), right = LAContext()
                if keychain.store.guardedStore != nil {
                    try expect(keychain.copyMatching(query), errSecInteractionNotAllowed)
                    wrong.setCredential(Data("wrong".utf8), type: .devicePasscode)
                    let status = keychain.copyMatching(query.with(kSecUseAuthenticationContext, wrong))
                    try expect(status, errSecAuthFailed)
                }
                right.setCredential(passphrase, type: .devicePasscode)
                try expectEqual(try keychain.data(query.with(kSecUseAuthenticationContext, right)), secret)
                right.invalidate()
                try expect(keychain.copyMatching(query.with(kSecUseAuthenticationContext, right)), errSecAuthFailed)
                // Attributes need no passphrase.
                try expect(keychain.copyMatching(item.query.with(kSecReturnAttributes, true)))
            }
        },
        /// 12.3: A look-up that skips guarded items returns the others, and succeeds.
        ConformanceCase("sealedItem_isSkippedWithoutThePassphrase", rules: "12.3", needs: .passphrase) { keychain in
            let person = AskedPerson()
            try keychain.addPassword("free")
            try keychain.add(GuardedItem(kSecClassGenericPassword, "guarded", .devicePasscode))
            let query =
                [
                    kSecClass: kSecClassGenericPassword, kSecMatchLimit: kSecMatchLimitAll, kSecReturnData: true,
                    kSecUseOperationPrompt: person.reason, kSecUseAuthenticationUI: kSecUseAuthenticationUISkip,
                ] as CFDictionary
            let empty = LAContext(), proven = LAContext(), full = LAContext()
            _ = proven.noteProof(of: .password)
            full.setCredential(passphrase, type: .devicePasscode)
            let isSealed = keychain.store.guardedStore != nil
            for (context, count) in [(empty, 1), (proven, isSealed ? 1 : 2), (full, isSealed ? 2 : 1)] {
                let found = try keychain.find(query.with(kSecUseAuthenticationContext, context)) as? [Data]
                try expectEqual(found?.count, count)
            }
            try person.expectQuestions([])
        },
        /// 8.9: New data, other conditions and no conditions need the passphrase. The item keeps what the update does
        /// not name.
        ConformanceCase("sealedItem_update_keepsWhatItDoesNotName", rules: "8.9", "12.6", needs: .passphrase) {
            keychain in
            let person = AskedPerson()
            let item = GuardedItem(kSecClassGenericPassword, "x", .userPresence)
            try keychain.add(item)
            let context = LAContext()
            context.setCredential(passphrase, type: .devicePasscode)
            let query = item.query.with(kSecUseOperationPrompt, person.reason)
            let allowed = query.with(kSecUseAuthenticationContext, context)
            let other = GuardedItem(kSecClassGenericPassword, "x", .devicePasscode).control
            let new = Data("new".utf8)
            if keychain.store.guardedStore != nil {
                for changes in [
                    [kSecValueData: new], [kSecAttrAccessControl: other as Any],
                    [kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked],
                ] as [[CFString: Any]] {
                    try expect(keychain.update(query, changes as CFDictionary), errSecInteractionNotAllowed)
                }
            }
            try expect(keychain.update(query, [kSecAttrLabel: "label"] as CFDictionary))
            try expectEqual(try keychain.data(allowed.with(kSecReturnData, true)), secret)
            try expect(keychain.update(allowed, [kSecAttrAccessControl: other as Any] as CFDictionary))
            try expectEqual(try keychain.data(allowed.with(kSecReturnData, true)), secret)
            try expect(keychain.update(allowed, [kSecValueData: new] as CFDictionary))
            try expectEqual(try keychain.data(allowed.with(kSecReturnData, true)), new)
            let free = [kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked] as CFDictionary
            try expect(keychain.update(allowed, free))
            try expectEqual(try keychain.data(item.query.with(kSecReturnData, true)), new)
        },
        /// 8.9: If one thread sets conditions while another changes the data, the old data does not come back.
        ConformanceCase("constraints_setWhileDataChanges_loseNoData", rules: "8.9") { keychain in
            _ = AskedPerson()
            let item = GuardedItem(kSecClassGenericPassword, "x", .biometryAny)
            for round in 0..<10 {
                try keychain.addPassword("x")
                let data = Data("\(round)".utf8)
                let statuses = concurrently(2) { thread in
                    let item = GuardedItem(kSecClassGenericPassword, "x", .biometryAny)
                    return thread == 0
                        ? keychain.update(item.query, [kSecAttrAccessControl: item.control as Any] as CFDictionary)
                        : keychain.update(item.query, [kSecValueData: data] as CFDictionary)
                }
                // If the data came second, nobody could be asked for the proof.
                if statuses[1] == errSecSuccess {
                    let free = [kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked] as CFDictionary
                    let context = LAContext()
                    _ = context.noteProof(of: .biometry)
                    let query = item.query.with(kSecUseAuthenticationContext, context)
                    try expect(statuses[0], errSecSuccess)
                    try expect(keychain.update(query, free))
                    try expectEqual(try keychain.data(item.query.with(kSecReturnData, true)), data)
                }
                try expect(keychain.delete(item.query))
            }
        },
    ]

    /// The passphrase of a store under test that has a passphrase.
    private static let passphrase = Data("passphrase".utf8)
}

extension GuardedItem {
    /// Conditions for which the passphrase of a store is enough.
    fileprivate static let takingPassphrase: [SecAccessControlCreateFlags] = [
        .userPresence, .devicePasscode, [.or, .biometryAny, .devicePasscode],
    ]
}
