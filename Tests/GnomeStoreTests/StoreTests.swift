// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemGnome
import SecItemStore
import TestSupport
import Testing

extension OnARealService {
    /// The contract of a store, on a real service: what the cases of the conformance suite do not say.
    @Suite(.serialized) struct StoreTests {
        let store: LibsecretStore
        let group = "org.example." + UUID().uuidString

        init() throws {
            store = try #require(PrivateBus.shared).store()
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
