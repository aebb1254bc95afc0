// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore
import TestSupport
import Testing

@testable import SecItemSQLite

/// Rows and bytes that somebody, or a failing disk, has changed.
@Suite struct DamageTests {
    private let folder: TemporaryFolder
    private let store: SQLiteStore
    private let log = CollectedLog()

    init() throws {
        folder = try TemporaryFolder()
        store = try openStore(folder.location, logger: log.logger)
        for account in ["a", "b"] { try store.insert(.password(account: account, secret: Data(account.utf8))) }
        try store.insert(.password(account: "c", accessible: .afterFirstUnlock, secret: Data("c".utf8)))
        try store.insert(.password(account: "d", accessible: .always, secret: Data("d".utf8)))
        try store.insert(.password(account: "n", secret: nil))
    }

    /// Changes the database directly.
    private func tamper(_ sql: String) throws {
        try store.connection.write { try $0.execute(sql) }
    }

    private func swap(_ column: String, _ a: Int, _ b: Int) throws {
        // In two steps, because some columns are unique.
        try store.connection.write { database in
            let values = try [a, b].map { number in
                try #require(try database.value("SELECT \(column) FROM item WHERE id = \(number)"))
            }
            let set = "UPDATE item SET \(column) = ?1 WHERE id = ?2"
            try database.run(set, [.bytes(Data([1])), .integer(Int64(b))])
            try database.run(set, [values[1], .integer(Int64(a))])
            try database.run(set, [values[0], .integer(Int64(b))])
        }
    }

    /// Each look-up returns items as they were stored. A missing item is an error, never an empty result.
    private func expectRightOrDamaged(
        damaged: Set<String>, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        for account in ["a", "b", "c", "d", "n"] {
            for parts in [RecordParts.secrets, .attributes, [.attributes, .secrets]] {
                for filter in [
                    RecordFilter.password(service: "service", account: account), .password(account: account),
                ] {
                    do {
                        let found = try store.find(filter, parts)
                        #expect(found.count == 1, "\(account)", sourceLocation: sourceLocation)
                        if parts.contains(.secrets) {
                            let wanted = account == "n" ? nil : Data(account.utf8)
                            #expect(found.first?.secretData == wanted, sourceLocation: sourceLocation)
                        }
                        if parts.contains(.attributes) {
                            #expect(found.first?.accountName == account, sourceLocation: sourceLocation)
                        }
                    } catch let error as StoreError {
                        #expect(error.code == .corrupt, "\(error)", sourceLocation: sourceLocation)
                        #expect(damaged.contains(account), "\(account)", sourceLocation: sourceLocation)
                    }
                }
            }
        }
        for filter in [RecordFilter.password(), .password(service: "service"), .password(groups: nil)] {
            let found = try store.find(filter)
            for record in found {
                let wanted = record.accountName == "n" ? nil : record.accountName.map { Data($0.utf8) }
                #expect(record.secretData == wanted, sourceLocation: sourceLocation)
            }
            let names = Set(found.compactMap(\.accountName))
            let rest = Set(["a", "b", "c", "d", "n"]).subtracting(damaged)
            #expect(names.isSuperset(of: rest), "\(names)", sourceLocation: sourceLocation)
        }
    }

    @Test(arguments: ["reference", "primary_key", "slots", "nonces", "code", "attributes", "secrets"])
    func swappedColumn_isNoticed(_ column: String) throws {
        try swap(column, 1, 2)
        try expectRightOrDamaged(damaged: ["a", "b"])
        expect(.corrupt) { _ = try store.find(.password(service: "service", account: "a")) }
        #expect(log.text.contains("damaged"))
    }

    @Test func everySealedColumnSwapped_isNoticed() throws {
        for column in ["attributes", "secrets", "nonces", "slots"] { try swap(column, 1, 2) }
        try expectRightOrDamaged(damaged: ["a", "b"])
        expect(.corrupt) { _ = try store.find(.password(account: "a"), .secrets) }
    }

    @Test func wholeRowsSwapped_isNoticed() throws {
        for column in ["attributes", "secrets", "nonces", "slots", "code", "reference", "primary_key"] {
            try swap(column, 1, 2)
        }
        try expectRightOrDamaged(damaged: ["a", "b"])
    }

