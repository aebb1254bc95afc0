// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemConformance
import SecItemMaintenance
import SecItemSQLite
import SecItemStore
import SecItemSynchronizing
import TestSupport
import Testing

/// Items that are transferred to a store that already has some of them.
@Suite struct TransferTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func transfer(
        _ records: [ItemRecord], into store: any KeychainStore, replacing replaces: Bool = false
    ) throws -> TransferTally {
        var transfer = ItemTransfer(into: store, replacing: replaces, interaction: .allowed)
        for record in records { try transfer.put(record) }
        try transfer.flush()
        return transfer.tally
    }

    /// A survey of two places has each item of both, and none that belongs to other programs. A transfer puts each into its
    /// place.
    @Test func survey_ofTwoPlaces_hasEachItemOnce() throws {
        let shared = InMemoryStore(), store = SynchronizingStore(local: InMemoryStore(), shared: shared)
        try store.insert(.password("own"))
        try store.insert(.password("shared", more: [.synchronizable: .integer(1)]))
        try shared.insert(.password("of another program"))
        var found: [ItemRecord] = []
        try StoreSurvey.run(store, interaction: .forbidden) { item in
            if case .item(let record) = item { found.append(record) }
        }
        #expect(found.map { $0.attributes[.account]?.string } == ["own", "shared"])
        let otherShared = InMemoryStore()
        let other = SynchronizingStore(local: InMemoryStore(), shared: otherShared)
        #expect(try transfer(found, into: other).isComplete)
        #expect(try other.content() == found.map(\.everything).sorted())
        #expect(try otherShared.content().count == 1)
    }

    @Test(arguments: StoreKind.allCases)
    func itemThatIsThere_staysUnlessItMayBeReplaced(_ kind: StoreKind) throws {
        let store = try kind.make(in: folder)
        let old = ItemRecord.password("anna", "old", more: [.label: .string("label"), .comment: .string("comment")])
        try store.insert(old)
        try store.insert(.password("same", "same"))
        let new = ItemRecord.password("anna", "new", more: [.label: .string("other")])
        let records = [new, .password("same", "same"), .password("bert")]
        var tally = try transfer(records, into: store)
        #expect(tally.numbers == [1, 1, 1, 0, 0])
        #expect(!tally.isComplete)
        #expect(try store.password("anna")?.everything == old.everything)
        tally = try transfer(records, into: store, replacing: true)
        #expect(tally.numbers == [0, 2, 0, 1, 0])
        let found = try #require(try store.password("anna"))
        #expect(found.text == "new" && found.reference == old.reference)
        // Attributes that the new item lacks are removed.
        #expect(found.attributes[.comment] == nil && found.attributes[.label]?.string == "other")
        tally = try transfer(records, into: store, replacing: true)
        #expect(tally.same == 3 && tally.isComplete)
    }

    /// The embedded store replaces an item's attributes in one transaction, so the item can always be found.
    @Test func exchange_isWholeOrNotAtAll() throws {
        let store = try embeddedStore(folder)
        try store.insert(.password("anna", "old", more: [.comment: .string("comment")]))
        try store.insert(.password("bert", "other"))
        let before = try store.content()
        let old = try #require(try store.password("anna"))
        let step = RecordDeletion(
            RecordFilter(itemClass: .genericPassword, reference: old.reference), atMost: 1)
        // Another item has its primary key.
        #expect(
            code { _ = try store.exchange(step, for: .password("bert", "new"), interaction: .allowed) } == .duplicate)
        #expect(try store.content() == before)
        let new = ItemRecord.password("anna", "new")
        #expect(try store.exchange(step, for: new, interaction: .allowed))
        #expect(try store.password("anna")?.everything == new.everything)
        // The item has changed in the meantime.
        #expect(try !store.exchange(step, for: .password("carl"), interaction: .allowed))
        #expect(try store.allItems().count == 2)
    }

    /// A persistent reference belongs to one item, so the new item gets another.
    @Test(arguments: StoreKind.allCases)
    func takenReference_isNotTakenTwice(_ kind: StoreKind) throws {
        let store = try kind.make(in: folder)
        let there = ItemRecord.password("anna")
        try store.insert(there)
        let other = ItemRecord.password("bert", "other")
        let record = ItemRecord(
            reference: there.reference, attributes: other.attributes, secrets: other.secrets)
        for round in 0..<2 {
            let tally = try transfer([record], into: store)
            #expect(round == 0 ? tally.added == 1 && tally.renamed == 1 : tally.same == 1)
            #expect(try store.password("anna")?.reference == there.reference)
            let found = try #require(try store.password("bert"))
            #expect(found.text == "other" && found.reference != there.reference)
            #expect(try store.allItems().count == 2)
        }
    }

    @Test func protection_isNeverLessThanWasAskedFor() throws {
        let record = ItemRecord.password("anna", accessible: .whenPasscodeSetThisDeviceOnly)
        for kind in StoreKind.allCases {
            let store = try kind.make(in: folder, kind.rawValue)
            let tally = try transfer([record, .password("bert")], into: store)
            let isProtected = kind != .embedded
            #expect(tally.refused == (isProtected ? 0 : 1) && tally.added == (isProtected ? 2 : 1))
            #expect(tally.refusals.map(\.reference) == (isProtected ? [] : [record.reference]))
            #expect(try (store.password("anna") != nil) == isProtected)
        }
    }

    /// If a transfer ends at any point, repeating it gives the same result.
    @Test(arguments: StoreKind.allCases)
    func deathAtEachCall_isMadeGoodByDoingItAgain(_ kind: StoreKind) throws {
        for replaces in [false, true] {
            let records = (0..<4).map { ItemRecord.password("\($0)", "new \($0)") }
            func arranged(_ name: String) throws -> any KeychainStore {
                let store = try kind.make(in: folder, name)
                try store.insert(.password("1", "old", more: [.comment: .string("x")]))
                try store.insert(.password("2", "old"))
                try store.insert(.password("9", "other"))
                return store
            }
            let expected = try arranged("expected\(replaces)")
            _ = try transfer(records, into: expected, replacing: replaces)
            var isFinished = false, calls = 0
            while !isFinished && calls < 60 {
                let store = try arranged("\(replaces)\(calls)")
                let found = code {
                    _ = try transfer(records, into: DyingStore(store, after: calls), replacing: replaces)
                }
                isFinished = found == nil
                #expect(isFinished || found == .unavailable)
                _ = try transfer(records, into: store, replacing: replaces)
                let summary = { (store: any KeychainStore) in
                    try store.allItems().map { "\($0.attributes[.account]?.string ?? "") \($0.text ?? "")" }.sorted()
                }
                #expect(try summary(store) == summary(expected), "after \(calls)")
                calls += 1
            }
            #expect(isFinished && calls > 4)
        }
    }
}

extension TransferTally {
    /// Added, equal, different, replaced, refused.
    fileprivate var numbers: [Int] { [added, same, different, replaced, refused] }
}
