// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import KeychainCoding
import Lockbox
import Security
import Testing
import WrapperProbe

extension WrapperTests {
    /// The promises in the manual of Lockbox 3, and the checks of its own tests.
    @Suite struct LockboxTests {
        private let box: Lockbox = Lockbox(keyPrefix: "my.custom.prefix")

        // MARK: Prefix

        @Test func keyPrefix_isTheApplicationsName_orOnesOwn() {
            LinuxKeychain.applicationIdentifier = TestStore.application
            let name = Bundle.main.bundleIdentifier ?? TestStore.application
            #expect(Lockbox().keyPrefix == name)
            #expect(Lockbox(keyPrefix: nil).keyPrefix == name)
            #expect(box.keyPrefix == "my.custom.prefix")
        }

        @Test(arguments: TestStore.all)
        func key_hasThePrefixInFront(_ store: TestStore) throws {
            try store.run { (_) throws in
                #expect(box.archiveObject(NSString("a"), forKey: "key"))
                #expect(RawItems.data(service: "my.custom.prefix.key", account: "") != nil)
                #expect(Lockbox.archiveObject(NSString("b"), forKey: "key"))
                #expect(RawItems.data(service: "\(Lockbox().keyPrefix).key", account: "") != nil)
                #expect(box.unarchiveObject(forKey: "key") as? String == "a")
                #expect(Lockbox.unarchiveObject(forKey: "key") as? String == "b")
                #expect(Lockbox(keyPrefix: "other").unarchiveObject(forKey: "key") == nil)
            }
        }

        // MARK: Objects

        @Test(arguments: TestStore.all)
        func objectsOfFoundation_comeBackEqual(_ store: TestStore) throws {
            let date = Date()
            let objects: [NSObject & NSSecureCoding] = [
                NSString("TestString"), NSString(""), NSNumber(value: 42), NSNumber(value: 2.5), NSNumber(value: true),
                date as NSDate, Data([0, 255]) as NSData, NSNull(), NSURL(fileURLWithPath: "/tmp"), NSUUID(),
                ["A", "B", "C"] as NSArray, NSArray(), NSSet(array: ["A", "B"]), NSOrderedSet(array: ["A", "B"]),
                ["Key 1": "A", "Key 2": "B"] as NSDictionary, NSMutableArray(array: ["x"]), NSMutableString("m"),
                [["Key 1": ["A"]], [1, 2], date] as NSArray,
            ]
            try store.run { (_) throws in
                for object in objects {
                    #expect(Lockbox.archiveObject(object, forKey: "TestKey"))
                    let read = try #require(Lockbox.unarchiveObject(forKey: "TestKey"), "\(type(of: object))")
                    #expect(object.isEqual(read), "\(type(of: object))")
                    #expect(Lockbox.lastStatus == errSecSuccess)
                }
                #expect(RawItems.count == 1)
            }
        }

        @Test(arguments: TestStore.all)
        func sameKey_isOverwritten(_ store: TestStore) throws {
            try store.run { (_) throws in
                #expect(Lockbox.archiveObject(NSString("1"), forKey: "test"))
                #expect(Lockbox.unarchiveObject(forKey: "test") as? String == "1")
                #expect(Lockbox.archiveObject(NSString("2"), forKey: "test"))
                #expect(Lockbox.unarchiveObject(forKey: "test") as? String == "2")
            }
        }

        @Test(arguments: TestStore.all)
        func nil_removes_andIsNoFailureWhereThereWasNothing(_ store: TestStore) throws {
            try store.run { (_) throws in
                #expect(Lockbox.archiveObject(NSString("TestString"), forKey: "key"))
                #expect(Lockbox.archiveObject(nil, forKey: "key"))
                #expect(Lockbox.unarchiveObject(forKey: "key") == nil)
                #expect(Lockbox.archiveObject(nil, forKey: "key"))
                #expect(Lockbox.lastStatus == errSecSuccess)
                #expect(Lockbox.unarchiveObject(forKey: "NonexistentKey") == nil)
                #expect(Lockbox.lastStatus == errSecItemNotFound)
                #expect(RawItems.count == 0)
            }
        }

