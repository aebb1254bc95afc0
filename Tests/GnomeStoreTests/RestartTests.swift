// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemConformance
import SecItemGnome
import SecItemStore
import TestSupport
import Testing

extension OnARealService {
    /// What a call reported as stored is read back byte for byte after the service has started again, and no other item
    /// is harmed. gnome-keyring writes a keyring without a password to a text file that cannot hold every secret.
    @Suite(.serialized) struct RestartTests {
        private static let rounds = 12

        /// A keyring, and how it is started again.
        static let keyrings: [(state: PrivateBus.State, restarted: String)] = [
            (.passwordless, "locked"), (.unlocked, "unlocked"),
        ]

        @Test(.enabled(if: PrivateBus.isGnomeKeyring, "only gnome-keyring has two kinds"), arguments: [0, 1])
        func everyItem_ofAKeyring_isReadBack(_ index: Int) throws {
            let keyring = Self.keyrings[index]
            let world = try PrivateBus(keyring.state)
            try check(world) { try world.run("restart", keyring.restarted) }
        }

        @Test(.enabled(if: !PrivateBus.isGnomeKeyring, "gnome-keyring has a test of its own"))
        func everyItem_ofTheService_isReadBack() throws {
            let world = try #require(PrivateBus.shared)
            try check(world) { try world.run("restart") }
        }

        private func check(_ world: PrivateBus, restart: () throws -> Void) throws {
            let store = world.store()
            var random = SeededGenerator()
            let group = "org.example." + UUID().uuidString
            try secretTool(world, ["store", "--label", "theirs", "law", group], input: "their secret")
            var records: [ItemRecord] = []
            for _ in 0..<Self.rounds {
                for itemClass in ItemClass.stored {
                    let record = Hostile.record(itemClass, in: group, &random)
                    try store.insert(record, interaction: .forbidden)
                    records.append(record)
                }
            }
            // An update that was interrupted by a prompt or a lost service takes the same way.
            for index in records.indices where index % 3 > 0 {
                let changes = Hostile.changes(of: records[index], withSecret: index % 3 == 1, &random)
                let filter = RecordFilter(itemClass: records[index].itemClass, reference: records[index].reference)
                #expect(try store.update(matching: filter, applying: changes, interaction: .forbidden) == 1)
                let old = records[index]
                records[index] = try old.applying(changes)
                if changes.secrets.isEmpty { records[index].secrets = old.secrets }
            }
            let gone = records.removeLast()
            let filter = RecordFilter(itemClass: gone.itemClass, reference: gone.reference)
            #expect(try store.delete(matching: filter, interaction: .forbidden) == 1)

            try compare(records, with: store, in: group, &random)
            try restart()
            try compare(records, with: world.store(), in: group, &random)
            #expect(try world.tool("secret-tool", "lookup", "law", group) == "their secret")
            for itemClass in ItemClass.stored {
                let all = RecordFilter(itemClass: itemClass, accessGroups: [group])
                let wanted = records.filter { $0.itemClass == itemClass }.count
                #expect(try world.store().delete(matching: all, interaction: .forbidden) == wanted)
            }
        }

        /// Checks that a store has the records, and finds each by its attributes.
        private func compare(
            _ records: [ItemRecord], with store: LibsecretStore, in group: String, _ random: inout SeededGenerator
        ) throws {
            for record in records {
                let filter = RecordFilter(itemClass: record.itemClass, reference: record.reference)
                let found = try #require(store.all(filter).first)
                #expect(found.secrets[.valueData]?.data() == record.secrets[.valueData]?.data())
                #expect(Set(found.attributes.keys) == Set(record.attributes.keys))
                for (attribute, value) in record.attributes {
                    #expect(found.attributes[attribute]?.matchKey == value.matchKey, "\(attribute)")
                    #expect(found.attributes[attribute]?.kindOfValue == value.kindOfValue, "\(attribute)")
                }
                let some = record.attributes.filter { _ in Int.random(in: 0..<3, using: &random) == 0 }
                let search = RecordFilter(itemClass: record.itemClass, attributes: some, accessGroups: [group])
                #expect(try store.all(search).contains { $0.reference == record.reference }, "\(some.keys)")
            }
        }

