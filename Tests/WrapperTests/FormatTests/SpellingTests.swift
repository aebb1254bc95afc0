// SPDX-License-Identifier: Apache-2.0

import FXKeychain
import Foundation
import KCMutableDictionary
import KeychainObjects
import Lockbox
import SecItemConformance
import Security
import Testing
import WrapperProbe

extension WrapperTests {
    /// Texts that are equal in Swift but have different bytes. They are read back unchanged, or the write fails.
    @Suite struct SpellingTests {
        private let keychain = FXKeychain(service: "com.example.spelling", accessGroup: nil)
        private let box: Lockbox = Lockbox(keyPrefix: "com.example.spelling")
        private static let composed = "\u{E9}"
        private static let decomposed = "e\u{301}"

        private static let pieces = [
            composed, decomposed, "\u{C5}", "A\u{30A}", "\u{212B}", "\u{AC00}", "\u{1100}\u{1161}", "q\u{323}\u{307}",
            "q\u{307}\u{323}", "a", "\u{301}", "\u{FEFF}", "\u{FEFF}a", "",
        ]

        private func text(_ generator: inout SeededGenerator) -> String {
            (0..<Int.random(in: 1...3, using: &generator)).map { _ in
                Self.pieces.randomElement(using: &generator) ?? ""
            }.joined()
        }

        /// Texts that all have different bytes.
        private func texts(_ generator: inout SeededGenerator) -> [NSString] {
            var texts: [[UInt8]: String] = [:]
            for _ in 0..<Int.random(in: 2...12, using: &generator) {
                let text = text(&generator)
                texts[Array(text.utf8)] = text
            }
            return texts.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { $0.value as NSString }
        }

        private func bytes(_ object: Any?) -> [UInt8]? { (object as? NSString).map { Array(($0 as String).utf8) } }

        private func allBytes(_ objects: some Sequence<Any>) -> Set<[UInt8]?> { Set(objects.map { bytes($0) }) }

        private func isSame(_ read: Any?, _ written: NSArray) -> Bool {
            (read as? NSArray)?.map { bytes($0) } == written.map { bytes($0) }
        }

        /// Whether a dictionary has these keys, and the bytes of each key as its value.
        private func isSame(_ read: Any?, _ keys: [NSString]) -> Bool {
            guard let read = read as? NSDictionary, read.count == keys.count else { return false }
            return keys.allSatisfy { bytes(read.object(forKey: $0)) == bytes($0) }
        }

        @Test func textsOfBothForms_comeBackToTheByteOrAreRefused() throws {
            var generator = SeededGenerator()
            var stored: [String: Int] = [:]
            try TestStore.memory.run { (_) throws in
                for _ in 0..<100 {
                    let texts = texts(&generator)
                    let array = texts as NSArray
                    if keychain.setObject(texts[0], forKey: "text") {
                        #expect(bytes(keychain.object(forKey: "text")) == bytes(texts[0]))
                    }
                    #expect(keychain.setObject(array, forKey: "array"))
                    #expect(isSame(keychain.object(forKey: "array"), array))
                    #expect(box.archiveObject(array, forKey: "array"))
                    #expect(isSame(box.unarchiveObject(forKey: "array"), array))
                    let dictionary = NSDictionary(objects: texts, forKeys: texts)
                    guard isSame(dictionary, texts) else { continue }
                    if keychain.setObject(dictionary, forKey: "dictionary") {
                        #expect(isSame(keychain.object(forKey: "dictionary"), texts))
                        stored["FXKeychain", default: 0] += 1
                    }
                    if box.archiveObject(dictionary, forKey: "dictionary") {
                        #expect(isSame(box.unarchiveObject(forKey: "dictionary"), texts))
                        stored["Lockbox", default: 0] += 1
                    }
                    let (set, ordered) = (NSSet(array: texts), NSOrderedSet(array: texts))
                    if box.archiveObject(set, forKey: "set") {
                        let read = box.unarchiveObject(forKey: "set") as? NSSet
                        #expect(read.map { allBytes($0) } == allBytes(set))
                    }
                    if box.archiveObject(ordered, forKey: "ordered") {
                        let read = box.unarchiveObject(forKey: "ordered") as? NSOrderedSet
                        #expect(read.map { allBytes($0) } == allBytes(ordered))
                    }
                    checkDictionary(texts)
                }
            }
            #expect(stored["FXKeychain", default: 0] > 0 && stored["Lockbox", default: 0] > 0)
        }

        private func checkDictionary(_ texts: [NSString]) {
            let dictionary = KCMutableDictionary.dictionary(withName: "spelling")
            dictionary.removeAllObjects()
            var expected: [NSString] = []
            for text in texts where (try? dictionary.store(text, forKey: text as String)) != nil {
                expected.append(text)
            }
            dictionary.forget()
            let again = KCMutableDictionary.dictionary(withName: "spelling")
            #expect(again.count == expected.count)
            for text in expected { #expect(bytes(again.object(forKey: text)) == bytes(text)) }
            again.forget()
        }

        @Test func dictionariesWithNamesOfBothForms_areTwo() throws {
            try TestStore.memory.run { (_) throws in
                let one = KCMutableDictionary.dictionary(withName: Self.composed)
                let other = KCMutableDictionary.dictionary(withName: Self.decomposed)
                defer { [one, other].forEach { $0.forget() } }
                one["a"] = "b"
                #expect(one !== other && other["a"] == nil && RawItems.count == 1)
            }
        }

        @Test func classesWithNamesOfBothForms_areNotMixedUp() throws {
            NSKeyedArchiver.setClassName(Self.composed, for: Badge.self)
            NSKeyedArchiver.setClassName(Self.decomposed, for: GoldenBadge.self)
            NSKeyedUnarchiver.setClass(Badge.self, forClassName: Self.composed)
            NSKeyedUnarchiver.setClass(GoldenBadge.self, forClassName: Self.decomposed)
            defer {
                for type in [Badge.self, GoldenBadge.self] { NSKeyedArchiver.setClassName(nil, for: type) }
                for name in [Self.composed, Self.decomposed] { NSKeyedUnarchiver.setClass(nil, forClassName: name) }
            }
            try TestStore.memory.run { (_) throws in
                for badges in [
                    [Badge(number: 1), GoldenBadge(number: 2)], [GoldenBadge(number: 2)], [Badge(number: 1)],
                ] {
                    guard box.archiveObject(badges as NSArray, forKey: "badges") else { continue }
                    let read = box.unarchiveObject(forKey: "badges") as? [Badge]
                    #expect(read?.map { $0.number } == badges.map { $0.number })
                    #expect(read.map { zip($0, badges).allSatisfy { type(of: $0) == type(of: $1) } } == true)
                }
            }
        }

        @Test func objectsOfAnotherServicesSpelling_areNotFound() throws {
            try TestStore.memory.run { (_) throws in
                let reference = try KeychainObjectStore<String>(service: Self.composed).add("a").data
                let other = KeychainObjectStore<String>(service: Self.decomposed)
                #expect(try other.find(.init(data: reference)) == nil)
            }
        }

        @Test func objectThatIsNilItself_isFound() throws {
            try TestStore.memory.run { (_) throws in
                let store = KeychainObjectStore<String?>(service: "com.example.nothing")
                let reference = try store.add(nil)
                let found = try store.find(reference)
                #expect(found == .some(.none))
            }
        }
    }
}
