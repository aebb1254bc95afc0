// SPDX-License-Identifier: Apache-2.0

import FXKeychain
import Foundation
import KCMutableDictionary
import Lockbox
import SecItemStore
import Security
import Testing

extension WrapperTests {
    /// Another program that writes between two steps of one write.
    @Suite struct RaceTests {
        /// The change that the other program makes.
        private enum Rival: CaseIterable {
            case addsBeforeTheAdd
            case deletesBeforeTheUpdate
        }

        /// Runs a write during which the other program acts once. Returns how often it acted.
        private func race(_ rival: Rival, _ write: () -> Void) throws -> Int {
            let store = RacingStore()
            LinuxKeychain.use(.custom(store))
            defer { LinuxKeychain.use(.inMemory) }
            LinuxKeychain.applicationIdentifier = TestStore.application
            switch rival {
            case .addsBeforeTheAdd:
                store.beforeInsert = { [base = store.racing] record in
                    let theirs = ItemRecord(
                        reference: PersistentReference(itemClass: record.itemClass), attributes: record.attributes,
                        secrets: [.valueData: Secret(Data("theirs".utf8))])
                    try? base.insert(theirs, interaction: .allowed)
                }
            case .deletesBeforeTheUpdate:
                store.beforeUpdate = { [base = store.racing] filter in
                    _ = try? base.delete(matching: filter, interaction: .allowed)
                }
            }
            write()
            return store.count
        }

        @Test func fxKeychain_addThatLosesARace_replacesTheWinners() throws {
            let keychain = FXKeychain(service: "com.example.race", accessGroup: nil)
            let races = try race(.addsBeforeTheAdd) {
                #expect(keychain.setObject("ours", forKey: "key"))
                #expect(keychain.lastStatus == errSecSuccess)
                #expect(keychain.object(forKey: "key") as? String == "ours")
                #expect(RawItems.count == 1)
            }
            #expect(races == 1)
        }

        @Test func fxKeychain_updateOfWhatIsGone_addsIt() throws {
            let keychain = FXKeychain(service: "com.example.race", accessGroup: nil)
            let races = try race(.deletesBeforeTheUpdate) {
                #expect(RawItems.add(Data("old".utf8), service: "com.example.race", account: "key") == errSecSuccess)
                #expect(keychain.setObject("ours", forKey: "key"))
                #expect(keychain.object(forKey: "key") as? String == "ours")
            }
            #expect(races == 1)
        }

        @Test func lockbox_addThatLosesARace_replacesTheWinners() throws {
            let box: Lockbox = Lockbox(keyPrefix: "com.example.race")
            let races = try race(.addsBeforeTheAdd) {
                #expect(box.archiveObject("ours" as NSString, forKey: "key"))
                #expect(box.unarchiveObject(forKey: "key") as? String == "ours")
                #expect(RawItems.count == 1)
            }
            #expect(races == 1)
        }

        @Test func lockbox_updateOfWhatIsGone_addsIt() throws {
            let box: Lockbox = Lockbox(keyPrefix: "com.example.race")
            let races = try race(.deletesBeforeTheUpdate) {
                #expect(RawItems.add(Data("old".utf8), service: "com.example.race.key") == errSecSuccess)
                #expect(box.archiveObject("ours" as NSString, forKey: "key"))
                #expect(box.unarchiveObject(forKey: "key") as? String == "ours")
            }
            #expect(races == 1)
        }

        /// Existing data is not overwritten: if the bytes are not a dictionary, they stay, and the change fails.
        @Test func dictionary_addThatLosesARace_keepsWhatItCannotRead() throws {
            let races = try race(.addsBeforeTheAdd) {
                let dictionary = KCMutableDictionary.dictionary(withName: "race")
                defer { dictionary.forget() }
                dictionary["key"] = "ours"
                #expect(dictionary.lastError != nil)
                let service = "\(TestStore.application).__KCMutableDictionary__.race"
                #expect(RawItems.data(service: service) == Data("theirs".utf8))
            }
            #expect(races == 1)
        }

        @Test func dictionary_changeOfWhatIsGone_beginsAnew() throws {
            let races = try race(.deletesBeforeTheUpdate) {
                let dictionary = KCMutableDictionary.dictionary(withName: "race")
                defer { dictionary.forget() }
                let service = "\(TestStore.application).__KCMutableDictionary__.race"
                let list = try? PropertyListSerialization.data(
                    fromPropertyList: ["old": 1], format: .binary, options: 0)
                #expect(RawItems.add(list ?? Data(), service: service) == errSecSuccess)
                dictionary["key"] = "ours"
                #expect(dictionary.lastError == nil && dictionary["old"] == nil)
                #expect(dictionary["key"] as? String == "ours")
            }
            #expect(races == 1)
        }
    }
}

/// A store in which another program acts once, between two steps.
private final class RacingStore: ForwardingStore, @unchecked Sendable {
    let racing = InMemoryStore()
    var base: any KeychainStore { racing }
    /// Called once, before the first insertion, or before the first update that would find its item.
    var beforeInsert: ((ItemRecord) -> Void)?
    var beforeUpdate: ((RecordFilter) -> Void)?
    private(set) var count = 0

    func insert(_ records: [ItemRecord], interaction: Interaction) throws(StoreError) {
        if let first = records.first, let act = beforeInsert {
            beforeInsert = nil
            count += 1
            act(first)
        }
        try racing.insert(records, interaction: interaction)
    }

    func insert(_ record: ItemRecord, interaction: Interaction) throws(StoreError) {
        try insert([record], interaction: interaction)
    }

    func update(_ steps: [RecordUpdate], interaction: Interaction) throws(StoreError) -> Int {
        if let first = steps.first, let act = beforeUpdate,
            try !racing.records(matching: first.filter, parts: [], limit: 1, interaction: interaction).isEmpty
        {
            beforeUpdate = nil
            count += 1
            act(first.filter)
        }
        return try racing.update(steps, interaction: interaction)
    }
}
