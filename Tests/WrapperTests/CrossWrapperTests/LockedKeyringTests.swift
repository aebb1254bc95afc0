// SPDX-License-Identifier: Apache-2.0

import FXKeychain
import Foundation
import KCMutableDictionary
import KeychainObjects
import Lockbox
import Security
import Testing

extension WrapperTests {
    /// A locked gnome-keyring that nobody can unlock: each method fails as documented.
    @Suite(.enabled(if: !TestStore.secretService.isEmpty, "run it with Scripts/keyring/with-gnome-keyring"))
    struct LockedKeyringTests {
        private let fxKeychain = FXKeychain(service: "com.example.locked", accessGroup: nil)
        private let box: Lockbox = Lockbox(keyPrefix: "com.example.locked")
        private let objects = KeychainObjectStore<String>(service: "com.example.locked.objects")

        @Test(arguments: TestStore.secretService)
        func reading_isToldFromAnEmptyKeyring(_ store: TestStore) throws {
            let keyring = try #require(Keyring.shared)
            try store.run { (_) throws in
                fxKeychain.setObject("secret", forKey: "a")
                box.archiveObject(NSString("secret"), forKey: "a")
                let reference = try objects.add("secret")
                try keyring.whileLocked { () throws in
                    #expect(fxKeychain.object(forKey: "a") == nil)
                    #expect(fxKeychain.lastStatus == errSecInteractionNotAllowed)
                    #expect(box.unarchiveObject(forKey: "a") == nil)
                    #expect(box.lastStatus == errSecInteractionNotAllowed)
                    let error = #expect(throws: KeychainObjectError.self) { try objects.find(reference) }
                    #expect(error?.code == .locked)
                }
                #expect(fxKeychain.object(forKey: "a") as? String == "secret")
                #expect(box.unarchiveObject(forKey: "a") as? String == "secret")
                #expect(try objects.find(reference) == "secret")
            }
        }

        @Test(arguments: TestStore.secretService)
        func writing_isRefused(_ store: TestStore) throws {
            let keyring = try #require(Keyring.shared)
            try store.run { (_) throws in
                try keyring.whileLocked { () throws in
                    #expect(fxKeychain.setObject("new", forKey: "b") == false)
                    #expect(fxKeychain.lastStatus == errSecInteractionNotAllowed)
                    #expect(!box.archiveObject(NSString("new"), forKey: "b"))
                    #expect(box.lastStatus == errSecInteractionNotAllowed)
                    let error = #expect(throws: KeychainObjectError.self) { try objects.add("new") }
                    #expect(error?.code == .locked)
                }
                #expect(RawItems.count == 0)
            }
        }

        @Test(arguments: TestStore.secretService)
        func dictionary_isReadOnceItIsUnlocked(_ store: TestStore) throws {
            let keyring = try #require(Keyring.shared)
            try store.run { (_) throws in
                let dictionary = KCMutableDictionary.dictionary(withName: "locked")
                dictionary["a"] = "b"
                dictionary.forget()
                let again = try keyring.whileLocked { () throws in
                    let again = KCMutableDictionary.dictionary(withName: "locked")
                    #expect(again.count == 0)
                    #expect(again.lastError?.status == errSecInteractionNotAllowed)
                    again["c"] = "d"
                    #expect(again.lastError?.status == errSecInteractionNotAllowed)
                    return again
                }
                defer { again.forget() }
                #expect(again.copy() as? [String: String] == ["a": "b"])
            }
        }
    }
}
