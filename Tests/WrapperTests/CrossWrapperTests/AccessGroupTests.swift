// SPDX-License-Identifier: Apache-2.0

import FXKeychain
import Foundation
import KCMutableDictionary
import KeychainObjects
import Lockbox
import Security
import Testing

extension WrapperTests {
    /// The access groups that the wrappers search if the application has several.
    @Suite struct AccessGroupTests {
        private let own = TestStore.application
        private let shared = TestStore.sharedGroup
        private let service = "com.example.groups"

        // MARK: KeychainObjects

        /// A store has the objects of one group, in each of its methods and whatever other groups the application may
        /// use.
        @Test(arguments: TestStore.all)
        func objects_areThoseOfOneGroup_inEveryVerb(_ store: TestStore) throws {
            let entitlements: [([String]?, first: String)] = [
                (nil, own), ([own, shared], own), ([shared, own], shared), (["*"], own),
                (["com.apple.token", shared, own], shared),
            ]
            try store.run { (_) throws in
                for (groups, first) in entitlements {
                    try entitled(to: groups) {
                        for (writer, reader) in [nil, own, shared].flatMap({ one in
                            [nil, own, shared].map { (one, $0) }
                        }) {
                            let isSame = (writer ?? first) == (reader ?? first)
                            try checkObjects(of: writer, seenFrom: reader, areSeen: isSame)
                        }
                    }
                }
            }
        }

        private func checkObjects(of writer: String?, seenFrom reader: String?, areSeen: Bool) throws {
            let writing = KeychainObjectStore<String>(service: service, accessGroup: writer)
            let reading = KeychainObjectStore<String>(service: service, accessGroup: reader)
            let reference = try writing.add("a")
            #expect(try reading.find(reference) == (areSeen ? "a" : nil))
            #expect(try reading.references() == (areSeen ? [reference] : []))
            #expect(try reading.all().map(\.object) == (areSeen ? ["a"] : []))
            if areSeen {
                try reading.update(reference, with: "b")
            } else {
                let error = #expect(throws: KeychainObjectError.self) { try reading.update(reference, with: "b") }
                #expect(error?.code == .notFound)
            }
            #expect(try writing.find(reference) == (areSeen ? "b" : "a"))
            #expect(try reading.remove(reference) == areSeen)
            #expect(try writing.find(reference) == (areSeen ? nil : "a"))
            try writing.removeAll()
            let another = try writing.add("c")
            try reading.removeAll()
            #expect(try writing.references() == (areSeen ? [] : [another]))
            try writing.removeAll()
        }

        @Test(arguments: TestStore.all)
        func objects_ofAnApplicationWithoutGroups_areAnError(_ store: TestStore) throws {
            let objects = KeychainObjectStore<String>(service: service)
            try store.run { (_) throws in
                let reference = try objects.add("a")
                entitled(to: []) {
                    let actions: [() throws -> Void] = [
                        { _ = try objects.add("b") }, { _ = try objects.find(reference) }, { _ = try objects.all() },
                        { _ = try objects.references() }, { try objects.update(reference, with: "b") },
                        { _ = try objects.remove(reference) }, { try objects.removeAll() },
                    ]
                    for action in actions {
                        let error = #expect(throws: KeychainObjectError.self) { try action() }
                        #expect(error?.status == errSecMissingEntitlement)
                    }
                }
                #expect(try objects.all().map(\.object) == ["a"])
            }
        }

        // MARK: The ports

        /// A keychain with a group does not read, change or remove items in other groups.
        @Test(arguments: TestStore.all)
        func fxKeychain_withAGroup_usesThatGroupAlone(_ store: TestStore) throws {
            try store.run { (_) throws in
                try entitled(to: [own, shared]) { () throws in
                    let keychains = [own, shared].map { FXKeychain(service: service, accessGroup: $0) }
                    for (one, other) in [(keychains[0], keychains[1]), (keychains[1], keychains[0])] {
                        #expect(one.setObject("one", forKey: "a"))
                        #expect(other.object(forKey: "a") == nil)
                        #expect(other.setObject("other", forKey: "a"))
                        #expect(other.setObject("changed", forKey: "a"))
                        #expect(one.object(forKey: "a") as? String == "one")
                        #expect(other.removeObject(forKey: "a"))
                        #expect(one.object(forKey: "a") as? String == "one")
                        #expect(one.removeObject(forKey: "a"))
                        #expect(RawItems.count == 0)
                    }
                }
            }
        }

        /// As in the original, a query without a group searches all groups of the application.
        @Test(arguments: TestStore.all)
        func fxKeychain_withoutAGroup_usesAllOfTheApplications(_ store: TestStore) throws {
            try store.run { (_) throws in
                try entitled(to: [own, shared]) { () throws in
                    for any in [nil, ""].map({ FXKeychain(service: service, accessGroup: $0) }) {
                        let inShared = FXKeychain(service: service, accessGroup: shared)
                        let inOwn = FXKeychain(service: service, accessGroup: own)
                        #expect(inShared.setObject("1", forKey: "a"))
                        #expect(any.object(forKey: "a") as? String == "1")
                        #expect(any.setObject("2", forKey: "a"))
                        #expect(inShared.object(forKey: "a") as? String == "2")
                        #expect(inOwn.object(forKey: "a") == nil)
                        #expect(any.setObject("3", forKey: "new"))
                        #expect(inOwn.object(forKey: "new") as? String == "3")
                        #expect(any.removeObject(forKey: "a") && any.removeObject(forKey: "new"))
                        #expect(RawItems.count == 0)
                    }
                }
            }
        }

        @Test(arguments: TestStore.all)
        func lockbox_usesAllGroupsOfTheApplication(_ store: TestStore) throws {
            let box: Lockbox = Lockbox(keyPrefix: service)
            try store.run { (_) throws in
                try entitled(to: [shared]) { () throws in
                    #expect(box.archiveObject(NSString("1"), forKey: "a"))
                }
                #expect(box.unarchiveObject(forKey: "a") == nil)
                try entitled(to: [own, shared]) { () throws in
                    #expect(box.unarchiveObject(forKey: "a") as? String == "1")
                    #expect(box.archiveObject(NSString("2"), forKey: "a"))
                    #expect(box.unarchiveObject(forKey: "a") as? String == "2")
                    #expect(RawItems.count == 1)
                    #expect(box.archiveObject(nil, forKey: "a"))
                    #expect(RawItems.count == 0)
                }
            }
        }

        @Test(arguments: TestStore.all)
        func dictionary_usesAllGroupsOfTheApplication(_ store: TestStore) throws {
            func dictionary() -> KCMutableDictionary { KCMutableDictionary.dictionary(withName: "groups") }
            try store.run { (_) throws in
                defer { dictionary().forget() }
                try entitled(to: [shared]) { () throws in dictionary()["a"] = 1 }
                dictionary().forget()
                #expect(dictionary().count == 0)
                dictionary().forget()
                try entitled(to: [own, shared]) { () throws in
                    #expect(dictionary()["a"] as? Int == 1)
                    dictionary()["b"] = 2
                    #expect(dictionary().lastError == nil)
                    #expect(RawItems.count == 1)
                }
            }
        }
    }
}
