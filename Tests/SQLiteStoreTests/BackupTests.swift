// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemConformance
import SecItemStore
import TestSupport
import Testing

@testable import SecItemSQLite

/// A copy of the whole folder, made while nothing writes, is a backup.
@Suite struct BackupTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private var location: StoreLocation { folder.location }

    /// Copies the folder, as `cp -a` does.
    private func copy(_ location: StoreLocation) throws -> StoreLocation {
        let copy = StoreLocation(folder: folder.path + "/" + UUID().uuidString)
        try FileManager.default.copyItem(atPath: location.folder, toPath: copy.folder)
        return copy
    }

    private func contents(_ store: SQLiteStore) throws -> [String: Data?] {
        let found = try store.find(RecordFilter(itemClass: .genericPassword))
        return Dictionary(uniqueKeysWithValues: found.map { ($0.accountName ?? "", $0.secretData) })
    }

    private func sizeOfLog(_ location: StoreLocation) -> Int {
        (try? Data(contentsOf: URL(fileURLWithPath: location.databasePath + "-wal")).count) ?? 0
    }

    @Test(arguments: ["alive", "killed", "ended"])
    func copy_ofAProcessThatIs_hasEverything(_ state: String) throws {
        let probe = try Program.built("StoreProbe", ["add", location.folder, "5"]).start()
        try probe.waitFor(line: "ready")
        switch state {
        case "killed": probe.send(SIGKILL)
        case "ended": #expect(try probe.waitUntilExit().status == 0)
        default: break
        }
        if state == "killed" { #expect(try probe.waitUntilExit().status == -SIGKILL) }
        // The last process that ends leaves everything in the database.
        #expect((sizeOfLog(location) == 0) == (state == "ended"))
        let store = try openStore(copy(location))
        let found = try store.find(.password(service: "probe"))
        #expect(found.map(\.accountName) == ["0", "1", "2", "3", "4"])
        #expect(found.map(\.secretData) == (0..<5).map { Data("secret \($0)".utf8) })
        try store.verify()
    }

    /// Copies after each kind of write, of every size, while others read.
    @Test func copy_afterEachWrite_isTheStore() throws {
        var generator = SeededGenerator()
        let store = try openStore(location)
        let isOver = Shared(false)
        let reader = Worker { while !isOver.value { _ = try? store.find(RecordFilter(itemClass: .genericPassword)) } }
        defer {
            isOver.change { $0 = true }
            reader.join()
        }
        for round in 0..<40 {
            let account = "\(Int.random(in: 0..<8, using: &generator))"
            let size = [3, 700, 5_000, 90_000].randomElement(using: &generator) ?? 0
            let secret = Data((0..<size).map { _ in UInt8.random(in: 0...255, using: &generator) })
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: try store.delete(.password(account: account))
            case 1: try store.update(.password(account: account), [.label: .string("\(round)")], secret: secret)
            default: try? store.insert(.password(account: account, secret: secret))
            }
            #expect(try contents(openStore(copy(location))) == contents(store), "round \(round)")
        }
    }

    /// A log does not grow for ever: after about a thousand pages, a writer moves it into the database.
    @Test func log_isMovedFromTimeToTime() throws {
        let store = try openStore(location)
        for number in 0..<60 { try store.insert(.password(account: "\(number)", secret: Data(count: 200_000))) }
        #expect(sizeOfLog(location) < 9_000_000)
        #expect(try contents(openStore(copy(location))).count == 60)
        try store.connection.close()
        #expect(sizeOfLog(location) == 0)
    }

    /// Whatever is cut off the end of the log, the store is as it was after one of the writes.
    @Test func logCutAnywhere_isAnEarlierState() throws {
        let store = try openStore(location)
        for number in 0..<5 { try store.insert(.password(account: "\(number)", secret: Data(count: number * 3_000))) }
        let states = (0...5).map { (0..<$0).map(String.init) }
        var seen: Set<[String]> = []
        let whole = sizeOfLog(location)
        for length in Array(stride(from: 0, to: whole, by: 1_500)) + [whole] {
            let copy = try copy(location)
            unlink(copy.databasePath + "-shm")
            #expect(truncate(copy.databasePath + "-wal", length) == 0)
            let cut = try openStore(copy)
            let found = try contents(cut).keys.sorted()
            #expect(states.contains(found), "\(length)")
            seen.insert(found)
            try cut.verify()
        }
        #expect(seen.count == states.count)
        withExtendedLifetime(store) {}
    }

    // MARK: On the way to the disk

    @Test func writes_areOnDiskWhenTheyReturn() throws {
        let store = try openStore(location)
        try store.insert(.password())
        // FULL: each commit flushes the log to the disk.
        #expect(try store.connection.write { try $0.number("PRAGMA synchronous") } == 2)
    }

    @Test func add_goesToTheDiskOnce_lookUpNever() throws {
        let probe = try Program.built(
            "StoreProbe", ["count-syncs", location.folder], adding: ["PROBE_COUNTS_SYNCS": "1"])
        let lines = try probe.run().lines
        #expect(lines.count == 12, "\(lines)")
        for line in lines.prefix(10) { #expect(line == "add: items.db-wal") }
        #expect(lines.dropLast().last == "look-up: ")
    }
}

