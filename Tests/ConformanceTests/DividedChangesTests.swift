// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore
import SecItemSynchronizing
import Synchronization
import Testing

/// Changes of two stores, one of which fails in the middle.
@Suite struct DividedChangesTests {
    /// Whether the changes of two stores may ask a person: those until one fails, and those that undo them.
    private final class Questions: Sendable {
        private struct State {
            var hasFailed = false
            var before: [Interaction] = []
            var after: [Interaction] = []
        }

        private let state = Mutex(State())
        var before: [Interaction] { state.withLock { $0.before } }
        var after: [Interaction] { state.withLock { $0.after } }

        func note(_ interaction: Interaction, isFailure: Bool) {
            state.withLock { state in
                if state.hasFailed { state.after.append(interaction) } else { state.before.append(interaction) }
                state.hasFailed = state.hasFailed || isFailure
            }
        }
    }

    /// A store that fails one of its changes.
    private final class FailingStore: ForwardingStore {
        let base: any KeychainStore = InMemoryStore()
        private let countdown = Mutex<Int?>(nil)
        private let isUncertain: Bool
        /// What another program does while the change fails.
        let meanwhile = Mutex<(@Sendable () throws -> Void)?>(nil)
        private let questions: Questions?

        init(isUncertain: Bool = false, questions: Questions? = nil) {
            self.isUncertain = isUncertain
            self.questions = questions
        }

        /// Makes the change after so many others fail.
        func fail(after count: Int?) { countdown.withLock { $0 = count } }

        private func pass(_ interaction: Interaction) throws(StoreError) {
            let isOver = countdown.withLock { count in
                guard let left = count else { return false }
                count = left == 0 ? nil : left - 1
                return left == 0
            }
            questions?.note(interaction, isFailure: isOver)
            if !isOver { return }
            let others = meanwhile.withLock { $0 }
            #expect(throws: Never.self) { try others?() }
            throw StoreError(.io, "the disk is gone", underlying: isUncertain ? Uncertain() : nil)
        }

        func insert(_ records: [ItemRecord], interaction: Interaction) throws(StoreError) {
            try pass(interaction)
            try base.insert(records, interaction: interaction)
        }

        func insert(_ record: ItemRecord, interaction: Interaction) throws(StoreError) {
            try insert([record], interaction: interaction)
        }

        func update(_ steps: [RecordUpdate], interaction: Interaction) throws(StoreError) -> Int {
            try pass(interaction)
            return try base.update(steps, interaction: interaction)
        }

