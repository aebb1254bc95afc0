// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore
import TestSupport
import Testing

@testable import SecItemSQLite
@testable import SecItemSealing

/// After a rekey, the old keys open nothing, and nothing is lost, even if it is interrupted.
@Suite struct RekeyTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private var location: StoreLocation { folder.location }

    /// An item of each protection class, an empty one, a large one, and one with several secrets.
    private static func fill(_ store: SQLiteStore) throws {
        for accessible in Accessible.allCases where accessible != .untilReboot {
            if accessible == .whenPasscodeSetThisDeviceOnly && !store.isPassphraseProtected { continue }
            try store.insert(.password(account: accessible.rawValue, accessible: accessible))
        }
        try store.insert(.password(account: "none", secret: nil))
        try store.insert(.password(account: "large", secret: Data(repeating: 7, count: 300_000)))
        let server = ItemRecord(
            reference: PersistentReference(itemClass: .internetPassword),
            attributes: [.server: .string("a\0b"), .accessGroup: .string("other"), .creator: .real(0.5)],
            secrets: [.valueData: Secret(Data("x".utf8)), .extraNotes: Secret(Data("notes".utf8))])
        try store.insert(server)
        try store.insert(.guarded("guarded"))
        try store.insert(.guarded("finger", .biometryAny))
        try store.insert(ApplicationPasswordTests.record("under a password").record)
    }

    /// All items of a store, each as a text that contains everything about it.
    private static func content(_ store: SQLiteStore, _ passphrase: String? = nil) throws -> [String] {
        var records: [ItemRecord] = []
        try store.survey(interaction: .allowed) { (item) throws(StoreError) in
            switch item {
            case .item(let record), .guarded(let record): records.append(record)
            case .locked, .damaged: throw StoreError(.corrupt, "\(item)")
            }
        }
        return try records.map { record in
            #expect((record.guardedSecrets != nil) == (passphrase != nil && record.accountName == "guarded"))
            let attributes = record.attributes.map { "\($0.code)=\($1.matchKey.bytes)" }.sorted()
            let secrets = try store.secrets(of: record, passphrase: passphrase ?? "")
                .map { "\($0.code)=\(Array($1))" }.sorted()
            return "\(record.reference) \(attributes) \(secrets)"
        }
    }

    /// A passphrase that another process sets while a rekey waits for the old one stays in force.
    @Test func passphraseChangedMeanwhile_isNotUndone() throws {
        let location = location
        try Self.fill(openStore(location, passphrase: "old"))
        let isRekeying = Shared(false)
        let source = PassphraseSource.closure {
            if isRekeying.value {
                isRekeying.change { $0 = false }
                let other = try? openStore(location, passphrase: "old")
                try? other?.setPassphrase(
                    Secret(Data("new".utf8)), current: Secret(Data("old".utf8)), cost: .lowest)
            }
            return Secret(Data("old".utf8))
        }
        let store = try SQLiteStore(
            location: location, protector: PassphraseProtector(sources: [source], cost: .lowest), cache: .none)
        isRekeying.change { $0 = true }
        expect(.unavailable) { _ = try store.rekey() }
        #expect(!isRekeying.value)
        let again = try openStore(location, passphrase: "new")
        try again.lock()
        expect(.authenticationFailed) { try again.unlock(passphrase: Secret(Data("old".utf8))) }
        try again.unlock(passphrase: Secret(Data("new".utf8)))
        #expect(try again.find(.password(account: "large")).count == 1)
    }

    /// Files that a killed process leaves do not make a store that lost its database look like a new one.
    @Test func leftovers_hideNoLoss() throws {
        try Self.fill(openStore(location, passphrase: nil))
        for path in [location.rekeyedDatabasePath, location.unfinishedKeyFilePath] {
            #expect(FileManager.default.createFile(atPath: path, contents: Data("x".utf8)))
            chmod(path, 0o600)
        }
        for path in [location.databasePath, location.databasePath + "-wal"] { unlink(path) }
        #expect(throws: StoreError.self) { try openStore(location, passphrase: nil) }
        #expect(!FileManager.default.fileExists(atPath: location.databasePath))
    }

    /// A process died just before its new database got its name. The copy of all items that it left is gone as soon as
    /// somebody opens the store: deleted items would stay readable in it, also without a passphrase that was set later.
    @Test(arguments: [nil, "passphrase"], ["", "-wal", "-journal"])
    func killedRekey_leavesNoCopyOfTheItems(_ passphrase: String?, _ ending: String) throws {
        try Self.fill(openStore(location, passphrase: passphrase))
        let copy = StoreLocation(folder: location.folder + "-copy")
        defer { try? FileManager.default.removeItem(atPath: copy.folder) }
        try FileManager.default.copyItem(atPath: location.folder, toPath: copy.folder)
        _ = try openStore(copy, passphrase: passphrase).rekey()
        let files = FileManager.default
        try files.moveItem(atPath: copy.databasePath, toPath: location.rekeyedDatabasePath)
        try files.moveItem(atPath: copy.keyFilePath, toPath: location.unfinishedKeyFilePath)
        if !ending.isEmpty {
            let path = location.rekeyedDatabasePath + ending
            try #require(files.createFile(atPath: path, contents: Data("x".utf8)) && chmod(path, 0o600) == 0)
        }
        let opened = try openStore(location, passphrase: passphrase)
        #expect(try !Self.content(opened, passphrase).isEmpty)
        try opened.verify()
        let left = try files.contentsOfDirectory(atPath: location.folder)
        #expect(Set(left).isSubset(of: ["items.db", "items.db-wal", "items.db-shm", "device.key"]), "\(left)")
    }

    @Test(arguments: [nil, "passphrase"])
    func rekey_keepsEachItem_andChangesEachKey(_ passphrase: String?) throws {
        let store = try openStore(location, passphrase: passphrase)
        try Self.fill(store)
        let before = try Self.content(store, passphrase), old = try location.contents()
        let oldHeader = try store.connection.read(StoreHeader.read)
        #expect(try store.rekey() == before.count)
        let new = try openStore(location, passphrase: passphrase)
        #expect(try Self.content(new, passphrase) == before)
        try new.verify()
        let header = try new.connection.read(StoreHeader.read)
        #expect(header.storeID != oldHeader.storeID && header.deviceKeyID != oldHeader.deviceKeyID)
        for name in passphrase == nil ? KeyName.required : KeyName.allCases {
            #expect(header.keys[name]?.check != oldHeader.keys[name]?.check, "\(name)")
        }
        #expect(header.rootMethod == oldHeader.rootMethod)
        let files = try location.contents()
        #expect(Set(files.keys).isSubset(of: ["items.db", "items.db-wal", "device.key"]), "\(files.keys)")
        // The old key file does not open the new database.
        try #require(old["device.key"]).write(to: URL(fileURLWithPath: location.keyFilePath))
        #expect(throws: StoreError.self) { try openStore(location, passphrase: passphrase) }
    }

    @Test func whoHasItOpen_isToldSo() throws {
        let store = try openStore(location), other = try openStore(location), reader = try openStore(location)
        try Self.fill(store)
        #expect(try other.find(.password(account: "large")).count == 1)
        #expect(try reader.find(.password(account: "large")).count == 1)
        _ = try store.rekey()
        for old in [store, other, reader] {
            expect(.unavailable) { _ = try old.find(.password(account: "large")) }
            expect(.unavailable) { try old.insert(.password(account: "new")) }
            expect(.unavailable) { try old.delete(.password()) }
        }
        let new = try openStore(location)
        #expect(try new.find(.password(account: "large")).count == 1)
        try new.insert(.password(account: "new"))
        #expect(try openStore(location).find(.password(account: "new")).count == 1)
    }

    @Test func wrongPassphrase_changesNothing() throws {
        let store = try openStore(location, passphrase: "right")
        try Self.fill(store)
        expect(.authenticationFailed) { _ = try store.rekey(passphrase: Secret(Data("wrong".utf8))) }
        #expect(try store.find(.password(account: "large")).count == 1)
        #expect(try store.rekey(passphrase: Secret(Data("right".utf8))) > 0)
    }

    @Test func damagedItem_changesNothing() throws {
        let store = try openStore(location)
        try Self.fill(store)
        try store.connection.write {
            try $0.execute("UPDATE item SET attributes = zeroblob(64) WHERE id = 3")
        }
        let error = #expect(throws: StoreError.self) { try store.rekey() }
        #expect(error?.code == .corrupt && error?.message.contains("row 3") == true)
        #expect(try store.find(.password(account: "large")).count == 1)
        let names = try location.contents().keys
        #expect(names.allSatisfy { !$0.contains(".new") }, "\(names)")
    }

    /// The process dies just before each flush to the disk.
    @Test(arguments: [nil, "passphrase"])
    func deathAtEachMoment_leavesOneStoreWhole(_ passphrase: String?) throws {
        var isFinished = false, point = 0
        while !isFinished && point < 60 {
            point += 1
            let folder = try TemporaryFolder()
            let before = try { () throws in
                let store = try openStore(folder.location, passphrase: passphrase)
                try Self.fill(store)
                return try Self.content(store, passphrase)
            }()
            var environment = ["PROBE_COUNTS_SYNCS": "1", "PROBE_DIE_AT_SYNC": "\(point)"]
            environment["PROBE_PASSPHRASE"] = passphrase
            let end = try Program.built(
                "StoreProbe", ["rekey", folder.location.folder],
                adding: environment
            ).run()
            isFinished = end.status == 0
            #expect(isFinished || end.status == 9, "\(end)")
            let store = try openStore(folder.location, passphrase: passphrase)
            #expect(try Self.content(store, passphrase) == before, "after \(point)")
            try store.verify()
            // The rekey can be repeated.
            #expect(try store.rekey() == before.count)
            #expect(try Self.content(openStore(folder.location, passphrase: passphrase), passphrase) == before)
            let left = try folder.location.contents().keys.filter { $0.contains(".new") }
            #expect(left.isEmpty, "after \(point): \(left)")
        }
        // The process died at several points, before and after the new database got its name.
        #expect(isFinished && point > 4, "\(point)")
    }

    /// Items that were reported as stored to another process are in the new store too.
    @Test func writerAtTheSameTime_losesNothingThatItReported() throws {
        for run in 0..<10 {
            let folder = try TemporaryFolder()
            let store = try openStore(folder.location)
            let writer = try Program.built("StoreProbe", ["write", folder.location.folder, "\(run)"]).start()
            try writer.waitFor(line: "added \(run).3 120000")
            _ = try store.rekey()
            // The writer fails by itself.
            let end = try writer.waitUntilExit()
            #expect(end.output.contains("deleted or replaced"), "\(end.errors)")
            var accounts: Set<String> = []
            for line in end.lines {
                let words = line.split(separator: " ").map(String.init)
                if words.first == "added" { accounts.insert(words[1]) }
                if words.first == "deleting" { accounts.remove(words[1]) }
            }
            let new = try openStore(folder.location)
            let found = Set(try new.find(.password(service: "probe")).compactMap(\.accountName))
            #expect(accounts.isSubset(of: found), "\(accounts.subtracting(found))")
            try new.verify()
        }
    }
}
