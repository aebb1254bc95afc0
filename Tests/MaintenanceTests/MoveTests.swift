// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemConformance
import SecItemMaintenance
import SecItemSQLite
import SecItemSealing
import SecItemStore
import SecItemSynchronizing
import TestSupport
import Testing

/// During a move, every item is in at least one of the two stores.
@Suite struct MoveTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private static func options(deletesSource: Bool, replaces: Bool = false) -> Move.Options {
        var options = Move.Options()
        options.deletesSource = deletesSource
        options.replaces = replaces
        return options
    }

    /// What a delete has left of an item is no item: it replaces none, and gives way to one.
    @Test(arguments: StoreKind.allCases) func tombstone_staysWhereItIs(_ kind: StoreKind) throws {
        let source = try kind.make(in: folder, "from"), target = try kind.make(in: folder, "to")
        let item = ItemRecord.password("anna", "a"), other = ItemRecord.password("bert", "b")
        let dead = [item, other].map { item in
            let attributes = item.attributes.merging([.tombstone: .integer(1)]) { $1 }
            return ItemRecord(reference: item.reference, attributes: attributes, secrets: [:])
        }
        try source.insert(dead[0])
        try source.insert(other)
        try target.insert(item)
        try target.insert(dead[1])
        let summary = try Move.run(from: source, to: target, Self.options(deletesSource: true, replaces: true))
        #expect(summary.isComplete && summary.deleted == 1, "\(summary)")
        func live(_ store: any KeychainStore) throws -> [String] {
            try store.allItems().filter { $0.attributes[.tombstone]?.integer == 0 }.compactMap(\.text).sorted()
        }
        #expect(try live(target) == ["a", "b"] && target.allItems().count == 2)
        #expect(try source.content() == [dead[0].everything])
        let file = folder.path + "/backup", passphrase = Secret(text: "correct horse")
        var options = Backup.Options()
        options.cost = .lowest
        #expect(try Backup.write(source, to: file, passphrase: passphrase, options).items == 0)
        options.replaces = true
        #expect(try Backup.write(target, to: file, passphrase: passphrase, options).items == 2)
        #expect(try Backup.restore(file, into: source, passphrase: passphrase).isComplete)
        #expect(try live(source) == ["a", "b"] && source.allItems().count == 2)
    }

    @Test(arguments: StoreKind.allCases, StoreKind.allCases)
    func move_bringsEachItem_andTakesAwayWhatArrived(_ from: StoreKind, _ to: StoreKind) throws {
        var items = RandomItems(SeededGenerator(for: "move \(from) \(to)"))
        let source = try from.make(in: folder, "from"), target = try to.make(in: folder, "to")
        let rounds = RandomRounds.usually(25)
        for _ in rounds { try source.insert(items.next()) }
        let before = try source.content()
        var summary = try Move.run(from: source, to: target, Self.options(deletesSource: false))
        #expect(summary.tally.added == rounds.count && summary.deleted == 0 && summary.isComplete)
        #expect(try source.content() == before && target.content() == before)
        summary = try Move.run(from: source, to: target, Self.options(deletesSource: true))
        #expect(summary.tally.same == rounds.count && summary.deleted == rounds.count)
        #expect(try source.content().isEmpty)
        #expect(try target.content() == before)
    }

    /// An item with an application password opens in the second store, or stays in the first. With another reference,
    /// it could never be opened.
    @Test(arguments: StoreKind.allCases)
    func itemUnderAPassword_keepsItsReference_orStays(_ kind: StoreKind) throws {
        let derivation = PasswordSeal.newDerivation(.lowest)
        let constraints = try #require(AccessConstraints(flags: .applicationPassword, password: derivation))
        let seal = try PasswordSeal(Secret(text: "right"), derivation)
        let plain = ItemRecord.password("anna", more: [.accessControl: .data(constraints.encoded)])
        let record = try seal.sealing(plain)
        let isTaken = ItemRecord(
            reference: record.reference, attributes: ItemRecord.password("bert").attributes, secrets: record.secrets)
        let isCopy = ItemRecord(
            reference: PersistentReference(itemClass: .genericPassword), attributes: record.attributes,
            secrets: record.secrets)
        for (number, other) in [isTaken, isCopy, .password("anna"), nil].enumerated() {
            let source = try kind.make(in: folder, "from \(number)"), target = try kind.make(in: folder, "to \(number)")
            try source.insert(record)
            if let other { try target.insert(other) }
            let before = try target.content()
            let summary = try Move.run(from: source, to: target, Self.options(deletesSource: true, replaces: true))
            if other != nil {
                #expect(summary.tally.refused == 1 && summary.deleted == 0)
                #expect(try target.content() == before)
                #expect(try source.password("anna") != nil)
            } else {
                #expect(summary.tally.added == 1 && summary.deleted == 1)
                let arrived = try #require(try target.password("anna"))
                #expect(try seal.opening(arrived).text == "secret")
            }
        }
    }

    /// A store that seals an item under its passphrase does not show what arrived. Such an item stays, and the others arrive.
    @Test(arguments: [false, true])
    func itemThatTheTargetSeals_stays(_ replaces: Bool) throws {
        for flags in [AccessConstraints.Flags.userPresence, .devicePasscode, .biometryAny] {
            let constraints = try #require(AccessConstraints(flags: flags))
            let isSealed = flags != .biometryAny
            let source = try StoreKind.embedded.make(in: folder, "from \(flags.rawValue)")
            let target = try StoreKind.embeddedWithPassphrase.make(in: folder, "to \(flags.rawValue)")
            try source.insert(.password("guarded", more: [.accessControl: .data(constraints.encoded)]))
            for number in 0..<70 { try source.insert(.password("\(number)")) }
            for isFirst in [true, false] {
                let summary = try Move.run(
                    from: source, to: target, Self.options(deletesSource: true, replaces: replaces))
                #expect(summary.tally.refused == (isSealed ? 1 : 0))
                #expect(summary.tally.added == (isFirst ? (isSealed ? 70 : 71) : 0))
                #expect(summary.deleted == (isSealed || !isFirst ? 0 : 71))
            }
            #expect(try target.password("0") != nil)
            #expect(try (source.password("guarded") == nil) == !isSealed)
            #expect(try (target.password("guarded") == nil) == isSealed)
        }
    }

    @Test(arguments: [StoreKind.inMemory, .embedded])
    func itemThatDidNotArrive_staysWhereItWas(_ kind: StoreKind) throws {
        let source = InMemoryStore(passphrase: Secret(text: "x")), target = try kind.make(in: folder)
        try source.insert(.password("anna", "new"))
        try source.insert(.password("bert"))
        try source.insert(.password("code", accessible: .whenPasscodeSetThisDeviceOnly))
        try target.insert(.password("anna", "old"))
        var summary = try Move.run(from: source, to: target, Self.options(deletesSource: true))
        #expect(!summary.isComplete && summary.tally.different == 1 && summary.deleted == 0)
        #expect(try source.password("anna")?.text == "new" && target.password("anna")?.text == "old")
        #expect(try source.password("bert")?.text == "secret" && target.password("bert")?.text == "secret")
        #expect(try source.password("code") != nil)
        summary = try Move.run(from: source, to: target, Self.options(deletesSource: true, replaces: true))
        #expect(try target.password("anna")?.text == "new")
        // The last item only moves if a passphrase protects the second store.
        #expect(summary.isComplete == target.isPassphraseProtected)
        for account in ["anna", "bert", "code"] {
            #expect(try (source.password(account) == nil) == target.isPassphraseProtected)
        }
    }

    /// If a move ends at any point, each item is in one of the stores or in both, and repeating the move gives the same
    /// result.
    @Test(arguments: StoreKind.allCases)
    func deathAtEachCall_losesNothing(_ kind: StoreKind) throws {
        let records = (0..<5).map { ItemRecord.password("\($0)") }
        let expected = records.map(\.everything).sorted()
        for isSourceDying in [false, true] {
            var isFinished = false, calls = 0
            while !isFinished && calls < 100 {
                let source = try kind.make(in: folder, "from\(isSourceDying)\(calls)")
                let target = try kind.make(in: folder, "to\(isSourceDying)\(calls)")
                for record in records { try source.insert(record) }
                let dyingSource = isSourceDying ? DyingStore(source, after: calls) : source
                let dyingTarget = isSourceDying ? target : DyingStore(target, after: calls)
                let found = code {
                    _ = try Move.run(from: dyingSource, to: dyingTarget, Self.options(deletesSource: true))
                }
                isFinished = found == nil
                #expect(Set(try source.content() + target.content()) == Set(expected))
                _ = try Move.run(from: source, to: target, Self.options(deletesSource: true))
                #expect(try target.content() == expected)
                #expect(try source.content().isEmpty)
                calls += 1
            }
            #expect(isFinished && calls > 4)
        }
    }

    /// If an item changes after it was copied, it stays in the first store with the change.
    @Test func itemThatChangesMeanwhile_stays() throws {
        let source = InMemoryStore()
        try source.insert(.password("anna", "old"))
        let target = InterferingStore(InMemoryStore()) {
            _ = try? source.update(
                matching: RecordFilter(itemClass: .genericPassword),
                applying: RecordChanges(attributes: [:], secrets: [.valueData: Secret(text: "new")]),
                interaction: .allowed)
        }
        let summary = try Move.run(from: source, to: target, Self.options(deletesSource: true))
        #expect(summary.deleted == 0)
        #expect(try source.password("anna")?.text == "new")
    }

    @Test func oneStoreUnderTwoNames_losesNothing() throws {
        let store = try embeddedStore(folder), again = try embeddedStore(folder)
        let memory = InMemoryStore()
        for store in [store, memory] as [any KeychainStore] { try store.insert(.password("anna")) }
        let link = folder.path + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.path)
        let linked = try SQLiteStore(
            madeWhenNeeded: StoreLocation(folder: link + "/store"), protector: KeyFileProtector(), cache: .none)
        for (source, target) in [(store, again), (memory, memory), (store, linked)]
            as [(any KeychainStore, any KeychainStore)]
        {
            #expect(
                code { _ = try Move.run(from: source, to: target, Self.options(deletesSource: true)) } == .unsupported)
            #expect(try source.password("anna") != nil)
        }
        // Two objects for one store, which look like two stores.
        let alias = InterferingStore(memory) {}
        let hidden = HiddenStore(memory)
        #expect(code { _ = try Move.run(from: hidden, to: alias, Self.options(deletesSource: true)) } == .unsupported)
        #expect(try memory.content().count == 1)
    }

    /// A store of two places has its items in one of them. Nothing is deleted from there, not even for a moment: a move that is
    /// killed then would lose the item.
    @Test func placeOfADividedStore_isTheSamePlace() throws {
        let store = try embeddedStore(folder), again = try embeddedStore(folder)
        let memory = InMemoryStore()
        for store in [store, memory] as [any KeychainStore] {
            try store.insert(.password("anna", more: [.synchronizable: .integer(store is InMemoryStore ? 1 : 0)]))
        }
        let divided = SynchronizingStore(local: again, shared: memory)
        for (source, target) in [
            (divided, store), (store, divided), (divided, memory), (memory, divided), (divided, divided),
        ]
            as [(any KeychainStore, any KeychainStore)]
        {
            #expect {
                _ = try Move.run(from: source, to: target, Self.options(deletesSource: true))
            } throws: { error in
                (error as? StoreError)?.message == "the two names mean the same keychain"
            }
        }
        #expect(try divided.content().count == 2)
    }

    @Test func lockedStore_movesNothing() throws {
        let source = try embeddedStore(folder, "from", passphrase: "x"), target = InMemoryStore()
        try source.insert(.password("anna"))
        try source.lock()
        #expect(code { _ = try Move.run(from: source, to: target, Self.options(deletesSource: true)) } == .locked)
        #expect(try target.content().isEmpty)
    }
}

