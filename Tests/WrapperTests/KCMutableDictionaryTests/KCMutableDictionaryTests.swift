// SPDX-License-Identifier: Apache-2.0

import Foundation
import KCMutableDictionary
import SecItemStore
import Security
import Synchronization
import Testing

extension WrapperTests {
    /// The promises in KCMutableDictionary's manual, and the behaviour of Foundation's mutable dictionary.
    @Suite struct KCMutableDictionaryTests {
        private let service = "\(TestStore.application).__KCMutableDictionary__"

        /// Runs a test with a new dictionary, and forgets the dictionary afterwards, because the next test has another
        /// store.
        private func run(
            _ store: TestStore, name: String? = "test", _ test: (KCMutableDictionary) throws -> Void
        ) throws {
            try store.run { (_) throws in
                let dictionary = KCMutableDictionary.dictionary(withName: name)
                defer { KCMutableDictionary.dictionary(withName: name).forget() }
                try test(dictionary)
            }
        }

        private func stored(_ name: String? = "test") throws -> [String: Any]? {
            let key = name.map { "\(service).\($0)" } ?? service
            guard let data = RawItems.data(service: key, account: "") else { return nil }
            return try PropertyListSerialization.propertyList(from: data, options: [], format: nil) as? [String: Any]
        }

        // MARK: Names

        @Test(arguments: TestStore.all)
        func default_livesUnderTheApplicationsName(_ store: TestStore) throws {
            try run(store, name: nil) { (dictionary) throws in
                dictionary["a"] = "b"
                #expect(try stored(nil) as? [String: String] == ["a": "b"])
                #expect(dictionary === KCMutableDictionary.dictionary())
                #expect(dictionary === KCMutableDictionary())
                #expect(dictionary === KCMutableDictionary(name: nil))
            }
        }

        @Test(arguments: TestStore.all)
        func named_isOneObjectAName(_ store: TestStore) throws {
            try run(store) { (dictionary) throws in
                #expect(dictionary === KCMutableDictionary.dictionary(withName: "test"))
                #expect(dictionary === KCMutableDictionary(name: "test"))
                let other = KCMutableDictionary.dictionary(withName: "other")
                defer { other.forget() }
                #expect(other !== dictionary)
                dictionary["a"] = 1
                #expect(other.count == 0)
                #expect(try stored("test")?.count == 1)
                #expect(try stored("other") == nil)
            }
        }

        @Test(arguments: TestStore.all)
        func dictionary_isFilledWhenMade(_ store: TestStore) throws {
            try run(store) { (dictionary) throws in
                dictionary["a"] = "b"
                dictionary.forget()
                let again = KCMutableDictionary.dictionary(withName: "test")
                #expect(again !== dictionary)
                #expect(again["a"] as? String == "b")
            }
        }

        @Test(arguments: TestStore.all)
        func item_isMadeWithTheFirstChange(_ store: TestStore) throws {
            try run(store) { (dictionary) throws in
                #expect(dictionary.count == 0 && dictionary.lastError == nil)
                #expect(RawItems.count == 0)
                dictionary["a"] = "b"
                #expect(RawItems.attribute(kSecAttrAccessible, service: "\(service).test") == "ak")
            }
        }

        // MARK: Values

        @Test(arguments: TestStore.all)
        func values_areImmutableCopies(_ store: TestStore) throws {
            try run(store) { (dictionary) throws in
                let array = NSMutableArray(array: ["a"])
                let text = NSMutableString("text")
                dictionary["array"] = array
                dictionary["text"] = text
                array.add("b")
                text.append("changed")
                #expect(dictionary["array"] as? [String] == ["a"])
                #expect(dictionary["text"] as? String == "text")
                #expect(!(dictionary["array"] is NSMutableArray))
            }
        }

        @Test(arguments: TestStore.all)
        func propertyListValues_comeBackEqual(_ store: TestStore) throws {
            let date = Date(timeIntervalSinceReferenceDate: 5.25)
            try run(store) { (dictionary) throws in
                dictionary["text"] = "tëxt"
                dictionary["number"] = 42
                dictionary["real"] = 2.5
                dictionary["flag"] = true
                dictionary["date"] = date
                dictionary["data"] = Data([0, 255])
                dictionary["nested"] = ["list": [1, 2], "ns": NSDictionary()] as [String: Any]
                dictionary.forget()
                let read = KCMutableDictionary.dictionary(withName: "test")
                #expect(read["text"] as? String == "tëxt" && read["number"] as? Int == 42)
                #expect(read["real"] as? Double == 2.5 && read["flag"] as? Bool == true)
                #expect(read["date"] as? Date == date && read["data"] as? Data == Data([0, 255]))
                #expect((read["nested"] as? [String: Any])?["list"] as? [Int] == [1, 2])
                #expect(read.count == 7)
            }
        }