/// Other parts of the process, and other programs, that use the database's files at the same time.
@Suite struct SharedFileTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private var location: StoreLocation { folder.location }

    private func accounts(_ store: SQLiteStore) throws -> Set<String> {
        Set(try store.find(RecordFilter(itemClass: .genericPassword)).compactMap(\.accountName))
    }

    /// If the program itself copies a file, it loses SQLite's locks, because closing any descriptor of a file releases
    /// all of the process's locks on it. A process that then seems to be the last user empties the log, and loses nothing.
    @Test func copyFromWithin_thenAnotherProcessThatEnds_losesNothing() throws {
        let store = try openStore(location)
        var expected: Set<String> = []
        for round in 0..<4 {
            try store.insert(.password(account: "own \(round)"))
            expected.insert("own \(round)")
            _ = try Data(contentsOf: URL(fileURLWithPath: location.databasePath))
            #expect(try Program.built("StoreProbe", ["add", location.folder, "3"]).run().status == 0)
            try store.delete(.password(service: "probe", account: "1"))
            expected.formUnion(["0", "2"])
            #expect(try accounts(store) == expected, "round \(round)")
            let other = Worker { try? store.insert(.password(account: "thread")) }
            other.join()
            try store.delete(.password(account: "thread"))
            try store.delete(.password(service: "probe", account: "0"))
            try store.delete(.password(service: "probe", account: "2"))
            expected.subtract(["0", "2"])
        }
        try store.verify()
        // Another process sees the same.
        let probe = try Program.built("StoreProbe", ["count", location.folder]).run()
        #expect(probe.lines == ["\(expected.count)"], "\(probe)")
    }

    /// Items that would go into a log without a name would be gone with the process. Those from before are in the
    /// database when the store is closed.
    @Test func deletedLog_takesNoMoreItems() throws {
        do {
            let store = try openStore(location)
            try store.insert(.password(account: "before"))
            #expect(unlink(location.logPath) == 0)
            expect(.unavailable) { try store.insert(.password(account: "after")) }
            #expect(try accounts(store) == ["before"])
        }
        let store = try openStore(location)
        #expect(try accounts(store) == ["before"])
        try store.insert(.password(account: "again"))
        try store.verify()
    }

    /// The items of a process that writes without the deleted log are not overwritten with older pages.
    @Test func deletedLog_isNotMovedIntoWhatOthersWroteSince() throws {
        do {
            let store = try openStore(location)
            for number in 0..<3 { try store.insert(.password(account: "\(number)")) }
            for suffix in ["-wal", "-shm"] { #expect(unlink(location.databasePath + suffix) == 0) }
            #expect(try Program.built("StoreProbe", ["add", location.folder, "20"]).run().status == 0)
            expect(.unavailable) { try store.insert(.password(account: "after")) }
        }
        let store = try openStore(location)
        #expect(try accounts(store) == Set((0..<20).map(String.init)))
        try store.verify()
    }

    /// A closed store leaves an empty log. A new store can be made beside it. An incomplete store beside it is refused.
    @Test func emptyLog_isNoSignOfALostDatabase() throws {
        func make() throws { try openStore(location).insert(.password()) }
        try make()
        for path in [location.databasePath, location.keyFilePath] { #expect(unlink(path) == 0) }
        try make()
        #expect(try openStore(location).find(.password()).count == 1)
        for path in [location.databasePath, location.keyFilePath] { #expect(unlink(path) == 0) }
        try Data(count: 33).write(to: URL(fileURLWithPath: location.databasePath + "-wal"))
        chmod(location.databasePath + "-wal", 0o600)
        expect(.corrupt) { try make() }
    }
}