        func delete(_ steps: [RecordDeletion], interaction: Interaction) throws(StoreError) -> Int {
            try pass(interaction)
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

    /// Whichever change of whichever store fails, both stores have what they had. If none fails, the change is whole.
    @Test(arguments: 0...changes.count, [nil, 0, 1, 2, 3] as [Int?]) func failedChange_leavesEverythingAsItWas(
        _ verb: Int, _ failure: Int?
    ) throws {
        for failsInShared in [false, true] {
            let local = FailingStore(), shared = FailingStore()
            let store = SynchronizingStore(local: local, shared: shared)
            try store.insert(records(), interaction: .forbidden)
            let before = (try content(local), try content(shared))
            #expect(before.0.count == 3 && before.1.count == 2)
            (failsInShared ? shared : local).fail(after: failure)
            let filter = RecordFilter(itemClass: .genericPassword)
            do {
                let count =
                    verb < Self.changes.count
                    ? try store.update(matching: filter, applying: Self.changes[verb], interaction: .forbidden)
                    : try store.delete(matching: filter, interaction: .forbidden)
                #expect(count == 5)
                let all = try content(store)
                #expect(all.count == (verb < Self.changes.count ? 5 : 0))
                // No item is in both places.
                #expect(try content(local).count + content(shared).count == all.count)
            } catch {
                #expect(try content(local) == before.0, "verb \(verb), failure \(failure ?? -1) \(failsInShared)")
                #expect(try content(shared) == before.1, "verb \(verb), failure \(failure ?? -1) \(failsInShared)")
            }
        }
    }

    /// What another program does to an item in the other place while a change fails.
    enum Meanwhile: CaseIterable {
        case update, deletion, addition
    }

    private func records() -> [ItemRecord] {
        [
            record("a", false, .afterFirstUnlock), record("b", true, .afterFirstUnlock),
            record("c", true, .afterFirstUnlockThisDeviceOnly), record("d", false, .whenUnlocked),
            record("e", true, .whenUnlocked),
        ]
    }

    /// When a change fails, what another program was told is stored stays, and all other items are as they were.
    @Test(arguments: 0...changes.count, Meanwhile.allCases) func failedChange_leavesWhatOthersHaveDoneMeanwhile(
        _ verb: Int, _ meanwhile: Meanwhile
    ) throws {
        for index in 0..<5 {
            for (failure, failsInShared) in [(0, false), (1, false), (2, false), (0, true), (1, true), (2, true)] {
                let local = FailingStore(), shared = FailingStore(), all = records()
                let store = SynchronizingStore(local: local, shared: shared)
                try store.insert(all, interaction: .forbidden)
                var before = try content(store)
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
                let filter = RecordFilter(itemClass: .genericPassword)
                let outcome = Result {
                    verb < Self.changes.count
                        ? try store.update(matching: filter, applying: Self.changes[verb], interaction: .forbidden)
                        : try store.delete(matching: filter, interaction: .forbidden)
                }
                guard case .failure = outcome else { continue }
                var after = try content(store)
                let comment: Comment = "item \(index), failure \(failure) \(failsInShared)"
                if isDone.withLock({ $0 }) {
                    let own = after.removeValue(forKey: all[index].reference)
                    before[all[index].reference] = nil
                    let added = after.removeValue(forKey: new.reference)
                    switch meanwhile {
                    case .update: #expect(own?.filter { $0.contains("foreign") }.count == 2, comment)
                    case .deletion: break
                    case .addition: #expect(added != nil, comment)
                    }
                }
                #expect(after == before, comment)
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
        case .deletion: return try store.delete(matching: filter, interaction: .forbidden) > 0
        case .addition:
            do {
                try store.insert(new, interaction: .forbidden)
                return true
            } catch {
                return false
            }
        }
    }

    /// A person who is asked once, for the change, is not asked again for its undoing.
    @Test(arguments: 0...changes.count, 0..<3) func undoing_asksNobody(_ verb: Int, _ failure: Int) throws {
        for failsInShared in [false, true] {
            let questions = Questions()
            let local = FailingStore(questions: questions), shared = FailingStore(questions: questions)
            let store = SynchronizingStore(local: local, shared: shared)
            try store.insert(
                [
                    record("a", false, .afterFirstUnlock), record("b", true, .afterFirstUnlock),
                    record("c", true, .afterFirstUnlockThisDeviceOnly),
                ], interaction: .allowed)
            (failsInShared ? shared : local).fail(after: failure)
            let filter = RecordFilter(itemClass: .genericPassword)
            if verb < Self.changes.count {
                _ = try? store.update(matching: filter, applying: Self.changes[verb], interaction: .allowed)
            } else {
                _ = try? store.delete(matching: filter, interaction: .allowed)
            }
            #expect(questions.before.allSatisfy { $0 == .allowed })
            #expect(questions.after.allSatisfy { $0 == .forbidden })
        }
    }

    /// One item gives up its primary key, and another one takes it as it moves to the same place. If the move fails, the
    /// key is free again before its first owner gets it back.
    @Test func keyThatChangedHands_isGivenBack() throws {
        for count in 0..<4 {
            let local = FailingStore(), shared = FailingStore()
            let store = SynchronizingStore(local: local, shared: shared)
            let first = record("a", false, .afterFirstUnlock), second = record("a", true, .afterFirstUnlock)
            try store.insert([first, second], interaction: .forbidden)
            let before = (try content(local), try content(shared))
            let steps = [(first, Self.changes[2]), (second, Self.changes[4])].map { record, changes in
                RecordUpdate(
                    RecordFilter(itemClass: .genericPassword, reference: record.reference), applying: changes)
            }
            (count < 2 ? shared : local).fail(after: count % 2)
            do {
                #expect(try store.update(steps, interaction: .forbidden) == 2)
                #expect(try content(local).count == 2 && content(shared).isEmpty)
            } catch {
                #expect(try content(local) == before.0, "\(count)")
                #expect(try content(shared) == before.1, "\(count)")
            }
        }
    }

    /// One deleted item cannot be put back, because an equal one is there, and another one is refused. All others are there
    /// again.
    @Test(arguments: 0..<4, 1...4) func undoing_goesOnAfterAFailure(_ taken: Int, _ failure: Int) throws {
        let local = FailingStore(), shared = FailingStore()
        let store = SynchronizingStore(local: local, shared: shared)
        let others = ["b", "c", "d", "e"].map { record($0, true, .afterFirstUnlock) }
        try store.insert([record("a", false, .afterFirstUnlock)] + others, interaction: .forbidden)
        let before = (try content(local), try content(shared))
        let new = record(["b", "c", "d", "e"][taken], true, .afterFirstUnlock)
        local.meanwhile.withLock { action in
            action = {
                try shared.base.insert(new, interaction: .forbidden)
                // The first attempt is to put back all at once.
                shared.fail(after: failure)
            }
        }
        local.fail(after: 0)
        #expect(throws: StoreError.self) {
            try store.delete(matching: RecordFilter(itemClass: .genericPassword), interaction: .forbidden)
        }
        #expect(try content(local) == before.0)
        var after = try content(shared)
        #expect(after.removeValue(forKey: new.reference) != nil)
        #expect(after.allSatisfy { before.1[$0.key] == $0.value })
        let lost = before.1.keys.filter { after[$0] == nil }
        #expect(lost.contains(others[taken].reference) && lost.count <= 2)
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

    /// A move that was interrupted is repeated. It ends with one item at the new place: the one that changed last.
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
        #expect(try store.update(matching: old, applying: changes, interaction: .forbidden) == 1)
        #expect(try content(isShared ? shared : local).isEmpty)
        let found = try (isShared ? local : shared).records(
            matching: RecordFilter(itemClass: .genericPassword), parts: .attributes, limit: nil, interaction: .forbidden
        )
        #expect(found.map { $0.attributes[.label]?.string } == [hours > 0 ? "theirs" : "mine"])
        #expect(found.map { $0.attributes[.comment]?.string } == ["new"])
        #expect(found.map { $0.attributes[.synchronizable]?.integer } == [isShared ? 0 : 1])
    }

    /// Items that are inserted together are stored together.
    @Test func failedInsert_leavesNothing() throws {
        for count in 0..<2 {
            let local = FailingStore(), shared = FailingStore()
            (count == 0 ? local : shared).fail(after: 0)
            let store = SynchronizingStore(local: local, shared: shared)
            let records = [record("a", false, .whenUnlocked), record("b", true, .whenUnlocked)]
            #expect(throws: StoreError.self) { try store.insert(records, interaction: .forbidden) }
            #expect(try content(store).isEmpty)
        }
    }

    /// If nobody knows the outcome, nothing is undone: the part that may be stored would be left alone.
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