/// A store that runs a closure after each insert.
private final class InterferingStore: ForwardingStore {
    let base: any KeychainStore
    private let interfere: @Sendable () -> Void

    init(_ base: any KeychainStore, _ interfere: @escaping @Sendable () -> Void) {
        self.base = base
        self.interfere = interfere
    }

    func insert(_ record: ItemRecord, interaction: Interaction) throws(StoreError) {
        try base.insert(record, interaction: interaction)
        interfere()
    }
}

/// A store whose identity cannot be determined.
private struct HiddenStore: KeychainStore {
    let base: InMemoryStore
    init(_ base: InMemoryStore) { self.base = base }
    var summary: String { "hidden" }
    var isPassphraseProtected: Bool { false }

    func insert(_ record: ItemRecord, interaction: Interaction) throws(StoreError) {
        try base.insert(record, interaction: interaction)
    }
    func records(
        matching filter: RecordFilter, parts: RecordParts, limit: Int?, interaction: Interaction
    ) throws(StoreError) -> [ItemRecord] {
        try base.records(matching: filter, parts: parts, limit: limit, interaction: interaction)
    }
    func update(_ steps: [RecordUpdate], interaction: Interaction) throws(StoreError) -> Int {
        try base.update(steps, interaction: interaction)
    }
    func delete(_ steps: [RecordDeletion], interaction: Interaction) throws(StoreError) -> Int {
        try base.delete(steps, interaction: interaction)
    }
}
