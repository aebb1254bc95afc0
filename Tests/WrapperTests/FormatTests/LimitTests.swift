// SPDX-License-Identifier: Apache-2.0

import FXKeychain
import Foundation
import KCMutableDictionary
import KeychainCoding
import Lockbox
import Security
import Testing

extension WrapperTests {
    /// Values at the limits for reading. Each is read back, or refused when it is written.
    @Suite struct LimitTests {
        private let keychain = FXKeychain(service: "com.example.limits.key", accessGroup: nil)
        private let box: Lockbox = Lockbox(keyPrefix: "com.example.limits")

        /// The dictionary of these tests, as it is in the keychain.
        private func dictionary() -> KCMutableDictionary {
            KCMutableDictionary.dictionary(withName: "limits").forget()
            return KCMutableDictionary.dictionary(withName: "limits")
        }

        @Test func depth_comesBackOrIsRefused() throws {
            var found = Set<[Bool]>()
            try TestStore.memory.run { (_) throws in
                for depth in 190...205 {
                    let object = (1..<depth).reduce(NSArray()) { nested, _ in NSArray(object: nested) }
                    let isKept = keychain.setObject(object, forKey: "\(depth)")
                    #expect(isKept == (keychain.object(forKey: "\(depth)") != nil), "\(depth)")
                    let isArchived = box.archiveObject(object, forKey: "\(depth)")
                    #expect(isArchived == (box.unarchiveObject(forKey: "\(depth)") != nil), "\(depth)")
                    let written = dictionary()
                    written["\(depth)"] = object
                    let isWritten = written.lastError == nil
                    let read = dictionary()
                    #expect(isWritten == (read["\(depth)"] != nil), "\(depth)")
                    #expect(read.lastError == nil, "\(depth)")
                    found.insert([isKept, isArchived, isWritten])
                }
                dictionary().forget()
            }
            #expect(found.contains([true, true, true]) && found.contains([false, false, false]))
        }

        /// The largest value that can be written is also the largest that can be read.
        @Test func size_atTheLimit_comesBackOrIsRefused() throws {
            try TestStore.memory.run { (_) throws in
                for (count, isKept) in [(249_998, true), (249_999, true), (250_000, false), (250_001, false)] {
                    let value = Array(repeating: true, count: count) as NSArray
                    #expect(keychain.setObject(value, forKey: "size") == isKept, "\(count)")
                    if isKept { #expect((keychain.object(forKey: "size") as? [Bool])?.count == count, "\(count)") }
                }
            }
        }

        /// Each value is small enough, but all of them together are too large.
        @Test func dictionaryThatGrowsTooLarge_keepsWhatItHad() throws {
            try TestStore.memory.run { (_) throws in
                let half = Array(repeating: true, count: 130_000)
                let written = dictionary()
                written["a"] = half
                #expect(written.lastError == nil)
                written["b"] = half
                #expect(written.lastError?.code == .notPropertyList)
                #expect(written.count == 1)
                let read = dictionary()
                #expect(read.lastError == nil && read.count == 1)
                read.forget()
            }
        }

        /// Foundation compares each member of a set with all others of the same hash. For some of these sets, this
        /// would take hours.
        @Test(.timeLimit(.minutes(30)))
        func membersWithEqualHashes_areRefused() throws {
            let prefix = Data(repeating: 0, count: 100)
            let numbers = (0..<1000).map { PropertyList.integer($0) }
            let data = (0..<1000).map { PropertyList.data(prefix + Data("\($0)".utf8)) }
            let texts = similarTexts(5000)
            try TestStore.memory.run { (_) throws in
                for (members, isWrapped) in [(numbers, true), (data, false), (texts.map { .text($0) }, false)] {
                    #expect(put(archive(ofSetOf: members, isWrapped: isWrapped)) == errSecSuccess)
                    #expect(box.unarchiveObject(forKey: "key") == nil)
                    #expect(box.lastStatus == errSecDecode)
                }
                let entries = Dictionary(
                    uniqueKeysWithValues: texts.map { (ExactText($0), PropertyList.boolean(true)) })
                let list = PropertyList.dictionary(entries).binary
                #expect(put(list) == errSecSuccess)
                #expect(keychain.object(forKey: "") == nil)
                let xml = texts.map { "<key>\($0)</key><true/>" }.joined()
                #expect(put(Data("<plist><dict>\(xml)</dict></plist>".utf8)) == errSecSuccess)
                #expect(box.unarchiveObject(forKey: "key") == nil)
            }
        }

        @Test func membersWithHashesOfTheirOwn_comeBack() throws {
            let texts = (0..<20_000).map { "text \($0)" }
            let rows = (0..<200).map { [$0] }
            try TestStore.memory.run { (_) throws in
                #expect(box.archiveObject(NSSet(array: texts), forKey: "key"))
                #expect((box.unarchiveObject(forKey: "key") as? NSSet)?.count == texts.count)
                #expect(box.archiveObject(NSSet(array: rows), forKey: "key"))
                #expect((box.unarchiveObject(forKey: "key") as? NSSet)?.count == rows.count)
            }
        }

        /// Texts that differ only in parts that Foundation's hash ignores.
        private func similarTexts(_ count: Int) -> [String] {
            let (before, after) = (String(repeating: "a", count: 50), String(repeating: "b", count: 100))
            return (0..<count).map { before + "\(1_000_000 + $0)" + after }
        }

        /// An archive with a set of values, or of arrays with one value each.
        private func archive(ofSetOf members: [PropertyList], isWrapped: Bool) -> Data {
            func classNamed(_ name: String) -> PropertyList {
                .dictionary(["$classname": .text(name), "$classes": .array([.text(name), .text("NSObject")])])
            }
            let classes = [classNamed("NSSet"), classNamed("NSArray")]
            var objects: [PropertyList] = [.text("$null"), .boolean(false)] + classes + members
            var references = members.indices.map { PropertyList.reference(4 + $0) }
            if isWrapped {
                objects += references.map { .dictionary(["$class": .reference(3), "NS.objects": .array([$0])]) }
                references = members.indices.map { .reference(4 + members.count + $0) }
            }
            objects[1] = .dictionary(["$class": .reference(2), "NS.objects": .array(references)])
            return PropertyList.dictionary([
                "$version": .integer(100_000), "$archiver": .text("NSKeyedArchiver"), "$objects": .array(objects),
                "$top": .dictionary(["key": .reference(1)]),
            ]).binary
        }

        private func put(_ data: Data) -> OSStatus {
            SecItemDelete([kSecClass: kSecClassGenericPassword] as CFDictionary)
            return RawItems.add(data, service: "com.example.limits.key")
        }
    }
}
