// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemConformance
import SecItemSQLite
import SecItemSealing
import SecItemStore
import TestSupport
import Testing

/// The kinds of store on which the laws are tested.
enum StoreKind: String, CaseIterable, Sendable {
    case inMemory
    case embedded
    case embeddedWithPassphrase

    func make(in folder: TemporaryFolder, _ name: String = "store") throws -> any KeychainStore {
        switch self {
        case .inMemory: InMemoryStore(passphrase: Secret(Data("x".utf8)))
        case .embedded: try embeddedStore(folder, name)
        case .embeddedWithPassphrase: try embeddedStore(folder, name, passphrase: "passphrase")
        }
    }
}

func embeddedStore(
    _ folder: TemporaryFolder, _ name: String = "store", passphrase: String? = nil
) throws -> SQLiteStore {
    let protector: any RootKeyProtector =
        passphrase.map { passphrase in
            PassphraseProtector(sources: [.closure { Secret(Data(passphrase.utf8)) }], cost: .lowest)
        } ?? KeyFileProtector()
    return try SQLiteStore(
        madeWhenNeeded: StoreLocation(folder: folder.path + "/" + name), protector: protector, cache: .none,
        logger: CollectedLog().logger)
}

extension Secret {
    convenience init(text: String) { self.init(Data(text.utf8)) }
}

extension ItemRecord {
    static func password(
        _ account: String, _ secret: String = "secret", service: String = "service", group: String = "group",
        accessible: Accessible = .whenUnlocked, more: [ItemAttribute: AttributeValue] = [:]
    ) -> ItemRecord {
        var attributes: [ItemAttribute: AttributeValue] = [
            .service: .string(service), .account: .string(account), .accessGroup: .string(group),
            .accessible: .string(accessible.rawValue), .creationDate: .date(Date()), .modificationDate: .date(Date()),
        ]
        for row in ItemSchema.schema(of: .genericPassword).requiredRows where attributes[row.attribute] == nil {
            attributes[row.attribute] = row.kind.emptyValue
        }
        attributes.merge(more) { $1 }
        return ItemRecord(
            reference: PersistentReference(itemClass: .genericPassword), attributes: attributes,
            secrets: [.valueData: Secret(text: secret)])
    }

    /// All content of the item, as text.
    var everything: String {
        let attributes = attributes.map { "\($0.code)=\($1.matchKey.bytes)" }.sorted()
        let secrets = secrets.map { "\($0.code)=\(Array($1.data()))" }.sorted()
        return "\(reference) \(attributes) \(secrets)"
    }

    var text: String? { secrets[.valueData].map { String(decoding: $0.data(), as: UTF8.self) } }
}

extension KeychainStore {
    func insert(_ record: ItemRecord) throws { try insert(record, interaction: .allowed) }

    /// All items, of all classes.
    func allItems() throws -> [ItemRecord] {
        try ItemClass.stored.flatMap { itemClass in
            try records(
                matching: RecordFilter(itemClass: itemClass), parts: [.attributes, .secrets], limit: nil,
                interaction: .allowed)
        }
    }

    /// All content of the store.
    func content() throws -> [String] { try allItems().map(\.everything).sorted() }

    func password(_ account: String) throws -> ItemRecord? {
        try records(
            matching: RecordFilter(itemClass: .genericPassword, attributes: [.account: .string(account)]),
            parts: [.attributes, .secrets], limit: 1, interaction: .allowed
        ).first
    }
}

/// Random items of all classes, with random attributes of their class.
struct RandomItems {
    var random: SeededGenerator
    /// Whether the values are ones that every service accepts: text without NUL, and one secret per item.
    var isPlain = false
    private var number = 0

    init(_ random: SeededGenerator, isPlain: Bool = false) {
        self.random = random
        self.isPlain = isPlain
    }

