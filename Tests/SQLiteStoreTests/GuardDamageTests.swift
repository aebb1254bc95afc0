// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemConformance
import SecItemStore
import TestSupport
import Testing

@testable import SecItemSQLite
@testable import SecItemSealing

/// Whatever is changed in a guarded row or in the row of the guard key, the result is an error. It is never another
/// secret, and no secret is sealed for somebody else.
@Suite struct GuardDamageTests {
    private let folder: TemporaryFolder
    private let store: SQLiteStore
    private let secret = Data("the secret of a".utf8)

    init() throws {
        folder = try TemporaryFolder()
        store = try openStore(folder.location, passphrase: "right")
        try store.insert(.guarded("a", secret: secret))
        try store.insert(.guarded("b", secret: Data("the secret of b".utf8)))
    }

    /// A connection that can change the file in any way.
    private func intruder() throws -> Database {
        let intruder = try Database(folder.location.databasePath, .writing)
        try intruder.execute("PRAGMA synchronous = OFF")
        return intruder
    }

    /// Calls `body` once for each bit of the column, with that bit flipped. Restores the column afterwards.
    ///
    /// - Parameter condition: A condition that matches one row, whatever the column contains.
    private func forEachFlip(
        _ table: String, _ column: String, _ condition: String, everyBit: Bool = true, _ body: (String) throws -> Void
    ) throws {
        let intruder = try intruder()
        var random = SeededGenerator()
        let value = try #require(try intruder.value("SELECT \(column) FROM \(table) WHERE \(condition)"))
        let whole = value.data
        let isText = value == .text(String(decoding: whole, as: UTF8.self))
        func set(_ bytes: Data) throws {
            let value = isText ? "CAST(?1 AS TEXT)" : "?1"
            try intruder.run("UPDATE \(table) SET \(column) = \(value) WHERE \(condition)", [.bytes(bytes)])
        }
        for offset in whole.indices {
            for bit in everyBit ? Array(UInt8(0)..<8) : [UInt8.random(in: 0..<8, using: &random)] {
                var damaged = whole
                damaged[offset] ^= 1 << bit
                try set(damaged)
                try body("\(table).\(column) \(offset).\(bit)")
                try set(whole)
            }
        }
        #expect(try store.secret("a") == secret)
    }

    @Test(arguments: [
        "class", "reference", "accessible", "primary_key", "slots", "nonces", "code", "attributes", "secrets",
    ])
    func guardedRow_anyBitFlipped_givesNoOtherSecret(_ column: String) throws {
        let key = try store.guardKey(passphrase: Secret("right"))
        let filter = RecordFilter.password(account: "a")
        try forEachFlip("item", column, "id = 1", everyBit: column != "attributes") { place in
            do {
                for record in try store.find(filter) {
                    let guarded = try #require(record.guardedSecrets, "\(place)")
                    let opened = try store.secrets(in: guarded, of: record, with: key)
                    Issue.record("\(place): \(opened.count) secrets")
                }
            } catch let error as StoreError {
                #expect(error.code == .corrupt, "\(place): \(error)")
            }
        }
    }

    /// Look-ups that do not ask for attributes see no more than others.
    @Test func markOfTheRow_flipped_laysNothingOpen() throws {
        try forEachFlip("item", "nonces", "id = 1") { place in
            for parts: RecordParts in [.secrets, .attributes] {
                expect(.corrupt) { _ = try store.find(.password(account: "a"), parts) }
            }
        }
    }

    @Test(arguments: ["wrapper", "parameters", "sealed", "checksum", "code"])
    func guardKeyRow_anyBitFlipped_isRefused(_ column: String) throws {
        try forEachFlip("keys", column, "name = 'guard'") { place in
            expect(.corrupt) { _ = try store.guardKey(passphrase: Secret("right")) }
            expect(.corrupt) { try store.insert(.guarded("c")) }
        }
        #expect(try store.find(.password(account: "c"), []).isEmpty)
        try forEachFlip("keys", column, "name = 'guard'", everyBit: false) { place in
            expect(.corrupt) { _ = try openStore(folder.location, passphrase: "right") }
        }
    }