        @Test(arguments: TestStore.all)
        func accessibility_isWhenUnlockedByDefault(_ store: TestStore) throws {
            try store.run { (_) throws in
                box.archiveObject(NSString("a"), forKey: "key")
                #expect(accessible("key") == kSecAttrAccessibleWhenUnlocked as String)
                box.archiveObject(NSString("a"), forKey: "key", accessibility: kSecAttrAccessibleAlwaysThisDeviceOnly)
                #expect(accessible("key") == kSecAttrAccessibleAlwaysThisDeviceOnly as String)
                box.archiveObject(NSString("a"), forKey: "key")
                #expect(accessible("key") == kSecAttrAccessibleWhenUnlocked as String)
                #expect(!box.archiveObject(NSString("a"), forKey: "other", accessibility: "nonsense" as NSString))
                #expect(box.lastStatus == errSecParam)
            }
        }

        private func accessible(_ key: String) -> String? {
            RawItems.attribute(kSecAttrAccessible, service: "my.custom.prefix.\(key)")
        }

        @Test(arguments: TestStore.all)
        func archive_isTheOriginalsForm(_ store: TestStore) throws {
            try store.run { (_) throws in
                box.archiveObject(NSString("text"), forKey: "key")
                let data = try #require(RawItems.data(service: "my.custom.prefix.key"))
                let list = try PropertyListSerialization.propertyList(from: data, options: [], format: nil)
                let archive = try #require(list as? [String: Any])
                #expect(data.starts(with: "bplist00".utf8))
                #expect(archive["$archiver"] as? String == "NSKeyedArchiver")
                #expect((archive["$top"] as? [String: Any])?.keys.sorted() == ["key"])
                #expect((archive["$objects"] as? [Any])?.last as? String == "text")
            }
        }

        // MARK: What must not come to life

        @Test(arguments: TestStore.all)
        func classOfOnesOwn_comesBack(_ store: TestStore) throws {
            try store.run { (_) throws in
                #expect(box.archiveObject(Badge(number: 7), forKey: "badge"))
                #expect((box.unarchiveObject(forKey: "badge") as? Badge)?.number == 7)
                #expect(box.archiveObject([Badge(number: 8), GoldenBadge(number: 9)] as NSArray, forKey: "badge"))
                let badges = box.unarchiveObject(forKey: "badge") as? [Badge]
                #expect(badges?.map(\.number) == [8, 9])
                #expect(badges?.last is GoldenBadge)
                #expect(box.archiveObject(Outer.InnerBadge(number: 10), forKey: "badge"))
                #expect((box.unarchiveObject(forKey: "badge") as? Outer.InnerBadge)?.number == 10)
                #expect(!box.archiveObject(Badge.hidden(number: 11), forKey: "badge"))
                #expect(box.lastStatus == errSecParam)
                #expect((box.unarchiveObject(forKey: "badge") as? Badge)?.number == 10)
            }
        }

        /// Under no name in an archive is a private class decoded.
        @Test func privateClass_neverComesToLife() throws {
            // Swift's name for the class contains a digest of the names of module and file. It depends on the
            // compilation whether the runtime can find the class by that name.
            let digest = Insecure.MD5.hash(data: Data("WrapperProbeBadges.swift".utf8))
            let file = "_" + digest.map { String(format: "%02X", $0) }.joined()
            let names = [
                "_TtC12WrapperProbeP33\(file)11HiddenBadge", "_TtC12WrapperProbe11HiddenBadge33\(file)LL",
                "_TtC12WrapperProbe11HiddenBadge", "WrapperProbe.HiddenBadge", "WrapperProbe.(HiddenBadge in \(file))",
                "_TtC12WrapperProbeP33\(file)P33\(file)11HiddenBadge",
            ]
            try TestStore.memory.run { (_) throws in
                #expect(box.archiveObject(GoldenBadge(number: 3), forKey: "badge"))
                let archive = try PropertyList(data: try #require(RawItems.data(service: "my.custom.prefix.badge")))
                for name in names {
                    let changed = Self.naming(name, in: archive).binary
                    #expect(box.archiveObject(nil, forKey: "badge"))
                    #expect(RawItems.add(changed, service: "my.custom.prefix.badge") == errSecSuccess)
                    let before = Badge.births.withLock { $0 }
                    #expect(box.unarchiveObject(forKey: "badge") == nil, "\(name)")
                    #expect(box.lastStatus == errSecDecode)
                    #expect(Badge.births.withLock { $0 } == before)
                }
            }
        }

        /// The archive with this name for each class of the application.
        private static func naming(_ name: String, in list: PropertyList) -> PropertyList {
            switch list {
            case .text(let text) where text.hasPrefix("WrapperProbe."): .text(name)
            case .array(let values): .array(values.map { naming(name, in: $0) })
            case .dictionary(let entries): .dictionary(entries.mapValues { naming(name, in: $0) })
            default: list
            }
        }

        /// If an object names the expected classes of a field, it gets no others, even if a field without expected
        /// classes led to the same collection before.
        @Test func classesOfAField_holdForWhatWasReadBefore() throws {
            let badge = Badge(number: 7)
            let collections: [NSObject & NSSecureCoding] = [
                [badge] as NSArray, ["a", [badge]] as NSArray, ["k": [badge]] as NSDictionary, NSSet(object: badge),
                badge, [badge, ["a"]] as NSArray, ["a", [badge], [["b"]]] as NSArray,
                [NSSet(array: ["a", badge])] as NSArray, [NSURL(string: "a:b") ?? NSNull()] as NSArray,
            ]
            try TestStore.memory.run { (_) throws in
                for object in collections {
                    for isReadBefore in [false, true] {
                        for namesContents in [false, true] {
                            let cupboard = Cupboard(object, isReadBefore: isReadBefore, namesContents: namesContents)
                            #expect(
                                box.archiveObject(cupboard, forKey: "key") == namesContents,
                                "\(object) \(isReadBefore) \(namesContents)")
                        }
                        let texts = Cupboard(["a", ["b", NSNull()]] as NSArray, isReadBefore: isReadBefore)
                        #expect(box.archiveObject(texts, forKey: "key"))
                        #expect((box.unarchiveObject(forKey: "key") as? Cupboard)?.isComplete == true)
                    }
                }
            }
        }

