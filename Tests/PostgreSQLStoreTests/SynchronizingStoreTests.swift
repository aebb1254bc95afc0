// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Foundation
    import SecItemConformance
    import SecItemPostgreSQL
    import SecItemSQLite
    import SecItemSealing
    import SecItemStore
    import SecItemSynchronizing
    import Synchronization
    import TestSupport
    import Testing

    /// Synchronizable items in PostgreSQL with a copy on the machine, and all others in SQLite.
    @Suite(.timeLimit(.minutes(60)))
    struct SynchronizingStoreTests {
        private let server: PrivateServer
        private let folder: TemporaryFolder

        init() throws {
            server = try PrivateServer()
            folder = try TemporaryFolder()
        }

        /// A machine of the fleet: a store of its own, a copy, and the shared keychain.
        private struct Machine {
            let store: SynchronizingStore
            let copy: SQLiteStore
            let shared: PostgreSQLStore
            let remote: ReplicatedStore
            let copyFolder: String

            /// What the copy has, by account.
            func copied() throws -> [String: String] {
                var result: [String: String] = [:]
                for record in try find(copy, .any) { result[record.account] = record.comment }
                return result
            }
        }

        private func machine(_ name: String, keychain: String = "default") throws -> Machine {
            let shared = PostgreSQLStore(
                PostgreSQLServer(server.owner), name: keychain, keyFile: folder.path + "/key")
            let copyFolder = "\(folder.path)/\(name)/copies/default"
            let local = try SQLiteStore(
                madeWhenNeeded: StoreLocation(folder: "\(folder.path)/\(name)"), protector: KeyFileProtector(),
                cache: .none)
            let copy = try SQLiteStore(
                madeWhenNeeded: StoreLocation(folder: copyFolder), protector: KeyFileProtector(), cache: .none)
            let remote = ReplicatedStore(shared, copy: copy, folder: copyFolder)
            return Machine(
                store: SynchronizingStore(local: local, shared: remote), copy: copy, shared: shared, remote: remote,
                copyFolder: copyFolder)
        }

        // MARK: Promises of every store

        @Test func store_keepsEveryPromise() throws {
            let offers: ConformanceCase.Needs = [.lock, .anyBytes, .manySecrets, .isolation, .noPassphrase]
            let cases = ConformanceSuite.cases.filter { $0.needs.isSubset(of: offers) }
            #expect(!cases.isEmpty)
            for conformanceCase in cases {
                let name = UUID().uuidString
                do {
                    let machine = try machine(name, keychain: name)
                    try conformanceCase.run(on: ConformanceKeychain(store: machine.store))
                } catch {
                    Issue.record("\(conformanceCase): \(error)")
                }
            }
        }

        // MARK: The copy

        /// A new process that never reaches the server finds what the last one left.
        @Test func serverAway_newProcessReadsTheCopy_andWritesNothing() throws {
            let first = try machine("machine")
            try first.store.insert(record("shared", isSynchronizable: true), interaction: .forbidden)
            try first.store.insert(record("own", isSynchronizable: false), interaction: .forbidden)
            try server.control("stop")
            let second = try machine("machine").store
            #expect(try find(second, .any).map(\.account).sorted() == ["own", "shared"])
            let secret = try #require(try find(second, .yes).first?.secrets[.valueData])
            #expect(secret.withUnsafeBytes { Data($0) } == Data("secret of shared".utf8))
            #expect(second.summary.contains("cannot be reached"))
            let failures = [
                storeError { try second.insert(record("new", isSynchronizable: true), interaction: .forbidden) },
                storeError {
                    try second.update(matching: filter(nil, .any), applying: comment("x"), interaction: .forbidden)
                },
                storeError { try second.delete(matching: filter(nil, .any), interaction: .forbidden) },
            ]
            #expect(failures.map { $0?.code } == [.unavailable, .unavailable, .unavailable])
            #expect(try find(second, .any).map(\.comment) == ["", ""])
            // What stays on the machine needs no server.
            #expect(try second.delete(matching: filter(nil, .no), interaction: .forbidden) == 1)
            #expect(try find(second, .any).map(\.account) == ["shared"])
        }

        /// No copy is used if it is one of another keychain, or if there is no record of what it contains.
        @Test func copyOfAnotherKeychain_isNotUsed() throws {
            let first = try machine("machine", keychain: "first")
            try first.store.insert(record("of the first", isSynchronizable: true), interaction: .forbidden)
            // The same configuration finds another keychain.
            let second = try machine("machine", keychain: "second")
            try second.shared.insert(record("of the second", isSynchronizable: true), interaction: .forbidden)
            #expect(try find(second.store, .any).map(\.account) == ["of the second"])
            #expect(try second.copied().keys.sorted() == ["of the second"])
            try server.control("stop")
            #expect(try find(second.store, .any).map(\.account) == ["of the second"])
            unlink(second.copyFolder + "/contents")
            #expect(storeError { try find(second.store, .any) }?.code == .unavailable)
        }

        /// A copy that cannot be opened keeps nothing else open.
        @Test func damagedCopy_doesNotKeepTheKeychainFromBeingLocked() throws {
            let machine = try machine("machine")
            try machine.store.insert(record("shared", isSynchronizable: true), interaction: .forbidden)
            #expect(!machine.shared.isLocked)
            // The folder of a store that is damaged only after the copy was found to be in order.
            let damaged = folder.path + "/damaged"
            let copy = try SQLiteStore(
                madeWhenNeeded: StoreLocation(folder: damaged), protector: KeyFileProtector(), mayAsk: false,
                cache: .none)
            try FileManager.default.copyItem(atPath: machine.copyFolder, toPath: damaged)
            try Data("damage".utf8).write(to: URL(fileURLWithPath: damaged + "/items.db"))
            let store = ReplicatedStore(machine.shared, copy: copy, folder: damaged)
            try store.lock()
            #expect(machine.shared.isLocked)
        }

        /// Others read nothing of it.
        @Test func copy_isSealed_andOfThisUserOnly() throws {
            let machine = try machine("machine")
            let item = record("name-of-the-account", isSynchronizable: true, comment: "text-of-the-comment")
            try machine.store.insert(item, interaction: .forbidden)
            let files = try FileManager.default.contentsOfDirectory(atPath: machine.copyFolder)
            #expect(files.contains("contents") && files.contains("items.db"))
            for file in files {
                let path = machine.copyFolder + "/" + file
                var status = stat()
                #expect(stat(path, &status) == 0 && status.st_mode & 0o077 == 0, "\(file)")
                let content = try Data(contentsOf: URL(fileURLWithPath: path))
                for text in ["name-of-the-account", "text-of-the-comment"] {
                    #expect(content.range(of: Data(text.utf8)) == nil)
                }
            }
        }

        /// While a server says nothing, look-ups do not wait for it one after another: only the first does.
        @Test func silentServer_isAskedByOneLookUp() throws {
            try machine("machine").store.insert(record("shared", isSynchronizable: true), interaction: .forbidden)
            var limits = PostgreSQLLimits.standard
            (limits.call, limits.connecting) = (1, 1)
            let counting = CountingStore(
                PostgreSQLStore(
                    PostgreSQLServer(server.owner, limits: limits), keyFile: folder.path + "/key"))
            let copyFolder = folder.path + "/machine/copies/default"
            let store = ReplicatedStore(
                counting,
                copy: try SQLiteStore(
                    madeWhenNeeded: StoreLocation(folder: copyFolder), protector: KeyFileProtector(), cache: .none),
                folder: copyFolder, patience: 0.01)
            try server.freeze()
            // Longer than the patience, and until attempts on another thread have failed too.
            let news = ReceivedNews()
            let observation = counting.observe(after: 0) { news.add($0) }
            while news.all.count < 3 {
                try Task.checkCancellation()
                #expect(try find(store, .yes).map(\.account) == ["shared"])
            }
            #expect(counting.recordsCount == 1)
            try server.thaw()
            try wait {
                _ = try find(store, .yes)
                return counting.recordsCount > 1
            }
            withExtendedLifetime(observation) {}
        }

        /// Changes and deletions of other machines arrive in the copy without a call.
        @Test func changesOfOthers_arriveInTheCopy() throws {
            let own = try machine("own"), other = try machine("other")
            try own.store.insert(record("first", isSynchronizable: true), interaction: .forbidden)
            for number in 0..<40 {
                try other.store.insert(record("item \(number)", isSynchronizable: true), interaction: .forbidden)
            }
            _ = try other.store.delete(matching: filter("first", .yes), interaction: .forbidden)
            _ = try other.store.update(
                matching: filter("item 7", .yes), applying: comment("new"), interaction: .forbidden)
            var expected = Dictionary(uniqueKeysWithValues: (0..<40).map { ("item \($0)", "") })
            expected["item 7"] = "new"
            try wait { try own.copied() == expected }
            try wait { try other.copied() == expected }
        }

        /// However fast another machine writes, there is a pause between two comparisons, and the last change arrives.
        @Test func comparisons_haveAPause_andTheLastChangeArrives() throws {
            let other = try machine("other"), copyFolder = folder.path + "/own"
            let counting = CountingStore(
                PostgreSQLStore(PostgreSQLServer(server.owner), keyFile: folder.path + "/key"))
            let copy = try SQLiteStore(
                madeWhenNeeded: StoreLocation(folder: copyFolder), protector: KeyFileProtector(), cache: .none)
            let store = ReplicatedStore(counting, copy: copy, folder: copyFolder)
            try store.insert(record("first", isSynchronizable: true), interaction: .forbidden)
            // Until the listener's first comparison.
            while counting.comparisons.count < 2 {
                try Task.checkCancellation()
                usleep(5_000)
            }
            for number in 0..<100 {
                try other.store.insert(record("item \(number)", isSynchronizable: true), interaction: .forbidden)
                usleep(20_000)
            }
            try wait { try find(copy, .any).count == 101 }
            let moments = counting.comparisons
            for (earlier, later) in zip(moments.dropFirst(), moments.dropFirst(2)) {
                #expect(later - earlier >= .seconds(1))
            }
        }

        /// Items that change are in the copy at each moment, with their old values or their new ones.
        @Test func itemsThatChange_areInTheCopyAtEachMoment() throws {
            let own = try machine("own"), other = try machine("other")
            let records = (0..<60).map { record("item \($0)", isSynchronizable: true) }
            try own.store.insert(records, interaction: .forbidden)
            var last = ""
            for round in 0..<4 {
                let next = "round \(round)"
                let count = try other.store.update(
                    matching: filter(nil, .yes), applying: comment(next), interaction: .forbidden)
                #expect(count == records.count)
                var found: [String: String] = [:]
                repeat {
                    try Task.checkCancellation()
                    found = try own.copied()
                    #expect(found.count == records.count)
                    #expect(found.values.allSatisfy { $0 == last || $0 == next })
                } while !found.values.allSatisfy { $0 == next }
                #expect(try values(find(own.shared, .any)) == found)
                last = next
            }
        }

        /// A copy that needs its passphrase is written once somebody unlocks it.
        @Test func lockedCopy_isWrittenOnceItIsUnlocked() throws {
            let first = try machine("machine")
            try first.store.insert(record("first", isSynchronizable: true), interaction: .forbidden)
            try first.store.insert(record("own", isSynchronizable: false), interaction: .forbidden)
            let passphrase = Secret(Data("passphrase".utf8))
            try first.store.setPassphrase(passphrase, current: nil)
            try first.store.insert(record("second", isSynchronizable: true), interaction: .forbidden)
            #expect(try first.copied().keys.sorted() == ["first", "second"])
            // A new process has no passphrase yet. Without the record, everything has to be written.
            unlink(first.copyFolder + "/contents")
            let second = try machine("machine"), store = second.remote
            #expect(try find(store, .any).count == 2)
            #expect(second.copy.isLocked)
            _ = storeError { try second.store.unlock(passphrase: Secret(Data("wrong".utf8))) }
            #expect(second.copy.isLocked)
            try second.store.unlock(passphrase: passphrase)
            #expect(!second.copy.isLocked)
            // A comparison may be at rest on another thread, which goes on now.
            try wait {
                _ = try find(store, .any)
                return FileManager.default.fileExists(atPath: second.copyFolder + "/contents")
            }
            #expect(try second.copied().keys.sorted() == ["first", "second"])
            try second.store.lock()
            #expect(second.store.isLocked && second.copy.isLocked)
            try second.store.unlock(passphrase: passphrase)
            #expect(!second.copy.isLocked)
            try server.control("stop")
            #expect(try find(store, .any).count == 2)
        }

        /// Items that may not leave the machine stay on it.
        @Test func itemsOfThisDeviceOnly_neverLeaveIt() throws {
            let own = try machine("own"), other = try machine("other")
            let item = record("bound", isSynchronizable: true, .afterFirstUnlockThisDeviceOnly)
            try own.store.insert(item, interaction: .forbidden)
            #expect(try find(own.store, .yes).map(\.account) == ["bound"])
            #expect(try find(other.store, .any).isEmpty)
            #expect(try find(own.shared, .any).isEmpty)
            // The primary key is unique in both places together.
            let twin = record("bound", isSynchronizable: true)
            #expect(storeError { try own.store.insert(twin, interaction: .forbidden) }?.code == .duplicate)
            // Once it may leave, it does, and keeps its reference.
            let free = RecordChanges(
                attributes: [.accessible: .string(Accessible.afterFirstUnlock.rawValue)], secrets: [:])
            #expect(try own.store.update(matching: filter("bound", .yes), applying: free, interaction: .forbidden) == 1)
            #expect(try find(other.store, .any).map(\.reference) == [item.reference])
            #expect(try find(own.store, .any).map(\.reference) == [item.reference])
        }

        /// A process that is killed in the middle of anything loses nothing that it reported, and the copy becomes equal.
        @Test func killedProcess_losesNothing_andTheCopyRecovers() throws {
            let machine = try machine("machine")
            try machine.store.insert(record("first", isSynchronizable: true), interaction: .forbidden)
            for _ in 0..<4 {
                let program = try Program.built(
                    "PostgreSQLProbe", ["churn", server.owner, folder.path + "/key", folder.path + "/machine"]
                ).start()
                while program.outputSoFar.components(separatedBy: "kept").count < 12 { usleep(1_000) }
                program.kill()
                let lines = program.outputSoFar.components(separatedBy: "\n").dropLast()
                let kept = Set(lines.filter { $0.hasPrefix("kept ") }.map { String($0.dropFirst(5)) })
                let lost = Set(lines.filter { $0.hasPrefix("lost ") }.map { String($0.dropFirst(5)) })
                let found = try find(machine.store, .any)
                #expect(Set(found.map(\.reference)).count == found.count)
                let accounts = Set(found.map(\.account))
                #expect(accounts.isSuperset(of: kept) && accounts.isDisjoint(with: lost))
                let shared = try values(find(machine.shared, .any))
                try wait { try machine.copied() == shared }
            }
        }

        // MARK: Moves

        /// The last value that anybody was told is stored is there after a move, or the move failed. The updates come from
        /// another process of this machine while the item is here, and from another machine while it is shared.
        @Test(arguments: [true, false]) func moves_loseNoUpdateOfOthers(fromShared: Bool) throws {
            let own = try machine("own")
            let other = try machine(fromShared ? "other" : "own")
            let scope = fromShared ? Scope.yes : .no
            let move = RecordChanges(attributes: [.synchronizable: .integer(fromShared ? 0 : 1)], secrets: [:])
            for round in 0..<10 {
                let account = "item \(round)"
                try own.store.insert(record(account, isSynchronizable: fromShared), interaction: .forbidden)
                let last = Mutex<Result<String, any Error>>(.success(""))
                let begun = DispatchSemaphore(value: 0), ended = DispatchSemaphore(value: 0)
                Thread.detachNewThread {
                    var number = 0
                    let result = Result {
                        while true {
                            let text = "update \(number + 1)"
                            let count = try other.store.update(
                                matching: filter(account, scope), applying: comment(text), interaction: .forbidden)
                            if count == 0 { return "update \(number)" }
                            number += 1
                            last.withLock { $0 = .success(text) }
                            begun.signal()
                            // A server that is never idle would let no move through.
                            usleep(UInt32.random(in: 0..<8_000))
                            if number == 400 { return text }
                        }
                    }
                    last.withLock { $0 = result }
                    begun.signal()
                    ended.signal()
                }
                begun.wait()
                let error = storeError {
                    try own.store.update(matching: filter(account, scope), applying: move, interaction: .forbidden)
                }
                #expect(error == nil || error?.code == .unavailable)
                ended.wait()
                let found = try find(own.store, .any).filter { $0.account == account }
                #expect(found.map(\.comment) == [try last.withLock { try $0.get() }], "round \(round)")
                #expect(found.map(\.isShared) == [(error == nil) != fromShared])
            }
        }

        /// What may happen to an item that an interrupted move has left in both places.
        enum AfterInterruption: CaseIterable {
            case moveToShared, moveToLocal, update, deletion
        }

        /// The next change of such an item leaves one record, with the newer values, and counts one item.
        @Test(arguments: AfterInterruption.allCases) func interruptedMove_isMendedByTheNextChange(
            _ next: AfterInterruption
        ) throws {
            let machine = try machine("machine")
            for (isSharedNewer, isDifferent) in [(true, true), (true, false), (false, true), (false, false)] {
                // A filter for the place that the newer record is in.
                let narrow: [Scope] = next == .moveToShared && !isSharedNewer ? [.no] : []
                for scope in [.any] + narrow + (next == .moveToLocal && isSharedNewer ? [.yes] : []) {
                    let account = UUID().uuidString, context: Comment = "\(isSharedNewer), \(isDifferent), \(scope)"
                    let old = record(
                        account, isSynchronizable: !isSharedNewer, comment: isDifferent ? "old" : "new")
                    var attributes = old.attributes
                    attributes[.comment] = .string("new")
                    attributes[.synchronizable] = .integer(isSharedNewer ? 1 : 0)
                    attributes[.modificationDate] = .date(Date() + 1)
                    let new = ItemRecord(reference: old.reference, attributes: attributes, secrets: old.secrets)
                    try machine.store.local.insert(isSharedNewer ? old : new, interaction: .forbidden)
                    try machine.store.shared.insert(isSharedNewer ? new : old, interaction: .forbidden)
                    var changes: [ItemAttribute: AttributeValue] = [.label: .string("x")]
                    var isShared = isSharedNewer
                    if next == .moveToShared || next == .moveToLocal {
                        isShared = next == .moveToShared
                        changes[.synchronizable] = .integer(isShared ? 1 : 0)
                    }
                    let count =
                        next == .deletion
                        ? try machine.store.delete(matching: filter(account, scope), interaction: .forbidden)
                        : try machine.store.update(
                            matching: filter(account, scope),
                            applying: RecordChanges(attributes: changes, secrets: [:]), interaction: .forbidden)
                    #expect(count == 1, context)
                    let found = try find(machine.store.local, .any) + find(machine.store.shared, .any)
                    let values = found.filter { $0.account == account }.map {
                        "\($0.comment) \($0.isShared) \($0.attributes[.label]?.string ?? "")"
                    }
                    #expect(values == (next == .deletion ? [] : ["new \(isShared) x"]), context)
                }
            }
        }

        // MARK: Random histories

        /// Random calls, on a server that stops, dies and starts again, while another machine changes items too. Each call
        /// gives what a model says. While the server is away, look-ups give each item as it was at some time since the copy
        /// was last known to be equal, and changes of synchronizable items change nothing anywhere.
        @Test(arguments: RandomRounds.usually(2)) func randomCalls_agreeWithTheModel(number: Int) throws {
            let seed = (RandomSeed.wanted ?? 1) &+ UInt64(number)
            var random = SeededGenerator(seed: seed)
            let machine = try machine("machine"), other = try self.machine("other")
            var model = Model()
            var isUp = true
            // Without a copy, look-ups fail.
            try machine.store.insert(record("account 0", isSynchronizable: true), interaction: .forbidden)
            model.set("account 0", "", true)
            for step in 0..<160 {
                let account = "account \(Int.random(in: 0..<6, using: &random))"
                let scope = Scope.allCases.randomElement(using: &random) ?? .any
                let text = "text \(step)"
                let context: Comment = "seed \(seed), step \(step), \(account), \(scope)"
                switch Int.random(in: 0..<20, using: &random) {
                case 0..<5:
                    let isSynchronizable = scope != .no
                    let item = record(account, isSynchronizable: isSynchronizable, comment: text)
                    let error = storeError { try machine.store.insert(item, interaction: .forbidden) }
                    if isSynchronizable && !isUp {
                        #expect(error?.isOutOfReach == true, context)
                    } else {
                        let isThere = isSynchronizable ? model.shared[account] != nil : model.own[account] != nil
                        #expect(error?.code == (isThere ? .duplicate : nil), context)
                        if !isThere { model.set(account, text, isSynchronizable) }
                    }
                case 5..<8:
                    let count = Result { () throws in
                        try machine.store.update(
                            matching: filter(account, scope), applying: comment(text), interaction: .forbidden)
                    }
                    if check(count, model.count(account, scope), scope, isUp, context) {
                        model.replace(account, text, scope)
                    }
                case 8..<11:
                    let count = Result { () throws in
                        try machine.store.delete(matching: filter(account, scope), interaction: .forbidden)
                    }
                    if check(count, model.count(account, scope), scope, isUp, context) {
                        model.replace(account, nil, scope)
                    }
                case 11:
                    // Moves an item to the shared place.
                    let changes = RecordChanges(attributes: [.synchronizable: .integer(1)], secrets: [:])
                    let count = Result { () throws in
                        try machine.store.update(
                            matching: filter(account, .no), applying: changes, interaction: .forbidden)
                    }
                    guard let text = model.own[account] else {
                        if isUp { #expect(try count.get() == 0, context) }
                        continue
                    }
                    if isUp, model.shared[account] == nil {
                        #expect(try count.get() == 1, context)
                        model.own[account] = nil
                        model.set(account, text, true)
                    } else {
                        let error = storeError { try count.get() }
                        #expect(isUp ? error?.code == .duplicate : error?.isOutOfReach == true, context)
                    }
                case 12..<14:
                    guard isUp else { continue }
                    if model.shared[account] == nil {
                        try other.store.insert(
                            record(account, isSynchronizable: true, comment: text), interaction: .forbidden)
                        model.setByOther(account, text)
                    } else {
                        _ = try other.store.delete(matching: filter(account, .yes), interaction: .forbidden)
                        model.setByOther(account, nil)
                    }
                case 14:
                    if isUp {
                        if Bool.random(using: &random) {
                            try wait { try machine.copied() == model.shared }
                            model.settle()
                        }
                        try server.control(Bool.random(using: &random) ? "stop" : "kill")
                    } else {
                        try server.control("start")
                    }
                    isUp.toggle()
                default:
                    var own = model.own, shared: [String: String] = [:]
                    for record in try find(machine.store, scope) {
                        if record.isShared {
                            #expect(shared.updateValue(record.comment, forKey: record.account) == nil, context)
                        } else {
                            #expect(own.removeValue(forKey: record.account) == record.comment, context)
                        }
                    }
                    #expect(own.isEmpty || scope == .yes, context)
                    if scope == .no {
                        #expect(shared.isEmpty, context)
                    } else {
                        #expect(model.allows(shared), context)
                    }
                }
            }
            if !isUp { try server.control("start") }
            // It recovers by itself, and nothing is lost or left over in either place.
            try wait { try values(find(machine.store, .yes)) == model.shared }
            #expect(try values(find(machine.store, .no)) == model.own)
            #expect(try values(find(other.shared, .any)) == model.shared)
            try wait { try machine.copied() == model.shared }
        }

        /// Whether the call has changed something. Records a failure if its result is not that of the model.
        private func check(
            _ result: Result<Int, any Error>, _ count: Int, _ scope: Scope, _ isUp: Bool, _ context: Comment
        ) -> Bool {
            switch result {
            case .success(let changed):
                #expect(changed == count && (isUp || scope == .no), context)
                return true
            case .failure(let error):
                #expect(!isUp && scope != .no && (error as? StoreError)?.isOutOfReach == true, context)
                return false
            }
        }

        private func values(_ records: [ItemRecord]) -> [String: String] {
            Dictionary(records.map { ($0.account, $0.comment) }, uniquingKeysWith: { $0 + " and " + $1 })
        }

        private func wait(until isTrue: () throws -> Bool) throws {
            while try !isTrue() {
                try Task.checkCancellation()
                usleep(5_000)
            }
        }
    }

    /// Counts the look-ups in the shared store, and the comparisons.
    private final class CountingStore: SharedStore {
        private let base: PostgreSQLStore
        private let count = Mutex(0)
        private let moments = Mutex<[ContinuousClock.Instant]>([])

        init(_ base: PostgreSQLStore) { self.base = base }

        var recordsCount: Int { count.withLock { $0 } }
        /// When the contents were asked for.
        var comparisons: [ContinuousClock.Instant] { moments.withLock { $0 } }

        var summary: String { base.summary }
        var summaryOfPlace: String { base.summaryOfPlace }
        var isPassphraseProtected: Bool { base.isPassphraseProtected }
        var isLocked: Bool { base.isLocked }
        func lock() throws(StoreError) { try base.lock() }
        func unlock(passphrase: Secret?) throws(StoreError) { try base.unlock(passphrase: passphrase) }
        func openedKeychain() throws(StoreError) -> [UInt8] { try base.openedKeychain() }

        func contents() throws(StoreError) -> SharedContents {
            moments.withLock { $0.append(.now) }
            return try base.contents()
        }

        func observe(
            after pause: Double, _ observer: @escaping @Sendable (SharedNews) -> Void
        ) -> any Sendable { base.observe(after: pause, observer) }

        func insert(_ record: ItemRecord, interaction: Interaction) throws(StoreError) {
            try base.insert(record, interaction: interaction)
        }

        func records(
            matching filter: RecordFilter, parts: RecordParts, limit: Int?, interaction: Interaction
        ) throws(StoreError) -> [ItemRecord] {
            count.withLock { $0 += 1 }
            return try base.records(matching: filter, parts: parts, limit: limit, interaction: interaction)
        }

        func update(_ steps: [RecordUpdate], interaction: Interaction) throws(StoreError) -> Int {
            try base.update(steps, interaction: interaction)
        }

        func delete(_ steps: [RecordDeletion], interaction: Interaction) throws(StoreError) -> Int {
            try base.delete(steps, interaction: interaction)
        }
    }

    /// What both places should contain.
    private struct Model {
        var own: [String: String] = [:]
        private(set) var shared: [String: String] = [:]
        /// What each account may have in the copy.
        private var history: [String: Set<String?>] = [:]

        mutating func set(_ account: String, _ text: String?, _ isSynchronizable: Bool) {
            guard isSynchronizable else { return own[account] = text }
            shared[account] = text
            // What another machine did before may arrive in the copy later.
            history[account, default: []].insert(text)
        }

        mutating func setByOther(_ account: String, _ text: String?) {
            history[account, default: [shared[account]]].insert(text)
            history[account]?.insert(shared[account])
            shared[account] = text
        }

        /// The copy is equal now.
        mutating func settle() {
            history = [:]
            for (account, text) in shared { history[account] = [text] }
        }

        func count(_ account: String, _ scope: Scope) -> Int {
            (scope != .yes && own[account] != nil ? 1 : 0) + (scope != .no && shared[account] != nil ? 1 : 0)
        }

        mutating func replace(_ account: String, _ text: String?, _ scope: Scope) {
            if scope != .yes, own[account] != nil { own[account] = text }
            if scope != .no, shared[account] != nil { set(account, text, true) }
        }

        func allows(_ found: [String: String]) -> Bool {
            Set(found.keys).union(shared.keys).union(history.keys).allSatisfy { account in
                found[account] == shared[account] || history[account]?.contains(found[account]) == true
            }
        }
    }

    /// The values of synchronizable that a filter matches.
    private enum Scope: CaseIterable {
        case yes, no, any
    }

    private func filter(_ account: String?, _ scope: Scope) -> RecordFilter {
        var attributes: [ItemAttribute: AttributeValue] = [:]
        if let account { attributes[.account] = .string(account) }
        if scope != .any { attributes[.synchronizable] = .integer(scope == .yes ? 1 : 0) }
        return RecordFilter(itemClass: .genericPassword, attributes: attributes)
    }

    private func find(_ store: any KeychainStore, _ scope: Scope) throws -> [ItemRecord] {
        try store.records(
            matching: filter(nil, scope), parts: [.attributes, .secrets], limit: nil, interaction: .forbidden)
    }

    private func comment(_ text: String) -> RecordChanges {
        RecordChanges(attributes: [.comment: .string(text)], secrets: [:])
    }

    private func record(
        _ account: String, isSynchronizable: Bool, _ accessible: Accessible = .afterFirstUnlock, comment: String = ""
    ) -> ItemRecord {
        .password(
            account, accessible,
            [
                .comment: .string(comment), .synchronizable: .integer(isSynchronizable ? 1 : 0),
                .creationDate: .date(Date()), .modificationDate: .date(Date()),
            ])
    }

    extension ItemRecord {
        fileprivate var account: String { attributes[.account]?.string ?? "" }
        fileprivate var comment: String { attributes[.comment]?.string ?? "" }
        fileprivate var isShared: Bool { attributes[.synchronizable]?.integer == 1 }
    }
#endif