        @Test(arguments: TestStore.all)
        func otherValues_areRefused_andNothingChanges(_ store: TestStore) throws {
            struct Stranger {}
            let deep = (0..<300).reduce([] as [Any]) { nested, _ in [nested] }
            try run(store) { (dictionary) throws in
                dictionary["a"] = "kept"
                for value in [Stranger(), NSSet(), NSNull(), [Stranger()], ["a": NSNull()], [1: 2], deep] as [Any] {
                    dictionary["a"] = value
                    #expect(dictionary.lastError?.code == .notPropertyList)
                    dictionary.setObject(value, forKey: "b")
                    dictionary.addEntries(from: ["c": "d", "e": value])
                    dictionary.setDictionary(["c": "d", "e": value])
                    #expect(throws: KCMutableDictionaryError.self) { try dictionary.store(value, forKey: "a") }
                    #expect(dictionary.isEqual(["a": "kept"]))
                    #expect(try stored() as? [String: String] == ["a": "kept"])
                }
                dictionary.setObject("number as key", forKey: 5)
                #expect(dictionary.lastError?.code == .notPropertyList)
                #expect(dictionary.count == 1 && dictionary.lastError == nil)
            }
        }

        // MARK: The primitives of NSMutableDictionary

        @Test(arguments: TestStore.all)
        func changes_areInTheKeychainAtOnce(_ store: TestStore) throws {
            try run(store) { (dictionary) throws in
                dictionary.setObject("1", forKey: "a")
                dictionary.setObject("2", forKey: NSString("b"))
                #expect(try stored() as? [String: String] == ["a": "1", "b": "2"])
                dictionary.removeObject(forKey: "a")
                #expect(try stored() as? [String: String] == ["b": "2"])
                dictionary.addEntries(from: ["c": "3", "d": "4"])
                #expect(try stored() as? [String: String] == ["b": "2", "c": "3", "d": "4"])
                dictionary.removeObjects(forKeys: ["b", "c", 7])
                #expect(try stored() as? [String: String] == ["d": "4"])
                dictionary["d"] = nil
                dictionary["e"] = "5"
                #expect(try stored() as? [String: String] == ["e": "5"])
                dictionary.setDictionary(["f": "6"])
                #expect(try stored() as? [String: String] == ["f": "6"])
                dictionary.removeAllObjects()
                #expect(try stored()?.isEmpty == true)
                try dictionary.store("7", forKey: "g")
                #expect(try stored() as? [String: String] == ["g": "7"])
            }
        }

        @Test(arguments: TestStore.all)
        func reading_isThatOfADictionary(_ store: TestStore) throws {
            try run(store) { (dictionary) throws in
                dictionary.setDictionary(["a": 1, "b": 2, "c": 2])
                #expect(dictionary.count == 3)
                #expect(dictionary.object(forKey: "a") as? Int == 1)
                #expect(dictionary.object(forKey: NSString("a")) as? Int == 1)
                #expect(dictionary.value(forKey: "b") as? Int == 2)
                #expect(dictionary["nothing"] == nil && dictionary[5] == nil)
                #expect((dictionary.allKeys as? [String])?.sorted() == ["a", "b", "c"])
                #expect((dictionary.allValues as? [Int])?.sorted() == [1, 2, 2])
                #expect((dictionary.allKeys(for: 2) as? [String])?.sorted() == ["b", "c"])
                #expect(dictionary.objects(forKeys: ["a", "x"], notFoundMarker: 0) as? [Int] == [1, 0])
            }
        }

