// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore
import TestSupport
import Testing

@testable import SecItemSQLite
@testable import SecItemSealing

/// No process writes while another does, or makes a checkpoint. SQLite itself does not ensure this.
@Suite struct WriterLockTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func holdingLock<Result>(_ body: () throws -> Result) throws -> Result {
        let file = open(folder.location.keyFilePath, O_RDONLY)
        try #require(file >= 0 && flock(file, LOCK_EX) == 0)
        defer { close(file) }
        return try body()
    }

    /// Every call that writes waits.
    @Test(arguments: ["add", "update", "delete", "passphrase"]) func writer_waitsForWhoeverHoldsTheLock(
        _ verb: String
    ) throws {
        let store = try openStore(folder.location)
        try store.insert(.password(account: "old"))
        let isFree = Shared(false), hasWaited = Shared(true)
        let location = folder.location
        let worker = try holdingLock {
            let worker = Worker {
                do {
                    try Self.write(verb, store, location)
                    if !isFree.value { hasWaited.change { $0 = false } }
                } catch {
                    Issue.record("\(verb): \(error)")
                }
            }
            // Look-ups do not wait. A write that ignored the lock would finish long before these look-ups.
            for _ in 0..<300 {
                _ = try store.find(.password(service: "service", account: "old"), limit: 1)
            }
            isFree.change { $0 = true }
            return worker
        }
        worker.join()
        #expect(hasWaited.value, "\(verb) did not wait")
    }

    private static func write(_ verb: String, _ store: SQLiteStore, _ location: StoreLocation) throws {
        switch verb {
        case "add": try store.insert(.password(account: "new"))
        case "update":
            let changes = RecordChanges(attributes: [.label: .string("new")], secrets: [:])
            let step = RecordUpdate(.password(account: "old"), applying: changes)
            _ = try store.update([step], interaction: .allowed)
        case "delete": _ = try store.delete(.password(account: "old"))
        case "passphrase": try store.setPassphrase(Secret(Data("new".utf8)), current: nil, cost: .lowest)
        default: Issue.record("no verb \(verb)")
        }
    }

    /// Whoever waits in vain learns which process to continue or to end.
    @Test(.timeLimit(.minutes(60))) func holder_isNamed() throws {
        _ = try openStore(folder.location)
        let holder = try Program("flock", [folder.location.keyFilePath, "sh", "-c", "echo held; read line"]).start()
        try holder.waitFor(line: "held")
        let process = holder.processIdentifier
        let error = #expect(throws: StoreError.self) {
            try WriterLock.hold(folder.location, patience: .milliseconds(100)) {}
        }
        #expect(error?.code == .unavailable)
        let message = error?.message ?? ""
        #expect(message.contains("beside \(folder.location.keyFilePath) for too long: process "), "\(message)")
        #expect(message.contains("process \(process)"), "\(message)")
        #expect(message.contains("(kill -CONT \(process))"), "\(message)")
    }

    @Test func holder_isThatOfTheKernelsList() {
        let list = """
            1: POSIX  ADVISORY  WRITE 11 fe:00:42 0 EOF
            2: FLOCK  ADVISORY  WRITE 12 fe:01:42 0 EOF
            3: FLOCK  ADVISORY  WRITE 13 fe:00:142 0 EOF
            4: FLOCK  ADVISORY  WRITE 0 fe:00:42 0 EOF
            4: -> FLOCK  ADVISORY  WRITE 14 fe:00:42 0 EOF
            5: FLOCK  ADVISORY  WRITE 15 fe:00:42 0 EOF
            """
        #expect(LockHolder.process(in: list, device: 0xfe00, number: 42) == 15)
        #expect(LockHolder.process(in: list, device: 0xfe00, number: 43) == nil)
        #expect(LockHolder.process(in: "6: FLOCK\n", device: 0xfe00, number: 42) == nil)
    }

    /// A look-up that opens the store does not wait either, because nobody writes to an empty log.
    @Test func reader_opensTheStore_whileAnotherWrites() throws {
        let store = try openStore(folder.location)
        try store.insert(.password(account: "old"))
        let found = try holdingLock { try openStore(folder.location).find(.password(account: "old")) }
        #expect(found.count == 1)
        withExtendedLifetime(store) {}
    }

    /// SQLite flushes the log and the database only while the lock is held, in a checkpoint too.
    @Test func logAndDatabase_areWrittenUnderTheLockOnly() throws {
        let probe = try Program.built(
            "StoreProbe", ["count-syncs", folder.location.folder], adding: ["PROBE_COUNTS_SYNCS": "1"])
        let files = try probe.run().lines.flatMap { $0.split(separator: " ").dropFirst() }
        #expect(files.contains("items.db-wal") && files.contains("items.db"))
        #expect(files.allSatisfy { !$0.hasSuffix("!") }, "\(files)")
    }
}
