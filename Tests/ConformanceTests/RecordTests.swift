// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore
import Testing

/// The functions of `SecItemStore` for authors of stores: equality of values, records that a filter matches, records
/// after a change, and descriptions without secrets.
@Suite struct RecordTests {
    private static func record(_ attributes: [ItemAttribute: AttributeValue]) -> ItemRecord {
        ItemRecord(
            reference: PersistentReference(itemClass: .genericPassword), attributes: attributes,
            secrets: [.valueData: Secret(Data("geheim".utf8))])
    }

    // MARK: Values

    @Test func values_areEqual_whenTheyMeanTheSame() {
        let groups: [[AttributeValue]] = [
            [.string("1"), .data(Data("1".utf8))], [.integer(1), .real(1)], [.integer(0), .real(0), .real(-0.0)],
            [.real(1.5)], [.real(1.25)], [.date(Date(timeIntervalSinceReferenceDate: 1.5))],
            [.date(Date(timeIntervalSinceReferenceDate: 1))], [.string(""), .data(Data())], [.integer(-1), .real(-1)],
            [.string("é")], [.string("e\u{301}")], [.string("A")], [.string("a")],
        ]
        for (index, group) in groups.enumerated() {
            for (otherIndex, other) in groups.enumerated() {
                for value in group {
                    for another in other {
                        #expect(
                            (value.matchKey == another.matchKey) == (index == otherIndex), "\(value) and \(another)")
                    }
                }
            }
        }
    }

    @Test func emptyValue_ofEachKind_isThatOfItsType() {
        #expect(AttributeKind.string.emptyValue.matchKey == AttributeValue.string("").matchKey)
        #expect(AttributeKind.blob.emptyValue.matchKey == AttributeValue.data(Data()).matchKey)
        #expect(AttributeKind.uuid.emptyValue.matchKey == AttributeValue.data(Data()).matchKey)
        #expect(AttributeKind.number.emptyValue.matchKey == AttributeValue.integer(0).matchKey)
        let beginning = Date(timeIntervalSinceReferenceDate: 0)
        #expect(AttributeKind.date.emptyValue.matchKey == AttributeValue.date(beginning).matchKey)
    }

    @Test func attribute_ofOtherThanFourLetters_isNone() {
        #expect(ItemAttribute(code: "acct") == .account)
        #expect(ItemAttribute(code: "acct")?.code == "acct")
        for code in ["", "act", "accts", "äct", "acc\u{E9}", "🔑"] {
            #expect(ItemAttribute(code: code) == nil, "\(code)")
        }
    }

    // MARK: Filters

    @Test func filter_meansWhatAllItsPartsMean() {
        let record = Self.record([
            .account: .string("anna"), .service: .string("mail"), .accessGroup: .string("group"), .label: .string("x"),
        ])
        func matches(
            _ attributes: [ItemAttribute: AttributeValue] = [:], _ groups: [String]? = nil,
            reference: PersistentReference? = nil, itemClass: ItemClass = .genericPassword
        ) -> Bool {
            RecordFilter(
                itemClass: itemClass, reference: reference, attributes: attributes, accessGroups: groups
            ).matches(record)
        }
        #expect(matches())
        #expect(matches([.account: .string("anna"), .label: .data(Data("x".utf8))], ["other", "group"]))
        #expect(matches([.account: .string("anna")], reference: record.reference))
        #expect(!matches(itemClass: .internetPassword))
        #expect(!matches([:], []))
        #expect(!matches([:], ["other"]))
        #expect(!matches([.account: .string("anna"), .label: .string("y")]))
        #expect(!matches([.account: .string("berta"), .label: .string("x")]))
        #expect(!matches([.account: .string("anna")], reference: PersistentReference(itemClass: .genericPassword)))
        // An absent attribute is empty if it is part of the primary key, and otherwise matches nothing.
        #expect(matches([.synchronizable: .integer(0), .tokenID: .string("")]))
        #expect(!matches([.synchronizable: .integer(1)]))
        #expect(!matches([.comment: .string("")]))
        let ofNoGroup = Self.record([:])
        #expect(RecordFilter(itemClass: .genericPassword, accessGroups: [""]).matches(ofNoGroup))
        #expect(!RecordFilter(itemClass: .genericPassword, accessGroups: ["group"]).matches(ofNoGroup))
    }

    // MARK: Records

    @Test func primaryKey_ofAbsentAttributes_isThatOfEmptyOnes() {
        let absent = Self.record([.account: .string("anna")])
        let empty = Self.record([
            .account: .data(Data("anna".utf8)), .service: .string(""), .synchronizable: .integer(0),
            .accessGroup: .string(""), .label: .string("not part of it"),
        ])
        #expect(absent.primaryKey == empty.primaryKey)
        #expect(absent.primaryKey != Self.record([.account: .string("anna"), .synchronizable: .integer(1)]).primaryKey)
        #expect(absent.primaryKey != Self.record([.service: .string("anna")]).primaryKey)
    }

    @Test func protection_notNamed_isTheDefaultOfTheClass() {
        for itemClass in ItemClass.stored {
            let record = ItemRecord(reference: PersistentReference(itemClass: itemClass), attributes: [:], secrets: [:])
            #expect(record.accessible == (itemClass == .certificate ? .always : .whenUnlocked), "\(itemClass)")
        }
        #expect(Self.record([.accessible: .string("nonsense")]).accessible == .whenUnlocked)
        #expect(Self.record([.accessible: .string("cku")]).accessible == .afterFirstUnlockThisDeviceOnly)
    }

    @Test func changes_takeThePlaceOfWhatWas_andOfNothingElse() throws {
        let before = Self.record([.account: .string("anna"), .label: .string("old")])
        let now = Date()
        let after = try before.applying(
            RecordChanges(
                attributes: [.label: .string("new"), .comment: .string("more")],
                secrets: [.valueData: Secret(Data("neu".utf8))], modificationDate: now))
        #expect(after.reference == before.reference)
        #expect(after.attributes[.account]?.string == "anna")
        #expect(after.attributes[.label]?.string == "new")
        #expect(after.attributes[.comment]?.string == "more")
        #expect(after.secrets[.valueData]?.data() == Data("neu".utf8))
        #expect(after.attributes[.modificationDate]?.date == now)
        let unchanged = try before.applying(RecordChanges(attributes: [:], secrets: [:]))
        #expect(unchanged.secrets[.valueData]?.data() == Data("geheim".utf8))
    }

    @Test func modificationDate_neverGoesBack_norStands() throws {
        let now = Date(timeIntervalSinceReferenceDate: 800_000_000)
        for offset in [0, -0.000_000_1, -1, -86_400] {
            let changes = RecordChanges(
                attributes: [:], secrets: [:], modificationDate: now.addingTimeInterval(offset))
            let date = try #require(
                Self.record([.modificationDate: .date(now)]).applying(changes).attributes[.modificationDate]?.date)
            #expect(date > now && date < now.addingTimeInterval(1), "\(offset)")
        }
    }

    // MARK: Secrets

    @Test func descriptions_ofSecrets_showNothing() {
        let record = Self.record([.account: .string("anna")])
        let secret = Secret(Data("geheim".utf8))
        var dumped = ""
        dump(secret, to: &dumped)
        dump(record, to: &dumped)
        let changes = RecordChanges(attributes: [:], secrets: [.valueData: secret])
        for text in ["\(secret)", String(reflecting: secret), "\(record)", "\(changes)", "\([secret])", dumped] {
            #expect(!text.contains("geheim") && !text.contains("103, 101"), "\(text)")
        }
        #expect("\(secret)" == "[REDACTED]")
        #expect(Mirror(reflecting: secret).children.isEmpty)
    }

    @Test func error_tellsItsCause() {
        let cause = StoreError(.io, "the disk")
        #expect("\(StoreError(.corrupt, "the item", underlying: cause))" == "corrupt: the item: io: the disk")
        #expect("\(cause)" == "io: the disk")
    }
}
