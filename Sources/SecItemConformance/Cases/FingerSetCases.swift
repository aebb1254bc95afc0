// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalAuthentication
import SecItemShim
import SecItemStore

extension ConformanceSuite {
    /// Items that are bound to the fingers that were enrolled when they were stored (`biometryCurrentSet`).
    static let fingerSetCases: [ConformanceCase] = [
        /// 4.15, 12.4: An enrolled finger opens the item, and a password does not.
        ConformanceCase("fingerSet_thatIsTheSame_opensTheItem", rules: "4.15", "8.9", "12.4") { keychain in
            let person = AskedPerson()
            for itemClass in GuardedItem.classes {
                let item = GuardedItem(itemClass, "x", .biometryCurrentSet)
                try keychain.add(item)
                let query = item.query.with(kSecUseOperationPrompt, person.reason)
                let data = query.with(kSecReturnData, true)
                let found = try keychain.dictionary(query.with(kSecReturnAttributes, true))
                try expectEqual(found["accc"] as? SecAccessControl, item.control)
                try expect(
                    keychain.copyMatching(data.with(kSecUseAuthenticationUI, kSecUseAuthenticationUIFail)),
                    errSecInteractionNotAllowed)
                try person.expectQuestions([])
                try expectEqual(try keychain.data(data), secret)
                try expect(keychain.update(query, [kSecValueData: otherSecret] as CFDictionary))
                try person.expectQuestions([.finger, .finger])
                // Setting the same conditions again binds the item to the currently enrolled fingers.
                try expect(keychain.update(query, [kSecAttrAccessControl: item.control as Any] as CFDictionary))
                try expectEqual(try keychain.data(data), otherSecret)
                try person.expectQuestions([.finger, .finger])
                person.answers { _ in throw LAError(.authenticationFailed) }
                let context = LAContext()
                context.localizedReason = person.reason
                _ = context.noteProof(of: .password)
                try expect(keychain.copyMatching(data.with(kSecUseAuthenticationContext, context)), errSecAuthFailed)
                try person.expectQuestions([.finger])
                person.answers { _ in }
                try expect(keychain.delete(query))
                try person.expectQuestions([])
            }
        },
        /// 4.15: If the enrolled fingers have changed, nothing opens the item, and nobody is asked.
        ConformanceCase("fingerSet_thatHasChanged_opensNothing", rules: "4.15", "8.9", needs: .noPassphrase) {
            keychain in
            let person = AskedPerson()
            let context = LAContext()
            context.localizedReason = person.reason
            for methods in [PresenceRequest.Methods.password, .biometry] { _ = context.noteProof(of: methods) }
            for itemClass in GuardedItem.classes {
                let item = GuardedItem(itemClass, "x", .biometryCurrentSet)
                try keychain.add(item)
                try keychain.enrolAnotherFinger(item)
                for query in [
                    item.query.with(kSecUseOperationPrompt, person.reason),
                    item.query.with(kSecUseAuthenticationContext, context),
                ] {
                    var result: CFTypeRef?
                    try expect(keychain.copyMatching(query.with(kSecReturnData, true), &result), errSecAuthFailed)
                    try expect(result == nil, "data")
                    let skipping = query.with(kSecUseAuthenticationUI, kSecUseAuthenticationUISkip)
                    try expect(keychain.copyMatching(skipping.with(kSecReturnData, true)), errSecItemNotFound)
                    for change in [
                        [kSecValueData: otherSecret], [kSecAttrAccessControl: item.control as Any],
                        [kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked],
                    ] as [[CFString: Any]] {
                        try expect(keychain.update(query, change as CFDictionary), errSecAuthFailed)
                    }
                    try expect(keychain.update(query, [kSecAttrLabel: "label"] as CFDictionary))
                }
                try expect(keychain.delete(item.query))
            }
            try person.expectQuestions([])
        },
        /// 4.15: Where a passcode is an alternative, it still opens the item.
        ConformanceCase(
            "fingerSet_thatHasChanged_leavesThePasscode", rules: "4.15", "12.4", needs: .noPassphrase
        ) { keychain in
            let person = AskedPerson()
            let item = GuardedItem(kSecClassGenericPassword, "x", [.or, .biometryCurrentSet, .devicePasscode])
            try keychain.add(item)
            let query = item.query.with(kSecReturnData, true).with(kSecUseOperationPrompt, person.reason)
            try expectEqual(try keychain.data(query), secret)
            try person.expectQuestions([.passwordOrFinger])
            try keychain.enrolAnotherFinger(item)
            try expectEqual(try keychain.data(query), secret)
            try person.expectQuestions([.password])
            let context = LAContext()
            context.localizedReason = person.reason
            _ = context.noteProof(of: .biometry)
            try expectEqual(try keychain.data(query.with(kSecUseAuthenticationContext, context)), secret)
            try person.expectQuestions([.password])
        },
    ]
}

extension ConformanceKeychain {
    /// Changes the item as if other fingers had been enrolled when it was stored.
    fileprivate func enrolAnotherFinger(_ item: GuardedItem) throws {
        for itemClass in ItemClass.stored {
            let records = try store.records(
                matching: RecordFilter(itemClass: itemClass), parts: .attributes, limit: nil, interaction: .allowed)
            for record in records {
                guard let old = try record.constraints else { continue }
                try expectEqual(old.biometrySet, AskedPeople.fingers)
                let new = try expectValue(
                    AccessConstraints(
                        flags: old.flags, biometrySet: Data(repeating: 9, count: 32), publicKey: old.publicKey),
                    "constraints")
                let count = try store.update(
                    matching: RecordFilter(itemClass: itemClass, reference: record.reference),
                    applying: RecordChanges(attributes: [.accessControl: .data(new.encoded)], secrets: [:]),
                    interaction: .allowed)
                try expectEqual(count, 1)
            }
        }
    }
}
