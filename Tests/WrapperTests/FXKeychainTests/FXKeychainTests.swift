// SPDX-License-Identifier: Apache-2.0

import FXKeychain
import Foundation
import SecItemConformance
import Security
import Testing

extension WrapperTests {
    /// The promises in FXKeychain's manual.
    @Suite struct FXKeychainTests {
        private let keychain = FXKeychain(service: "com.example.fx", accessGroup: nil)

        // MARK: Making one

        @Test(arguments: TestStore.all)
        func default_hasTheApplicationsNameAsService(_ store: TestStore) throws {
            try store.run { (_) throws in
                #expect(FXKeychain.default.service == Bundle.main.bundleIdentifier ?? TestStore.application)
                #expect(FXKeychain.default.accessGroup == nil)
                #expect(FXKeychain.default.accessibility == .accessibleWhenUnlocked)
                #expect(FXKeychain.default() === FXKeychain.default)
                #expect(FXKeychain().service == nil)
            }
        }

        @Test func accessibility_hasTheOriginalsNumbers() {
            #expect(FXKeychainAccess.allCases.map(\.rawValue) == [0, 1, 2, 3, 4, 5])
            #expect(FXKeychainAccess.accessibleAlwaysThisDeviceOnly.rawValue == 5)
        }

        // MARK: What can be stored

        @Test(arguments: TestStore.all)
        func string_isStoredAsUTF8(_ store: TestStore) throws {
            try store.run { (_) throws in
                #expect(keychain.setObject("pässword = 1", forKey: "anna"))
                #expect(RawItems.data(service: "com.example.fx", account: "anna") == Data("pässword = 1".utf8))
                #expect(keychain.object(forKey: "anna") as? String == "pässword = 1")
            }
        }

        @Test(arguments: TestStore.all)
        func otherTypes_areStoredAsBinaryPropertyLists(_ store: TestStore) throws {
            let date = Date(timeIntervalSinceReferenceDate: 1234.5)
            try store.run { (_) throws in
                try expectPropertyList(42) { $0 as? Int == 42 }
                try expectPropertyList(true) { $0 as? Bool == true }
                try expectPropertyList(2.5) { $0 as? Double == 2.5 }
                try expectPropertyList(date) { $0 as? Date == date }
                try expectPropertyList(Data([0, 1, 255])) { $0 as? Data == Data([0, 1, 255]) }
                try expectPropertyList(["a", "b"]) { $0 as? [String] == ["a", "b"] }
                try expectPropertyList(["k": "v"]) { $0 as? [String: String] == ["k": "v"] }
                try expectPropertyList(NSArray(array: [1, 2])) { $0 as? [Int] == [1, 2] }
                try expectPropertyList(["a": ["b": [1]]]) { $0 as? [String: [String: [Int]]] == ["a": ["b": [1]]] }
            }
        }

