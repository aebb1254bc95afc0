// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim
import SecItemStore

extension ConformanceSuite {
    /// Identities as objects.
    static let identityCases: [ConformanceCase] = [
        /// 3.11, 5.1: An identity can be added as an object, with or without its class. A look-up returns it.
        ConformanceCase("liveIdentity_added_comesBack", rules: "3.11", "3.12", "4.16", "5.1") { keychain in
            for ofClass: [CFString: Any] in [[:], [kSecClass: kSecClassIdentity]] {
                let identity = try newIdentity("anna")
                try expect(keychain.add(ofClass.merging([kSecValueRef: identity]) { $1 } as CFDictionary))
                let query = [kSecClass: kSecClassIdentity, kSecReturnRef: true] as CFDictionary
                try expect(try keychain.find(query) as? SecIdentity == identity, "another identity came back")
                let (certificates, keys) = try Halves.stored(keychain)
                try expectEqual(certificates.map { $0["labl"] as? String }, ["anna"])
                try expectEqual(keys.map { $0["labl"] as? String }, [nil])
                try expectEqual(certificates.map { $0["pdmn"] as? String }, [kSecAttrAccessibleAlways as String])
                try expectEqual(keys.map { $0["pdmn"] as? String }, [kSecAttrAccessibleWhenUnlocked as String])
                try expectEqual(keys.first?["klbl"] as? Data, certificates.first?["pkhh"] as? Data)
                try expect(keychain.delete([kSecClass: kSecClassIdentity] as CFDictionary))
            }
        },
        /// 3.11: The caller's attributes apply to both halves. An attribute that one half does not have is refused.
        ConformanceCase("liveIdentity_withAttributes_givesThemToBoth", rules: "3.11") { keychain in
            let identity = try newIdentity("anna")
            let item: [CFString: Any] = [
                kSecValueRef: identity, kSecAttrLabel: "both",
                kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock, kSecAttrSynchronizable: true,
            ]
            try expect(keychain.add(item as CFDictionary))
            let (certificates, keys) = try Halves.stored(keychain)
            for half in certificates + keys {
                try expectEqual(half["labl"] as? String, "both")
                try expectEqual(half["pdmn"] as? String, kSecAttrAccessibleAfterFirstUnlock as String)
                try expectEqual(half["sync"] as? Int, 1)
            }
            let other = try newIdentity("bert")
            for (attribute, value, status) in [
                (kSecAttrApplicationTag, "tag" as Any, errSecNoSuchAttr),
                (kSecAttrSerialNumber, Data([1]), errSecNoSuchAttr), (kSecValueData, Data([1]), errSecParam),
                (kSecAttrLabel, Date(), errSecParam),
            ] {
                try expect(
                    keychain.add([kSecValueRef: other, attribute: value] as CFDictionary), status, "\(attribute)")
            }
            try expectEqual(try Halves.counts(keychain), [1, 1])
        },
        /// 3.11: An existing half does not change. If both exist, the identity is a duplicate.
        ConformanceCase("liveIdentity_withHalvesThere_addsTheOther", rules: "3.1", "3.11") { keychain in
            for there in 0..<4 {
                let identity = try newIdentity("anna")
                let (certificate, key) = try halves(of: identity)
                let old: [CFString: Any] = [kSecAttrLabel: "old"]
                for (bit, half) in [(1, certificate as Any), (2, key)] where there & bit != 0 {
                    try expect(keychain.add(old.merging([kSecValueRef: half]) { $1 } as CFDictionary))
                }
                var result: CFTypeRef?
                let item =
                    [
                        kSecValueRef: identity, kSecAttrLabel: "new", kSecReturnRef: true,
                        kSecReturnPersistentRef: true,
                    ] as CFDictionary
                try expect(keychain.add(item, &result), there == 3 ? errSecDuplicateItem : errSecSuccess)
                let (certificates, keys) = try Halves.stored(keychain)
                try expectEqual(certificates.map { $0["labl"] as? String }, [there & 1 != 0 ? "old" : "new"])
                try expectEqual(keys.map { $0["labl"] as? String }, [there & 2 != 0 ? "old" : "new"])
                if there != 3 {
                    let added = try expectValue(result as? [String: Any], "a dictionary")
                    try expect(added[kSecValueRef as String] as? SecIdentity == identity, "not the identity")
                    let reference = try expectValue(added[kSecValuePersistentRef as String] as? Data, "a reference")
                    let query = [kSecValuePersistentRef: reference, kSecReturnRef: true] as CFDictionary
                    try expect(try keychain.find(query) as? SecIdentity == identity, "not what was added")
                    try expectEqual(reference.prefix(4), Data("idnt".utf8))
                }
                try expect(keychain.delete([kSecValueRef: identity] as CFDictionary))
                try expectEqual(try Halves.counts(keychain), [0, 0])
            }
        },
        /// 3.11: An existing key with a weaker protection than the requested one is not used.
        ConformanceCase("liveIdentity_withAWeakerKeyThere_isRefused", rules: "3.1", "3.11") { keychain in
            let weak: [CFString: Any] = [kSecAttrAccessible: kSecAttrAccessibleAlways]
            let asked: [[CFString: Any]] = [
                [kSecAttrAccessible: kSecAttrAccessibleWhenUnlockedThisDeviceOnly], [kSecAttrAccessible: "ak"],
            ]
            for (strong, status) in zip(asked, [errSecDuplicateItem, errSecSuccess]) {
                let identity = try newIdentity("anna")
                let (_, key) = try halves(of: identity)
                let there = status == errSecSuccess ? strong : weak
                try expect(keychain.add(there.merging([kSecValueRef: key]) { $1 } as CFDictionary))
                let item = strong.merging([kSecValueRef: identity]) { $1 } as CFDictionary
                try expect(keychain.add(item), status)
                try expectEqual(try Halves.counts(keychain), [status == errSecSuccess ? 1 : 0, 1])
                try expect(keychain.delete([kSecClass: kSecClassKey] as CFDictionary))
                if status == errSecSuccess {
                    try expect(keychain.delete([kSecClass: kSecClassCertificate] as CFDictionary))
                }
            }
        },
        /// 3.11: If one half cannot be stored, neither is.
        ConformanceCase("liveIdentity_thatCannotBeStored_leavesNothing", rules: "3.11", needs: .faults) { keychain in
            let identity = [kSecValueRef: try newIdentity("anna")] as CFDictionary
            try keychain.failNext(.full)
            try expect(keychain.add(identity), errSecDiskFull)
            try expectEqual(try Halves.counts(keychain), [0, 0])
        },
        /// 3.11, 3.18: A locked store stores neither half, although certificates are always accessible.
        ConformanceCase("liveIdentity_inALockedStore_isNotStored", rules: "3.11", "3.18", needs: .lock) { keychain in
            let store = try expectValue(keychain.store as? any LockableStore, "a lock")
            try keychain.addPassword("first")
            try store.lock()
            let item: [CFString: Any] = [
                kSecValueRef: try newIdentity("anna"), kSecUseAuthenticationUI: kSecUseAuthenticationUIFail,
            ]
            let status = keychain.add(item as CFDictionary)
            try store.unlock(passphrase: nil)
            try expect(status, errSecInteractionNotAllowed)
            try expectEqual(try Halves.counts(keychain), [0, 0])
        },
        /// 5.1, 5.2: An add returns the same shapes as a look-up.
        ConformanceCase("liveIdentity_addedWithResult_givesTheIdentity", rules: "3.16", "5.1", "5.2") { keychain in
            let kinds = [kSecReturnRef, kSecReturnPersistentRef, kSecReturnAttributes, kSecReturnData]
            for selection in 1..<16 {
                let identity = try newIdentity("anna")
                var item = [kSecValueRef: identity] as CFDictionary
                for (index, kind) in kinds.enumerated() where selection >> index & 1 == 1 {
                    item = item.with(kind, true)
                }
                var result: CFTypeRef?
                try expect(keychain.add(item, &result))
                let alone: Any? = result
                let given = result as? [String: Any]
                let live = (given?["v_Ref"] ?? alone) as? SecIdentity
                try expectEqual(live == identity, selection & 1 == 1, "\(selection)")
                let reference = (given?["v_PersistentRef"] ?? (selection == 2 ? alone : nil)) as? Data
                try expectEqual(reference?.prefix(4), selection & 2 == 2 ? Data("idnt".utf8) : nil, "\(selection)")
                let data = (given?["v_Data"] ?? (selection == 8 ? alone : nil)) as? Data
                let ownData = try bytes(of: halves(of: identity).key)
                try expectEqual(data, selection & 8 == 8 ? ownData : nil, "\(selection)")
                try expect(keychain.delete([kSecValueRef: identity] as CFDictionary))
            }
        },
        /// 8.11, 9.5: An identity in a query means its own items in a look-up, an update and a delete.
        ConformanceCase("liveIdentity_inQuery_findsItsItems", rules: "3.11", "4.16", "8.11", "9.5") { keychain in
            let identities = try (UInt8(1)...3).map { try newIdentity("name \($0)", serialNumber: $0) }
            for identity in identities.prefix(2) { try expect(keychain.add([kSecValueRef: identity] as CFDictionary)) }
            for ofClass: [CFString: Any] in [[:], [kSecClass: kSecClassIdentity]] {
                let query = ofClass.merging([kSecValueRef: identities[1], kSecReturnRef: true]) { $1 } as CFDictionary
                try expect(try keychain.find(query) as? SecIdentity == identities[1], "another")
                let all = query.with(kSecMatchLimit, kSecMatchLimitAll)
                try expectEqual(try keychain.find(all) as? [SecIdentity], [identities[1]])
            }
            let second = [kSecValueRef: identities[1]] as CFDictionary
            let calls: [ConformanceKeychain.Call] = [.copyMatching, .update, .delete]
            try keychain.expectEach(
                errSecItemNotFound, from: calls, of: [kSecValueRef: identities[2]] as CFDictionary)
            try keychain.expectEach(errSecItemNotFound, from: calls, of: second.with(kSecAttrLabel, "name 1"))
            try keychain.expectEach(errSecNoSuchAttr, from: calls, of: second.with(kSecAttrService, "x"))
            try keychain.expectEach(
                errSecParam, from: calls, of: second.with(kSecAttrSerialNumber, Data([1])))
            try expect(keychain.update(second, [kSecAttrLabel: "changed"] as CFDictionary))
            var (certificates, keys) = try Halves.stored(keychain)
            try expectEqual(Set(certificates.map { $0["labl"] as? String }), ["name 1", "changed"])
            try expectEqual(Set(keys.map { $0["labl"] as? String }), [nil, "changed"])
            try expect(keychain.update(second, [kSecAttrApplicationTag: "x"] as CFDictionary), errSecNoSuchAttr)
            try expect(keychain.delete(second))
            (certificates, keys) = try Halves.stored(keychain)
            try expectEqual(certificates.map { $0["labl"] as? String }, ["name 1"])
            try expectEqual(keys.map { $0["labl"] as? String }, [nil])
            try expect(keychain.delete(second), errSecItemNotFound)
        },
        /// 9.5: A key stays while another certificate belongs to it.
        ConformanceCase("liveIdentity_ofSharedKeyInDelete_keepsTheKey", rules: "6.6", "9.5") { keychain in
            let key = try newPrivateKey()
            let certificates = try (UInt8(1)...2).map { try newCertificate("name \($0)", serialNumber: $0, of: key) }
            let identities = try certificates.map { try expectValue(SecIdentityCreate(nil, $0, key), "an identity") }
            for identity in identities { try expect(keychain.add([kSecValueRef: identity] as CFDictionary)) }
            try expectEqual(try Halves.counts(keychain), [2, 1])
            try expect(keychain.delete([kSecValueRef: identities[0]] as CFDictionary))
            try expectEqual(try Halves.counts(keychain), [1, 1])
            let query = [kSecClass: kSecClassIdentity, kSecReturnRef: true] as CFDictionary
            try expect(try keychain.find(query) as? SecIdentity == identities[1], "the wrong certificate is gone")
            try expect(keychain.delete([kSecValueRef: identities[1]] as CFDictionary))
            try expectEqual(try Halves.counts(keychain), [0, 0])
        },
        /// 8.3, 9.2: If one object has items in several access groups, it means all of them.
        ConformanceCase("liveIdentity_inSeveralGroups_isAllOfThem", rules: "8.3", "9.2", "9.5") { keychain in
            let keychain = keychain.application("identities", entitledTo: ["one", "two"])
            let identity = try newIdentity("anna")
            for group in ["one", "two"] {
                try expect(keychain.add([kSecValueRef: identity, kSecAttrAccessGroup: group] as CFDictionary))
            }
            let query = [kSecValueRef: identity] as CFDictionary
            let all = query.with(kSecMatchLimit, kSecMatchLimitAll).with(kSecReturnPersistentRef, true)
            try expectEqual((try keychain.find(all) as? [Data])?.count, 2)
            try keychain.expectEach(
                errSecParam, from: [.update, .delete], of: query.with(kSecMatchLimit, kSecMatchLimitOne))
            try expectEqual(try Halves.counts(keychain), [2, 2])
            try expect(keychain.update(query, [kSecAttrLabel: "changed"] as CFDictionary))
            let labels = try Halves.stored(keychain).certificates.map { $0["labl"] as? String }
            try expectEqual(labels, ["changed", "changed"])
            try expect(keychain.delete(query))
            try expectEqual(try Halves.stored(keychain).certificates.count, 0)
        },
        /// 3.11: An object of another class than the dictionary's is refused.
        ConformanceCase("liveIdentity_ofAnotherClass_isParam", rules: "3.11") { keychain in
            let identity = try newIdentity("anna")
            for itemClass in [kSecClassCertificate, kSecClassKey, kSecClassGenericPassword] {
                try keychain.expectEach(
                    errSecParam, of: [kSecClass: itemClass, kSecValueRef: identity] as CFDictionary)
            }
        },
        /// 3.11, 18.2: If a key must not be exported, its item has that restriction, also as part of an identity.
        ConformanceCase("liveIdentity_ofAKeptKey_isKept", rules: "3.11", "18.2") { keychain in
            let parameters: [CFString: Any] = [
                kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
                kSecAttrIsExtractable: false,
            ]
            let key = try expectValue(SecKeyCreateRandomKey(parameters as CFDictionary, nil), "a key")
            let certificate = try newCertificate("anna", of: key)
            let identity = try expectValue(SecIdentityCreate(nil, certificate, key), "an identity")
            try expect(keychain.add([kSecValueRef: identity] as CFDictionary))
            for itemClass in [kSecClassKey, kSecClassIdentity] {
                let query = [kSecClass: itemClass, kSecReturnData: true] as CFDictionary
                try expect(keychain.copyMatching(query), errSecDataNotAvailable)
            }
        },
    ]
}

/// The halves of identities in the keychain.
private enum Halves {
    static func stored(
        _ keychain: ConformanceKeychain
    ) throws -> (certificates: [[String: Any]], keys: [[String: Any]]) {
        (try keychain.items(ofClass: kSecClassCertificate), try keychain.items(ofClass: kSecClassKey))
    }

    /// The number of certificates and of keys.
    static func counts(_ keychain: ConformanceKeychain) throws -> [Int] {
        let (certificates, keys) = try stored(keychain)
        return [certificates.count, keys.count]
    }
}