    mutating func next() -> ItemRecord {
        number += 1
        let itemClass = ItemClass.stored.randomElement(using: &random) ?? .key
        let schema = ItemSchema.schema(of: itemClass)
        var attributes: [ItemAttribute: AttributeValue] = [:], secrets: [ItemAttribute: Secret] = [:]
        for row in schema.rows where row.roles.contains(.settable) || row.roles.contains(.required) {
            if row.roles.contains(.secret) {
                if !isPlain, Int.random(in: 0..<4, using: &random) == 0 { secrets[row.attribute] = secret() }
            } else if row.roles.contains(.required) && !row.roles.contains(.settable) {
                attributes[row.attribute] = row.kind.emptyValue
            } else if row.roles.contains(.required) || Bool.random(using: &random) {
                attributes[row.attribute] = value(of: row.kind)
            }
        }
        attributes[.synchronizable] = .integer(0)
        attributes[.tombstone] = .integer(0)
        attributes[.accessGroup] = .string(["a", "b.c", "Ünï"].randomElement(using: &random) ?? "a")
        attributes[.creationDate] = value(of: .date)
        attributes[.modificationDate] = value(of: .date)
        let accessible = Accessible.allCases.filter { $0 != .untilReboot && $0 != .whenPasscodeSetThisDeviceOnly }
        attributes[.accessible] = .string((accessible.randomElement(using: &random) ?? .always).rawValue)
        // Makes the item unique, whatever its other attributes are.
        let unique: ItemAttribute =
            switch itemClass {
            case .certificate: .serialNumber
            case .key: .applicationLabel
            default: .account
            }
        let name = Data("item \(number)".utf8)
        attributes[unique] = itemClass == .certificate || itemClass == .key ? .data(name) : .string("item \(number)")
        if Int.random(in: 0..<8, using: &random) != 0 { secrets[.valueData] = secret() }
        return ItemRecord(
            reference: PersistentReference(itemClass: itemClass), attributes: attributes, secrets: secrets)
    }

    private mutating func value(of kind: AttributeKind) -> AttributeValue {
        switch kind {
        case .string: .string(text())
        case .blob: Bool.random(using: &random) ? .string(text()) : .data(bytes(Int.random(in: 0..<40, using: &random)))
        case .data: .data(bytes(Int.random(in: 0..<40, using: &random)))
        case .number: .integer(Int64(Int32.random(in: .min ... .max, using: &random)))
        case .date:
            .date(
                Date(timeIntervalSinceReferenceDate: Double(Int.random(in: -9_999_999...999_999_999, using: &random))))
        case .uuid: .data(bytes(16))
        case .sha1: .data(bytes(20))
        }
    }

    private mutating func text() -> String {
        let letters =
            isPlain ? ["a", "Z", " ", "é", "漢", "🔑", "\"", "/"] : ["a", "\0", "\n", "é", "e\u{301}", "🔑", "%"]
        return (0..<Int.random(in: 0..<12, using: &random)).map { _ in letters.randomElement(using: &random) ?? "a" }
            .joined()
    }

    private mutating func bytes(_ count: Int) -> Data {
        Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
    }

    private mutating func secret() -> Secret {
        // Some secrets are longer than a chunk.
        let size = Int.random(in: 0..<20, using: &random) == 0 ? 150_000 : Int.random(in: 0..<100, using: &random)
        return Secret(size > 1000 ? Data(repeating: 5, count: size) : bytes(size))
    }
}

/// A store whose calls fail after a certain one, as if the process had been killed.
final class DyingStore: ForwardingStore {
    let base: any KeychainStore
    private let left: LockedValue<Int>

    init(_ base: any KeychainStore, after calls: Int) {
        self.base = base
        left = LockedValue(calls)
    }

    private func live() throws(StoreError) {
        let isDead = left.withLock { left in
            left -= 1
            return left < 0
        }
        if isDead { throw StoreError(.unavailable, "dead") }
    }

    func insert(_ record: ItemRecord, interaction: Interaction) throws(StoreError) {
        try live()
        try base.insert(record, interaction: interaction)
    }

    func insert(_ records: [ItemRecord], interaction: Interaction) throws(StoreError) {
        try live()
        try base.insert(records, interaction: interaction)
    }

    func records(
        matching filter: RecordFilter, parts: RecordParts, limit: Int?, interaction: Interaction
    ) throws(StoreError) -> [ItemRecord] {
        try live()
        return try base.records(matching: filter, parts: parts, limit: limit, interaction: interaction)
    }

    func update(_ steps: [RecordUpdate], interaction: Interaction) throws(StoreError) -> Int {
        try live()
        return try base.update(steps, interaction: interaction)
    }

    func delete(_ steps: [RecordDeletion], interaction: Interaction) throws(StoreError) -> Int {
        try live()
        return try base.delete(steps, interaction: interaction)
    }
}

/// The code of the error that `body` throws; nil if it throws none.
func code(_ body: () throws -> Void) -> StoreError.Code? {
    do {
        try body()
        return nil
    } catch let error as StoreError {
        return error.code
    } catch {
        Issue.record("\(error)")
        return nil
    }
}
