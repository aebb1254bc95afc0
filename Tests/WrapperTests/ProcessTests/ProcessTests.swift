// SPDX-License-Identifier: Apache-2.0

import FXKeychain
import Foundation
import KCMutableDictionary
import KeychainObjects
import Lockbox
import Security
import TestSupport
import Testing

extension WrapperTests {
    /// Two processes with one store, on every store that two processes can share.
    @Suite struct ProcessTests {
        private let rounds = 20

        /// The other process: `WrapperProbe`, which is built with the tests.
        private func probe(_ arguments: [String], in open: OpenStore) throws -> Program {
            try .built("WrapperProbe", arguments, adding: open.environment)
        }

        /// Writes in this process while another one does the same.
        private func race(_ wrapper: String, in open: OpenStore, _ write: (Int) throws -> Void) throws {
            let other = try probe([wrapper, "theirs", "\(rounds)"], in: open).start()
            for round in 0..<rounds { try write(round) }
            #expect(try other.waitUntilExit().status == 0)
        }

        private var lastWrites: [String] { ["ours \(rounds - 1)", "theirs \(rounds - 1)"] }

        @Test(arguments: TestStore.shared)
        func fxKeychain_keepsOneOfTheLastWrites(_ store: TestStore) throws {
            let keychain = FXKeychain(service: "com.example.processes", accessGroup: nil)
            try store.run { open in
                try race("fxkeychain", in: open) { (round) throws in
                    #expect(keychain.setObject("ours \(round)", forKey: "shared"))
                }
                let last = try #require(keychain.object(forKey: "shared") as? String)
                #expect(lastWrites.contains(last))
                #expect(RawItems.count == 1)
            }
        }

        @Test(arguments: TestStore.shared)
        func lockbox_keepsOneOfTheLastWrites(_ store: TestStore) throws {
            let box: Lockbox = Lockbox(keyPrefix: "com.example.processes")
            try store.run { open in
                try race("lockbox", in: open) {
                    #expect(box.archiveObject(NSString(string: "ours \($0)"), forKey: "shared"))
                }
                let last = try #require(box.unarchiveObject(forKey: "shared") as? String)
                #expect(lastWrites.contains(last))
                #expect(RawItems.count == 1)
            }
        }

        /// Two processes that change different entries lose none of their changes.
        @Test(arguments: TestStore.shared)
        func dictionary_keepsTheChangesOfBoth(_ store: TestStore) throws {
            try store.run { open in
                let dictionary = KCMutableDictionary.dictionary(withName: "processes")
                try race("dictionary", in: open) {
                    dictionary["ours"] = $0
                    #expect(dictionary.lastError == nil)
                }
                dictionary.forget()
                let stored = KCMutableDictionary.dictionary(withName: "processes")
                defer { stored.forget() }
                #expect(stored.lastError == nil)
                #expect(stored["ours"] as? Int == rounds - 1)
                #expect(stored["theirs"] as? Int == rounds - 1)
            }
        }

        @Test(arguments: TestStore.shared)
        func dictionary_showsTheOthersChangesOnceForgotten(_ store: TestStore) throws {
            try store.run { open in
                let dictionary = KCMutableDictionary.dictionary(withName: "processes")
                try probe(["dictionary", "theirs", "1"], in: open).output()
                #expect(dictionary["theirs"] == nil)
                dictionary.forget()
                #expect(KCMutableDictionary.dictionary(withName: "processes")["theirs"] as? Int == 0)
                KCMutableDictionary.dictionary(withName: "processes").forget()
            }
        }

        @Test(arguments: TestStore.shared)
        func objects_areAllThere(_ store: TestStore) throws {
            let objects = KeychainObjectStore<String>(service: "com.example.processes")
            try store.run { open in
                try race("objects", in: open) { try objects.add("ours \($0)") }
                let found = try objects.all().map(\.object)
                let expected = (0..<rounds).flatMap { ["ours \($0)", "theirs \($0)"] }
                #expect(found.sorted() == expected.sorted())
            }
        }
    }
}
