// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim
import SecItemStore

extension ConformanceSuite {
    /// Guarantees of `kSecMatchLimit` for updates and deletes, also while others write.
    static let matchLimitCases: [ConformanceCase] = [
        /// 8.3, 9.2: If a step matches more records than its limit, the call changes nothing, even for its other steps.
        ConformanceCase("greatestCount_exceeded_changesNothing", rules: "8.3", "9.2") { keychain in
            for account in ["anna", "bert", "carl"] { try keychain.addPassword(account) }
            let store = keychain.store
            let groups = [ConformanceKeychain.applicationIdentifier]
            func filter(_ attributes: [ItemAttribute: AttributeValue] = [:]) -> RecordFilter {
                RecordFilter(itemClass: .genericPassword, attributes: attributes, accessGroups: groups)
            }
            let anna = filter([.account: .string("anna")])
            let others = filter().meeting { $0.attributes[.account]?.string != "anna" }
            let changes = RecordChanges(attributes: [.label: .string("changed")], secrets: [:])
            for greatest in 0...1 {
                try expectUnchanged(keychain) {
                    try expectTooMany { () throws(StoreError) in
                        try store.delete(
                            [RecordDeletion(anna), RecordDeletion(others, atMost: greatest)], interaction: .allowed)
                    }
                    try expectTooMany { () throws(StoreError) in
                        try store.update(
                            [
                                RecordUpdate(anna, applying: changes),
                                RecordUpdate(others, applying: changes, atMost: greatest),
                            ], interaction: .allowed)
                    }
                }
            }
            let update = RecordUpdate(others, applying: changes, atMost: 2)
            try expectEqual(store.update([update], interaction: .allowed), 2)
            try expectEqual(store.delete([RecordDeletion(others, atMost: 3)], interaction: .allowed), 2)
            try expectEqual(keychain.accounts(), ["anna"])
        },
        /// 8.3, 9.2: If an item that is added after the count exceeds the limit, the call changes nothing either.
        ConformanceCase("limit_itemAddedMeanwhile_isParam", rules: "8.3", "9.2") { keychain in
            try keychain.addPassword("anna")
            let both = [kSecClass: kSecClassGenericPassword, kSecMatchLimit: kSecMatchLimitOne] as CFDictionary
            let slow = ConformanceKeychain(
                store: InterveningStore(keychain.store) {
                    _ = keychain.add([kSecClass: kSecClassGenericPassword, kSecAttrAccount: "bert"] as CFDictionary)
                })
            try expect(slow.delete(both), errSecParam)
            try expectEqual(keychain.accounts(), ["anna", "bert"])
            try expect(
                keychain.delete([kSecClass: kSecClassGenericPassword, kSecAttrAccount: "bert"] as CFDictionary))
            try expect(slow.update(both, [kSecAttrLabel: "changed"] as CFDictionary), errSecParam)
            try expectEqual(keychain.items().filter { $0[kSecAttrLabel as String] != nil }.count, 0)
        },
    ]
}

extension RecordFilter {
    /// The same filter with a condition on the attributes.
    fileprivate func meeting(_ condition: @escaping @Sendable (ItemRecord) -> Bool) -> RecordFilter {
        RecordFilter(
            itemClass: itemClass, attributes: attributes, accessGroups: accessGroups,
            condition: RecordCondition(on: .attributes, condition))
    }
}

private func expectTooMany(_ body: () throws(StoreError) -> Int) throws {
    var code: StoreError.Code?
    do throws(StoreError) { _ = try body() } catch { code = error.code }
    try expectEqual(code?.name, StoreError.Code.tooMany.name)
}