        /// Keys of other types are different if their values are.
        @Test(arguments: TestStore.all)
        func keysThatAreNotText_areAccountsOfTheirOwn(_ store: TestStore) throws {
            let keys: [Any] = [Data([1]), Data([2]), Data(), [1], [2], UUID(), UUID(), 1, 2.5]
            try store.run { (_) throws in
                for (number, key) in keys.enumerated() { #expect(keychain.setObject(number, forKey: key)) }
                for (number, key) in keys.enumerated() { #expect(keychain.object(forKey: key) as? Int == number) }
            }
        }

        /// The account for a collection does not depend on the order of its members, which differs in each process.
        @Test(arguments: TestStore.all)
        func keysThatAreCollections_haveOneAccountInAllProcesses(_ store: TestStore) throws {
            let list: [Any] = [1, 2.5, "x", "x y\"é", Data([1, 255])]
            let key: [String: Any] = ["b": list, "a": ["k": "v", "j": Set([3, 1, 2])], "c d": NSNull()]
            let account = """
                {
                    "c d" = "<null>";
                    a =     {
                        j =         {(
                            1,
                            2,
                            3
                        )};
                        k = v;
                    };
                    b =     (
                        1,
                        "2.5",
                        x,
                        "x y\\"\\U00e9",
                        <01ff>
                    );
                }
                """
            try store.run { (_) throws in
                #expect(keychain.setObject("here", forKey: key))
                #expect(RawItems.data(service: "com.example.fx", account: account) == Data("here".utf8))
            }
        }

        @Test func keysThatAreCollections_areToldApartByWhatTheyHold() throws {
            var generator = SeededGenerator()
            try TestStore.memory.run { (_) throws in
                for _ in 0..<50 {
                    let entries = (0..<8).map { ("\($0)", Int.random(in: 0..<1000, using: &generator)) }
                    let one = NSMutableDictionary(capacity: 100)
                    let other = NSMutableDictionary()
                    for (name, value) in entries.shuffled(using: &generator) { one[name] = value }
                    for (name, value) in entries.shuffled(using: &generator) { other[name] = value }
                    #expect(keychain.setObject("set", forKey: one))
                    #expect(keychain.object(forKey: other) as? String == "set")
                    other["\(Int.random(in: 0..<8, using: &generator))"] = -1
                    #expect(keychain.object(forKey: other) == nil)
                    #expect(keychain.object(forKey: [one]) == nil)
                }
                for (one, other) in [([Data([1])], [Data([2])]), (["a, b"], ["a", "b"]), (["a\n"], ["a"])]
                    as [([Any], [Any])]
                {
                    #expect(keychain.setObject("set", forKey: one))
                    #expect(keychain.object(forKey: other) == nil)
                }
            }
        }

        @Test func keysWithoutADescription_areRefused() throws {
            final class Plain {}
            let circle = NSMutableArray(object: "a")
            circle.add(circle)
            let wide = (0..<40).reduce(NSArray()) { nested, _ in NSArray(objects: nested, nested) }
            try TestStore.memory.run { (_) throws in
                for key in [NSObject(), Plain(), [NSObject()], ["k": Plain()], circle, wide] as [Any] {
                    #expect(!keychain.setObject("a", forKey: key))
                    #expect(keychain.lastStatus == errSecParam)
                    #expect(keychain.object(forKey: key) == nil)
                    #expect(keychain.lastStatus == errSecParam)
                    #expect(!keychain.removeObject(forKey: key))
                    #expect(keychain.lastStatus == errSecParam)
                }
                #expect(RawItems.count == 0)
            }
        }

        private func expectPropertyList(
            _ object: Any, sourceLocation: SourceLocation = #_sourceLocation, _ isSame: (Any?) -> Bool
        ) throws {
            #expect(keychain.setObject(object, forKey: "list"), sourceLocation: sourceLocation)
            let stored = RawItems.data(service: "com.example.fx", account: "list")
            #expect(stored?.starts(with: "bplist".utf8) == true, sourceLocation: sourceLocation)
            #expect(isSame(keychain.object(forKey: "list")), sourceLocation: sourceLocation)
        }

        @Test(arguments: TestStore.all)
        func foundationStrings_andEmptyOnes_areStored(_ store: TestStore) throws {
            try store.run { (_) throws in
                keychain.setObject(NSString("ns"), forKey: NSString("key"))
                #expect(keychain.object(forKey: "key") as? NSString == "ns")
                keychain.setObject("", forKey: "empty")
                #expect(keychain.object(forKey: "empty") as? String == "")
                keychain.setObject([String](), forKey: "none")
                #expect((keychain.object(forKey: "none") as? [Any])?.count == 0)
            }
        }

        @Test(arguments: TestStore.all)
        func null_isStrippedFromCollections(_ store: TestStore) throws {
            try store.run { (_) throws in
                let object: [String: Any] = ["a": NSNull(), "b": [1, NSNull(), 2], "c": ["d": NSNull()]]
                #expect(keychain.setObject(object, forKey: "nulls"))
                let read = try #require(keychain.object(forKey: "nulls") as? [String: Any])
                #expect(Set(read.keys) == ["b", "c"])
                #expect(read["b"] as? [Int] == [1, 2])
                #expect((read["c"] as? [String: Any])?.isEmpty == true)
            }
        }

        @Test(arguments: TestStore.all)
        func unsupportedObject_isRefusedAndChangesNothing(_ store: TestStore) throws {
            struct Stranger {}
            let deep = (0..<300).reduce([] as [Any]) { nested, _ in [nested] }
            let objects: [Any] = [
                Stranger(), NSNull(), NSSet(object: "a"), ["a": Stranger()], [[Stranger()]], [1: "number as key"], deep,
                URL(fileURLWithPath: "/"),
            ]
            try store.run { (_) throws in
                keychain.setObject("kept", forKey: "anna")
                for object in objects {
                    #expect(!keychain.setObject(object, forKey: "anna"))
                    #expect(keychain.lastStatus == errSecParam)
                    #expect(keychain.lastError != nil)
                    keychain["anna"] = object
                    #expect(keychain.lastStatus == errSecParam)
                    #expect(keychain.object(forKey: "anna") as? String == "kept")
                }
            }
        }

        @Test func error_namesTheTypeAndNeverTheValue() {
            struct Password: CustomStringConvertible { let description = "hunter2" }
            #expect(!keychain.setObject(Password(), forKey: "a"))
            let error = keychain.lastError
            #expect(error?.code == .unsupportedObject)
            #expect(error?.typeName == "Password")
            #expect(error.map { "\($0) \($0.localizedDescription)" }?.contains("hunter2") == false)
        }

        // MARK: Text that looks like a property list

        @Test(arguments: TestStore.all)
        func stringWithTheBytesOfAPropertyList_staysThatString(_ store: TestStore) throws {
            let plist = ["admin": true]
            let list = try PropertyListSerialization.data(fromPropertyList: plist, format: .binary, options: 0)
            let injected = try #require(String(bytes: list, encoding: .isoLatin1))
            let readable = try #require(try Self.propertyListThatIsText())
            try store.run { (_) throws in
                for text in [injected, readable, "bplist", "bplist00", "bplistfoo", "bplist00 = {}"] {
                    #expect(keychain.setObject(text, forKey: "injection"))
                    #expect(keychain.object(forKey: "injection") as? String == text)
                }
            }
        }

        @Test(arguments: TestStore.all)
        func stringThatOnlyBeginsLikeAPropertyList_staysReadableByOthers(_ store: TestStore) throws {
            try store.run { (_) throws in
                keychain.setObject("bplist of things", forKey: "a")
                #expect(RawItems.data(service: "com.example.fx", account: "a") == Data("bplist of things".utf8))
            }
        }

        /// A complete binary property list, `true`, that consists of ASCII bytes.
        private static func propertyListThatIsText() throws -> String? {
            let header = Array("bplist00".utf8)
            let table: [UInt8] = [8]
            let trailer: [UInt8] = [0, 0, 0, 0, 0, 0, 1, 1] + number(1) + number(0) + number(9)
            let bytes = header + [9] + table + trailer
            let list = try PropertyListSerialization.propertyList(from: Data(bytes), options: [], format: nil)
            return list as? Bool == true ? String(bytes: bytes, encoding: .utf8) : nil
        }

        private static func number(_ value: UInt8) -> [UInt8] {
            [0, 0, 0, 0, 0, 0, 0, value]
        }

        // MARK: Reading, replacing, removing

        @Test(arguments: TestStore.all)
        func setObject_replacesWhatWasThere(_ store: TestStore) throws {
            try store.run { (_) throws in
                #expect(keychain.setObject("1", forKey: "a"))
                #expect(keychain.setObject(["2"], forKey: "a"))
                #expect(keychain.object(forKey: "a") as? [String] == ["2"])
                #expect(RawItems.count == 1)
            }
        }

        @Test(arguments: TestStore.all)
        func object_isNil_whereThereIsNone(_ store: TestStore) throws {
            try store.run { (_) throws in
                #expect(keychain.object(forKey: "nothing") == nil)
                #expect(keychain.lastStatus == errSecItemNotFound)
                #expect(keychain["nothing"] == nil)
            }
        }

        @Test(arguments: TestStore.all)
        func nil_removes_andRemovingNothingIsNoError(_ store: TestStore) throws {
            try store.run { (_) throws in
                keychain.setObject("a", forKey: "a")
                #expect(keychain.setObject(nil, forKey: "a"))
                #expect(keychain.object(forKey: "a") == nil)
                #expect(keychain.setObject(nil, forKey: "a"))
                #expect(keychain.removeObject(forKey: "a"))
                #expect(RawItems.count == 0)
            }
        }

        @Test(arguments: TestStore.all)
        func subscript_setsGetsAndRemoves(_ store: TestStore) throws {
            try store.run { (_) throws in
                keychain["a"] = "b"
                #expect(keychain["a"] as? String == "b")
                keychain[7] = "seven"
                #expect(keychain["7"] as? String == "seven")
                keychain["a"] = nil
                #expect(keychain["a"] == nil)
                #expect(keychain[7] as? String == "seven")
            }
        }

        @Test(arguments: TestStore.all)
        func undecodableItems_areNil(_ store: TestStore) throws {
            let archive = try NSKeyedArchiver.archivedData(withRootObject: NSString("x"), requiringSecureCoding: true)
            try store.run { (_) throws in
                for data in [Data([0xFF, 0xFE]), archive, Data("bplist00".utf8) + [0xFF]] {
                    #expect(RawItems.add(data, service: "com.example.fx", account: "a") == errSecSuccess)
                    #expect(keychain.object(forKey: "a") == nil)
                    #expect(keychain.lastStatus == errSecDecode)
                    #expect(keychain.removeObject(forKey: "a"))
                    #expect(RawItems.count == 0)
                }
            }
        }

        // MARK: Services, groups, accessibility

        @Test(arguments: TestStore.all)
        func services_areApart(_ store: TestStore) throws {
            let other = FXKeychain(service: "com.example.other", accessGroup: nil)
            try store.run { (_) throws in
                keychain.setObject("1", forKey: "a")
                other.setObject("2", forKey: "a")
                #expect(keychain.object(forKey: "a") as? String == "1")
                #expect(other.object(forKey: "a") as? String == "2")
                #expect(keychain.removeObject(forKey: "a"))
                #expect(other.object(forKey: "a") as? String == "2")
            }
        }

        @Test(arguments: TestStore.all)
        func noService_findsTheFirstMatchInAnyService(_ store: TestStore) throws {
            try store.run { (_) throws in
                keychain.setObject("1", forKey: "a")
                FXKeychain(service: "com.example.other", accessGroup: nil).setObject("2", forKey: "b")
                for any in [FXKeychain(), FXKeychain(service: "", accessGroup: nil)] {
                    #expect(any.object(forKey: "a") as? String == "1")
                    #expect(any.object(forKey: "b") as? String == "2")
                    #expect(any.object(forKey: "c") == nil)
                }
            }
        }

        @Test(arguments: TestStore.all)
        func noService_changesAndRemovesWhatItFinds(_ store: TestStore) throws {
            try store.run { (_) throws in
                keychain.setObject("1", forKey: "a")
                #expect(FXKeychain().setObject("2", forKey: "a"))
                #expect(keychain.object(forKey: "a") as? String == "2")
                #expect(RawItems.count == 1)
                #expect(FXKeychain().removeObject(forKey: "a"))
                #expect(RawItems.count == 0)
                #expect(FXKeychain().setObject("3", forKey: "a"))
                #expect(RawItems.data(service: "", account: "a") == Data("3".utf8))
            }
        }

        @Test(arguments: TestStore.all)
        func accessGroup_isUsed(_ store: TestStore) throws {
            let shared = FXKeychain(service: "com.example.fx", accessGroup: TestStore.sharedGroup)
            try store.run { (_) throws in
                #expect(shared.setObject("shared", forKey: "a"))
                #expect(keychain.object(forKey: "a") == nil)
                #expect(asAnotherApplication { shared.object(forKey: "a") as? String } == "shared")
            }
        }

        @Test(arguments: TestStore.all)
        func accessibility_holdsForLaterWritesOnly(_ store: TestStore) throws {
            let changing = FXKeychain(service: "s", accessGroup: nil, accessibility: .accessibleAfterFirstUnlock)
            try store.run { (_) throws in
                changing.setObject("1", forKey: "a")
                changing.accessibility = .accessibleWhenUnlockedThisDeviceOnly
                #expect(accessible("a") == kSecAttrAccessibleAfterFirstUnlock as String)
                changing.setObject("1", forKey: "a")
                #expect(accessible("a") == kSecAttrAccessibleWhenUnlockedThisDeviceOnly as String)
                for access in FXKeychainAccess.allCases {
                    changing.accessibility = access
                    #expect(changing.setObject("1", forKey: access.rawValue))
                }
                #expect((0..<6).map { accessible("\($0)") } == ["ak", "ck", "dk", "aku", "cku", "dku"])
            }
        }

        private func accessible(_ account: String) -> String? {
            RawItems.attribute(kSecAttrAccessible, service: "s", account: account)
        }

        // MARK: Others

        @Test(arguments: TestStore.all)
        func itemsOfAnotherApplication_areLeftAlone(_ store: TestStore) throws {
            try store.run { (_) throws in
                asAnotherApplication { _ = keychain.setObject("theirs", forKey: "a") }
                #expect(keychain.object(forKey: "a") == nil)
                #expect(FXKeychain().object(forKey: "a") == nil)
                #expect(FXKeychain().removeObject(forKey: "a"))
                #expect(FXKeychain().setObject("ours", forKey: "a"))
                #expect(asAnotherApplication { keychain.object(forKey: "a") as? String } == "theirs")
            }
        }

        @Test(arguments: TestStore.lockable)
        func lockedKeychain_isToldFromAnEmptyOne(_ store: TestStore) throws {
            let always = FXKeychain(service: "always", accessGroup: nil, accessibility: .accessibleAlways)
            try store.run { (_) throws in
                keychain.setObject("secret", forKey: "a")
                always.setObject("open", forKey: "a")
                try whileLocked { () throws in
                    #expect(keychain.object(forKey: "a") == nil)
                    #expect(keychain.lastStatus == errSecInteractionNotAllowed)
                    #expect(keychain.setObject("new", forKey: "a") == false)
                    #expect(keychain.lastStatus == errSecInteractionNotAllowed)
                    #expect(always.object(forKey: "a") as? String == "open")
                }
                #expect(keychain.object(forKey: "a") as? String == "secret")
            }
        }

        @Test(arguments: TestStore.all)
        func aMegabyte_isKept(_ store: TestStore) throws {
            let text = String(repeating: "0123456789abcdef", count: 65_536)
            let data = Data((0..<1_048_576).map { UInt8(truncatingIfNeeded: $0 &* 31) })
            try store.run { (_) throws in
                #expect(keychain.setObject(text, forKey: "text"))
                #expect(keychain.object(forKey: "text") as? String == text)
                #expect(keychain.setObject(["data": data], forKey: "data"))
                #expect((keychain.object(forKey: "data") as? [String: Data])?["data"] == data)
            }
        }

        @Test(arguments: TestStore.all)
        func twoThreads_writeOneKey_andOneOfTheValuesStays(_ store: TestStore) throws {
            try store.run { (_) throws in
                DispatchQueue.concurrentPerform(iterations: 2) { thread in
                    for round in 0..<50 {
                        let isStored = keychain.setObject("\(thread) \(round)", forKey: "shared")
                        #expect(isStored)
                        #expect(keychain.object(forKey: "shared") is String)
                    }
                }
                let last = try #require(keychain.object(forKey: "shared") as? String)
                #expect(["0 49", "1 49"].contains(last))
                #expect(RawItems.count == 1)
            }
        }
    }
}