    @Test(arguments: [
        "accessible = 'ck'", "accessible = 'dk'", "accessible = 'junk'", "accessible = 5", "class = 'inet'",
        "class = 'zzzz'", "class = x'00'", "secrets = NULL", "secrets = NULL, nonces = substr(nonces, 1, 12)",
        "secrets = x''", "secrets = 'text'", "secrets = zeroblob(1000)", "attributes = x''", "attributes = 7",
        "slots = x''", "slots = x'0011'", "slots = slots || slots", "nonces = x''", "nonces = nonces || nonces",
        "code = x''", "code = zeroblob(16)", "reference = x'00'", "reference = 'text'", "primary_key = x''",
        "primary_key = zeroblob(16)", "id = 77", "id = -5",
    ]) func editedColumn_isNoticed(_ change: String) throws {
        try tamper("UPDATE item SET \(change) WHERE id = 1")
        try expectRightOrDamaged(damaged: ["a"])
        expect(.corrupt) { _ = try store.find(.password(service: "service", account: "a")) }
    }

    @Test func secretMadeUp_whereThereIsNone_isNoticed() throws {
        try tamper("UPDATE item SET secrets = (SELECT secrets FROM item WHERE id = 1) WHERE id = 5")
        try expectRightOrDamaged(damaged: ["n"])
        try tamper("UPDATE item SET nonces = nonces || (SELECT substr(nonces, 13) FROM item WHERE id = 1) WHERE id = 5")
        try expectRightOrDamaged(damaged: ["n"])
    }

    @Test func olderSecret_putBack_isNoticed() throws {
        let row = try #require(try store.connection.read { try $0.rows("SELECT * FROM item WHERE id = 1") }.first)
        let old = try #require(row["secrets"]), nonces = try #require(row["nonces"]).data
        try store.update(.password(account: "a"), secret: Data("new".utf8))
        try store.connection.write { try $0.run("UPDATE item SET secrets = ?1 WHERE id = 1", [old]) }
        expect(.corrupt) { _ = try store.find(.password(account: "a")) }
        try store.connection.write {
            try $0.run(
                "UPDATE item SET nonces = substr(nonces, 1, 12) || ?1 WHERE id = 1", [.bytes(nonces.suffix(12))])
        }
        expect(.corrupt) { _ = try store.find(.password(account: "a")) }
    }

    @Test func lookupsOfOneItem_ledToAnother_areNoticed() throws {
        try tamper("DELETE FROM lookup WHERE item = 1")
        try tamper("UPDATE OR IGNORE lookup SET item = 1 WHERE item = 2")
        for account in ["b"] {
            expect(.corrupt) { _ = try store.find(.password(service: "service", account: account), .secrets) }
            expect(.corrupt) { _ = try store.find(.password(account: account), .secrets) }
        }
        expect(.corrupt) { try store.verify() }
    }

    @Test func lookupsOfNothing_areNoticed() throws {
        try tamper("DELETE FROM item WHERE id = 1")
        expect(.corrupt) { _ = try store.find(.password(service: "service", account: "a"), .secrets) }
        #expect(Set(try store.find(.password()).compactMap(\.accountName)) == ["b", "c", "d", "n"])
    }

    @Test func damagedItem_isNotChangedByUpdate() throws {
        try tamper("UPDATE item SET attributes = zeroblob(100) WHERE id = 1")
        let before = try store.connection.read { try $0.rows("SELECT * FROM item WHERE id = 1") }
        expect(.corrupt) { try store.update(.password(account: "a"), [.label: .string("x")]) }
        #expect(try store.update(.password(), [.label: .string("x")]) == 4)
        #expect(try store.connection.read { try $0.rows("SELECT * FROM item WHERE id = 1") } == before)
        // An item with the same primary key does not replace it either.
        expect(.duplicate) { try store.insert(.password(account: "a")) }
    }

    @Test(arguments: ["attributes = zeroblob(100)", "secrets = x'00'", "code = zeroblob(16)", "nonces = zeroblob(24)"])
    func damagedItem_canBeDeletedByItsKey(_ change: String) throws {
        try tamper("UPDATE item SET \(change) WHERE id = 1")
        #expect(try store.delete(.password(service: "service", account: "a")) == 1)
        #expect(try store.find(.password(account: "a")).isEmpty)
        try store.verify()
        try store.insert(.password(account: "a"))
    }

    @Test func damagedItem_isLeftByDeletesThatHaveToOpenIt() throws {
        try tamper("UPDATE item SET attributes = zeroblob(100) WHERE id = 1")
        let filter = RecordFilter.password(account: "a", more: [.comment: .string("x")])
        expect(.corrupt) { try store.delete(filter) }
        #expect(try store.connection.read { try $0.number("SELECT count(*) FROM item") } == 5)
    }