        @Test(arguments: TestStore.all)
        func enumeration_visitsEveryEntry(_ store: TestStore) throws {
            let expected = ["a": 1, "b": 2, "c": 3]
            try run(store) { (dictionary) throws in
                dictionary.addEntries(from: expected)
                var visited: [String: Int] = [:]
                for (key, value) in dictionary { visited["\(key)"] = value as? Int }
                #expect(visited == expected)
                visited = [:]
                dictionary.enumerateKeysAndObjects { key, value, _ in visited["\(key)"] = value as? Int }
                #expect(visited == expected)
                #expect(dictionary.keyEnumerator().compactMap { $0 as? String }.sorted() == ["a", "b", "c"])
                #expect(dictionary.objectEnumerator().compactMap { $0 as? Int }.sorted() == [1, 2, 3])
                #expect(dictionary.keysOfEntries { _, value, _ in value as? Int == 2 } == ["b"])
            }
        }

        @Test(arguments: TestStore.all)
        func equality_isByEntries(_ store: TestStore) throws {
            try run(store) { (dictionary) throws in
                dictionary["a"] = [1, 2]
                let other = KCMutableDictionary.dictionary(withName: "other")
                defer { other.forget() }
                #expect(!dictionary.isEqual(other))
                other["a"] = [1, 2]
                #expect(dictionary.isEqual(other) && dictionary.hash == other.hash)
                #expect(dictionary.isEqual(["a": [1, 2]] as NSDictionary))
                #expect(dictionary.isEqual(["a": [1, 2]] as [String: [Int]]))
                #expect(dictionary.isEqual(to: ["a": [1, 2]]))
                #expect(
                    !dictionary.isEqual(["a": [1]] as NSDictionary) && !dictionary.isEqual("a")
                        && !dictionary.isEqual(nil))
            }
        }

        @Test(arguments: TestStore.all)
        func copies_arePlainDictionaries(_ store: TestStore) throws {
            try run(store) { (dictionary) throws in
                dictionary["a"] = "b"
                let copy = try #require(dictionary.copy() as? NSDictionary)
                let mutable = try #require(dictionary.mutableCopy() as? NSMutableDictionary)
                mutable["c"] = "d"
                #expect(copy == ["a": "b"] as NSDictionary && type(of: copy) == NSDictionary.self)
                #expect(copy as? [String: String] == ["a": "b"])
                #expect(type(of: mutable) == NSMutableDictionary.self)
                #expect(try stored() as? [String: String] == ["a": "b"])
            }
        }

        // MARK: Nothing leaves by accident

        @Test(arguments: TestStore.all)
        func descriptions_showNoValues(_ store: TestStore) throws {
            try run(store) { (dictionary) throws in
                dictionary["password"] = "hunter2"
                var dumped = ""
                dump(dictionary, to: &dumped)
                let texts = [
                    dictionary.description, dictionary.debugDescription, dictionary.descriptionInStringsFileFormat,
                    dictionary.description(withLocale: nil), dictionary.description(withLocale: nil, indent: 1),
                    "\(dictionary)", String(reflecting: dictionary), dumped,
                    String(describing: Mirror(reflecting: dictionary).children.map { $0 }),
                ]
                for text in texts { #expect(!text.contains("hunter2")) }
                #expect(dictionary.description == "<KCMutableDictionary: 1 entries>")
            }
        }

        @Test(arguments: TestStore.all)
        func archiving_isRefused(_ store: TestStore) throws {
            try run(store) { (dictionary) throws in
                dictionary["password"] = "hunter2"
                for isSecure in [true, false] {
                    #expect(throws: KCMutableDictionaryError.self) {
                        try NSKeyedArchiver.archivedData(withRootObject: dictionary, requiringSecureCoding: isSecure)
                    }
                }
                let nested = try? NSKeyedArchiver.archivedData(
                    withRootObject: [dictionary] as NSArray, requiringSecureCoding: true)
                #expect(nested?.range(of: Data("hunter2".utf8)) == nil)
            }
        }

        @Test(arguments: TestStore.all)
        func initialisingWithData_givesNothing(_ store: TestStore) throws {
            let type: NSMutableDictionary.Type = KCMutableDictionary.self
            try run(store) { (dictionary) throws in
                let made = type.init(dictionaryLiteral: ("a", "b"))
                #expect(made.count == 0)
                made["c"] = "d"
                #expect(made.count == 0)
                #expect((made as? KCMutableDictionary)?.lastError?.code == .forgotten)
                #expect(try stored() == nil && dictionary.count == 0)
            }
        }

        // MARK: Changes that are only half done, and those of others