    @Test func guardKeyRow_missing_isDamage() throws {
        let row = try #require(try store.header().keys[.guardKey])
        try intruder().execute("DELETE FROM keys WHERE name = 'guard'")
        // Nobody replaces the row.
        for passphrase in ["right", "other"] {
            expect(.corrupt) { try store.changePassphrase("right", to: passphrase) }
        }
        expect(.corrupt) { try store.insert(.guarded("c")) }
        expect(.corrupt) { try openStore(folder.location, passphrase: "right").insert(.guarded("c")) }
        expect(.corrupt) { _ = try store.secret("a") }
        expect(.corrupt) { try store.update(.password(account: "a"), [.accessible: .string("ck")]) }
        try store.connection.write { try row.write($0) }
        #expect(try store.secret("a") == secret)
    }

    /// Somebody with both files but without the store's keys adds a public key. Nothing is sealed to it.
    @Test func plantedPublicKey_isRefused() throws {
        let device = try store.header().check(store.deviceKey())
        let mine = try Secret.randomKey()
        var own = KeyTable<Secret>()
        for name in KeyName.belowRoot { own[name] = try .randomKey() }
        let wrapping = try GuardKeyRow.Wrapping(method: .passphrase, key: mine, storeID: store.storeID, device: device)
        let planted = try GuardKeyRow.make(vouchedFor: own, wrapping).row
        try store.connection.write { try planted.wrapped.write($0) }
        // With the device key alone, the row looks valid.
        _ = try store.header().check(store.deviceKey())
        for accessible in Accessible.allCases where accessible != .untilReboot {
            expect(.corrupt) { try store.insert(.guarded("c", accessible: accessible)) }
        }
        expect(.corrupt) { try store.update(.password(account: "a"), secret: Data("new".utf8)) }
        expect(.corrupt) { _ = try store.guardKey(passphrase: Secret("right")) }
        expect(.corrupt) { try store.changePassphrase("right", to: "other") }
    }

    /// A key vouches only for its own protection class, so somebody with the cached keys gets nothing of the other
    /// classes.
    @Test func keyOfOneClass_vouchesForThatClassOnly() throws {
        let device = try store.header().check(store.deviceKey())
        var own = KeyTable<Secret>()
        for name in KeyName.belowRoot {
            own[name] = KeyName.cached.contains(name) ? try store.currentKeys().key(name) : try .randomKey()
        }
        let wrapping = try GuardKeyRow.Wrapping(
            method: .passphrase, key: try .randomKey(), storeID: store.storeID, device: device)
        let planted = try GuardKeyRow.make(vouchedFor: own, wrapping).row
        try store.connection.write { try planted.wrapped.write($0) }
        for accessible in [Accessible.whenUnlocked, .whenUnlockedThisDeviceOnly, .whenPasscodeSetThisDeviceOnly] {
            expect(.corrupt) { try store.insert(.guarded("c", accessible: accessible)) }
        }
    }

