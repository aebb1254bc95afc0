// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemSQLite
import SecItemSealing
import SecItemStore
import TestSupport
import Testing

@testable import SecItemShim

/// The record of where an application's items are, if the embedded store has them.
@Suite struct FirstEmbeddedItemTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private var files: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path + "/.local/state/secitem")) ?? []).sorted()
    }

    private func store(_ passphrase: LinuxKeychain.Passphrase = .automatic) -> DefaultStore {
        let environment = ["HOME": folder.path, "SECITEM_APPLICATION_IDENTIFIER": "first"]
        let store = DefaultStore { environment }
        store.use(.embedded(passphrase: passphrase))
        return store
    }

    private let item = [kSecClass: kSecClassGenericPassword, kSecAttrAccount: "one"] as [CFString: Any]

    @Test func failedAdd_leavesNoRecord() throws {
        let locked = store(.closure { nil })
        for _ in 0..<3 {
            #expect(locked.calls.add(item as CFDictionary, nil) != errSecSuccess)
            #expect(files == [])
        }
        let store = store()
        let large = item.merging([kSecValueData: Data(count: 17 << 20)]) { $1 }
        #expect(store.calls.add(large as CFDictionary, nil) == errSecDataTooLarge)
        #expect(files == [])
        #expect(store.calls.add(item as CFDictionary, nil) == errSecSuccess)
        #expect(files == ["first.store"])
        #expect(store.calls.add(item as CFDictionary, nil) == errSecDuplicateItem)
        #expect(files == ["first.store"])
    }

    /// When the record is written, the store has no item yet.
    @Test func record_comesFirst() throws {
        let location = StoreLocation(folder: folder.path + "/keychain")
        let counts = Shared<[Int]>([])
        let count: @Sendable () -> Int = {
            let filter = RecordFilter(itemClass: .genericPassword)
            let store = try? SQLiteStore(madeWhenNeeded: location, protector: KeyFileProtector())
            return (try? store?.records(matching: filter, parts: [], limit: nil, interaction: .forbidden).count) ?? -1
        }
        let store = try SQLiteStore(
            madeWhenNeeded: location, protector: KeyFileProtector(),
            record: { () throws(StoreError) in
                counts.change { $0.append(count()) }
                return nil
            })
        for _ in 0..<3 {
            let record = ItemRecord(
                reference: PersistentReference(itemClass: .genericPassword),
                attributes: [.account: .string(UUID().uuidString), .accessGroup: .string("first")], secrets: [:])
            try store.insert(record, interaction: .forbidden)
        }
        #expect(counts.value == [0])
    }
}