        /// A store that cannot be read after a write.
        private final class Forgetful: ForwardingStore, @unchecked Sendable {
            let memory = InMemoryStore()
            var base: any KeychainStore { memory }
            var fails = false

            func update(_ steps: [RecordUpdate], interaction: Interaction) throws(StoreError) -> Int {
                let count = try memory.update(steps, interaction: interaction)
                if fails { memory.failNext(StoreError(.unavailable, "no descriptors")) }
                return count
            }
        }

        @Test func change_thatCannotBeReadAgain_isStored() throws {
            try TestStore.memory.run { (_) throws in
                let store = Forgetful()
                LinuxKeychain.use(.custom(store))
                let dictionary = KCMutableDictionary.dictionary(withName: "test")
                defer { dictionary.forget() }
                try dictionary.store(1, forKey: "a")
                store.fails = true
                try dictionary.store(2, forKey: "a")
                store.fails = false
                #expect(dictionary["a"] as? Int == 2)
            }
        }

        @Test(arguments: TestStore.all)
        func change_keepsWhatOthersHaveStored(_ store: TestStore) throws {
            try run(store) { (dictionary) throws in
                dictionary["ours"] = 1
                let theirs = try PropertyListSerialization.data(
                    fromPropertyList: ["ours": 1, "theirs": 2], format: .binary, options: 0)
                let query: [CFString: Any] = [
                    kSecClass: kSecClassGenericPassword, kSecAttrService: "\(service).test",
                ]
                #expect(SecItemUpdate(query as CFDictionary, [kSecValueData: theirs] as CFDictionary) == errSecSuccess)
                dictionary["ours"] = 3
                #expect(dictionary.copy() as? [String: Int] == ["ours": 3, "theirs": 2])
            }
        }

        // MARK: Forgetting

        @Test(arguments: TestStore.all)
        func forget_dropsItFromMemory_andLeavesItInTheKeychain(_ store: TestStore) throws {
            try run(store) { (dictionary) throws in
                dictionary["a"] = "b"
                dictionary.forget()
                #expect(dictionary.count == 0 && dictionary["a"] == nil)
                dictionary["c"] = "d"
                #expect(dictionary.lastError?.code == .forgotten)
                #expect(throws: KCMutableDictionaryError.self) { try dictionary.store("d", forKey: "c") }
                #expect(try stored() as? [String: String] == ["a": "b"])
                dictionary.forget()
                #expect(KCMutableDictionary.dictionary(withName: "test")["a"] as? String == "b")
            }
        }

        // MARK: Others

        @Test(arguments: TestStore.all)
        func damagedItem_isLeftAsItIs(_ store: TestStore) throws {
            try store.run { (_) throws in
                for data in [Data("no list".utf8), Data([0xFF]), Data("bplist00".utf8)] {
                    #expect(RawItems.add(data, service: "\(service).damaged") == errSecSuccess)
                    let dictionary = KCMutableDictionary.dictionary(withName: "damaged")
                    defer { dictionary.forget() }
                    #expect(dictionary.count == 0)
                    #expect(dictionary.lastError?.code == .damaged)
                    dictionary["a"] = "b"
                    #expect(dictionary.lastError?.code == .damaged)
                    #expect(RawItems.data(service: "\(service).damaged") == data)
                    let query = [kSecClass: kSecClassGenericPassword] as CFDictionary
                    #expect(SecItemDelete(query) == errSecSuccess)
                }
            }
        }

        @Test(arguments: TestStore.all)
        func itemsOfOthers_areLeftAlone(_ store: TestStore) throws {
            try run(store) { (dictionary) throws in
                #expect(RawItems.add(Data("x".utf8), service: "\(service).test", account: "anna") == errSecSuccess)
                dictionary["a"] = "ours"
                #expect(RawItems.data(service: "\(service).test", account: "anna") == Data("x".utf8))
                asAnotherApplication {
                    let theirs = KCMutableDictionary.dictionary(withName: "test")
                    #expect(theirs !== dictionary && theirs.count == 0)
                    theirs["a"] = "theirs"
                    theirs.forget()
                }
                #expect(dictionary["a"] as? String == "ours")
            }
        }

