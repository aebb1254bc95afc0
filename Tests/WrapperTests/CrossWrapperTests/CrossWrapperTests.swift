import FXKeychain
import Foundation
import KCMutableDictionary
import Lockbox
import Security
import Testing

extension WrapperTests {
    /// What one library writes, another one reads.
    @Suite struct CrossWrapperTests {
        @Test(arguments: TestStore.all)
        func stringsOfFXKeychain_areReadTheWayKeychainAccessDoes(_ store: TestStore) throws {
            try store.run { (_) throws in
                FXKeychain(service: "com.example.app", accessGroup: nil).setObject("secret", forKey: "anna")
                #expect(RawItems.data(service: "com.example.app", account: "anna") == Data("secret".utf8))
                #expect(
                    RawItems.add(Data("theirs".utf8), service: "com.example.app", account: "berta") == errSecSuccess)
                let keychain = FXKeychain(service: "com.example.app", accessGroup: nil)
                #expect(keychain.object(forKey: "berta") as? String == "theirs")
            }
        }

        @Test(arguments: TestStore.all)
        func version2OfLockbox_isReadAsText(_ store: TestStore) throws {
            let box: any Version2 = Lockbox(keyPrefix: "com.example.app")
            try store.run { (_) throws in
                #expect(box.setString("secret", forKey: "password"))
                let keychain = FXKeychain(service: "com.example.app.password", accessGroup: nil)
                #expect(keychain.object(forKey: "") as? String == "secret")
                #expect(RawItems.add(Data("a-|-b".utf8), service: "com.example.app.list") == errSecSuccess)
                #expect(box.array(forKey: "list") as? [String] == ["a", "b"])
            }
        }

        @Test(arguments: TestStore.all)
        func archivesOfLockbox_areNotOpenedByFXKeychain(_ store: TestStore) throws {
            try store.run { (_) throws in
                Lockbox(keyPrefix: "com.example.app").archiveObject(NSString("secret"), forKey: "key")
                #expect(FXKeychain(service: "com.example.app.key", accessGroup: nil).object(forKey: "") == nil)
            }
        }

        @Test(arguments: TestStore.all)
        func dictionaries_areReadAsAPropertyList(_ store: TestStore) throws {
            try store.run { (_) throws in
                let dictionary = KCMutableDictionary.dictionary(withName: "cross")
                defer { dictionary.forget() }
                dictionary["a"] = ["b", "c"]
                let service = "\(TestStore.application).__KCMutableDictionary__.cross"
                let read = FXKeychain(service: service, accessGroup: nil).object(forKey: "")
                #expect(read as? [String: [String]] == ["a": ["b", "c"]])
                FXKeychain(service: service, accessGroup: nil).setObject(["d": 1], forKey: "")
                dictionary.forget()
                #expect(KCMutableDictionary.dictionary(withName: "cross")["d"] as? Int == 1)
                KCMutableDictionary.dictionary(withName: "cross").forget()
            }
        }
    }
}
