// SPDX-License-Identifier: Apache-2.0

import Foundation
import Lockbox
import Security
import Testing

extension WrapperTests {
    /// Items of Lockbox version 2, and the checks of its own tests.
    @Suite struct LockboxVersion2Tests {
        private let box: any Version2 = Lockbox(keyPrefix: "v2")

        private func stored(_ key: String) -> String? {
            RawItems.data(service: "v2.\(key)", account: "").flatMap { String(data: $0, encoding: .utf8) }
        }

        @Test(arguments: TestStore.all)
        func strings_areStoredAsText(_ store: TestStore) throws {
            try store.run { (_) throws in
                #expect(box.setString("TëstString", forKey: "key"))
                #expect(stored("key") == "TëstString")
                #expect(box.string(forKey: "key") == "TëstString")
                #expect(box.setString("other", forKey: "key"))
                #expect(box.string(forKey: "key") == "other")
                #expect(box.setString(nil, forKey: "key"))
                #expect(box.string(forKey: "key") == nil)
                #expect(!box.setString(nil, forKey: "key"))
            }
        }

        @Test(arguments: TestStore.all)
        func arrays_areStoredWithDelimiters(_ store: TestStore) throws {
            try store.run { (_) throws in
                #expect(box.setArray(["A", "B", 3], forKey: "key"))
                #expect(stored("key") == "A-|-B-|-3")
                #expect(box.array(forKey: "key") as? [String] == ["A", "B", "3"])
                for array in [["one-|-two"], ["a-|", "b"], ["a", "|-b", "-"]] {
                    let isStored = box.setArray(array, forKey: "other")
                    #expect(isStored == (box.array(forKey: "other") as? [String] == array))
                }
                #expect(!box.setArray(["one-|-two"], forKey: "key"))
                #expect(box.setArray([], forKey: "key"))
                #expect(box.array(forKey: "key") == nil)
                #expect(box.setArray(["value1"], forKey: "key") && box.setArray(nil, forKey: "key"))
                #expect(box.array(forKey: "key") == nil)
            }
        }

        @Test(arguments: TestStore.all)
        func sets_areStoredWithDelimiters(_ store: TestStore) throws {
            try store.run { (_) throws in
                #expect(box.setSet(["A", "B", "C"], forKey: "key"))
                #expect(stored("key")?.components(separatedBy: "-|-").sorted() == ["A", "B", "C"])
                #expect(box.setForKey("key") == ["A", "B", "C"])
                #expect(!box.setSet(["a-|-b"], forKey: "key"))
                #expect(!box.setSet([1, "1"], forKey: "key"))
                #expect(box.setForKey("key") == ["A", "B", "C"])
                #expect(box.setSet(nil, forKey: "key"))
                #expect(box.setForKey("key") == nil)
            }
        }

        @Test(arguments: TestStore.all)
        func dictionaries_areStoredAsKeysThenValues(_ store: TestStore) throws {
            let dictionary = ["Key 1": "A", "Key 2": "B", "Key 3": "C"]
            try store.run { (_) throws in
                #expect(box.setDictionary(["k": "v"], forKey: "key"))
                #expect(stored("key") == "k-|-v")
                #expect(box.setDictionary(dictionary, forKey: "key"))
                #expect(box.dictionary(forKey: "key") as? [String: String] == dictionary)
                #expect(box.setDictionary(nil, forKey: "key"))
                #expect(box.dictionary(forKey: "key") == nil)
                #expect(box.setString("a-|-b-|-c", forKey: "key"))
                #expect(box.dictionary(forKey: "key") == nil)
            }
        }

        @Test(arguments: TestStore.all)
        func dates_areStoredAsSeconds(_ store: TestStore) throws {
            let now = Date()
            try store.run { (_) throws in
                for date in [now, .distantPast, Date(timeIntervalSinceReferenceDate: 1e-7)] {
                    #expect(box.setDate(date, forKey: "key"))
                    #expect(box.date(forKey: "key") == date)
                }
                #expect(box.setDate(Date(timeIntervalSinceReferenceDate: 780_000_000), forKey: "key"))
                #expect(stored("key") == "780000000")
                #expect(box.setDate(Date(timeIntervalSinceReferenceDate: 0.5), forKey: "key"))
                #expect(stored("key") == "0.5")
                #expect(box.setString("no date", forKey: "key"))
                #expect(box.date(forKey: "key") == nil)
                #expect(box.setDate(nil, forKey: "key"))
                #expect(box.date(forKey: "key") == nil)
            }
        }

        @Test(arguments: TestStore.all)
        func classMethods_doTheSame(_ store: TestStore) throws {
            try store.run { (_) throws in
                expectClassMethods(of: Lockbox.self)
                #expect(RawItems.data(service: "\(Lockbox().keyPrefix).s") == Data("a".utf8))
            }
        }

        private func expectClassMethods<Box: Version2>(of shared: Box.Type) {
            let date = Date()
            #expect(shared.setString("a", forKey: "s"))
            #expect(shared.string(forKey: "s") == "a")
            #expect(shared.setArray(["a"], forKey: "a"))
            #expect(shared.array(forKey: "a") as? [String] == ["a"])
            #expect(shared.setSet(["a"], forKey: "t"))
            #expect(shared.setForKey("t") == ["a"])
            #expect(shared.setDictionary(["a": "b"], forKey: "d"))
            #expect(shared.dictionary(forKey: "d") as? [String: String] == ["a": "b"])
            #expect(shared.setDate(date, forKey: "e"))
            #expect(shared.date(forKey: "e") == date)
        }

