// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemGnome
import SecItemStore
import TestSupport
import Testing

extension OnARealService {
    /// The contract of a store, on a real service.
    @Suite(.serialized) struct StoreTests {
        let store: LibsecretStore
        let group = "org.example." + UUID().uuidString

        init() throws {
            store = try #require(PrivateBus.shared).store()
        }

        @Test func insert_newItem_isFoundWithEverything() throws {
            let record = ItemRecord.password("insert", "anna", "geheim", group: group)
            try store.insert(record, interaction: .forbidden)
            let found = try store.all(.password("insert", "anna", group: group))
            #expect(found.count == 1)
            #expect(found.first?.text == "geheim")
            #expect(found.first?.reference == record.reference)
            expectSame(found.first, record)
            #expect(try store.secret(.password("insert", nil, group: group)) == "geheim")
            #expect(try store.secret(.password("insert", "berta", group: group)) == nil)
        }

        /// The service takes secret and attributes in two steps. If the program died in between, nobody could open the
        /// secret.
        @Test func update_ofASecretAndItsPassword_isRefused_andChangesNothing() throws {
            func constraints(_ salt: UInt8) throws -> [ItemAttribute: AttributeValue] {
                let derivation = AccessConstraints.PasswordDerivation(
                    logarithmOfRounds: 4, blockSize: 8, parallelism: 1, salt: Data(repeating: salt, count: 32))
                let constraints = AccessConstraints(flags: .applicationPassword, password: derivation)
                return [.accessControl: .data(try #require(constraints).encoded)]
            }
            let new = [ItemAttribute.valueData: Secret(Data("new".utf8))]
            let sealed = ItemRecord.password("sealed", "anna", "old", group: group, more: try constraints(1))
            let free = ItemRecord.password("free", "anna", "old", group: group)
            for record in [sealed, free] { try store.insert(record, interaction: .forbidden) }
            let refused: [(ItemRecord, RecordChanges)] = [
                (sealed, RecordChanges(attributes: try constraints(2), secrets: new)),
                (sealed, RecordChanges(attributes: [:], secrets: new, removing: [.accessControl])),
                (free, RecordChanges(attributes: try constraints(1), secrets: new)),
            ]
            for (record, changes) in refused {
                let filter = RecordFilter(itemClass: .genericPassword, reference: record.reference)
                do throws(StoreError) {
                    _ = try store.update(matching: filter, applying: changes, interaction: .forbidden)
                    Issue.record("changed")
                } catch {
                    #expect(error.code == .unsupported)
                }
                let found = try #require(try store.all(filter).first)
                #expect(found.text == "old")
                expectSame(found, record)
            }
            // Each of these changes alone is one write.
            let changes = [
                RecordChanges(attributes: try constraints(1), secrets: new),
                RecordChanges(attributes: try constraints(2), secrets: [:]),
            ]
            for change in changes {
                let filter = RecordFilter(itemClass: .genericPassword, reference: sealed.reference)
                #expect(try store.update(matching: filter, applying: change, interaction: .forbidden) == 1)
                #expect(try store.secret(.password("sealed", "anna", group: group)) == "new")
            }
        }

        @Test func insert_everyTypeOfValue_comesBackExactly() throws {
            let awkward: [AttributeValue] = [
                .string(""), .string("a\0b"), .string("secitem.text:x"), .string("secitem.base64:AAAA"), .string("5"),
                .string("e\u{301}"), .string("é"), .string("\u{10FFFF}\u{1F600}\u{FFFE}\n\t\u{7F}"),
                .data(Data()), .data(Data("text".utf8)), .data(Data([0, 255, 1])), .data(Data([0xC3, 0x28])),
                .integer(5), .integer(.min), .real(1.5), .real(3), .real(.infinity), .real(.nan), .real(-.nan),
                .date(Date(timeIntervalSinceReferenceDate: 1.000000119)),
            ]
            for (index, value) in awkward.enumerated() {
                let more: [ItemAttribute: AttributeValue] = [
                    .generic: value, .creator: value, .label: value, .account: value,
                ]
                let record = ItemRecord.password("types \(index)", "", group: group, more: more)
                try store.insert(record, interaction: .forbidden)
                for attribute in more.keys {
                    var filter = RecordFilter.password("types \(index)", nil, group: group)
                    filter = RecordFilter(
                        itemClass: .genericPassword, attributes: filter.attributes.merging([attribute: value]) { $1 },
                        accessGroups: [group]
                    )
                    let found = try store.all(filter)
                    #expect(found.count == 1, "\(value) as \(attribute)")
                    expectSame(found.first, record)
                }
            }
        }

        @Test func insert_samePrimaryKey_isDuplicate() throws {
            try store.insert(.password("twice", "anna", group: group), interaction: .forbidden)
            #expect(
                code { try store.insert(.password("twice", "anna", "other", group: group), interaction: .forbidden) }
                    == .duplicate)
            #expect(try store.secret(.password("twice", "anna", group: group)) == "secret")
            try store.insert(.password("twice", "anna", group: group + ".b"), interaction: .forbidden)
            try store.insert(.password("twice", "berta", group: group), interaction: .forbidden)
            let bytes: [ItemAttribute: AttributeValue] = [.account: .data(Data("anna".utf8))]
            let same = ItemRecord.password("twice", "", group: group, more: bytes)
            #expect(code { try store.insert(same, interaction: .forbidden) } == .duplicate)
        }

        @Test func records_noSecret_differsFromEmptySecret() throws {
            try store.insert(.password("none", "a", nil, group: group), interaction: .forbidden)
            try store.insert(.password("none", "b", "", group: group), interaction: .forbidden)
            let found = try store.all(.password("none", group: group))
            #expect(found.map { $0.secrets[.valueData]?.count } == [nil, 0])
        }

        @Test func records_many_areOldestFirstAndLimited() throws {
            for number in 0..<12 {
                try store.insert(.password("many", "\(number)", "\(number)", group: group), interaction: .forbidden)
            }
            #expect(try store.all(.password("many", group: group)).map(\.text) == (0..<12).map { "\($0)" })
            let some = try store.records(
                matching: .password("many", group: group), parts: .secrets, limit: 3, interaction: .forbidden
            )
            #expect(some.map(\.text) == ["0", "1", "2"])
        }

        @Test func records_byReference_findsThatOne() throws {
            let record = ItemRecord.password("reference", "anna", group: group)
            try store.insert(record, interaction: .forbidden)
            let filter = RecordFilter(itemClass: .genericPassword, reference: record.reference, accessGroups: nil)
            #expect(try store.all(filter).map(\.reference) == [record.reference])
            let other = RecordFilter(
                itemClass: .genericPassword, reference: PersistentReference(itemClass: .genericPassword))
            #expect(try store.all(other).isEmpty)
        }

        @Test func update_attributesAndSecret_changesBothAndKeepsTheRest() throws {
            let record = ItemRecord.password("update", "anna", "old", group: group, more: [.comment: .string("kept")])
            try store.insert(record, interaction: .forbidden)
            let changes = RecordChanges(
                attributes: [.account: .string("berta"), .label: .string("name")],
                secrets: [.valueData: Secret(Data("new".utf8))]
            )
            #expect(
                try store.update(
                    matching: .password("update", group: group), applying: changes, interaction: .forbidden) == 1)
            let found = try store.all(.password("update", "berta", group: group))
            expectSame(found.first, try record.applying(changes))
            #expect(found.first?.text == "new")
            #expect(try store.all(.password("update", "anna", group: group)).isEmpty)
        }

