// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainObjects
import Security
import Testing

private struct Card: Codable, Sendable, Equatable {
    var holder: String
    var number: String
    var data = Data()
}

/// ``Card`` two releases later. One field is new and may be missing.
private struct NewerCard: Codable, Sendable, Equatable {
    var holder: String
    var number: String
    var data: Data
    var colour: String?
}

/// ``Card`` with a field that must not be missing.
private struct StrictCard: Codable, Sendable {
    var holder: String
    var colour: String
}

extension WrapperTests {
    /// The promises in KeychainObjects' documentation.
    @Suite struct KeychainObjectsTests {
        private let cards = KeychainObjectStore<Card>(service: "com.example.cards")
        private let card = Card(holder: "Anna", number: "4111")

        @Test(arguments: TestStore.all)
        func add_givesAReferenceThatFindsTheObject(_ store: TestStore) throws {
            try store.run { (_) throws in
                let reference = try cards.add(card)
                #expect(try cards.find(reference) == card)
                #expect(try cards.references() == [reference])
                #expect(try cards.all().map(\.object) == [card])
                #expect(try cards.all().map(\.reference) == [reference])
            }
        }

        @Test(arguments: TestStore.all)
        func equalObjects_areDifferentItems(_ store: TestStore) throws {
            try store.run { (_) throws in
                let references = try (0..<5).map { _ in try cards.add(card) }
                #expect(Set(references).count == 5)
                #expect(try cards.all().map(\.reference) == references)
                #expect(try cards.all().allSatisfy { $0.object == card })
                try cards.remove(references[2])
                #expect(try cards.references() == [0, 1, 3, 4].map { references[$0] })
            }
        }

        @Test(arguments: TestStore.all)
        func update_keepsTheReference(_ store: TestStore) throws {
            let changed = Card(holder: "Berta", number: "5500")
            try store.run { (_) throws in
                let reference = try cards.add(card)
                let other = try cards.add(card)
                try cards.update(reference, with: changed)
                #expect(try cards.find(reference) == changed)
                #expect(try cards.find(other) == card)
                #expect(try cards.references() == [reference, other])
            }
        }

        @Test(arguments: TestStore.all)
        func removedObject_isGone(_ store: TestStore) throws {
            try store.run { (_) throws in
                let reference = try cards.add(card)
                #expect(try cards.remove(reference))
                #expect(try cards.find(reference) == nil)
                #expect(try !cards.remove(reference))
                let error = #expect(throws: KeychainObjectError.self) { try cards.update(reference, with: card) }
                #expect(error?.code == .notFound)
                #expect(error?.reference == reference.data)
                #expect(try cards.all().isEmpty)
            }
        }

        @Test(arguments: TestStore.all)
        func removeAll_removesTheServicesObjectsOnly(_ store: TestStore) throws {
            let others = KeychainObjectStore<Card>(service: "com.example.others")
            try store.run { (_) throws in
                for _ in 0..<3 { try cards.add(card) }
                let other = try others.add(card)
                try cards.removeAll()
                #expect(try cards.all().isEmpty)
                #expect(try others.find(other) == card)
                try cards.removeAll()
            }
        }

        @Test(arguments: TestStore.all)
        func reference_outlivesTheProcess_asBytesAndAsJSON(_ store: TestStore) throws {
            try store.run { (_) throws in
                let reference = try cards.add(card)
                let kept = try JSONEncoder().encode(["card": reference])
                let read = try JSONDecoder().decode([String: KeychainObjectStore<Card>.Reference].self, from: kept)
                #expect(read["card"] == reference)
                #expect(try cards.find(.init(data: reference.data)) == card)
            }
        }

        @Test(arguments: TestStore.all)
        func referenceOfAnotherStore_findsNothing(_ store: TestStore) throws {
            let others = KeychainObjectStore<Card>(service: "com.example.others")
            try store.run { (_) throws in
                let other = try others.add(card)
                #expect(try cards.find(other) == nil)
                #expect(try !cards.remove(other))
                #expect(throws: KeychainObjectError.self) { try cards.update(other, with: card) }
                #expect(try others.find(other) == card)
            }
        }

        /// The keychain compares services by their bytes, but Swift's texts do not.
        @Test(arguments: TestStore.all)
        func serviceInAnotherSpelling_isAnother(_ store: TestStore) throws {
            let composed = KeychainObjectStore<Card>(service: "caf\u{E9}")
            let decomposed = KeychainObjectStore<Card>(service: "cafe\u{301}")
            try store.run { (_) throws in
                let reference = try composed.add(card)
                #expect(try decomposed.find(reference) == nil)
                #expect(try decomposed.references().isEmpty && !decomposed.remove(reference))
                #expect(try composed.find(reference) == card)
            }
        }