        @Test(arguments: TestStore.all)
        func accessibility_isWhenUnlockedByDefault(_ store: TestStore) throws {
            let always = kSecAttrAccessibleAlways
            try store.run { (_) throws in
                #expect(box.setString("a", forKey: "s") && box.setArray(["a"], forKey: "a"))
                #expect(box.setSet(["a"], forKey: "t") && box.setDictionary(["a": "b"], forKey: "d"))
                #expect(box.setDate(Date(), forKey: "e"))
                #expect(["s", "a", "t", "d", "e"].map(accessible) == ["ak", "ak", "ak", "ak", "ak"])
                #expect(box.setString("a", forKey: "s", accessibility: always))
                #expect(box.setArray(["a"], forKey: "a", accessibility: always))
                #expect(box.setSet(["a"], forKey: "t", accessibility: always))
                #expect(box.setDictionary(["a": "b"], forKey: "d", accessibility: always))
                #expect(box.setDate(Date(), forKey: "e", accessibility: always))
                #expect(["s", "a", "t", "d", "e"].map(accessible) == ["dk", "dk", "dk", "dk", "dk"])
            }
        }

        private func accessible(_ key: String) -> String? {
            RawItems.attribute(kSecAttrAccessible, service: "v2.\(key)")
        }

        /// The six forms of the class, with each protection class.
        @Test(arguments: TestStore.all)
        func accessibilityOfTheClassMethods_isTheOneNamed(_ store: TestStore) throws {
            let protections = [
                kSecAttrAccessibleWhenUnlocked, kSecAttrAccessibleAfterFirstUnlock, kSecAttrAccessibleAlways,
                kSecAttrAccessibleWhenUnlockedThisDeviceOnly, kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
                kSecAttrAccessibleAlwaysThisDeviceOnly,
            ]
            try store.run { (_) throws in
                for protection in protections { expectAccessible(protection, Lockbox.self) }
                #expect(!Lockbox.archiveObject("a" as NSString, forKey: "o", accessibility: "none" as NSString))
                #expect(Lockbox.lastStatus == errSecParam)
            }
        }

        private func expectAccessible<Box: Version2>(_ protection: CFString, _ shared: Box.Type) {
            #expect(Lockbox.archiveObject("a" as NSString, forKey: "o", accessibility: protection))
            #expect(shared.setString("a", forKey: "s", accessibility: protection))
            #expect(shared.setArray(["a"], forKey: "a", accessibility: protection))
            #expect(shared.setSet(["a"], forKey: "t", accessibility: protection))
            #expect(shared.setDictionary(["a": "b"], forKey: "d", accessibility: protection))
            #expect(shared.setDate(Date(), forKey: "e", accessibility: protection))
            let prefix = Lockbox().keyPrefix
            for key in ["o", "s", "a", "t", "d", "e"] {
                let found = RawItems.attribute(kSecAttrAccessible, service: "\(prefix).\(key)")
                #expect(found == protection as String, "\(key)")
            }
        }

        @Test(arguments: TestStore.lockable)
        func lockedKeychain_givesNothing(_ store: TestStore) throws {
            let status = { (box as? Lockbox)?.lastStatus }
            try store.run { (_) throws in
                #expect(box.setString("a", forKey: "s"))
                try whileLocked { () throws in
                    #expect(box.string(forKey: "s") == nil && status() == errSecInteractionNotAllowed)
                    #expect(box.array(forKey: "s") == nil && status() == errSecInteractionNotAllowed)
                    #expect(box.setForKey("s") == nil && status() == errSecInteractionNotAllowed)
                    #expect(box.dictionary(forKey: "s") == nil && status() == errSecInteractionNotAllowed)
                    #expect(box.date(forKey: "s") == nil && status() == errSecInteractionNotAllowed)
                    #expect(!box.setString("b", forKey: "s") && status() == errSecInteractionNotAllowed)
                }
                #expect(box.string(forKey: "s") == "a")
            }
        }

        /// The migration in the manual: reads with the old method and writes with the new one, once.
        @Test(arguments: TestStore.all)
        func migration_fromVersion2ToArchives(_ store: TestStore) throws {
            let date = Date(timeIntervalSinceReferenceDate: 780_000_000.25)
            try store.run { (_) throws in
                #expect(RawItems.add(Data("secret".utf8), service: "v2.password") == errSecSuccess)
                #expect(RawItems.add(Data("a-|-b".utf8), service: "v2.list") == errSecSuccess)
                #expect(RawItems.add(Data("780000000.25".utf8), service: "v2.since") == errSecSuccess)
                let new: Lockbox = Lockbox(keyPrefix: "v2")
                #expect(new.unarchiveObject(forKey: "password") == nil)

                #expect(new.archiveObject(box.string(forKey: "password").map { $0 as NSString }, forKey: "password"))
                #expect(new.archiveObject(box.array(forKey: "list").map { $0 as NSArray }, forKey: "list"))
                #expect(new.archiveObject(box.date(forKey: "since").map { $0 as NSDate }, forKey: "since"))

                #expect(new.unarchiveObject(forKey: "password") as? String == "secret")
                #expect(new.unarchiveObject(forKey: "list") as? [String] == ["a", "b"])
                #expect(new.unarchiveObject(forKey: "since") as? Date == date)
                #expect(RawItems.count == 3)
            }
        }
    }
}
