// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemConformance
import SecItemStore
import TestSupport
import Testing

@testable import SecItemSQLite

/// Several processes, some of which die.
@Suite struct ProcessTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Another process that uses the store.
    private func probe(_ command: String, _ argument: String = "", in location: StoreLocation? = nil) throws -> Program
    {
        try .built("StoreProbe", [command, (location ?? folder.location).folder, argument])
    }

    // MARK: Crash

    @Test func killedWriter_losesNothingThatItReported() throws {
        let store = try openStore(folder.location)
        var random = SeededGenerator()
        for run in 0..<200 {
            let probe = try probe("write", "\(run)").start()
            usleep(UInt32.random(in: 20_000...90_000, using: &random))
            probe.kill()
            let reported = Reported(try probe.waitUntilExit().lines)
            try reported.check(store)
            // The next store must also be intact, sometimes with a log that no other process has open.
            if run % 20 == 19 { try openStore(folder.location).verify() }
            try store.delete(.password(service: "probe"))
        }
        try store.verify()
    }

    /// A disk that loses all that was not flushed, at any moment.
    @Test func lossOfWhatWasNotFlushed_losesNothingThatWasReported() throws {
        var random = SeededGenerator()
        for run in 0..<12 {
            let location = StoreLocation(folder: folder.path + "/\(run)/secitem")
            let flushed = StoreLocation(folder: folder.path + "/\(run)-flushed")
            mkdir(flushed.folder, 0o700)
            _ = try openStore(location)
            for path in [location.databasePath, location.keyFilePath] {
                let name = (path as NSString).lastPathComponent
                try FileManager.default.copyItem(atPath: path, toPath: flushed.folder + "/" + name)
            }
            let probe = try Program.built(
                "StoreProbe", ["write", location.folder, "\(run)"],
                adding: ["PROBE_COUNTS_SYNCS": "1", "PROBE_FLUSHED_FOLDER": flushed.folder]
            ).start()
            usleep(UInt32.random(in: 100_000...1_500_000, using: &random))
            probe.kill()
            let reported = Reported(try probe.waitUntilExit().lines)
            unlink(flushed.folder + "/new")
            try reported.check(openStore(flushed))
        }
    }

    /// The changes that a writer has reported.
    private struct Reported {
        /// The possible sizes of an item's secret.
        private var sizes: [String: Set<Int>] = [:]
        /// Items that may or may not exist, because the writer was about to delete them.
        private var uncertain: Set<String> = []

        init(_ lines: [String]) {
            for line in lines {
                let words = line.split(separator: " ").map(String.init)
                switch words.first {
                case "added": sizes[words[1]] = [Int(words[2]) ?? -1]
                case "changing": sizes[words[1]] = sizes[words[1]].map { $0.union($0.map { $0 * 2 }) }
                case "changed": sizes[words[1]] = [Int(words[3]) ?? -1]
                case "deleting": uncertain.insert(words[1])
                case "deleted":
                    uncertain.remove(words[1])
                    sizes[words[1]] = nil
                default: Issue.record("\(line)")
                }
            }
        }

        func check(_ store: SQLiteStore) throws {
            let found = try store.find(.password(service: "probe"))
            let accounts = Set(found.compactMap(\.accountName))
            for account in sizes.keys where !uncertain.contains(account) {
                #expect(accounts.contains(account), "\(account)")
            }
            // One more item may exist, which was stored but not yet reported.
            #expect(accounts.subtracting(sizes.keys).count <= 1, "\(accounts.subtracting(sizes.keys))")
            for record in found {
                let account = record.accountName ?? ""
                let number = Int(account.split(separator: ".").last ?? "") ?? -1
                let secret = record.secretData ?? Data()
                #expect(secret.allSatisfy { $0 == UInt8(truncatingIfNeeded: number) }, "\(account)")
                if let sizes = sizes[account] { #expect(sizes.contains(secret.count), "\(account)") }
            }
            #expect(try store.connection.read { try $0.value("PRAGMA integrity_check") } == .text("ok"))
        }
    }

    // MARK: Race

    @Test func eightProcesses_addTheSameItems_eachOnce() throws {
        let probes = try (0..<8).map { _ in try probe("race", "500").start() }
        for probe in probes { try probe.waitFor(line: "ready") }
        for probe in probes { probe.closeInput() }
        var winners: [String: Int] = [:]
        for probe in probes {
            let finished = try probe.waitUntilExit()
            for line in finished.lines where line.hasPrefix("added ") { winners[line, default: 0] += 1 }
            #expect(finished.status == 0, "\(finished.errors)")
        }
        #expect(winners.count == 500)
        #expect(winners.values.allSatisfy { $0 == 1 })
        let store = try openStore(folder.location)
        #expect(Set(try store.find(.password(service: "probe")).compactMap(\.accountName)).count == 500)
        #expect(try store.find(.password(service: "probe")).count == 500)
        try store.verify()
    }

    @Test func eightProcesses_makeOneStore() throws {
        for round in 0..<5 {
            let location = StoreLocation(folder: folder.path + "/\(round)/secitem")
            let probes = try (0..<8).map { _ in try probe("race", "3", in: location).start() }
            for probe in probes { probe.closeInput() }
            let lines = try probes.flatMap { try $0.waitUntilExit().lines }
            #expect(lines.filter { $0.hasPrefix("added") }.count == 3, "\(lines)")
        }
    }

    // MARK: Threads

    @Test func manyThreads_useOneStore() async throws {
        let store = try openStore(folder.location)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for thread in 0..<8 {
                group.addTask {
                    for number in 0..<25 {
                        let account = "\(thread).\(number)"
                        let secret = Data(account.utf8)
                        // Locking, which continues all the time, does not affect these items.
                        try store.insert(.password(account: account, accessible: .afterFirstUnlock, secret: secret))
                        #expect(try store.find(.password(account: account)).first?.secretData == secret)
                        // All threads add the same item.
                        try? store.insert(.password(account: "shared \(number)", accessible: .afterFirstUnlock))
                        if number % 2 == 0 {
                            #expect(try store.update(.password(account: account), [.label: .string("x")]) == 1)
                        }
                        if number % 5 == 0 { #expect(try store.delete(.password(account: account)) == 1) }
                        if thread == 0 { try store.lock() } else { try store.unlock(passphrase: nil) }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try store.find(.password()).count == 8 * 20 + 25)
        try store.verify()
    }

    @Test func reader_isNotBlockedByWriter() throws {
        let store = try openStore(folder.location)
        try store.insert(.password())
        let writer = try Database(folder.location.databasePath, .writing)
        try writer.execute("BEGIN IMMEDIATE; DELETE FROM item")
        #expect(try store.find(.password()).count == 1)
        try writer.execute("ROLLBACK")
    }
}