        /// Items of the widely copied snippet: the JSON is also the account, and there is no service.
        @Test(arguments: TestStore.all)
        func objectsOfProgramsThatNameNoService_areReadWithAnEmptyOne(_ store: TestStore) throws {
            let cards = KeychainObjectStore<Card>(service: "")
            try store.run { (_) throws in
                let json = try #require(String(data: try JSONEncoder().encode(card), encoding: .utf8))
                var reference: AnyObject?
                let item: [CFString: Any] = [
                    kSecClass: kSecClassGenericPassword, kSecAttrAccount: json, kSecValueData: Data(json.utf8),
                    kSecReturnPersistentRef: true,
                ]
                #expect(SecItemAdd(item as CFDictionary, &reference) == errSecSuccess)
                let data = try #require(reference as? Data)
                #expect(try cards.all().map(\.object) == [card])
                #expect(try cards.find(.init(data: data)) == card)
                let changed = Card(holder: "Berta", number: "5500")
                try cards.update(.init(data: data), with: changed)
                #expect(try cards.find(.init(data: data)) == changed)
                #expect(try cards.remove(.init(data: data)))
                #expect(try cards.references().isEmpty)
            }
        }

        @Test(arguments: TestStore.all)
        func nonsenseReference_isNilOrAnError(_ store: TestStore) throws {
            try store.run { (_) throws in
                try cards.add(card)
                for data in [Data(), Data("nonsense".utf8), Data("genp".utf8) + Data(count: 16)] {
                    let found = try? cards.find(.init(data: data))
                    #expect(found == nil)
                    #expect(throws: KeychainObjectError.self) { try cards.update(.init(data: data), with: card) }
                    #expect((try? cards.remove(.init(data: data))) != true)
                }
                #expect(try cards.all().count == 1)
            }
        }

        // MARK: Types

        @Test(arguments: TestStore.all)
        func typeThatGainedAField_readsOlderObjects(_ store: TestStore) throws {
            let newer = KeychainObjectStore<NewerCard>(service: "com.example.cards")
            try store.run { (_) throws in
                let reference = try cards.add(card)
                let read = try #require(try newer.find(.init(data: reference.data)))
                #expect(read == NewerCard(holder: "Anna", number: "4111", data: Data(), colour: nil))
                try newer.update(
                    .init(data: reference.data), with: NewerCard(holder: "A", number: "1", data: Data(), colour: "red"))
                #expect(try cards.find(reference)?.holder == "A")
                #expect(try newer.all().map(\.object.colour) == ["red"])
            }
        }

        @Test(arguments: TestStore.all)
        func typeThatNoLongerFits_isAnErrorWithTheReference(_ store: TestStore) throws {
            let strict = KeychainObjectStore<StrictCard>(service: "com.example.cards")
            try store.run { (_) throws in
                let reference = try cards.add(card)
                let error = #expect(throws: KeychainObjectError.self) { try strict.all() }
                #expect(error?.code == .notDecodable)
                #expect(error?.status == errSecDecode)
                #expect(error?.reference == reference.data)
                #expect(error?.underlying is DecodingError)
                #expect(error?.description.contains("Anna") == false)
                #expect(error?.localizedDescription.contains("notDecodable (") == true)
                #expect(error?.localizedDescription.contains("Anna") == false)
                #expect(throws: KeychainObjectError.self) { try strict.find(.init(data: reference.data)) }
                #expect(try strict.references().map(\.data) == [reference.data])
                #expect(try strict.remove(.init(data: reference.data)))
            }
        }

        @Test(arguments: TestStore.all)
        func objectThatCannotBeEncoded_isAnError(_ store: TestStore) throws {
            let numbers = KeychainObjectStore<Double>(service: "com.example.numbers")
            try store.run { (_) throws in
                let reference = try numbers.add(1.5)
                #expect(throws: KeychainObjectError.self) { try numbers.add(.nan) }
                let error = #expect(throws: KeychainObjectError.self) { try numbers.update(reference, with: .infinity) }
                #expect(error?.code == .notEncodable)
                #expect(try numbers.all().map(\.object) == [1.5])
            }
        }

        @Test(arguments: TestStore.all)
        func plainValues_areObjectsToo(_ store: TestStore) throws {
            try store.run { (_) throws in
                let words = KeychainObjectStore<String>(service: "com.example.words")
                let lists = KeychainObjectStore<[String: [Int?]]>(service: "com.example.lists")
                #expect(try words.find(try words.add("wörd/\"")) == "wörd/\"")
                #expect(try lists.find(try lists.add(["a": [1, nil]])) == ["a": [1, nil]])
                #expect(RawItems.data(service: "com.example.words") == Data("\"wörd/\\\"\"".utf8))
            }
        }

