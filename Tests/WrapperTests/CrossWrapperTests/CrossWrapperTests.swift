// SPDX-License-Identifier: Apache-2.0

import FXKeychain
import Foundation
import KCMutableDictionary
import KeychainObjects
import Lockbox
import Security
import Testing

extension WrapperTests {
    /// Items that one library writes and another reads.
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

        // MARK: Items without data

        /// All wrappers read an item without data like an item with empty data.
        @Test(arguments: TestStore.all)
        func itemWithoutData_isOneWithEmptyData(_ store: TestStore) throws {
            let service = "com.example.empty.key"
            let ofDictionary = "\(TestStore.application).__KCMutableDictionary__.empty"
            let objects = KeychainObjectStore<String>(service: service)
            let box: Lockbox = Lockbox(keyPrefix: "com.example.empty")
            let keychain = FXKeychain(service: service, accessGroup: nil)
            try store.run { (_) throws in
                for data in [nil, Data()] {
                    let reference = KeychainObjectStore<String>.Reference(data: try add(data, service))
                    _ = try add(data, ofDictionary)
                    #expect(keychain.object(forKey: "") as? String == "" && keychain.lastStatus == errSecSuccess)
                    #expect(box.unarchiveObject(forKey: "key") == nil && box.lastStatus == errSecDecode)
                    let text: String? = (box as any Version2).string(forKey: "key")
                    #expect(text == "" && box.lastStatus == errSecSuccess)
                    for action in [{ _ = try objects.find(reference) }, { _ = try objects.all() }]
                        as [() throws -> Void]
                    {
                        let error = #expect(throws: KeychainObjectError.self) { try action() }
                        #expect(error?.code == .notDecodable && error?.reference == reference.data)
                    }
                    #expect(try objects.references() == [reference])
                    let dictionary = KCMutableDictionary.dictionary(withName: "empty")
                    #expect(dictionary.count == 0 && dictionary.lastError?.code == .damaged)
                    dictionary.forget()
                    try objects.update(reference, with: "full")
                    #expect(try objects.find(reference) == "full")
                    try objects.removeAll()
                    #expect(FXKeychain(service: ofDictionary, accessGroup: nil).removeObject(forKey: ""))
                }
            }
        }

        private func add(_ data: Data?, _ service: String) throws -> Data {
            var item: [CFString: Any] = [
                kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: "",
                kSecReturnPersistentRef: true,
            ]
            item[kSecValueData] = data
            var reference: CFTypeRef?
            #expect(SecItemAdd(item as CFDictionary, &reference) == errSecSuccess)
            return try #require(reference as? Data)
        }

        // MARK: Decimal numbers

        /// A decimal number is stored exactly or refused. A property list can hold it if a real or whole number has the
        /// same digits, and an archive can always hold it.
        @Test func decimalNumbers_areExactOrRefused() throws {
            let inLists = [
                "9.99", "-0.1", "5", "-7", "0", "1e127", "1e-127", "3.14159265358979", "0.30000000000000004",
                "1234567890123456789", "-9223372036854775808", "18446744073709551615", "1e30",
            ]
            let others = [
                "1234567890123456789.25", "123456789012345678901234567890", "0.12345678901234567891",
                "-9223372036854775809", "18446744073709551616.5",
            ]
            defer { FXKeychain.usesNSCoding = false }
            let keychain = FXKeychain(service: "com.example.decimals", accessGroup: nil)
            try TestStore.memory.run { (_) throws in
                for (text, isInList) in inLists.map({ ($0, true) }) + others.map({ ($0, false) }) {
                    let number = NSDecimalNumber(string: text)
                    for object in [number, number.decimalValue] as [Any] {
                        FXKeychain.usesNSCoding = false
                        #expect(keychain.setObject(object, forKey: "a") == isInList, "\(text)")
                        if isInList { expectDigits(of: number, keychain.object(forKey: "a")) }
                        if !isInList { #expect(["NSDecimalNumber", "Decimal"].contains(keychain.lastError?.typeName)) }
                        #expect(keychain.setObject([object], forKey: "a") == isInList, "\(text)")
                        let dictionary = KCMutableDictionary.dictionary(withName: "decimals")
                        dictionary["a"] = object
                        #expect((dictionary.lastError == nil) == isInList, "\(text)")
                        if isInList { expectDigits(of: number, dictionary["a"]) }
                        dictionary.removeAllObjects()
                        dictionary.forget()
                        FXKeychain.usesNSCoding = true
                        #expect(keychain.setObject(object, forKey: "a"), "\(text)")
                        expectDigits(of: number, keychain.object(forKey: "a"))
                    }
                }
            }
        }

        private func expectDigits(of number: NSDecimalNumber, _ read: Any?) {
            let digits =
                (read as? NSDecimalNumber)?.decimalValue ?? Decimal(string: (read as? NSNumber)?.stringValue ?? "")
            #expect(digits == number.decimalValue)
        }
    }
}
