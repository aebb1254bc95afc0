// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalAuthentication
import SecItemShim
import SecItemStore

extension ConformanceSuite {
    /// Sections 12 and 14: prompts, and the statuses of a locked store.
    static let authenticationCases: [ConformanceCase] = [
        /// 12.1: Every call accepts the keys that say how to prompt.
        ConformanceCase("authenticationKeys_whereNothingIsAsked_changeNothing", rules: "12.1") { keychain in
            let keys: [(CFString, Any)] = [
                (kSecUseOperationPrompt, "Please"), (kSecUseNoAuthenticationUI, true),
                (kSecUseNoAuthenticationUI, false), (kSecUseAuthenticationUI, kSecUseAuthenticationUIAllow),
                (kSecUseAuthenticationUI, kSecUseAuthenticationUIFail), (kSecUseAuthenticationContext, LAContext()),
                ("u_CredRef" as CFString, Data([1])),
            ]
            for (key, value) in keys {
                let item = passwordDictionary().with(key, value)
                try expect(keychain.add(item), errSecSuccess, "\(key):")
                try keychain.expectEach(errSecSuccess, from: [.copyMatching, .update, .delete], with: key, value)
            }
        },
        /// 12.2: An unknown value means the same as "allow".
        ConformanceCase("authenticationUI_unknownValue_isIgnored", rules: "12.2") { keychain in
            try keychain.addPassword("account")
            for value: Any in ["nonsense", "", 1, true, NSNull()] {
                try keychain.expectEach(errSecSuccess, from: [.copyMatching], with: kSecUseAuthenticationUI, value)
            }
        },
        /// 12.5: What is no context is not ignored: it might have forbidden prompts, or brought a password.
        ConformanceCase("authenticationContext_ofAnotherClass_isParam", rules: "12.5") { keychain in
            try keychain.addPassword("account")
            for value: Any in [NSObject(), "context", 1, true, Data(), NSNull(), [LAContext()]] {
                try keychain.expectEach(
                    errSecParam, from: [.add, .copyMatching, .update, .delete], with: kSecUseAuthenticationContext,
                    value)
            }
            try expect(keychain.copyMatching(passwordDictionary()))
        },
        /// 12.5: A context and a credential exclude each other.
        ConformanceCase("contextAndCredential_areParam", rules: "12.5") { keychain in
            try keychain.addPassword("account")
            let both = passwordDictionary().with(kSecUseAuthenticationContext, LAContext())
                .with("u_CredRef" as NSString, Data([1]))
            try keychain.expectEach(errSecParam, of: both)
        },
        /// 14: A look-up of locked data fails with `errSecInteractionNotAllowed`, not with `errSecItemNotFound`.
        ConformanceCase("lockedStore_dataOfLockedItem_isInteractionNotAllowed", rules: "14", needs: .lock) { keychain in
            try keychain.addPassword("account")
            try keychain.locked {
                let query = passwordDictionary().with(kSecReturnData, true)
                try expect(keychain.copyMatching(query), errSecInteractionNotAllowed)
                try expect(
                    keychain.copyMatching(query.with(kSecMatchLimit, kSecMatchLimitAll)), errSecInteractionNotAllowed)
            }
            try expectEqual(keychain.data(passwordDictionary().with(kSecReturnData, true)), secret)
        },
        /// 14: A wrong passphrase opens nothing, even if the store has no passphrase.
        ConformanceCase("lockedStore_wrongPassphrase_staysLocked", rules: "14", needs: .lock) { keychain in
            try keychain.addPassword("account")
            try keychain.locked {
                let store = try expectValue(keychain.store as? any LockableStore, "a store that can be locked")
                for wrong in ["wrong", "", "passphrase ", "passphras"] {
                    let code = store.isPassphraseProtected ? StoreError.Code.authenticationFailed : .unavailable
                    do throws(StoreError) {
                        try store.unlock(passphrase: Secret(Data(wrong.utf8)))
                        throw StoreError(.corrupt, "unlocked")
                    } catch {
                        try expectEqual(error.code, code)
                    }
                    try expect(store.isLocked, "the store is not locked")
                    try expect(
                        keychain.copyMatching(passwordDictionary().with(kSecReturnData, true)),
                        errSecInteractionNotAllowed)
                }
            }
            try expectEqual(keychain.data(passwordDictionary().with(kSecReturnData, true)), secret)
        },
        /// 14: Data of the classes "after first unlock" and "always" stays readable.
        ConformanceCase("lockedStore_dataOfOtherClasses_isReturned", rules: "14", "11.4", needs: .lock) { keychain in
            let classes = ["ck", "dk", "cku", "dku"]
            for value in classes { try keychain.addPassword(value, [kSecAttrAccessible: value]) }
            try keychain.locked {
                for value in classes {
                    let query =
                        [
                            kSecClass: kSecClassGenericPassword, kSecAttrAccount: value, kSecReturnData: true,
                        ] as CFDictionary
                    try expectEqual(keychain.data(query), secret, "\(value):")
                }
            }
        },
        /// 14: Items of these classes can also be added and changed.
        ConformanceCase("lockedStore_addOfOtherClasses_succeeds", rules: "14", needs: .lock) { keychain in
            // The first unlock happens here, because this item needs it.
            try keychain.addPassword("unlocked")
            try expect(keychain.delete([kSecClass: kSecClassGenericPassword] as CFDictionary))
            try keychain.locked {
                for value in ["ck", "dk", "cku", "dku"] {
                    try keychain.addPassword(value, [kSecAttrAccessible: value])
                    try expect(
                        keychain.update(
                            [kSecClass: kSecClassGenericPassword, kSecAttrAccount: value] as CFDictionary,
                            [kSecValueData: otherSecret] as CFDictionary))
                }
                try expectEqual(
                    keychain.items().map { $0[kSecValueData as String] as? Data },
                    Array(repeating: otherSecret, count: 4))
            }
        },
        /// 3.18: An add of a locked class fails before the check for duplicates.
        ConformanceCase("lockedStore_addOfLockedClass_isInteractionNotAllowed", rules: "3.18", "14", needs: .lock) {
            keychain in
            try keychain.addPassword("account")
            try keychain.locked {
                for account in ["account", "other"] {
                    let item =
                        [
                            kSecClass: kSecClassGenericPassword, kSecAttrService: "service", kSecAttrAccount: account,
                            kSecValueData: secret,
                        ] as CFDictionary
                    try expect(keychain.add(item), errSecInteractionNotAllowed, account)
                    try expect(
                        keychain.add(item.with(kSecAttrAccessible, kSecAttrAccessibleWhenUnlockedThisDeviceOnly)),
                        errSecInteractionNotAllowed, account)
                }
            }
            try expectEqual(keychain.accounts(), ["account"])
        },
        /// 14: An update cannot seal new data for a locked item.
        ConformanceCase("lockedStore_updateOfLockedData_isInteractionNotAllowed", rules: "14", needs: .lock) {
            keychain in
            try keychain.addPassword("account")
            try keychain.locked {
                try expect(
                    keychain.update(passwordDictionary(), [kSecValueData: otherSecret] as CFDictionary),
                    errSecInteractionNotAllowed)
                try expect(
                    keychain.update(
                        passwordDictionary(), [kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock] as CFDictionary),
                    errSecInteractionNotAllowed)
            }
            let item = try keychain.items().first
            try expectEqual(item?[kSecValueData as String] as? Data, secret)
            try expectEqual(item?[kSecAttrAccessible as String] as? String, "ak")
        },
        /// 12.3: A look-up that skips locked items leaves them out. It fails with `errSecItemNotFound` if none is left.
        ConformanceCase("lockedStore_skipping_leavesLockedItemsOut", rules: "12.3", "14", needs: .lock) { keychain in
            try keychain.addPassword("locked")
            let query =
                [
                    kSecClass: kSecClassGenericPassword, kSecReturnData: true, kSecReturnAttributes: true,
                    kSecMatchLimit: kSecMatchLimitAll, kSecUseAuthenticationUI: kSecUseAuthenticationUISkip,
                ] as CFDictionary
            try keychain.locked {
                try expect(keychain.copyMatching(query), errSecItemNotFound)
            }
            try keychain.addPassword("open", [kSecAttrAccessible: kSecAttrAccessibleAlways])
            try keychain.locked {
                try expectEqual(
                    keychain.dictionaries(query).map { $0[kSecAttrAccount as String] as? String }, ["open"])
            }
            try expectEqual(keychain.dictionaries(query).count, 2)
        },
        /// 14: A condition on locked data cannot be evaluated, so the call fails, and finds, changes or deletes
        /// nothing.
        ConformanceCase("lockedStore_digest_isInteractionNotAllowed", rules: "14", "12.3", needs: .lock) { keychain in
            try keychain.addPassword("open", [kSecAttrAccessible: kSecAttrAccessibleAlways])
            try keychain.addPassword("locked")
            let all = [kSecClass: kSecClassGenericPassword] as CFDictionary
            for account in ["open", "locked"] {
                let item = try keychain.dictionary(
                    all.with(kSecAttrAccount, account).with(kSecReturnAttributes, true).with(kSecReturnData, true))
                let byDigest = all.with("sha1" as NSString, try expectValue(item["sha1"], "a digest"))
                let skipping = byDigest.with(kSecUseAuthenticationUI, kSecUseAuthenticationUISkip)
                try expect(keychain.copyMatching(byDigest))
                try expectUnchanged(keychain) {
                    try keychain.locked {
                        try keychain.expectEach(
                            errSecInteractionNotAllowed, from: [.update, .delete], of: byDigest, "by the digest:")
                        try expect(
                            keychain.copyMatching(byDigest.with(kSecMatchLimit, kSecMatchLimitAll)),
                            errSecInteractionNotAllowed)
                        let status = account == "open" ? errSecSuccess : errSecItemNotFound
                        try expect(keychain.copyMatching(skipping), status, "look-up that skips:")
                    }
                }
            }
        },
        /// 12.4: Either key makes a call fail instead of prompting. The newer key wins.
        ConformanceCase("lockedStore_failing_isInteractionNotAllowed", rules: "12.1", "12.4", "14", needs: .lock) {
            keychain in
            try keychain.addPassword("account")
            let query = passwordDictionary().with(kSecReturnData, true)
            try keychain.locked {
                for (key, value) in [
                    (kSecUseAuthenticationUI, kSecUseAuthenticationUIFail as Any), (kSecUseNoAuthenticationUI, true),
                ] {
                    try expect(keychain.copyMatching(query.with(key, value)), errSecInteractionNotAllowed)
                }
                try expect(
                    keychain.copyMatching(
                        query.with(kSecUseNoAuthenticationUI, true)
                            .with(kSecUseAuthenticationUI, kSecUseAuthenticationUISkip)), errSecItemNotFound)
            }
        },
        /// 12.6: A context that forbids prompts has the same effect as "fail", also together with "allow". "Skip" stays
        /// "skip".
        ConformanceCase("authenticationContext_forbiddingToAsk_isPassedToTheStore", rules: "12.6") { keychain in
            try keychain.addPassword("account")
            let context = LAContext()
            let watched = WatchedStore(keychain.store)
            let query = passwordDictionary().with(kSecUseAuthenticationContext, context)
            func expectInteraction(_ expected: Interaction, _ ui: CFString?) throws {
                let query = ui.map { query.with(kSecUseAuthenticationUI, $0) } ?? query
                try expect(ConformanceKeychain(store: watched).copyMatching(query))
                try expect(watched.lastInteraction == expected, "\(ui ?? "no key"): \(expected)")
            }
            try expectInteraction(.allowed, nil)
            context.interactionNotAllowed = true
            try expectInteraction(.forbidden, nil)
            try expectInteraction(.forbidden, kSecUseAuthenticationUIAllow)
            try expectInteraction(.forbidden, kSecUseAuthenticationUIFail)
            try expectInteraction(.skipped, kSecUseAuthenticationUISkip)
        },
        /// 14: Locking twice or unlocking twice is not an error.
        ConformanceCase("lockedStore_lockedTwice_unlocksOnce", rules: "14", needs: .lock) { keychain in
            try keychain.addPassword("account")
            try keychain.locked { try keychain.locked {} }
            try expectEqual(keychain.data(passwordDictionary().with(kSecReturnData, true)), secret)
        },
        /// 0.3, 0.4: Each error of a store becomes one of Apple's statuses.
        ConformanceCase("storeFailure_eachKind_becomesItsStatus", rules: "0.3", "0.4", "14", needs: .faults) {
            keychain in
            let statuses: [(StoreError.Code, OSStatus)] = [
                (.duplicate, errSecDuplicateItem), (.locked, errSecInteractionNotAllowed),
                (.cancelled, errSecUserCanceled), (.authenticationFailed, errSecAuthFailed),
                (.unavailable, errSecNotAvailable), (.corrupt, errSecDecode), (.readOnly, errSecReadOnly),
                (.full, errSecDiskFull), (.tooLarge, errSecDataTooLarge), (.unrepresentable, errSecParam),
                (.unsupported, errSecUnimplemented), (.io, errSecIO),
            ]
            for (code, status) in statuses {
                for call in ConformanceKeychain.Call.allCases {
                    try keychain.failNext(code)
                    try expect(keychain.status(of: call, passwordDictionary()), status, "\(call) on \(code.name):")
                }
            }
            try expectEqual(keychain.items().count, 0)
        },
        /// 0.5: Every status has a text, even an unknown one.
        ConformanceCase("statusText_anyStatus_isThere", rules: "0.5") { _ in
            for status in [
                errSecSuccess, errSecParam, errSecItemNotFound, errSecDuplicateItem, errSecInteractionNotAllowed,
            ] {
                let text = try expectValue(SecCopyErrorMessageString(status, nil) as String?, "a text for \(status)")
                try expect(!text.isEmpty, "an empty text")
            }
            try expectEqual(SecCopyErrorMessageString(1_234_567, nil) as String?, "OSStatus 1234567")
        },
        /// 0.1, 0.2: The statuses have Apple's values.
        ConformanceCase("statusCodes_haveApplesValues", rules: "0.1", "0.2", "0.3") { _ in
            let codes: [(OSStatus, OSStatus)] = [
                (errSecParam, -50), (errSecNoSuchAttr, -25303), (errSecNoSuchClass, -25306),
                (errSecDuplicateItem, -25299), (errSecItemNotFound, -25300), (errSecMissingEntitlement, -34018),
                (errSecInteractionNotAllowed, -25308), (errSecAuthFailed, -25293), (errSecDecode, -26275),
                (errSecNotAvailable, -25291), (errSecUnimplemented, -4), (errSecDataTooLarge, -25302),
            ]
            for (code, value) in codes { try expectEqual(code, value) }
        },
    ]
}

extension ConformanceKeychain {
    /// Runs the body while the store is locked.
    func locked(_ body: () throws -> Void) throws {
        let store = try expectValue(store as? any LockableStore, "a store that can be locked")
        try store.lock()
        try expect(store.isLocked, "the store is not locked")
        let result = Result(catching: body)
        try store.unlock(passphrase: nil)
        try expect(!store.isLocked, "the store is still locked")
        try result.get()
    }
}