        @Test(arguments: TestStore.lockable)
        func lockedKeychain_isToldFromAnEmptyOne(_ store: TestStore) throws {
            try run(store) { (dictionary) throws in
                dictionary["a"] = "b"
                try whileLocked { () throws in
                    dictionary["a"] = "c"
                    #expect(dictionary.lastError?.status == errSecInteractionNotAllowed)
                    #expect(dictionary["a"] as? String == "b")
                    #expect(throws: KCMutableDictionaryError.self) { try dictionary.store("c", forKey: "a") }
                    dictionary.forget()
                }
                let again = try whileLocked {
                    let again = KCMutableDictionary.dictionary(withName: "test")
                    #expect(again.count == 0)
                    #expect(again.lastError?.status == errSecInteractionNotAllowed)
                    again["x"] = "y"
                    #expect(again.lastError?.code == .keychain)
                    return again
                }
                #expect(again["a"] as? String == "b")
                #expect(again.lastError == nil)
                #expect(try stored() as? [String: String] == ["a": "b"])
            }
        }

        @Test(arguments: TestStore.all)
        func aMegabyte_isKept(_ store: TestStore) throws {
            let text = String(repeating: "0123456789abcdef", count: 65_536)
            try run(store) { (dictionary) throws in
                dictionary["text"] = text
                dictionary["small"] = 1
                dictionary.forget()
                #expect(KCMutableDictionary.dictionary(withName: "test")["text"] as? String == text)
            }
        }

        @Test(arguments: TestStore.all)
        func twoThreads_loseNothing(_ store: TestStore) throws {
            try run(store) { (_) throws in
                DispatchQueue.concurrentPerform(iterations: 2) { thread in
                    let dictionary = KCMutableDictionary.dictionary(withName: "test")
                    for round in 0..<30 {
                        dictionary["shared"] = round
                        dictionary["\(thread) \(round)"] = round
                        #expect(dictionary["shared"] is Int)
                    }
                }
                #expect(KCMutableDictionary.dictionary(withName: "test").count == 61)
                #expect(try stored()?.count == 61)
            }
        }

        /// A copy has the entries of one moment, whatever another thread stores.
        @Test func copies_areOfOneMoment() throws {
            let few = ["a": "a"]
            let many = Dictionary(uniqueKeysWithValues: (0..<60).map { ("\($0)", "\($0)") })
            try TestStore.memory.run { (_) throws in
                defer { KCMutableDictionary.dictionary(withName: "moments").forget() }
                KCMutableDictionary.dictionary(withName: "moments").setDictionary(few)
                let isDone = Mutex(false)
                DispatchQueue.concurrentPerform(iterations: 2) { thread in
                    let dictionary = KCMutableDictionary.dictionary(withName: "moments")
                    if thread == 0 {
                        for round in 0..<400 { dictionary.setDictionary(round.isMultiple(of: 2) ? many : few) }
                        isDone.withLock { $0 = true }
                        return
                    }
                    while !isDone.withLock({ $0 }) {
                        for copy in [dictionary.mutableCopy(), dictionary.copy()] {
                            let entries = (copy as? NSDictionary) as? [String: String]
                            #expect(entries == few || entries == many)
                        }
                        let count = dictionary.description.filter(\.isNumber)
                        #expect(["1", "60"].contains(count))
                        let keys = dictionary.allKeys as? [String]
                        #expect(keys.map { [1, 60].contains($0.count) } == true)
                    }
                }
            }
        }

        /// Foundation writes an empty object for a subclass of its dictionaries inside a collection. A copy is written
        /// completely.
        @Test func json_ofACollection_hasACopyAsItIs() throws {
            try run(.memory) { (dictionary) throws in
                dictionary["a"] = "b"
                let copy = dictionary.copy()
                for collection in [["x": copy], [copy], NSArray(object: copy), ["x": [["y": copy]]]] as [Any] {
                    let data = try JSONSerialization.data(withJSONObject: collection)
                    #expect(String(decoding: data, as: UTF8.self).contains(#"{"a":"b"}"#))
                }
                let alone = try JSONSerialization.data(withJSONObject: dictionary)
                #expect(String(decoding: alone, as: UTF8.self) == #"{"a":"b"}"#)
            }
        }

        @Test(arguments: TestStore.all)
        func aDictionaryInItself_isStoredAsACopy(_ store: TestStore) throws {
            try run(store) { (dictionary) throws in
                dictionary["a"] = "b"
                dictionary["self"] = dictionary
                #expect(dictionary["self"] as? [String: String] == ["a": "b"])
            }
        }
    }
}