        @Test(arguments: TestStore.all)
        func allowedClasses_narrowWhatComesToLife(_ store: TestStore) throws {
            try store.run { (_) throws in
                defer { Lockbox.allowedClasses = nil }
                for object in [Badge(number: 7), [Badge(number: 7)] as NSArray] as [any NSSecureCoding] {
                    Lockbox.allowedClasses = nil
                    #expect(box.archiveObject(object, forKey: "badge"))
                    Lockbox.allowedClasses = [GoldenBadge.self]
                    let before = Badge.births.withLock { $0 }
                    #expect(box.unarchiveObject(forKey: "badge") == nil)
                    #expect(box.unarchiveObject(ofClasses: [GoldenBadge.self], forKey: "badge") == nil)
                    #expect(box.lastStatus == errSecDecode)
                    // An object that could not be read back is not written.
                    #expect(!box.archiveObject(object, forKey: "badge"))
                    #expect(box.lastStatus == errSecParam)
                    #expect(Badge.births.withLock { $0 } == before)
                }
                let badges = box.unarchiveObject(ofClasses: [Badge.self], forKey: "badge") as? [Badge]
                #expect(badges?.map(\.number) == [7])
                #expect(box.archiveObject(GoldenBadge(number: 8), forKey: "badge"))
                Lockbox.allowedClasses = [Badge.self]
                #expect((box.unarchiveObject(forKey: "badge") as? Badge)?.number == 8)
            }
        }

        @Test(arguments: TestStore.all)
        func whatCannotBeArchivedSafely_isRefused(_ store: TestStore) throws {
            struct Stranger {}
            let deep = (0..<300).reduce([] as NSArray) { nested, _ in [nested] as NSArray }
            try store.run { (_) throws in
                box.archiveObject(NSString("kept"), forKey: "key")
                let objects: [any NSSecureCoding] = [
                    [Stranger()] as NSArray, CarelessBadge(), ["a": [CarelessBadge()]] as NSDictionary, deep,
                ]
                for object in objects {
                    #expect(!box.archiveObject(object, forKey: "key"))
                    #expect(box.lastStatus == errSecParam)
                    #expect(box.unarchiveObject(forKey: "key") as? String == "kept")
                }
            }
        }

        /// What version 2 has not stored is no value, and `lastStatus` says that there is something.
        @Test(arguments: TestStore.all)
        @available(*, deprecated) func itemsThatVersion2DidNotWrite_areNil(_ store: TestStore) throws {
            try store.run { (_) throws in
                #expect(RawItems.add(Data("testing".utf8), service: "my.custom.prefix.invalid") == errSecSuccess)
                let readings: [() -> Any?] = [
                    { box.dictionary(forKey: "invalid") }, { box.date(forKey: "invalid") },
                ]
                for read in readings {
                    #expect(box.string(forKey: "invalid") == "testing")
                    #expect(box.lastStatus == errSecSuccess)
                    #expect(read() == nil)
                    #expect(box.lastStatus == errSecDecode)
                }
            }
        }

