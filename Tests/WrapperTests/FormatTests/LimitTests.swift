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

        /// A number that says how long a value is has at most eight bytes.
        @Test func length_ofMoreThanEightBytes_isRefused() throws {
            func list(lengthIn size: Int, _ power: UInt8) -> Data {
                let length = [0x10 | power] + [UInt8](repeating: 0, count: size - 1) + [3]
                let object: [UInt8] = [0x4F] + length + Array("abc".utf8)
                let trailer: [UInt8] = [0, 0, 0, 0, 0, 0, 1, 1] + number(1) + number(0) + number(8 + object.count)
                return Data(Array("bplist00".utf8) + object + [8] + trailer)
            }
            func number(_ value: Int) -> [UInt8] { [0, 0, 0, 0, 0, 0, 0, UInt8(value)] }
            try TestStore.memory.run { (_) throws in
                for (power, size) in [1, 2, 4, 8, 16, 32].enumerated() {
                    #expect(put(list(lengthIn: size, UInt8(power))) == errSecSuccess)
                    let found = keychain.object(forKey: "") as? Data
                    #expect(found == (size <= 8 ? Data("abc".utf8) : nil), "\(size)")
                }
            }
        }

        /// A long key that a few bytes use again and again is copied at each use. An ordinary list may do that.
        @Test func keyThatIsUsedOften_isRead() throws {
            func bytes(_ number: Int, _ count: Int = 2) -> [UInt8] {
                (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
            }
            let key = String(repeating: "k", count: 400), rowCount = 2_000
            // An array of dictionaries, then their only key and their only value.
            let rows = (1...rowCount).map { bytes($0) }.joined()
            var objects = [[0xAF, 0x11] + bytes(rowCount) + rows]
            objects += (0..<rowCount).map { _ in [0xD1] + bytes(rowCount + 1) + bytes(rowCount + 2) }
            objects += [[0x5F, 0x11] + bytes(key.utf8.count) + Array(key.utf8), [0x09]]
            var list = Array("bplist00".utf8), offsets: [UInt8] = []
            for object in objects {
                offsets += bytes(list.count, 4)
                list += object
            }
            let tableOffset = list.count
            list += offsets + [0, 0, 0, 0, 0, 0, 4, 2] + bytes(objects.count, 8) + bytes(0, 8) + bytes(tableOffset, 8)
            // What is copied is much more than the list.
            try #require(list.count * 10 < rowCount * key.utf8.count)
            try TestStore.memory.run { (_) throws in
                #expect(put(Data(list)) == errSecSuccess)
                let found = keychain.object(forKey: "") as? [[String: Bool]]
                #expect(found == Array(repeating: [key: true], count: rowCount))
            }
        }

        @Test func largeSets_comeBack() throws {
            let texts = (0..<20_000).map { "text \($0)" }
            let rows = (0..<1_000).map { [$0] }
            try TestStore.memory.run { (_) throws in
                #expect(box.archiveObject(NSSet(array: texts), forKey: "key"))
                #expect((box.unarchiveObject(forKey: "key") as? NSSet)?.count == texts.count)
                #expect(box.archiveObject(NSSet(array: rows), forKey: "key"))
                #expect((box.unarchiveObject(forKey: "key") as? NSSet)?.count == rows.count)
            }
        }

        private func put(_ data: Data) -> OSStatus {
            SecItemDelete([kSecClass: kSecClassGenericPassword] as CFDictionary)
            return RawItems.add(data, service: "com.example.limits.key")
        }
    }
}