        // MARK: Forms

        @Test(.enabled(if: Tools.hasSecretTool, "secret-tool is not installed"))
        func secret_isPlainForOthersWhereItCanBe() throws {
            let world = try #require(PrivateBus.shared)
            let store = world.store()
            let service = "plain-" + UUID().uuidString
            let texts = ["plain", "two words ", "tab\there", "a=b", "[1]", "#;", "ünï"]
            for text in texts {
                try store.insert(.password(service, text, text), interaction: .forbidden)
                #expect(try world.tool("secret-tool", "lookup", "service", service, "username", text) == text)
            }
            let filter = RecordFilter.password(service, "plain")
            func shown() throws -> String {
                try world.tool("secret-tool", "lookup", "service", service, "username", "plain")
            }
            func attributes() throws -> String {
                let command = ["secret-tool", "search", "--all", "service", service, "username", "plain"]
                let result = try world.execute(command)
                return result.output + result.errors
            }
            #expect(try !attributes().contains("secitem:encoding"))
            for (secret, form) in [("a\nb", "secitem.base64:YQpi"), ("c", "c"), ("\\", "secitem.base64:XA==")] {
                let changes = RecordChanges.secret(secret)
                #expect(try store.update(matching: filter, applying: changes, interaction: .forbidden) == 1)
                #expect(try store.secret(filter) == secret)
                #expect(try world.store().secret(filter) == secret)
                #expect(try shown() == form)
                #expect(try attributes().contains("secitem:encoding = base64") == (form != secret))
                // A change of something else keeps the form.
                let other = RecordChanges(attributes: [.comment: .string(secret)], secrets: [:])
                #expect(try store.update(matching: filter, applying: other, interaction: .forbidden) == 1)
                #expect(try store.secret(filter) == secret)
                #expect(try attributes().contains("secitem:encoding = base64") == (form != secret))
            }
            #expect(try store.delete(matching: .password(service), interaction: .forbidden) == texts.count)
        }

        /// Another program does not understand our form, so its item keeps what it had.
        @Test(.enabled(if: PrivateBus.isGnomeKeyring && Tools.hasSecretTool, "needs gnome-keyring and secret-tool"))
        func itemOfAnotherProgram_isNeverGivenWhatTheFileCannotHold() throws {
            let world = try PrivateBus(.passwordless)
            let store = world.store()
            try secretTool(world, ["store", "--label", "theirs", "service", "s", "username", "u"], input: "first")
            let filter = RecordFilter.password("s", "u")
            func update(_ changes: RecordChanges) -> StoreError.Code? {
                code { _ = try store.update(matching: filter, applying: changes, interaction: .forbidden) }
            }
            for secret in ["a\nb", " a", "\ta", "a\r", "\\s", "\n[1]\nx"] {
                #expect(update(.secret(secret)) == .unsupported)
                #expect(try store.secret(filter) == "first")
            }
            for label in ["\u{C}a", "a\0b", "\u{1}"] {
                let changes = RecordChanges(attributes: [.label: .string(label)], secrets: [:])
                #expect(update(changes) == .unsupported)
            }
            let label = " a\n\\[1]=\t"
            let changes = RecordChanges(
                attributes: [.label: .string(label), .comment: .string("\r\u{C}\\\n")],
                secrets: [.valueData: Secret(Data("secitem.base64:YQ==".utf8))])
            #expect(update(changes) == .unsupported)
            let harmless = RecordChanges(
                attributes: changes.attributes, secrets: [.valueData: Secret(Data("a \t=[1]".utf8))])
            #expect(update(harmless) == nil)
            try world.run("restart", "locked")
            let found = try #require(world.store().all(filter).first)
            #expect(found.text == "a \t=[1]")
            #expect(found.attributes[.label]?.string == label)
            #expect(found.attributes[.comment]?.string == "\r\u{C}\\\n")
            #expect(try world.tool("secret-tool", "lookup", "service", "s", "username", "u") == "a \t=[1]")
        }