        // MARK: The keychain

        @Test(arguments: TestStore.all)
        func items_haveTheServiceAndAccessibility(_ store: TestStore) throws {
            try store.run { (_) throws in
                for accessibility in KeychainObjectAccessibility.allCases.prefix(4) {
                    try KeychainObjectStore(service: "\(accessibility)", accessibility: accessibility).add(card)
                }
                #expect(accessible("whenUnlocked") == "ak" && accessible("afterFirstUnlock") == "ck")
                #expect(accessible("whenUnlockedThisDeviceOnly") == "aku")
                #expect(accessible("afterFirstUnlockThisDeviceOnly") == "cku")
            }
        }

        private func accessible(_ service: String) -> String? {
            RawItems.attribute(kSecAttrAccessible, service: service)
        }

        @Test(arguments: TestStore.all)
        func objectsOfAnotherApplication_areLeftAlone(_ store: TestStore) throws {
            let shared = KeychainObjectStore<Card>(service: "com.example.cards", accessGroup: TestStore.sharedGroup)
            try store.run { (_) throws in
                let theirs = try asAnotherApplication { try cards.add(card) }
                let both = try shared.add(card)
                #expect(try cards.find(theirs) == nil)
                #expect(try !cards.remove(theirs))
                #expect(try cards.all().isEmpty)
                try cards.removeAll()
                #expect(try asAnotherApplication { try cards.find(theirs) } == card)
                let changed = Card(holder: "Berta", number: "5500")
                try asAnotherApplication { () throws in
                    #expect(try shared.all().map(\.reference) == [both])
                    #expect(try shared.find(both) == card)
                    try shared.update(both, with: changed)
                    let error = #expect(throws: KeychainObjectError.self) { try cards.update(both, with: card) }
                    #expect(error?.code == .notFound)
                    #expect(try cards.find(both) == nil && !cards.remove(both))
                }
                #expect(try shared.find(both) == changed)
                #expect(try asAnotherApplication { try shared.remove(both) })
                #expect(try shared.references().isEmpty)
            }
        }

        @Test(arguments: TestStore.lockable)
        func lockedKeychain_isAnError(_ store: TestStore) throws {
            try store.run { (_) throws in
                let reference = try cards.add(card)
                try whileLocked { () throws in
                    for action: () throws -> Void in [
                        { _ = try cards.add(card) }, { _ = try cards.all() }, { _ = try cards.find(reference) },
                        { try cards.update(reference, with: card) },
                    ] {
                        let error = #expect(throws: KeychainObjectError.self) { try action() }
                        #expect(error?.code == .locked)
                        #expect(error?.status == errSecInteractionNotAllowed)
                    }
                    #expect(try cards.references() == [reference])
                }
                #expect(try cards.find(reference) == card)
            }
        }

        @Test(arguments: TestStore.all)
        func aMegabyte_isKept(_ store: TestStore) throws {
            let large = Card(holder: "Anna", number: String(repeating: "0123456789abcdef", count: 65_536))
            try store.run { (_) throws in
                try cards.add(card)
                let reference = try cards.add(large)
                try cards.add(card)
                #expect(try cards.find(reference) == large)
                #expect(try cards.all().map(\.object) == [card, large, card])
            }
        }

        @Test(arguments: TestStore.all)
        func twoThreads_addAndUpdate_andNothingIsLost(_ store: TestStore) throws {
            try store.run { (_) throws in
                let reference = try cards.add(card)
                DispatchQueue.concurrentPerform(iterations: 2) { thread in
                    for round in 0..<25 {
                        let mine = Card(holder: "\(thread)", number: "\(round)")
                        #expect(throws: Never.self) {
                            try cards.add(mine)
                            try cards.update(reference, with: mine)
                        }
                    }
                }
                #expect(try cards.references().count == 51)
                #expect(try cards.find(reference)?.number == "24")
            }
        }

        @Test(arguments: TestStore.all)
        func asyncForms_doTheSame(_ store: TestStore) async throws {
            try await store.runAsync { (_) async throws in
                let reference = try await cards.add(card)
                try await cards.update(reference, with: Card(holder: "B", number: "2"))
                #expect(try await cards.find(reference)?.holder == "B")
                #expect(try await cards.references() == [reference])
                #expect(try await cards.all().count == 1)
                #expect(try await cards.remove(reference))
                try await cards.removeAll()
                await #expect(throws: KeychainObjectError.self) { try await cards.update(reference, with: card) }
            }
        }
    }
}
