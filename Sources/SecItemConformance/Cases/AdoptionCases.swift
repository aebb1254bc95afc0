// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim

extension ConformanceSuite {
    /// Section 10: the items of an application whose name has changed.
    static let adoptionCases: [ConformanceCase] = [
        /// 10.6: All items of the old name move to the new name. No other item changes.
        ConformanceCase("adopt_itemsOfEveryClass_areMoved", rules: "10.6") { keychain in
            let old = keychain.application("org.example.old"), other = keychain.application("org.example.other")
            let reference = try old.addForReference(passwordDictionary())
            try old.addPassword("synchronized", [kSecAttrSynchronizable: true])
            for application in [old, other] {
                for itemClass in [kSecClassInternetPassword, kSecClassCertificate, kSecClassKey] {
                    try expect(application.add([kSecClass: itemClass] as CFDictionary))
                }
            }
            try keychain.addPassword("mine")
            try expectEqual(keychain.adopt(itemsOf: "org.example.old"), 5)
            try expectEqual(keychain.items().count, 3)
            let query = [kSecValuePersistentRef: reference] as CFDictionary
            try expect(keychain.copyMatching(query))
            for itemClass in [kSecClassInternetPassword, kSecClassCertificate, kSecClassKey] {
                try expectEqual(keychain.items(ofClass: itemClass).count, 1, "\(itemClass):")
                try expectEqual(old.items(ofClass: itemClass).count, 0, "\(itemClass) of the old name:")
                try expectEqual(other.items(ofClass: itemClass).count, 1, "\(itemClass) of another:")
            }
            try expectEqual(old.items().count, 0)
        },
        /// 10.6: A second call moves nothing. Neither does a call for a name without items, or for the application's
        /// own name.
        ConformanceCase("adopt_nothingThere_movesNothing", rules: "10.6") { keychain in
            let old = keychain.application("org.example.old")
            try expect(old.add([kSecClass: kSecClassKey] as CFDictionary))
            try keychain.addPassword("mine")
            for count in [1, 0] { try expectEqual(keychain.adopt(itemsOf: "org.example.old"), count) }
            try expectEqual(keychain.adopt(itemsOf: ConformanceKeychain.applicationIdentifier), 0)
            try expectEqual(keychain.items(ofClass: kSecClassKey).count, 1)
            try expectEqual(keychain.accounts(), ["mine"])
        },
        /// 10.6: An existing item is not overwritten. Then no item of any class moves.
        ConformanceCase("adopt_itemThatIsThere_changesNothing", rules: "10.6") { keychain in
            let old = keychain.application("org.example.old")
            try old.addPassword("one")
            try old.addPassword("two", [kSecValueData: otherSecret])
            for itemClass in [kSecClassInternetPassword, kSecClassCertificate, kSecClassKey] {
                try expect(old.add([kSecClass: itemClass] as CFDictionary))
            }
            // The existing item is of the class that would move last.
            try expect(keychain.add([kSecClass: kSecClassKey, kSecAttrLabel: "mine"] as CFDictionary))
            try expect(keychain.statusOfAdopting("org.example.old"), errSecDuplicateItem)
            try expectEqual(old.accounts(), ["one", "two"])
            try expectEqual(keychain.items().count, 0)
            try expectEqual(keychain.items(ofClass: kSecClassKey).first?[kSecAttrLabel as String] as? String, "mine")
            for itemClass in [kSecClassInternetPassword, kSecClassCertificate, kSecClassKey] {
                try expectEqual(old.items(ofClass: itemClass).count, 1, "\(itemClass):")
            }
        },
        /// 10.6: An application cannot take the items of a group that it may not use.
        ConformanceCase("adopt_groupThatIsNotOnesOwn_isMissingEntitlement", rules: "10.6") { keychain in
            let old = keychain.application("org.example.old")
            try old.addPassword("one")
            let stranger = keychain.application("org.example.stranger", entitledTo: ["org.example.stranger"])
            try expect(stranger.statusOfAdopting("org.example.old"), errSecMissingEntitlement)
            let heir = keychain.application("heir", entitledTo: ["org.example.new", "org.example.old"])
            try expectEqual(heir.adopt(itemsOf: "org.example.old"), 1)
            try expectEqual(
                heir.items().first?[kSecAttrAccessGroup as String] as? String, "org.example.new")
            try expect(keychain.statusOfAdopting(""), errSecParam)
        },
    ]
}

extension ConformanceKeychain {
    /// The status of `LinuxKeychain.adopt(itemsOf:)`.
    fileprivate func statusOfAdopting(_ identifier: String) -> OSStatus {
        do {
            _ = try adopt(itemsOf: identifier)
            return errSecSuccess
        } catch {
            return (error as? KeychainError)?.status ?? errSecInternalComponent
        }
    }
}
