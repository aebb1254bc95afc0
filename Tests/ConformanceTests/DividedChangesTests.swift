// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore
import SecItemSynchronizing
import Synchronization
import Testing

/// Changes of two stores, one of which fails in the middle.
@Suite struct DividedChangesTests {
    /// A store that fails one of its changes.
    private final class FailingStore: ForwardingStore {
        let base: any KeychainStore = InMemoryStore()
        private let countdown = Mutex<Int?>(nil)
        private let isUncertain: Bool
        /// What another program does while the change fails.
        let meanwhile = Mutex<(@Sendable () throws -> Void)?>(nil)

        init(isUncertain: Bool = false) { self.isUncertain = isUncertain }

        /// Makes the change after so many others fail.
        func fail(after count: Int?) { countdown.withLock { $0 = count } }

        private func pass() throws(StoreError) {
            let isOver = countdown.withLock { count in
                guard let left = count else { return false }
                count = left == 0 ? nil : left - 1
                return left == 0
            }
            if !isOver { return }
            let others = meanwhile.withLock { $0 }
            #expect(throws: Never.self) { try others?() }
            throw StoreError(.io, "the disk is gone", underlying: isUncertain ? Uncertain() : nil)
        }

        func insert(_ records: [ItemRecord], interaction: Interaction) throws(StoreError) {
            try pass()
            try base.insert(records, interaction: interaction)
        }

        func insert(_ record: ItemRecord, interaction: Interaction) throws(StoreError) {
            try insert([record], interaction: interaction)
        }

        func update(_ steps: [RecordUpdate], interaction: Interaction) throws(StoreError) -> Int {
            try pass()
            return try base.update(steps, interaction: interaction)
        }

        func delete(_ steps: [RecordDeletion], interaction: Interaction) throws(StoreError) -> Int {
            try pass()
            return try base.delete(steps, interaction: interaction)
        }
    }

    /// A store that another program uses just before its next update.
    private final class ContestedStore: ForwardingStore {
        let base: any KeychainStore = InMemoryStore()
        let first = Mutex<(@Sendable () throws -> Void)?>(nil)

        func update(_ steps: [RecordUpdate], interaction: Interaction) throws(StoreError) -> Int {
            let others = first.withLock { action in
                defer { action = nil }
                return action
            }
            #expect(throws: Never.self) { try others?() }
            return try base.update(steps, interaction: interaction)
        }
    }

    private struct Uncertain: RemoteFailure {
        let isOutOfReach = true
        let isOutcomeUnknown = true
    }

    private func record(_ account: String, _ isSynchronizable: Bool, _ accessible: Accessible) -> ItemRecord {
        ItemRecord(
            reference: PersistentReference(itemClass: .genericPassword),
            attributes: [
                .service: .string("service"), .account: .string(account), .comment: .string("old"),
                .synchronizable: .integer(isSynchronizable ? 1 : 0), .accessible: .string(accessible.rawValue),
                .creationDate: .date(Date()), .modificationDate: .date(Date()),
            ],
            secrets: [.valueData: Secret(Data("old secret of \(account)".utf8))])
    }

    /// Everything but the modification dates, by reference.
    private func content(_ store: any KeychainStore) throws -> [PersistentReference: [String]] {
        var result: [PersistentReference: [String]] = [:]
        let filter = RecordFilter(itemClass: .genericPassword)
        for record in try store.records(
            matching: filter, parts: [.attributes, .secrets], limit: nil, interaction: .forbidden)
        {
            var attributes = record.attributes
            attributes[.modificationDate] = nil
            let secret = record.secrets[.valueData]?.withUnsafeBytes { Data($0).base64EncodedString() } ?? ""
            result[record.reference] = attributes.map { "\($0.key) \($0.value)" }.sorted() + [secret]
        }
        return result
    }