    /// Somebody with all keys of an unlocked process can seal rows again. No secret of one item or attribute is
    /// accepted for another, and none opens under fewer constraints.
    @Test func rowsSealedAnew_withoutTheGuardKey_openNothing() throws {
        let key = try store.guardKey(passphrase: Secret("right"))
        let keys = try store.currentKeys()
        let found = try store.find(.password())
        let a = try #require(found.first), b = try #require(found.last)
        func put(_ record: ItemRecord) throws -> ItemRecord {
            let row = try #require(GuardKeyRow(try store.header()))
            try store.connection.write { database in
                let seal = try row.seal(for: record.accessible, keys, storeID: store.storeID)
                let item = try SealedItem(record, keys: keys, storeID: store.storeID, guardSeal: seal)
                try SQLiteStore.replace(database, item, id: 1, keepingSecrets: false)
            }
            return try #require(try store.find(RecordFilter(itemClass: .genericPassword, reference: a.reference)).first)
        }
        func expectShut(_ record: ItemRecord) throws {
            let guarded = try #require(record.guardedSecrets)
            expect(.corrupt) { _ = try store.secrets(in: guarded, of: record, with: key) }
        }
        var forged = a
        forged.guardedSecrets = b.guardedSecrets
        try expectShut(put(forged))
        forged = a
        let sealed = try #require(a.guardedSecrets?.sealed[.valueData])
        forged.guardedSecrets = GuardedSecrets(sealed: [.valueData: sealed, .extraNotes: sealed])
        try expectShut(put(forged))
        for flags: AccessConstraints.Flags in [.userPresence, [.devicePasscode, .or, .biometryAny]] {
            forged = a
            forged.attributes[.accessControl] = .data(try #require(AccessConstraints(flags: flags)).encoded)
            try expectShut(put(forged))
        }
        // It opens if only attributes differ that may change.
        forged = a
        forged.attributes[.label] = .string("other")
        let record = try put(forged)
        #expect(try store.secrets(of: record, passphrase: "right")[.valueData] == secret)
    }

    /// Whichever columns of one item are put into the row of another, no item gets the other's secret, and none loses its
    /// constraints. One of the items has no constraints, and one a password of its own.
    @Test func columnsOfAnotherRow_openNothing() throws {
        let columns = [
            "class", "reference", "accessible", "primary_key", "slots", "nonces", "code", "attributes", "secrets",
        ]
        let derivation = PasswordSeal.newDerivation(.lowest)
        let seal = try PasswordSeal(Secret("own"), derivation)
        let constraints = try #require(AccessConstraints(flags: .applicationPassword, password: derivation))
        try store.insert(
            seal.sealing(
                .password(
                    account: "own", secret: Data("the secret of own".utf8),
                    more: [.accessControl: .data(constraints.encoded)])))
        try store.insert(.password(account: "free", secret: Data("the secret of free".utf8)))
        let intruder = try intruder()
        let rows = try intruder.rows("SELECT * FROM item ORDER BY id")
        #expect(rows.count == 4)
        let accounts = ["a", "b", "own", "free"]
        let key = try store.guardKey(passphrase: Secret("right"))
        var answers = 0
        for (target, account) in accounts.enumerated() {
            for (source, _) in accounts.enumerated() where source != target {
                // All columns together are the other item itself.
                for subset in 1..<(1 << columns.count) - 1 {
                    let moved = columns.enumerated().filter { subset & 1 << $0.offset != 0 }.map(\.element)
                    try intruder.inTransaction(forWriting: true) {
                        try intruder.execute("DELETE FROM item")
                        let names = rows[target].keys.sorted()
                        let values = names.compactMap { rows[moved.contains($0) ? source : target][$0] }
                        try intruder.run(
                            """
                            INSERT INTO item (\(names.joined(separator: ","))) \
                            VALUES (\(names.map { _ in "?" }.joined(separator: ",")))
                            """, values)
                    }
                    for searched in accounts {
                        guard let record = try? store.find(.password(account: searched)).first else { continue }
                        let place = "\(searched) with \(moved) of \(accounts[source]) in \(account)"
                        var secrets = record.secrets
                        if let guarded = record.guardedSecrets {
                            guard let opened = try? store.secrets(in: guarded, of: record, with: key) else { continue }
                            secrets = opened
                        }
                        if try record.constraints?.password != nil {
                            guard let opened = try? seal.opening(record).secrets else { continue }
                            secrets = opened
                        }
                        answers += 1
                        #expect(
                            secrets[.valueData]?.data()
                                == (searched == "a" ? secret : Data("the secret of \(searched)".utf8)), "\(place)")
                        #expect(
                            (record.attributes[.accessControl] == nil) == (searched == "free"), "\(place)")
                        #expect((record.guardedSecrets != nil) == ["a", "b"].contains(searched), "\(place)")
                    }
                }
            }
        }
        // Some columns of two rows are alike, so that moving them changes nothing.
        #expect(answers > 0)
    }

    /// The row of the guard key from before a change of the passphrase opens nothing, for neither passphrase.
    @Test func olderGuardKeyRow_isRefused() throws {
        let older = try #require(try store.header().keys[.guardKey])
        try store.changePassphrase("right", to: "other")
        let newer = try #require(try store.header().keys[.guardKey])
        try store.connection.write { try older.write($0) }
        for passphrase in ["right", "other"] {
            #expect(throws: StoreError.self) {
                let store = try openStore(folder.location, passphrase: passphrase)
                _ = try store.secret("a", passphrase: passphrase)
            }
            #expect(throws: StoreError.self) { _ = try store.secret("a", passphrase: passphrase) }
        }
        try store.connection.write { try newer.write($0) }
        #expect(try store.secret("a", passphrase: "other") == secret)
    }
}
