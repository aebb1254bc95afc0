// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim

extension ConformanceSuite {
    /// Section 10: the items of an application that has another name now.
    static let adoptionCases: [ConformanceCase] = [
        /// 10.6: Everything of the old name is the new one's, and nothing else is touched.
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
        /// 10.6: Once more there is nothing to do, nor where there was nothing, nor for one's own name.
        ConformanceCase("adopt_nothingThere_movesNothing", rules: "10.6") { keychain in
            let old = keychain.application("org.example.old")
            try expect(old.add([kSecClass: kSecClassKey] as CFDictionary))
            try keychain.addPassword("mine")
            for count in [1, 0] { try expectEqual(keychain.adopt(itemsOf: "org.example.old"), count) }
            try expectEqual(keychain.adopt(itemsOf: ConformanceKeychain.applicationIdentifier), 0)
            try expectEqual(keychain.items(ofClass: kSecClassKey).count, 1)
            try expectEqual(keychain.accounts(), ["mine"])
        },
        /// 10.6: An item that is there already is not overwritten: nothing is moved, of no class.
        ConformanceCase("adopt_itemThatIsThere_changesNothing", rules: "10.6") { keychain in
            let old = keychain.application("org.example.old")
            try old.addPassword("one")
            try old.addPassword("two", [kSecValueData: otherSecret])
            for itemClass in [kSecClassInternetPassword, kSecClassCertificate, kSecClassKey] {
                try expect(old.add([kSecClass: itemClass] as CFDictionary))
            }
            // Of the class that would be moved last.
            try expect(keychain.add([kSecClass: kSecClassKey, kSecAttrLabel: "mine"] as CFDictionary))
            try expect(keychain.statusOfAdopting("org.example.old"), errSecDuplicateItem)
            try expectEqual(old.accounts(), ["one", "two"])
            try expectEqual(keychain.items().count, 0)
            try expectEqual(keychain.items(ofClass: kSecClassKey).first?[kSecAttrLabel as String] as? String, "mine")
            for itemClass in [kSecClassInternetPassword, kSecClassCertificate, kSecClassKey] {
                try expectEqual(old.items(ofClass: itemClass).count, 1, "\(itemClass):")
            }
        },
        /// 10.6: Who may not use a group may not take its items.
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
    /// What `LinuxKeychain.adopt(itemsOf:)` answers.
    fileprivate func statusOfAdopting(_ identifier: String) -> OSStatus {
        do {
            _ = try adopt(itemsOf: identifier)
            return errSecSuccess
        } catch {
            return (error as? KeychainError)?.status ?? errSecInternalComponent
        }
    }
}
