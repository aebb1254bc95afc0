// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore
import TestSupport
import Testing

@testable import SecItemSQLite

/// The contract of a store: the same calls on this store and on the reference have the same results.
@Suite struct RecordTests {
    private let folder: TemporaryFolder
    private let store: SQLiteStore

    init() throws {
        folder = try TemporaryFolder()
        store = try openStore(folder.location)
    }

    @Test func insert_thenFind_givesAllBack() throws {
        let record = ItemRecord.password(label: "Label", more: [.generic: .data(Data([0, 1, 255]))])
        try store.insert(record)
        let found = try store.find(.password(service: "service", account: "account"))
        #expect(found.count == 1)
        #expect(found.first?.reference == record.reference)
        #expect(found.first?.secretData == Data("secret".utf8))
        #expect(found.first?.attributes.mapValues(\.matchKey) == record.attributes.mapValues(\.matchKey))
    }

    /// docs/file-format.md: each sealed part has a nonce, which is used once.
    @Test func nonces_areThoseOfWhatIsSealed_andNeverUsedTwice() throws {
        var seen = Set<Data>()
        for number in 0..<50 {
            try store.insert(.password(account: "\(number)", secret: number % 2 == 0 ? nil : Data("secret".utf8)))
            for round in 0..<3 {
                if round > 0 {
                    let changes: [ItemAttribute: AttributeValue] = [.label: .string("same each time")]
                    #expect(try store.update(.password(account: "\(number)"), changes) == 1)
                }
                if round == 2 {
                    #expect(try store.update(.password(account: "\(number)"), secret: Data("other".utf8)) == 1)
                }
                let row = try #require(
                    try store.connection.read { try $0.rows("SELECT * FROM item ORDER BY id DESC LIMIT 1") }.first)
                let nonces = try #require(row["nonces"]).data, secrets = try #require(row["secrets"]).data
                let hasSecret = number % 2 == 1 || round == 2
                #expect(nonces.count == (hasSecret ? 24 : 12) && secrets.isEmpty == !hasSecret)
                #expect(seen.insert(nonces.prefix(12)).inserted)
                // The secret is sealed again only if it changes.
                if hasSecret { #expect(seen.insert(nonces.suffix(12)).inserted == (round != 1)) }
            }
        }
    }

    @Test func insert_samePrimaryKey_isDuplicate() throws {
        try store.insert(.password())
        expect(.duplicate) { try store.insert(.password()) }
        // Text and data with the same bytes are the same key.
        expect(.duplicate) { try store.insert(.password(more: [.account: .data(Data("account".utf8))])) }
        // The protection class is not part of the primary key, although it determines the item's keys.
        expect(.duplicate) { try store.insert(.password(accessible: .always)) }
        try store.insert(.password(account: "other", accessible: .always))
        expect(.duplicate) { try store.insert(.password(account: "other")) }
        #expect(try store.find(.password()).count == 2)
    }

    @Test func find_secretOnly_leavesOutAttributes() throws {
        try store.insert(.password())
        let found = try store.find(.password(service: "service", account: "account"), .secrets)
        #expect(found.first?.attributes.isEmpty == true)
        #expect(found.first?.secretData == Data("secret".utf8))
        let other = try store.find(.password(service: "service", account: "account"), .attributes)
        #expect(other.first?.secrets.isEmpty == true)
    }

    @Test func find_isOldestFirst_acrossDomains() throws {
        for number in 0..<20 {
            try store.insert(.password(account: "\(number)", accessible: number % 3 == 0 ? .always : .whenUnlocked))
        }
        for filter in [RecordFilter.password(), .password(service: "service"), .password(groups: nil)] {
            #expect(try store.find(filter).map(\.accountName) == (0..<20).map { "\($0)" })
            #expect(try store.find(filter, limit: 5).map(\.accountName) == (0..<5).map { "\($0)" })
        }
    }

    @Test func find_limitOfZeroOrLess_isEmpty() throws {
        try store.insert(.password())
        #expect(try store.find(.password(), limit: 0).isEmpty)
        #expect(try store.find(.password(), limit: -1).isEmpty)
    }

    @Test func update_changesKeyAndSecret() throws {
        try store.insert(.password())
        #expect(try store.update(.password(), [.account: .string("new")], secret: Data("other".utf8)) == 1)
        #expect(try store.find(.password(account: "account")).isEmpty)
        #expect(try store.find(.password(account: "new")).first?.secretData == Data("other".utf8))
        #expect(try store.find(.password(service: "service", account: "new"), .secrets).count == 1)
    }

    @Test func update_attributesOnly_keepsSecret() throws {
        try store.insert(.password())
        try store.update(.password(), [.label: .string("new")])
        let found = try store.find(.password(more: [.label: .string("new")]))
        #expect(found.first?.secretData == Data("secret".utf8))
    }

    @Test func update_collision_changesNothing() throws {
        for account in ["a", "b", "c"] { try store.insert(.password(account: account)) }
        expect(.duplicate) { try store.update(.password(), [.account: .string("same")]) }
        expect(.duplicate) { try store.update(.password(account: "b"), [.account: .string("c")]) }
        #expect(try store.find(.password()).map(\.accountName) == ["a", "b", "c"])
    }