    @Test(arguments: [
        "UPDATE store SET uuid = randomblob(16)", "UPDATE store SET code = randomblob(16)",
        "UPDATE store SET device_key = randomblob(16)", "UPDATE store SET uuid = 5", "DELETE FROM store",
        "DELETE FROM keys WHERE name = 'ak'", "UPDATE keys SET sealed = randomblob(60) WHERE name = 'ak'",
        "UPDATE keys SET sealed = (SELECT sealed FROM keys WHERE name = 'ck') WHERE name = 'ak'",
        "UPDATE keys SET checksum = randomblob(8) WHERE name = 'metadata'",
        "UPDATE keys SET wrapper = 'scrypt' WHERE name = 'root'", "UPDATE keys SET wrapper = 5 WHERE name = 'root'",
        "UPDATE keys SET parameters = x'ff' WHERE name = 'root'", "UPDATE keys SET name = 'other' WHERE name = 'dk'",
        "UPDATE keys SET code = 'text' WHERE name = 'dku'",
    ]) func damagedHeader_isRefused(_ change: String) throws {
        try tamper(change)
        expect(.corrupt) { _ = try openStore(folder.location) }
    }

    // MARK: Flipped bits

    /// Every call on a store with a flipped bit returns what was stored, or an error.
    @Test func flippedBits_neverGiveWrongAnswers() throws {
        let folder = try TemporaryFolder()
        let flips = try FlippedBits(folder.location)
        // All bytes take minutes. `SECITEM_FLIP_STEP=1` tries all of them.
        let step = ProcessInfo.processInfo.environment["SECITEM_FLIP_STEP"].flatMap(Int.init) ?? 41
        let summary = try flips.run(step: step)
        #expect(summary.wrong.isEmpty, "\(summary.wrong.prefix(20))")
        #expect(summary.silent.isEmpty, "\(summary.silent.prefix(20))")
        if step == 1 { print("flips: \(summary.counts)") }
    }
}

/// A small store that is opened again and again, each time with another flipped bit.
private struct FlippedBits {
    struct Summary {
        var counts: [String: Int] = [:]
        /// Offsets at which a call returned something that was not stored.
        var wrong: [Int] = []
        /// Offsets where an item was not found without an error, and a check of the whole store finds nothing either.
        var silent: [Int] = []
    }

    private let location: StoreLocation
    private let whole: [UInt8]
    private static let accounts = ["a", "b", "c"]

    init(_ location: StoreLocation) throws {
        self.location = location
        let store = try openStore(location)
        for account in Self.accounts {
            let size = account == "c" ? 6_000 : 10
            try store.insert(
                .password(
                    account: account, label: "label", accessible: account == "b" ? .always : .whenUnlocked,
                    secret: Data(repeating: account.utf8.first ?? 0, count: size)))
        }
        try store.connection.close()
        whole = Array(try Data(contentsOf: URL(fileURLWithPath: location.databasePath)))
    }

    func run(step: Int) throws -> Summary {
        var summary = Summary()
        for offset in stride(from: 0, to: whole.count, by: step) {
            var damaged = whole
            damaged[offset] ^= 1 << UInt8((offset / step) % 8)
            for suffix in ["-wal", "-shm"] { unlink(location.databasePath + suffix) }
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: location.databasePath))
            try file.truncate(atOffset: 0)
            try file.write(contentsOf: Data(damaged))
            try file.close()
            summary.counts[outcome(offset, &summary), default: 0] += 1
        }
        return summary
    }

    private func outcome(_ offset: Int, _ summary: inout Summary) -> String {
        do {
            let store = try openStore(location)
            var isDamaged = false, isMissing = false
            for account in Self.accounts {
                let size = account == "c" ? 6_000 : 10
                let wanted = Data(repeating: account.utf8.first ?? 0, count: size)
                for filter in [
                    RecordFilter.password(service: "service", account: account),
                    .password(account: account, groups: nil),
                ] {
                    do {
                        let found = try store.find(filter)
                        if found.isEmpty { isMissing = true }
                        guard let record = found.first else { continue }
                        let isRight = record.secretData == wanted && record.accountName == account && found.count == 1
                        if !isRight { summary.wrong.append(offset) }
                    } catch {
                        isDamaged = true
                    }
                }
            }
            do {
                let all = try store.find(.password(groups: nil))
                if all.count < Self.accounts.count { isMissing = true }
            } catch {
                isDamaged = true
            }
            if isMissing && !isDamaged && (try? store.verify()) != nil { summary.silent.append(offset) }
            if isMissing { return "item missing" }
            return isDamaged ? "item refused" : "nothing noticed, all answers right"
        } catch {
            return "store refused"
        }
    }
}
