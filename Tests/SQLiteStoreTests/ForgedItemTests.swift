// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore
import TestSupport
import Testing

@testable import SecItemSQLite
@testable import SecItemSealing

/// Rows from somebody who has both files but not the passphrase, and therefore the keys of *always* items.
@Suite struct ForgedItemTests {
    private let folder: TemporaryFolder
    private let store: SQLiteStore
    private let log = CollectedLog()

    init() throws {
        folder = try TemporaryFolder()
        store = try openStore(folder.location, passphrase: "right", logger: log.logger)
        try store.insert(.password(account: "true", label: "label", secret: Data("true".utf8)))
        try store.insert(.password(account: "always", accessible: .always, secret: Data("always".utf8)))
    }

    /// The changes that the forger makes before writing the row.
    private struct Forgery {
        /// The attributes for the row's look-up values, if they differ from the sealed ones.
        var shown: ItemRecord?
        var number: Int64 = -7
    }

    /// Writes a row with the device key alone.
    private func plant(_ record: ItemRecord, _ forgery: Forgery = Forgery()) throws {
        let header = try store.connection.read(StoreHeader.read)
        let file = try Secret(Data(contentsOf: URL(fileURLWithPath: folder.location.keyFilePath)))
        let device = try header.check(DeviceKey(file: file, path: ""))
        let keys = try KeySet(header.alwaysKeys(device))
        #expect(keys.metadata(.main) == nil)
        let metadata = try #require(keys.metadata(.always))
        let accessible = Accessible.always
        let key = try #require(keys.secretKey(for: accessible))
        let shown = forgery.shown ?? record
        let index = try ItemIndex(itemClass: .genericPassword, attributes: shown.attributes, keys: metadata)
        let context = RowContext(storeID: header.storeID, reference: record.reference, accessible: accessible)
        let attributes = try SealedBytes(
            sealing: ValueCoding.encode(record.attributes),
            context: context.forAttributes(primaryKey: index.primaryKey, slots: index.slots),
            with: metadata.attributes)
        let secrets = try SealedBytes(
            sealing: ValueCoding.encode(record.secrets), context: context.forSecrets, with: key)
        let nonces = attributes.nonce + secrets.nonce
        let code = try metadata.rowCode(
            context.forRow(id: forgery.number, primaryKey: index.primaryKey, slots: index.slots, nonces: nonces))
        func data(_ blind: Blind) -> Data { blind.withUnsafeBytes { Data($0) } }
        try store.connection.write { database in
            let columns = [
                withUnsafeBytes(of: record.reference.uuid.uuid) { Data($0) }, data(index.primaryKey),
                Data(index.slots), Data(nonces), data(code), Data(attributes.ciphertext), Data(secrets.ciphertext),
            ]
            try database.run(
                "INSERT INTO item VALUES (?1, 'genp', ?2, 'dk', ?3, ?4, ?5, ?6, ?7, ?8)",
                [SQLValue.integer(forgery.number)] + columns.map(SQLValue.bytes))
            for blind in index.lookups {
                try database.run(
                    "INSERT OR IGNORE INTO lookup VALUES (?1, ?2)", [.bytes(data(blind)), .integer(forgery.number)])
            }
        }
    }

    private let filters: [RecordFilter] = [
        .password(service: "service", account: "true"), .password(account: "true"),
        .password(account: "true", more: [.label: .string("label")]),
        .password(account: "true", groups: nil),
    ]