        @Test func update_toAKeyThatIsTaken_changesNothing() throws {
            for account in ["a", "b", "c"] {
                try store.insert(.password("taken", account, account, group: group), interaction: .forbidden)
            }
            let toC = RecordChanges(attributes: [.account: .string("c")], secrets: [:])
            #expect(
                code {
                    _ = try store.update(
                        matching: .password("taken", "a", group: group), applying: toC, interaction: .forbidden)
                } == .duplicate)
            let toSame = RecordChanges(
                attributes: [.account: .string("x")], secrets: [.valueData: Secret(Data("y".utf8))])
            #expect(
                code {
                    _ = try store.update(
                        matching: .password("taken", group: group), applying: toSame, interaction: .forbidden)
                } == .duplicate)
            #expect(try store.all(.password("taken", group: group)).map(\.text) == ["a", "b", "c"])
        }

        @Test func update_nothing_countsNothing() throws {
            let changes = RecordChanges(attributes: [:], secrets: [:])
            #expect(
                try store.update(
                    matching: .password("nothing", group: group), applying: changes, interaction: .forbidden) == 0)
            #expect(try store.delete(matching: .password("nothing", group: group), interaction: .forbidden) == 0)
        }

        @Test func delete_many_deletesThoseAlone() throws {
            for number in 0..<5 {
                try store.insert(.password("delete", "\(number)", group: group), interaction: .forbidden)
            }
            try store.insert(.password("delete", "0", group: group + ".other"), interaction: .forbidden)
            #expect(try store.delete(matching: .password("delete", "3", group: group), interaction: .forbidden) == 1)
            #expect(try store.delete(matching: .password(group: group), interaction: .forbidden) == 4)
            #expect(try store.all(.password("delete", group: group)).isEmpty)
            #expect(try store.all(.password("delete", group: group + ".other")).count == 1)
        }

        @Test func classes_allFour_areKeptApart() throws {
            for itemClass in ItemClass.stored {
                var attributes: [ItemAttribute: AttributeValue] = [.accessGroup: .string(group)]
                for row in ItemSchema.schema(of: itemClass).requiredRows {
                    attributes[row.attribute] = row.kind.emptyValue
                }
                let record = ItemRecord(
                    reference: PersistentReference(itemClass: itemClass), attributes: attributes,
                    secrets: [.valueData: Secret(Data(itemClass.rawValue.utf8))]
                )
                try store.insert(record, interaction: .forbidden)
            }
            for itemClass in ItemClass.stored {
                let found = try store.all(RecordFilter(itemClass: itemClass, accessGroups: [group]))
                #expect(found.map(\.text) == [itemClass.rawValue])
            }
        }

        @Test func repeatedLookup_afterAnotherStoreChanged_isNeverStale() throws {
            let other = try #require(PrivateBus.shared).store()
            try store.insert(.password("stale", "anna", "0", group: group), interaction: .forbidden)
            // Other services than gnome-keyring are slower, and their items are not cached.
            for number in 1...(PrivateBus.isGnomeKeyring ? 50 : 10) {
                #expect(try store.secret(.password("stale", "anna", group: group)) == "\(number - 1)")
                let changes = RecordChanges(
                    attributes: [.comment: .integer(Int64(number))],
                    secrets: [.valueData: Secret(Data("\(number)".utf8))]
                )
                #expect(
                    try other.update(
                        matching: .password("stale", "anna", group: group), applying: changes, interaction: .forbidden)
                        == 1)
                let found = try store.records(
                    matching: .password("stale", "anna", group: group), parts: [.attributes, .secrets], limit: 1,
                    interaction: .forbidden
                )
                #expect(found.first?.attributes[.comment]?.integer == Int64(number))
                #expect(found.first?.text == "\(number)")
            }
            #expect(try other.delete(matching: .password("stale", "anna", group: group), interaction: .forbidden) == 1)
            #expect(try store.secret(.password("stale", "anna", group: group)) == nil)
        }

        @Test func secrets_largeOnes_areKeptAndTooLargeRefused() throws {
            let sizes = [16 * 1024, 16 * 1024 + 1, 1024 * 1024]
            // A secret of line breaks has another form on the service.
            for character in ["x", "\n"] {
                let secrets = sizes.map { String(repeating: character, count: $0) }
                for secret in secrets {
                    let account = "\(character.utf8) \(secret.utf8.count)"
                    try store.insert(.password("large", account, secret, group: group), interaction: .forbidden)
                }
                #expect(try store.all(.password("large", group: group)).map(\.text) == secrets)
                #expect(try store.delete(matching: .password("large", group: group), interaction: .forbidden) == 3)
            }
            let huge = String(repeating: "x", count: 16 * 1024 * 1024 + 1)
            #expect(
                code { try store.insert(.password("huge", "", huge, group: group), interaction: .forbidden) }
                    == .tooLarge)
        }

        @Test func insert_secondSecretOfInternetPassword_isUnsupported() throws {
            var record = ItemRecord.internetPassword("second.example", "anna", group: group)
            record.secrets[.extraNotes] = Secret(Data("note".utf8))
            #expect(code { try store.insert(record, interaction: .forbidden) } == .unsupported)
        }

        @Test func summary_namesTheProvider() throws {
            let status = try store.status()
            #expect(store.summary.contains(status.provider.name))
            #expect(!status.isLocked)
            var configuration = LibsecretStore.Configuration(environment: try #require(PrivateBus.shared).environment)
            #expect(LibsecretStore.isServiceAvailable(configuration: configuration))
            configuration.environment = ["XDG_RUNTIME_DIR": "/nonexistent"]
            #expect(!LibsecretStore.isServiceAvailable(configuration: configuration))
        }

        private func expectSame(_ found: ItemRecord?, _ wanted: ItemRecord, line: Int = #line) {
            guard let found else {
                Issue.record("nothing was found, line \(line)")
                return
            }
            #expect(Set(found.attributes.keys) == Set(wanted.attributes.keys), "line \(line)")
            for (attribute, value) in wanted.attributes {
                let own = found.attributes[attribute]
                #expect(own.map { "\($0)" } == "\(value)", "\(attribute), line \(line)")
                #expect(own?.matchKey == value.matchKey, "\(attribute), line \(line)")
            }
        }
    }
}