    @Test func update_collisionInOtherDomain_isDuplicate() throws {
        try store.insert(.password(account: "a", accessible: .always))
        try store.insert(.password(account: "b"))
        expect(.duplicate) { try store.update(.password(account: "b"), [.account: .string("a")]) }
        expect(.duplicate) { try store.update(.password(account: "a"), [.account: .string("b")]) }
        #expect(try store.find(.password()).map(\.accountName) == ["a", "b"])
    }

    @Test(arguments: Accessible.allCases.filter { $0 != .untilReboot && $0 != .whenPasscodeSetThisDeviceOnly })
    func update_accessible_reseals(_ accessible: Accessible) throws {
        try store.insert(.password())
        try store.update(.password(), [.accessible: .string(accessible.rawValue)])
        let found = try store.find(.password(service: "service", account: "account"))
        #expect(found.first?.accessible == accessible)
        #expect(found.first?.secretData == Data("secret".utf8))
        #expect(try store.update(.password(account: "account"), [.accessible: .string("ak")]) == 1)
        #expect(try store.find(.password(account: "account"), .secrets).first?.secretData == Data("secret".utf8))
    }

    @Test func delete_removesAllTraces() throws {
        for account in ["a", "b", "c"] { try store.insert(.password(account: account)) }
        #expect(try store.delete(.password(account: "b")) == 1)
        #expect(try store.find(.password()).map(\.accountName) == ["a", "c"])
        #expect(try store.delete(.password(account: "b")) == 0)
        try store.insert(.password(account: "b"))
        #expect(try store.delete(.password()) == 3)
        try store.verify()
        let left = try store.connection.read { try $0.number("SELECT count(*) FROM lookup") }
        #expect(left == 0)
    }

    @Test func find_byReference_ignoresOtherClasses() throws {
        let record = ItemRecord.password()
        try store.insert(record)
        let found = try store.find(RecordFilter(itemClass: .genericPassword, reference: record.reference))
        #expect(found.count == 1)
        let wrong = PersistentReference(itemClass: .internetPassword, uuid: record.reference.uuid)
        #expect(try store.find(RecordFilter(itemClass: .internetPassword, reference: wrong)).isEmpty)
    }

    @Test func insert_withoutSecret_hasNone() throws {
        try store.insert(.password(secret: nil))
        try store.insert(.password(account: "empty", secret: Data()))
        #expect(try store.find(.password(account: "account"), .secrets).first?.secrets.isEmpty == true)
        #expect(try store.find(.password(account: "empty"), .secrets).first?.secretData == Data())
        try store.update(.password(account: "account"), secret: Data("now".utf8))
        #expect(try store.find(.password(account: "account"), .secrets).first?.secretData == Data("now".utf8))
    }

    @Test func insert_untilReboot_isRefused() throws {
        expect(.unrepresentable) { try store.insert(.password(accessible: .untilReboot)) }
    }

    /// All records are stored or none, wherever the one that cannot be stored is in the list.
    @Test(arguments: [0, 1, 2])
    func insertOfSeveral_ofWhichOneIsThere_storesNone(position: Int) throws {
        try store.insert(.password(account: "there"))
        for other in ["there", "new"] {
            var records = ["new", "newer"].map { ItemRecord.password(account: $0) }
            records.insert(.password(account: other), at: position)
            expect(.duplicate) { try store.insert(records, interaction: .allowed) }
            let accounts = try store.find(.password()).map { $0.attributes[.account]?.string }
            #expect(accounts == ["there"])
        }
    }

    @Test func insert_whenPasscodeSet_needsPassphrase() throws {
        #expect(!store.isPassphraseProtected)
        expect(.unavailable) { try store.insert(.password(accessible: .whenPasscodeSetThisDeviceOnly)) }
    }

    /// The secret of a portal or of a chip is not a passphrase. The engine checks this first. This test covers a store
    /// whose passphrase another process removes in between.
    @Test func insert_whenPasscodeSet_needsNothingButAPassphrase() throws {
        let other = try TemporaryFolder()
        let portal = PortalProtector { (_) throws(StoreError) in
            PortalProtector.Answer(secret: Secret(Data("portal's secret".utf8)), token: nil)
        }
        let store = try SQLiteStore(
            location: other.location, protector: portal, cache: .none, logger: CollectedLog().logger)
        expect(.unavailable) { try store.insert(.password(accessible: .whenPasscodeSetThisDeviceOnly)) }
        try store.insert(.password())
        let changes: [ItemAttribute: AttributeValue] = [.accessible: .string("akpu")]
        expect(.unavailable) { _ = try store.update(.password(account: "account"), changes) }
    }

    @Test func largeValues_comeBack() throws {
        let secret = Data((0..<(16 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let label = String(repeating: "ü", count: 600_000)
        try store.insert(.password(label: label, secret: secret))
        let found = try store.find(.password(service: "service", account: "account"))
        #expect(found.first?.secretData == secret)
        #expect(found.first?.attributes[.label]?.string?.utf8.elementsEqual(label.utf8) == true)
        #expect(try store.find(.password(more: [.label: .string(label)]), .secrets).first?.secretData == secret)
    }

    @Test func reopened_hasItems() throws {
        let folder = try TemporaryFolder()
        try openStore(folder.location).insert(.password())
        #expect(try openStore(folder.location).find(.password()).count == 1)
    }
}