    /// No kind of look-up returns the forged secret.
    private func expectTheTrueOne(_ store: SQLiteStore, sourceLocation: SourceLocation = #_sourceLocation) throws {
        for filter in filters {
            for parts in [RecordParts.secrets, .attributes, [.secrets, .attributes], []] {
                for limit in [1, nil] {
                    let found = try store.find(filter, parts, limit: limit)
                    #expect(found.count == 1, sourceLocation: sourceLocation)
                    if parts.contains(.secrets) {
                        #expect(found.first?.secretData == Data("true".utf8), sourceLocation: sourceLocation)
                    }
                }
            }
        }
        let all = try store.find(.password())
        #expect(
            all.map(\.secretData) == [Data("true".utf8), Data("always".utf8)], sourceLocation: sourceLocation)
        #expect(
            try store.find(.password(service: "service", account: "always")).first?.secretData
                == Data("always".utf8), sourceLocation: sourceLocation)
    }

    private func forged(_ more: [ItemAttribute: AttributeValue] = [:], account: String = "true") -> ItemRecord {
        .password(
            account: account, label: "label", accessible: .always, secret: Data("forged".utf8), more: more)
    }

    @Test func twinOfAProtectedItem_isNeverTakenForIt() throws {
        try plant(forged())
        try expectTheTrueOne(store)
        #expect(log.text.contains("damaged"))
        // Neither does a process that has only the keys cached since the first unlock.
        try store.lock()
        for filter in filters {
            let found = try store.find(filter, .attributes)
            #expect(found.map(\.accessible) == [.whenUnlocked])
        }
        expect(.locked) { _ = try store.find(.password(account: "true"), .secrets) }
    }

    /// A row whose look-up values are those of a protected item, but whose sealed attributes differ.
    @Test func itemThatIsNotWhatItsLookUpValuesSay_isDamage() throws {
        try plant(forged(account: "other"), Forgery(shown: forged()))
        try expectTheTrueOne(store)
        #expect(log.text.contains("differ from its look-up values"))
    }

    @Test func itemWhosePrimaryKeyIsNotItsOwn_isDamage() throws {
        let shown = forged([.path: .string("/")])
        try plant(forged([.accessible: .string("ak")]), Forgery(shown: shown))
        try expectTheTrueOne(store)
    }

    @Test func forgedItemBehindManyOthers_isLeftOut() throws {
        let others = (0..<300).map { ItemRecord.password(account: "\($0)", accessible: .always) }
        try store.insert(others, interaction: .allowed)
        try plant(forged(), Forgery(number: 1_000))
        try plant(forged(account: "other"), Forgery(shown: forged(account: "shown"), number: 1_001))
        try plant(.password(account: "last", accessible: .always), Forgery(number: 1_002))
        let found = try store.find(.password()).compactMap(\.accountName)
        #expect(found == ["true", "always"] + (0..<300).map(String.init) + ["last"])
        #expect(log.text.contains("has the primary key of a protected item"))
        #expect(log.text.contains("differ from its look-up values"))
    }

    @Test func forgedItemAlone_isDamage_notAnAnswer() throws {
        try plant(forged([.comment: .string("forged")]))
        expect(.corrupt) { _ = try store.find(.password(account: "true", more: [.comment: .string("forged")])) }
        expect(.corrupt) {
            try store.update(.password(account: "true", more: [.comment: .string("forged")]), [.label: .string("x")])
        }
    }

    @Test func update_changesTheTrueOneOnly_andDeleteLeavesNeither() throws {
        try plant(forged())
        #expect(try store.update(.password(service: "service", account: "true"), secret: Data("new".utf8)) == 1)
        #expect(try store.find(.password(service: "service", account: "true")).first?.secretData == Data("new".utf8))
        try store.delete(.password(service: "service", account: "true"))
        #expect(try store.find(.password(service: "service", account: "true")).isEmpty)
        try store.verify()
    }

    /// Before the first unlock, nobody can tell the difference. docs/security.md says so.
    @Test func beforeTheFirstUnlock_theForgedItemIsAllThereIs() throws {
        try plant(forged())
        let locked = try SQLiteStore(location: folder.location, cache: .none, logger: log.logger)
        let found = try locked.find(.password(service: "service", account: "true"), limit: 1)
        #expect(found.map(\.accessible) == [.always])
        expect(.locked) { _ = try locked.find(.password(service: "service", account: "true")) }
    }
}
