// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim

extension ConformanceSuite {
    /// Section 11: protection classes and access controls.
    static let protectionCases: [ConformanceCase] = [
        /// 11.1: A protection class and an access control may both be given if they agree.
        ConformanceCase("accessibleAndAccessControl_agreeing_areStored", rules: "11.1") { keychain in
            let control = try accessControl(kSecAttrAccessibleAfterFirstUnlock)
            try keychain.addPassword(
                "account",
                [kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock, kSecAttrAccessControl: control])
            try expectEqual(keychain.items().first?[kSecAttrAccessible as String] as? String, "ck")
        },
        /// 11.1: An access control with another class or with constraints contradicts a protection class, in every
        /// call.
        ConformanceCase("accessibleAndAccessControl_disagreeing_areParam", rules: "11.1") { keychain in
            try keychain.addPassword("account")
            for control in [
                try accessControl(kSecAttrAccessibleWhenUnlocked),
                try accessControl(kSecAttrAccessibleAfterFirstUnlock, .userPresence),
            ] {
                let both = passwordDictionary().with(kSecAttrAccessControl, control)
                    .with(kSecAttrAccessible, kSecAttrAccessibleAfterFirstUnlock)
                try keychain.expectEach(errSecParam, of: both)
                try expect(
                    keychain.update(
                        passwordDictionary(),
                        [
                            kSecAttrAccessControl: control, kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock,
                        ] as CFDictionary), errSecParam)
            }
            try expectEqual(keychain.items().first?[kSecAttrAccessible as String] as? String, "ak")
        },
        /// 11.2: Each attribute sets the other.
        ConformanceCase("accessibleOrAccessControl_setsTheOther", rules: "11.2") { keychain in
            let control = try accessControl(kSecAttrAccessibleWhenUnlockedThisDeviceOnly)
            var result: CFTypeRef?
            try expect(
                keychain.add(
                    passwordDictionary().with(kSecAttrAccessControl, control).with(kSecReturnAttributes, true), &result)
            )
            let added = result as? [String: Any]
            try expectEqual(added?[kSecAttrAccessible as String] as? String, "aku")
            try expectEqual(added?[kSecAttrAccessControl as String] as? SecAccessControl, control)
            try keychain.addPassword("other", [kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock])
            let other = try keychain.dictionary(
                [
                    kSecClass: kSecClassGenericPassword, kSecAttrAccount: "other", kSecReturnAttributes: true,
                ] as CFDictionary)
            try expectEqual(
                other[kSecAttrAccessControl as String] as? SecAccessControl,
                accessControl(kSecAttrAccessibleAfterFirstUnlock))
        },
        /// 11.4: Every protection class is stored and returned unchanged.
        ConformanceCase("accessible_everyConstant_isStored", rules: "11.4", "16.5") { keychain in
            for value in ["ak", "ck", "dk", "aku", "cku", "dku"] {
                try keychain.addPassword(value, [kSecAttrAccessible: value])
                let found = try keychain.dictionary(
                    [
                        kSecClass: kSecClassGenericPassword, kSecAttrAccessible: value, kSecReturnAttributes: true,
                    ] as CFDictionary)
                try expectEqual(found[kSecAttrAccessible as String] as? String, value)
                try expectEqual(found[kSecAttrAccount as String] as? String, value)
            }
        },
        /// 11.4: Anything else is refused, in every call.
        ConformanceCase("accessible_unknown_isParam", rules: "11.4") { keychain in
            try keychain.addPassword("account")
            for value in ["", "AK", "akx", "always", "ak ", "kSecAttrAccessibleWhenUnlocked"] {
                try keychain.expectEach(errSecParam, with: kSecAttrAccessible, value)
                try expect(
                    keychain.update(passwordDictionary(), [kSecAttrAccessible: value] as CFDictionary), errSecParam)
            }
        },
        /// 11.4: "Until reboot" is known, but no store supports it.
        ConformanceCase("accessible_untilReboot_isNotAvailable", rules: "11.4") { keychain in
            try keychain.expectEach(errSecNotAvailable, from: [.add], with: kSecAttrAccessible, "f")
            try keychain.addPassword("account")
            try keychain.expectEach(errSecItemNotFound, from: [.copyMatching], with: kSecAttrAccessible, "f")
            try expect(
                keychain.update(passwordDictionary(), [kSecAttrAccessible: "f"] as CFDictionary), errSecNotAvailable)
        },
        /// 3.19: A store with a passphrase stores items of the class "when passcode set".
        ConformanceCase(
            "accessible_whenPasscodeSet_isStoredUnderPassphrase", rules: "3.19", "11.4", needs: .passphrase
        ) { keychain in
            try keychain.addPassword(
                "account", [kSecAttrAccessible: kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly])
            let item = try keychain.items().first
            try expectEqual(item?[kSecAttrAccessible as String] as? String, "akpu")
            try expectEqual(item?[kSecValueData as String] as? Data, secret)
        },
        /// 3.19: Other stores refuse them, in an add or an update, by either attribute.
        ConformanceCase(
            "accessible_whenPasscodeSet_isNotAvailableWithoutPassphrase", rules: "3.19", needs: .noPassphrase
        ) { keychain in
            let control = try accessControl(kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly)
            for (key, value) in [
                (kSecAttrAccessible, kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly as Any),
                (kSecAttrAccessControl, control),
            ] {
                try expect(keychain.add(passwordDictionary().with(key, value)), errSecNotAvailable)
                try expectEqual(keychain.items().count, 0)
                try keychain.addPassword("account")
                try expect(keychain.update(passwordDictionary(), [key: value] as CFDictionary), errSecNotAvailable)
                try expectEqual(keychain.items().first?[kSecAttrAccessible as String] as? String, "ak")
                try expect(keychain.delete(passwordDictionary()))
            }
            try expect(
                keychain.copyMatching(
                    passwordDictionary().with(
                        kSecAttrAccessible, kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly)), errSecItemNotFound)
        },
        /// 3.19: A key for the Secure Enclave is refused, not stored with less protection.
        ConformanceCase("add_keyForTheSecureEnclave_isUnimplemented", rules: "3.19") { keychain in
            let key =
                [
                    kSecClass: kSecClassKey, kSecAttrTokenID: kSecAttrTokenIDSecureEnclave,
                    kSecAttrApplicationTag: "tag",
                ] as CFDictionary
            try expect(keychain.add(key.with(kSecValueData, secret)), errSecUnimplemented)
            try expectEqual(keychain.items(ofClass: kSecClassKey).count, 0)
        },
        /// 11.5: Contradictory flags do not make an access control.
        ConformanceCase("accessControl_contradictoryFlags_isNotMade", rules: "11.5") { _ in
            let contradictions: [SecAccessControlCreateFlags] = [
                [.or, .and, .biometryAny], [.biometryAny, .biometryCurrentSet], [.userPresence, .biometryAny],
                [.userPresence, .devicePasscode], [.userPresence, .or],
            ]
            for flags in contradictions {
                var error: Unmanaged<CFError>?
                let control = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, flags, &error)
                try expect(control == nil, "an access control of \(flags.rawValue)")
                let code = error?.takeRetainedValue()
                try expectEqual(code.map { CFErrorGetCode($0) }, Int(errSecParam))
            }
        },
        /// 11.5: No flags, and flags that agree, make one.
        ConformanceCase("accessControl_agreeingFlags_isMade", rules: "11.5") { _ in
            let agreeing: [SecAccessControlCreateFlags] = [
                [], .userPresence, [.userPresence, .applicationPassword], [.userPresence, .privateKeyUsage],
                [.or, .biometryAny, .devicePasscode], [.and, .biometryCurrentSet, .applicationPassword],
            ]
            for flags in agreeing {
                _ = try accessControl(kSecAttrAccessibleWhenUnlocked, flags)
            }
            try expect(
                SecAccessControlCreateWithFlags(nil, "nonsense" as NSString, [], nil) == nil,
                "an access control of no protection class")
        },
    ]
}