    private static let changes: [RecordChanges] = [
        RecordChanges(attributes: [.comment: .string("new")], secrets: [:]),
        RecordChanges(attributes: [.label: .string("new")], secrets: [.valueData: Secret(Data("new secret".utf8))]),
        RecordChanges(attributes: [.service: .string("other service")], secrets: [:]),
        RecordChanges(attributes: [.synchronizable: .integer(1)], secrets: [:]),
        RecordChanges(attributes: [.synchronizable: .integer(0), .comment: .string("new")], secrets: [:]),
        RecordChanges(
            attributes: [.accessible: .string(Accessible.whenUnlockedThisDeviceOnly.rawValue)], secrets: [:]),
        RecordChanges(attributes: [.label: .string("new")], secrets: [:], removing: [.comment]),
    ]

    /// Whichever change of whichever store fails, either nothing has changed, or the error says that one place has, each
    /// item is found, and the same call completes the change.
    @Test(arguments: 0...changes.count, [nil, 0, 1, 2, 3] as [Int?]) func failedChange_isCompletedByTheSameCall(
        _ verb: Int, _ failure: Int?
    ) throws {
        let records = records()
        let complete = SynchronizingStore(local: InMemoryStore(), shared: InMemoryStore())
        try complete.insert(records, interaction: .forbidden)
        let before = try content(complete)
        #expect(try change(verb, in: complete) == 5)
        let after = (try content(complete.local), try content(complete.shared))
        for failsInShared in [false, true] {
            let comment: Comment = "verb \(verb), failure \(failure ?? -1) \(failsInShared)"
            let local = FailingStore(), shared = FailingStore()
            let store = SynchronizingStore(local: local, shared: shared)
            try store.insert(records, interaction: .forbidden)
            (failsInShared ? shared : local).fail(after: failure)
            do {
                #expect(try change(verb, in: store) == 5)
            } catch let error as StoreError {
                let found = try content(store)
                if !error.message.contains("only one of two places has changed") {
                    #expect(found == before, comment)
                    #expect(try content(local).count == 3 && content(shared).count == 2, comment)
                }
                if verb < Self.changes.count { #expect(Set(found.keys) == Set(before.keys), comment) }
                #expect(try change(verb, in: store) > 0, comment)
            }
            #expect(try content(local) == after.0, comment)
            #expect(try content(shared) == after.1, comment)
        }
    }

    private func change(_ verb: Int, in store: SynchronizingStore) throws -> Int {
        let filter = RecordFilter(itemClass: .genericPassword)
        return verb < Self.changes.count
            ? try store.update(matching: filter, applying: Self.changes[verb], interaction: .forbidden)
            : try store.delete(matching: filter, interaction: .forbidden)
    }

    /// What another program does to an item in the other place while a change fails.
    enum Meanwhile: CaseIterable {
        case update, addition
    }

    private func records() -> [ItemRecord] {
        [
            record("a", false, .afterFirstUnlock), record("b", true, .afterFirstUnlock),
            record("c", true, .afterFirstUnlockThisDeviceOnly), record("d", false, .whenUnlocked),
            record("e", true, .whenUnlocked),
        ]
    }

    /// When a change fails, what another program was told is stored is there.
    @Test(arguments: 0...changes.count, Meanwhile.allCases) func failedChange_leavesWhatOthersHaveDoneMeanwhile(
        _ verb: Int, _ meanwhile: Meanwhile
    ) throws {
        for index in 0..<5 {
            for (failure, failsInShared) in [(0, false), (1, false), (2, false), (0, true), (1, true), (2, true)] {
                let local = FailingStore(), shared = FailingStore(), all = records()
                let store = SynchronizingStore(local: local, shared: shared)
                try store.insert(all, interaction: .forbidden)
                let account = all[index].attributes[.account]?.string ?? ""
                let (failing, other) = failsInShared ? (shared, local.base) : (local, shared.base)
                let new = record(account, !failsInShared, .whenUnlocked)
                let isDone = Mutex(false)
                failing.meanwhile.withLock { action in
                    action = {
                        let done = try self.act(meanwhile, on: account, new, in: other)
                        isDone.withLock { $0 = done }
                    }
                }
                failing.fail(after: failure)
                guard case .failure = Result(catching: { try change(verb, in: store) }) else { continue }
                let after = try content(store)
                let comment: Comment = "item \(index), failure \(failure) \(failsInShared)"
                guard isDone.withLock({ $0 }) else { continue }
                switch meanwhile {
                case .update:
                    #expect(after[all[index].reference]?.filter { $0.contains("foreign") }.count == 2, comment)
                case .addition: #expect(after[new.reference] != nil, comment)
                }
            }
        }
    }

    /// - Returns: Whether the other program was told that it is done.
    private func act(
        _ what: Meanwhile, on account: String, _ new: ItemRecord, in store: any KeychainStore
    ) throws -> Bool {
        let filter = RecordFilter(itemClass: .genericPassword, attributes: [.account: .string(account)])
        switch what {
        case .update:
            let changes = RecordChanges(
                attributes: [.comment: .string("foreign"), .label: .string("foreign")], secrets: [:])
            return try store.update(matching: filter, applying: changes, interaction: .forbidden) > 0
        case .addition:
            do {
                try store.insert(new, interaction: .forbidden)
                return true
            } catch {
                return false
            }
        }
    }

    /// One item gives up its primary key, and another one takes it as it moves to the same place.
    @Test func keyThatChangesHands_doesSoWithTheSameCall() throws {
        for count in 0..<4 {
            let local = FailingStore(), shared = FailingStore()
            let store = SynchronizingStore(local: local, shared: shared)
            let first = record("a", false, .afterFirstUnlock), second = record("a", true, .afterFirstUnlock)
            try store.insert([first, second], interaction: .forbidden)
            let steps = [(first, Self.changes[2]), (second, Self.changes[4])].map { record, changes in
                RecordUpdate(
                    RecordFilter(itemClass: .genericPassword, reference: record.reference), applying: changes)
            }
            (count < 2 ? shared : local).fail(after: count % 2)
            if (try? store.update(steps, interaction: .forbidden)) == nil {
                #expect(try content(store).count == 2, "\(count)")
                #expect(try store.update(steps, interaction: .forbidden) == 2, "\(count)")
            }
            #expect(try content(local).count == 2 && content(shared).isEmpty, "\(count)")
        }
    }

    /// One item as it is in each of two stores after an interrupted move, where an attribute says which is which.
    ///
    /// - Parameter hours: How much later theirs has changed.
    private func twins(named name: ItemAttribute, _ hours: Double) -> (mine: ItemRecord, theirs: ItemRecord) {
        let now = Date()
        var mine = record("a", false, .afterFirstUnlock)
        mine.attributes[name] = .string("mine")
        mine.attributes[.modificationDate] = .date(now)
        var theirs = mine
        theirs.attributes[name] = .string("theirs")
        theirs.attributes[.modificationDate] = .date(now + hours * 3_600)
        theirs.attributes[.synchronizable] = .integer(1)
        return (mine, theirs)
    }

    /// A move that was interrupted leaves an item in both stores. Whichever changed last is found, and it alone, wherever it is.
    @Test(arguments: [-1.0, 0, 1], [1, 2, nil])
    func itemInBothStores_isFoundOnce_asItChangedLast(_ hours: Double, _ limit: Int?) throws {
        let local = InMemoryStore(), shared = InMemoryStore()
        let store = SynchronizingStore(local: local, shared: shared)
        let (mine, theirs) = twins(named: .comment, hours)
        try local.insert(mine, interaction: .forbidden)
        try shared.insert(theirs, interaction: .forbidden)
        let found = try store.records(
            matching: RecordFilter(itemClass: .genericPassword), parts: [.attributes], limit: limit,
            interaction: .forbidden)
        #expect(found.map { $0.attributes[.comment]?.string } == [hours > 0 ? "theirs" : "mine"])
    }

    /// Another program moves the item after it was looked for and before it is changed. It is changed where it is then.
    @Test func itemThatMovesMeanwhile_isChangedAtItsNewPlace() throws {
        let local = ContestedStore(), shared = InMemoryStore()
        let store = SynchronizingStore(local: local, shared: shared)
        let old = record("a", false, .afterFirstUnlock)
        var moved = old
        moved.attributes[.synchronizable] = .integer(1)
        try store.insert(old, interaction: .forbidden)
        local.first.withLock { action in
            action = { [moved] in
                try shared.insert(moved, interaction: .forbidden)
                _ = try local.base.delete(
                    matching: RecordFilter(itemClass: .genericPassword), interaction: .forbidden)
            }
        }
        let filter = RecordFilter(itemClass: .genericPassword, attributes: [.account: .string("a")])
        #expect(try store.update(matching: filter, applying: Self.changes[0], interaction: .forbidden) == 1)
        #expect(try content(local).isEmpty)
        let found = try shared.records(matching: filter, parts: .attributes, limit: nil, interaction: .forbidden)
        #expect(found.map { $0.attributes[.comment]?.string } == ["new"])
    }

    /// Another program changes one item after all were looked for. A change that also moves others is made to that item as it
    /// is by then.
    @Test func itemThatChangesMeanwhile_isChangedWithThoseThatMove() throws {
        let local = ContestedStore(), shared = InMemoryStore(), all = records()
        let store = SynchronizingStore(local: local, shared: shared)
        try store.insert(all, interaction: .forbidden)
        local.first.withLock { action in
            action = {
                let filter = RecordFilter(itemClass: .genericPassword, attributes: [.account: .string("a")])
                let changes = RecordChanges(attributes: [.comment: .string("foreign")], secrets: [:])
                _ = try local.base.update(matching: filter, applying: changes, interaction: .forbidden)
            }
        }
        let filter = RecordFilter(itemClass: .genericPassword)
        #expect(try store.update(matching: filter, applying: Self.changes[5], interaction: .forbidden) == all.count)
        #expect(try content(shared).isEmpty)
        let found = try local.records(matching: filter, parts: .attributes, limit: nil, interaction: .forbidden)
        #expect(found.count == all.count)
        for record in found {
            #expect(record.attributes[.accessible]?.string == Accessible.whenUnlockedThisDeviceOnly.rawValue)
            let isForeign = record.attributes[.account]?.string == "a"
            #expect(record.attributes[.comment]?.string == (isForeign ? "foreign" : "old"))
        }
    }

    /// A move that was interrupted is repeated, unless somebody has changed the item at its new place since.
    @Test(arguments: [-1.0, 0, 1], [false, true]) func itemThatIsAtItsNewPlaceAlready_isMoved(
        _ hours: Double, _ isShared: Bool
    ) throws {
        let local = InMemoryStore(), shared = InMemoryStore()
        let store = SynchronizingStore(local: local, shared: shared)
        let (mine, theirs) = twins(named: .label, hours)
        try local.insert(mine, interaction: .forbidden)
        try shared.insert(theirs, interaction: .forbidden)
        // Only the item at the old place is looked for, so that the other one is found by the move.
        let old = RecordFilter(
            itemClass: .genericPassword, attributes: [.synchronizable: .integer(isShared ? 1 : 0)])
        let changes = RecordChanges(
            attributes: [.synchronizable: .integer(isShared ? 0 : 1), .comment: .string("new")], secrets: [:])
        let isMoved = isShared == (hours > 0)
        #expect(try store.update(matching: old, applying: changes, interaction: .forbidden) == (isMoved ? 1 : 0))
        #expect(try content(isShared ? shared : local).isEmpty)
        let found = try (isShared ? local : shared).records(
            matching: RecordFilter(itemClass: .genericPassword), parts: .attributes, limit: nil, interaction: .forbidden
        )
        #expect(found.map { $0.attributes[.label]?.string } == [hours > 0 ? "theirs" : "mine"])
        #expect(found.map { $0.attributes[.comment]?.string } == [isMoved ? "new" : "old"])
        #expect(found.map { $0.attributes[.synchronizable]?.integer } == [isShared ? 0 : 1])
        // Nothing of the copy's earlier date is left.
        #expect(found.allSatisfy { ($0.attributes[.modificationDate]?.date ?? .distantPast) > Date() - 60 })
    }

    /// Items that are inserted together are in the shared place first.
    @Test(arguments: [false, true]) func failedInsert_saysWhatItLeaves(failsInShared: Bool) throws {
        let local = FailingStore(), shared = FailingStore()
        (failsInShared ? shared : local).fail(after: 0)
        let store = SynchronizingStore(local: local, shared: shared)
        let records = [record("a", false, .whenUnlocked), record("b", true, .whenUnlocked)]
        do {
            try store.insert(records, interaction: .forbidden)
            Issue.record("the insert did not fail")
        } catch {
            #expect(error.message.contains("only one of two places has changed") == !failsInShared)
        }
        #expect(try Array(content(store).keys) == (failsInShared ? [] : [records[1].reference]))
    }

    @Test func uncertainOutcome_isReported() throws {
        let local = FailingStore(), shared = FailingStore(isUncertain: true)
        let store = SynchronizingStore(local: local, shared: shared)
        try store.insert(
            [record("a", false, .whenUnlocked), record("b", true, .whenUnlocked)], interaction: .forbidden)
        shared.fail(after: 0)
        do {
            _ = try store.update(
                matching: RecordFilter(itemClass: .genericPassword), applying: Self.changes[0], interaction: .forbidden)
            Issue.record("the change did not fail")
        } catch {
            #expect(error.isOutcomeUnknown)
        }
    }

    /// What look-ups of both places give is in the order of creation, and no longer than the limit.
    @Test func lookUp_isMergedByAge() throws {
        let store = SynchronizingStore(local: InMemoryStore(), shared: InMemoryStore())
        for number in 0..<20 {
            var item = record("\(number)", number.isMultiple(of: 3), .afterFirstUnlock)
            item.attributes[.creationDate] = .date(Date(timeIntervalSinceReferenceDate: Double(number)))
            try store.insert(item, interaction: .forbidden)
        }
        for limit in [1, 2, 7, 20, 30] {
            let found = try store.records(
                matching: RecordFilter(itemClass: .genericPassword), parts: .attributes, limit: limit,
                interaction: .forbidden)
            #expect(found.compactMap { $0.attributes[.account]?.string } == (0..<min(limit, 20)).map(String.init))
        }
    }

    /// Damage is reported only if the other place has no matches. Any other failure is always reported.
    @Test(arguments: [StoreError.Code.corrupt, .io, .locked], [1, 2, 3])
    func lookUp_ofADamagedPlace_givesWhatTheOtherHas(_ code: StoreError.Code, _ failing: Int) throws {
        for isEmpty in [false, true] {
            let local = InMemoryStore(), shared = InMemoryStore()
            if !isEmpty {
                try local.insert(record("a", false, .whenUnlocked), interaction: .forbidden)
                try shared.insert(record("b", true, .whenUnlocked), interaction: .forbidden)
            }
            if failing & 1 != 0 { local.failNext(StoreError(code, "told to")) }
            if failing & 2 != 0 { shared.failNext(StoreError(code, "told to")) }
            let found = Result { () throws(StoreError) in
                try SynchronizingStore(local: local, shared: shared).records(
                    matching: RecordFilter(itemClass: .genericPassword), parts: .attributes, limit: nil,
                    interaction: .forbidden)
            }
            switch found {
            case .success(let records):
                #expect(code == .corrupt && !isEmpty && failing != 3)
                #expect(records.map { $0.attributes[.account]?.string } == [failing == 1 ? "b" : "a"])
            case .failure(let error):
                #expect(error.code == code && (code != .corrupt || isEmpty || failing == 3))
            }
        }
    }

    /// A limit counts the matches of both places.
    @Test func greatestCount_isThatOfBothPlaces() throws {
        let store = SynchronizingStore(local: InMemoryStore(), shared: InMemoryStore())
        for number in 0..<4 {
            try store.insert(record("\(number)", number < 2, .whenUnlocked), interaction: .forbidden)
        }
        let filter = RecordFilter(itemClass: .genericPassword)
        #expect(throws: StoreError.self) {
            try store.delete([RecordDeletion(filter, atMost: 3)], interaction: .forbidden)
        }
        #expect(throws: StoreError.self) {
            try store.update([RecordUpdate(filter, applying: Self.changes[0], atMost: 3)], interaction: .forbidden)
        }
        #expect(try content(store).count == 4)
        #expect(try store.delete([RecordDeletion(filter, atMost: 4)], interaction: .forbidden) == 4)
    }
}