        private func secretTool(_ world: PrivateBus, _ arguments: [String], input: String) throws {
            let result = try world.execute(["secret-tool"] + arguments, input: input)
            #expect(result.status == 0, "\(result)")
        }
    }
}

/// Random items that are rich in what text files cannot hold.
private enum Hostile {
    private static let pieces: [[UInt8]] =
        [
            "\n", "\n", "\r", "\r\n", "\t", " ", "\\", "\\n", "\\x", "\0", "[", "]", "[1]", "[keyring]", "=", "secret=",
            "#",
            ";", "\u{B}", "\u{C}", "a", "é", "e\u{301}", "\u{FEFF}", "\u{2028}", "\u{85}", "\u{FFFF}",
            "secitem.base64:",
            "YQ==", "secitem.text:",
        ].map { Array($0.utf8) } + [[0xFF], [0xC3], [0xED, 0xA0, 0x80]]

    private static func bytes(_ random: inout SeededGenerator) -> Data {
        let count = Int.random(in: 0...7, using: &random)
        let some = (0..<count).flatMap { _ in pieces.randomElement(using: &random) ?? [] }
        let copies = Int.random(in: 0..<40, using: &random) == 0 ? 5000 : 1
        return Data((0..<copies).flatMap { _ in some })
    }

    private static func value(_ random: inout SeededGenerator) -> AttributeValue {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: .integer(Int64.random(in: .min ... .max, using: &random))
        case 1: .data(bytes(&random))
        default: .string(String(decoding: bytes(&random), as: UTF8.self))
        }
    }

    /// Values of the attributes that a keychain does not interpret.
    private static func attributes(
        of itemClass: ItemClass, _ random: inout SeededGenerator
    ) -> [ItemAttribute: AttributeValue] {
        let own: Set<ItemAttribute> = [
            .accessGroup, .accessible, .accessControl, .creationDate, .modificationDate, .tombstone, .synchronizable,
        ]
        var result: [ItemAttribute: AttributeValue] = [:]
        for row in ItemSchema.schema(of: itemClass).rows
        where !row.roles.contains(.secret) && !own.contains(row.attribute)
            && (row.roles.contains(.required) || Bool.random(using: &random))
        {
            result[row.attribute] = value(&random)
        }
        return result
    }

    static func record(_ itemClass: ItemClass, in group: String, _ random: inout SeededGenerator) -> ItemRecord {
        var attributes = attributes(of: itemClass, &random)
        for row in ItemSchema.schema(of: itemClass).requiredRows where attributes[row.attribute] == nil {
            attributes[row.attribute] = row.kind.emptyValue
        }
        attributes[.accessGroup] = .string(group)
        attributes[.accessible] = .string("ak")
        attributes[.creationDate] = .date(Date(timeIntervalSinceReferenceDate: 800_000_000.25))
        attributes[.modificationDate] = attributes[.creationDate]
        return ItemRecord(
            reference: PersistentReference(itemClass: itemClass), attributes: attributes,
            secrets: Int.random(in: 0..<8, using: &random) == 0 ? [:] : [.valueData: Secret(bytes(&random))])
    }

    /// Changes of everything but the primary key, which may be another item's.
    static func changes(
        of record: ItemRecord, withSecret: Bool, _ random: inout SeededGenerator
    ) -> RecordChanges {
        let key = Set(ItemSchema.schema(of: record.itemClass).primaryKeyRows.map(\.attribute))
        let attributes = attributes(of: record.itemClass, &random).filter { !key.contains($0.key) }
        return RecordChanges(
            attributes: attributes, secrets: withSecret ? [.valueData: Secret(bytes(&random))] : [:])
    }
}

extension AttributeValue {
    fileprivate var kindOfValue: String {
        switch self {
        case .string: "string"
        case .data: "data"
        case .integer: "integer"
        case .real: "real"
        case .date: "date"
        }
    }
}
