// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import SecItemConformance
import SecItemStore
import TestSupport
import Testing

@testable import SecItemSQLite

/// A copy of `items.db` and `device.key` is a backup: it has everything that was reported as stored.
@Suite struct BackupTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private var location: StoreLocation { folder.location }

    /// Copies files of the store to a new folder, as `cp` does.
    ///
    /// - Parameter length: How much of the log is copied; nil for all of it.
    private func copy(_ names: [String], of location: StoreLocation, log length: Int? = nil) throws -> StoreLocation {
        let copy = StoreLocation(folder: folder.path + "/" + UUID().uuidString)
        mkdir(copy.folder, 0o700)
        for name in names {
            var content = try Data(contentsOf: URL(fileURLWithPath: location.folder + "/" + name))
            if let length, name == "items.db-wal" { content = content.prefix(length) }
            try content.write(to: URL(fileURLWithPath: copy.folder + "/" + name))
            chmod(copy.folder + "/" + name, 0o600)
        }
        return copy
    }

    private func copyOfTwoFiles(_ location: StoreLocation? = nil) throws -> StoreLocation {
        try copy(["items.db", "device.key"], of: location ?? self.location)
    }

    /// What a process that is killed now leaves.
    private func copyOfAllFiles(_ location: StoreLocation, log length: Int? = nil) throws -> StoreLocation {
        try copy(["items.db", "items.db-wal", "device.key"], of: location, log: length)
    }

    private func contents(_ store: SQLiteStore) throws -> [String: Data?] {
        let found = try store.find(RecordFilter(itemClass: .genericPassword))
        return Dictionary(uniqueKeysWithValues: found.map { ($0.accountName ?? "", $0.secretData) })
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
        let copy = try copyOfTwoFiles()
        let store = try openStore(copy)
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
            let copy = try copyOfTwoFiles()
            #expect(try contents(openStore(copy)) == contents(store), "round \(round)")
        }
    }

    @Test func copy_afterWritesOfManyThreads_hasEverything() throws {
        let store = try openStore(location)
        let threads = (0..<4).map { thread in
            Worker { for number in 0..<15 { try? store.insert(.password(account: "\(thread).\(number)")) } }
        }
        for thread in threads { thread.join() }
        let copy = try copyOfTwoFiles()
        #expect(try contents(openStore(copy)).count == 60)
    }

    /// While a reader holds an older state, newer changes stay in the log. The library logs this, and the next write
    /// moves them.
    @Test func longReader_isToldOfAndMadeGood() throws {
        let log = CollectedLog()
        let store = try openStore(location, logger: log.logger)
        try store.insert(.password(account: "a"))
        let reader = try DatabaseQueue(path: location.databasePath)
        try reader.inDatabase { database in
            try database.execute(sql: "BEGIN")
            _ = try Int.fetchOne(database, sql: "SELECT count(*) FROM item")
            try store.insert(.password(account: "b"))
            #expect(log.lines.contains { $0.hasPrefix("warning:") && $0.contains("copy") }, "\(log.text)")
            #expect(try store.find(.password()).count == 2)
            try database.execute(sql: "COMMIT")
        }
        try store.insert(.password(account: "c"))
        let copy = try copyOfTwoFiles()
        #expect(try contents(openStore(copy)).count == 3)
    }

    /// A program that was killed while it wrote can leave a commit in the log alone.
    @Test func logOfAKilledProgram_isCompleted() throws {
        let store = try openStore(location)
        try store.insert(.password(account: "a"))
        let reader = try DatabaseQueue(path: location.databasePath)
        let killed = try reader.inDatabase { database in
            try database.execute(sql: "BEGIN")
            _ = try Int.fetchOne(database, sql: "SELECT count(*) FROM item")
            try store.insert(.password(account: "b"))
            defer { try? database.execute(sql: "COMMIT") }
            return try copyOfAllFiles(location)
        }
        #expect(try Set(contents(openStore(copyOfTwoFiles(killed))).keys) == ["a"])
        let checked = try openStore(killed)
        try checked.completeLog()
        #expect(try Set(contents(openStore(copyOfTwoFiles(killed))).keys) == ["a", "b"])
        withExtendedLifetime((store, checked)) {}
    }

    // MARK: A log that is not whole

    private func sizeOfLog(_ location: StoreLocation) throws -> Int {
        try Data(contentsOf: URL(fileURLWithPath: location.databasePath + "-wal")).count
    }

    /// Whatever is cut off the end of the log, every item is there. Nobody opens the files themselves: a write would empty
    /// the log.
    private func expectNothingLost(_ location: StoreLocation) throws {
        let expected = try contents(openStore(copyOfAllFiles(location))), length = try sizeOfLog(location)
        let header = try Data(contentsOf: URL(fileURLWithPath: location.databasePath)).prefix(18)
        let page = Int(header[16]) << 8 | Int(header[17])
        // The log has a header of 32 bytes, and each page in it one of 24.
        let frames = stride(from: 32, through: max(32, length), by: 24 + page)
        for cut in frames.flatMap({ [$0, $0 + 1_000] }) + [0] {
            let opened = try openStore(copyOfAllFiles(location, log: cut))
            #expect(try contents(opened) == expected, "\(cut) of \(length) bytes")
        }
    }

    /// Programs that end without closing the store, as a command does, leave a log. SQLite takes no older pages from it.
    @Test func logOfManyPrograms_cutAnywhere_losesNothing() throws {
        var current = location
        for number in 0..<8 {
            let store = try openStore(current)
            try store.insert(.password(account: "\(number)"))
            let next = try copyOfAllFiles(current)
            try expectNothingLost(current)
            withExtendedLifetime(store) { current = next }
        }
    }

    /// A commit of more pages than the cache has writes some of them before its end, and some of those again. So it may
    /// write more pages than the log has, although older commits are in the log.
    @Test func logWithALargeCommit_isEmptied() throws {
        let store = try openStore(location)
        try store.insert(.password(account: "first"))
        try store.connection.write { try $0.execute(sql: "PRAGMA cache_size = 10") }
        try store.insert(.password(account: "old"))
        #expect(try sizeOfLog(location) > 0)
        let secret = Data(repeating: 7, count: 2_000)
        try store.insert((0..<500).map { .password(account: "\($0)", secret: secret) }, interaction: .forbidden)
        #expect(try sizeOfLog(location) == 0)
        #expect(try contents(openStore(copyOfTwoFiles())).count == 502)
        withExtendedLifetime(store) {}
    }

    /// GRDB makes a table where it finds an empty log, and drops it again. Nobody empties the log while others open the
    /// database, who do not have the writer lock.
    @Test func programsThatBeginAtOnce_changeNoSchema() throws {
        let store = try openStore(location)
        try store.insert(.password())
        func schema() throws -> Int? {
            try store.connection.write { try Int.fetchOne($0, sql: "PRAGMA schema_version") }
        }
        let before = try schema()
        for round in 0..<30 {
            let running = try (0..<4).map { number in
                try Program.built("StoreProbe", ["write", location.folder, "\(round)-\(number)"]).start()
            }
            for (number, program) in running.enumerated() {
                try program.waitFor(line: "added \(round)-\(number).0 16")
                program.send(SIGKILL)
            }
            for program in running { _ = try program.waitUntilExit() }
        }
        #expect(try schema() == before)
        try store.verify()
    }

    /// Whoever reads keeps the log as it is, until a later write.
    @Test func logThatWasHeldUp_isEmptiedByTheNextWrite() throws {
        let store = try openStore(location)
        try store.insert(.password(account: "a"))
        let reader = try DatabaseQueue(path: location.databasePath)
        try reader.inDatabase { database in
            try database.execute(sql: "BEGIN")
            _ = try Int.fetchOne(database, sql: "SELECT count(*) FROM item")
            for account in ["b", "c"] { try store.insert(.password(account: account)) }
            try database.execute(sql: "COMMIT")
        }
        #expect(try sizeOfLog(location) > 0)
        try store.insert(.password(account: "d"))
        try expectNothingLost(location)
        withExtendedLifetime(store) {}
    }

    // MARK: On the way to the disk

    @Test func writes_areOnDiskWhenTheyReturn() throws {
        let store = try openStore(location)
        try store.insert(.password())
        let level = try store.connection.write { try Int.fetchOne($0, sql: "PRAGMA synchronous") }
        // FULL: each commit flushes the write-ahead log to the disk.
        #expect(level == 2)
    }

    @Test func add_goesToTheDiskFourTimes_lookUpNever() throws {
        let probe = try Program.built(
            "StoreProbe", ["count-syncs", location.folder], adding: ["PROBE_COUNTS_SYNCS": "1"])
        let lines = try probe.run().lines
        #expect(lines.count == 11, "\(lines)")
        for line in lines.prefix(10) {
            let files = line.split(separator: " ").dropFirst()
            #expect(files.count <= 4, "\(line)")
            // The log is flushed first, then the database, both before the add returns.
            #expect(files.last == "items.db" && files.contains("items.db-wal"), "\(line)")
        }
        #expect(lines.last == "look-up: ")
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
    /// all of the process's locks on it. Neither a process that then seems to be the last user, nor somebody who
    /// deletes the log, may separate the log from the database.
    @Test(arguments: [false, true])
    func copyFromWithin_thenAnotherProcessThatEnds_losesNothing(_ removesLog: Bool) throws {
        let store = try openStore(location)
        var expected: Set<String> = []
        for round in 0..<4 {
            try store.insert(.password(account: "own \(round)"))
            expected.insert("own \(round)")
            _ = try Data(contentsOf: URL(fileURLWithPath: location.databasePath))
            #expect(try Program.built("StoreProbe", ["add", location.folder, "3"]).run().status == 0)
            if removesLog { for end in ["-wal", "-shm"] { unlink(location.databasePath + end) } }
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

    /// A closed store leaves an empty log. A new store can be made beside it. An incomplete store beside it is refused.
    @Test func emptyLog_isNoSignOfALostDatabase() throws {
        func make() throws { try openStore(location).insert(.password()) }
        try make()
        for path in [location.databasePath, location.keyFilePath] { #expect(unlink(path) == 0) }
        try make()
        #expect(try openStore(location).find(.password()).count == 1)
        for path in [location.databasePath, location.keyFilePath] { #expect(unlink(path) == 0) }
        try Data(count: 32).write(to: URL(fileURLWithPath: location.databasePath + "-wal"))
        chmod(location.databasePath + "-wal", 0o600)
        expect(.corrupt) { try make() }
    }
}
