// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemConformance
import SecItemMaintenance
import SecItemSQLite
import SecItemStore
import TestSupport
import Testing

/// Every fault of a store is found and named.
@Suite struct CheckupTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test(arguments: StoreKind.allCases)
    func storeInOrder_isCounted(_ kind: StoreKind) throws {
        let store = try kind.make(in: folder)
        var items = RandomItems(SeededGenerator(for: "storeInOrder_isCounted \(kind)"))
        var counts: [ItemClass: Int] = [:]
        for _ in 0..<50 {
            let record = items.next()
            counts[record.itemClass, default: 0] += 1
            try store.insert(record)
        }
        let report = try StoreCheckup.run(store)
        #expect(report.isInOrder && report.items == counts && report.locked == 0 && report.count == 50)
    }

    /// Every change of any column of a row is found, and the other rows are counted.
    @Test func changedColumn_isFoundAndNamed() throws {
        let changes = [
            "class = 'inet'", "class = 'none'", "reference = randomblob(16)", "accessible = 'ck'", "accessible = 'dk'",
            "accessible = 'xx'", "primary_key = randomblob(16)", "slots = zeroblob(20)", "slots = x''",
            "nonces = zeroblob(24)", "nonces = zeroblob(12)", "nonces = 'x'", "code = zeroblob(16)",
            "attributes = zeroblob(64)", "attributes = x''", "secrets = NULL", "secrets = zeroblob(48)",
            "secrets = x''",
            "id = 77",
        ]
        for (number, change) in changes.enumerated() {
            let store = try embeddedStore(folder, "\(number)")
            for account in 1...3 { try store.insert(.password("\(account)", "never shown")) }
            try changeRows("UPDATE item SET \(change) WHERE id = 2", in: folder.path + "/\(number)")
            let report = try StoreCheckup.run(store)
            #expect(!report.isInOrder && report.count == 2 && report.damaged.count == 1, "\(change)")
            #expect(report.damaged.first?.place == (change == "id = 77" ? "in row 77" : "in row 2"))
            #expect(!"\(report)".contains("never shown"))
        }
    }

    @Test func lookUpTableThatDoesNotFit_isFound() throws {
        for change in ["DELETE FROM lookup WHERE item = 2", "UPDATE lookup SET item = 9 WHERE item = 2"] {
            let store = try embeddedStore(folder, change)
            for account in 1...3 { try store.insert(.password("\(account)")) }
            try changeRows(change, in: folder.path + "/\(change)")
            let report = try StoreCheckup.run(store)
            #expect(report.damage != nil && report.damaged.isEmpty && report.count == 3, "\(change)")
        }
    }

    @Test func lockedItems_areCountedWhereNobodyIsAsked() throws {
        let store = try embeddedStore(folder, passphrase: "passphrase")
        try store.insert(.password("anna"))
        try store.insert(.password("bert", accessible: .always))
        try store.lock()
        #expect(code { _ = try StoreCheckup.run(store) } == .locked)
        let report = try StoreCheckup.run(store, interaction: .skipped)
        #expect(report.locked == 1 && report.count == 1 && report.isInOrder)
    }

    @Test func noStore_isMadeByLooking() throws {
        #expect(try StoreCheckup.run(embeddedStore(folder)).count == 0)
        #expect(try Rekey.run(embeddedStore(folder), passphrase: nil) == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        #expect(code { _ = try Rekey.run(InMemoryStore(), passphrase: nil) } == .unsupported)
    }
}