        @Test(arguments: TestStore.all)
        func itemsThatAreNoArchives_areNil(_ store: TestStore) throws {
            let plist = try PropertyListSerialization.data(fromPropertyList: ["a": 1], format: .binary, options: 0)
            try store.run { (_) throws in
                for data in [Data("testing".utf8), Data(), Data([0xFF]), plist] {
                    #expect(RawItems.add(data, service: "my.custom.prefix.invalid") == errSecSuccess)
                    #expect(box.unarchiveObject(forKey: "invalid") == nil)
                    #expect(box.lastStatus == errSecDecode)
                    #expect(box.archiveObject(nil, forKey: "invalid"))
                }
            }
        }

        /// Somebody who can write to the keychain must not be able to end a process that reads it.
        @Test func damagedArchives_areNilOrAnObject_neverTheEndOfTheProcess() throws {
            let object: [String: Any] = [
                "list": [1, 2.5, Date(), Data([1])], "set": NSSet(array: ["a"]), "id": UUID(),
            ]
            try TestStore.memory.run { (_) throws in
                box.archiveObject(object as NSDictionary, forKey: "key")
                let whole = try #require(RawItems.data(service: "my.custom.prefix.key"))
                for index in whole.indices {
                    for change in [1, 0x0F, 0x80] as [UInt8] {
                        var damaged = whole
                        damaged[index] ^= change
                        box.archiveObject(nil, forKey: "key")
                        #expect(add(damaged) == errSecSuccess)
                        _ = box.unarchiveObject(forKey: "key")
                    }
                }
            }
        }

        private func add(_ data: Data, account: String = "") -> OSStatus {
            RawItems.add(data, service: "my.custom.prefix.key", account: account)
        }

        // MARK: Others

        @Test(arguments: TestStore.all)
        func itemsOfOthers_areLeftAlone(_ store: TestStore) throws {
            try store.run { (_) throws in
                asAnotherApplication { _ = box.archiveObject(NSString("theirs"), forKey: "key") }
                #expect(add(Data("other".utf8), account: "anna") == errSecSuccess)
                #expect(box.unarchiveObject(forKey: "key") == nil)
                #expect(box.archiveObject(NSString("ours"), forKey: "key"))
                #expect(box.unarchiveObject(forKey: "key") as? String == "ours")
                #expect(box.archiveObject(nil, forKey: "key"))
                #expect(RawItems.data(service: "my.custom.prefix.key", account: "anna") == Data("other".utf8))
                #expect(asAnotherApplication { box.unarchiveObject(forKey: "key") as? String } == "theirs")
            }
        }

        @Test(arguments: TestStore.lockable)
        func lockedKeychain_isToldFromAnEmptyOne(_ store: TestStore) throws {
            try store.run { (_) throws in
                box.archiveObject(NSString("secret"), forKey: "key")
                box.archiveObject(NSString("open"), forKey: "open", accessibility: kSecAttrAccessibleAlways)
                try whileLocked { () throws in
                    #expect(box.unarchiveObject(forKey: "key") == nil)
                    #expect(box.lastStatus == errSecInteractionNotAllowed)
                    #expect(!box.archiveObject(NSString("new"), forKey: "key"))
                    #expect(box.lastStatus == errSecInteractionNotAllowed)
                    #expect(box.unarchiveObject(forKey: "open") as? String == "open")
                }
                #expect(box.unarchiveObject(forKey: "key") as? String == "secret")
            }
        }

        @Test(arguments: TestStore.all)
        func aMegabyte_isKept(_ store: TestStore) throws {
            let data = Data((0..<1_048_576).map { UInt8(truncatingIfNeeded: $0 &* 31) })
            try store.run { (_) throws in
                #expect(box.archiveObject(data as NSData, forKey: "key"))
                let read = try #require(box.unarchiveObject(forKey: "key") as? NSData)
                #expect(read.isEqual(to: data))
            }
        }

        @Test(arguments: TestStore.all)
        func twoThreads_writeOneKey_andOneOfTheValuesStays(_ store: TestStore) throws {
            try store.run { (_) throws in
                DispatchQueue.concurrentPerform(iterations: 2) { thread in
                    for round in 0..<50 {
                        #expect(box.archiveObject(NSString(string: "\(thread) \(round)"), forKey: "shared"))
                        #expect(box.unarchiveObject(forKey: "shared") is String)
                    }
                }
                let last = try #require(box.unarchiveObject(forKey: "shared") as? String)
                #expect(["0 49", "1 49"].contains(last))
            }
        }
    }
}
