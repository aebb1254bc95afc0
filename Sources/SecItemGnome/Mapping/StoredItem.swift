// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// One item of the Secret Service, read: where it is, what stands in it, and the record that it is to us. No secret.
struct StoredItem: Sendable {
    /// The item's path on the bus: good for this life of the service.
    let path: String
    /// Its attributes as they stand.
    let attributes: [String: String]
    /// What it is to a keychain.
    let record: ItemRecord
    /// Whether another program made it.
    let isForeign: Bool

    /// An item of ours, from its attributes alone. Nil for another program's, or for one that cannot be read.
    init?(path: String, ownAttributes attributes: [String: String]) {
        guard let record = ItemRecord(ownAttributes: attributes) else { return nil }
        self.path = path
        self.attributes = attributes
        self.record = record
        isForeign = false
    }

    /// Another program's item.
    init?(path: String, foreign item: ForeignItem, as itemClass: ItemClass, in group: String) {
        guard let record = item.record(path: path, as: itemClass, in: group) else { return nil }
        self.path = path
        attributes = item.attributes
        self.record = record
        isForeign = true
    }

    /// Whether the secret is fetched alone.
    var isLarge: Bool { attributes[SecretSchema.largeName] != nil }

    /// Whether the item has a secret, be it an empty one.
    var hasSecret: Bool {
        isForeign || ValueTypes(attributes[SecretSchema.typesName] ?? "")[.valueData] != ValueTypes.Mark.none
    }

    /// The number that gnome-keyring and KWallet count items with, in the order in which they were made.
    private var number: Int? { path.split(separator: "/").last.flatMap { Int($0) } }

    /// Oldest first; among items of one moment the order in which the service counts them.
    static func isOlder(_ first: StoredItem, _ second: StoredItem) -> Bool {
        if first.isForeign != second.isForeign { return second.isForeign }
        let dates = [first, second].map { $0.record.attributes[.creationDate]?.date ?? .distantPast }
        if dates[0] != dates[1] { return dates[0] < dates[1] }
        return (first.number ?? .max, first.path) < (second.number ?? .max, second.path)
    }
}

/// Where the attributes of a record end and the Secret Service's begin.
extension ItemRecord {
    /// Secrets above this size are fetched one by one: a service dies of an answer that is too large.
    static let largeSecret = 16 * 1024

    /// The attributes under which the record is kept: always the class, the schema and the whole primary key, so that
    /// nobody's request to replace a lesser item can mean this one.
    func ownAttributes() throws(StoreError) -> [String: String] {
        let schema = SecretSchema.schema(of: itemClass)
        var types = ValueTypes()
        var result: [String: String] = [
            SecretSchema.schemaName: schema.name,
            SecretSchema.className: itemClass.rawValue,
            SecretSchema.identifierName: reference.uuid.uuidString.lowercased(),
        ]
        for (attribute, value) in attributes {
            let text = ValueText(attribute, of: itemClass)
            result[schema.name(of: attribute)] = try text.text(of: value)
            types[attribute] = text.mark(of: value) ?? (isEmptyKey(attribute, value) ? .given : nil)
        }
        for row in ItemSchema.schema(of: itemClass).primaryKeyRows where attributes[row.attribute] == nil {
            let text = ValueText(row.attribute, of: itemClass)
            result[schema.name(of: row.attribute)] = try text.text(of: row.kind.emptyValue)
            if row.roles.contains(.required) { types[row.attribute] = ValueTypes.Mark.none }
        }
        if let secret = secrets[.valueData] {
            if secret.count > Self.largeSecret { result[SecretSchema.largeName] = "1" }
        } else {
            types[.valueData] = ValueTypes.Mark.none
        }
        result[SecretSchema.typesName] = types.text
        return result
    }

    /// The record that those attributes are, or nil when they are not ours or damaged.
    init?(ownAttributes texts: [String: String]) {
        guard let uuid = texts[SecretSchema.identifierName].flatMap(UUID.init(uuidString:)),
            let itemClass = texts[SecretSchema.className].flatMap(ItemClass.init(rawValue:)), itemClass != .identity
        else { return nil }
        let schema = SecretSchema.schema(of: itemClass)
        let types = ValueTypes(texts[SecretSchema.typesName] ?? "")
        var attributes: [ItemAttribute: AttributeValue] = [:]
        for (name, text) in texts where !Self.bookkeeping.contains(name) {
            guard let attribute = schema.attribute(named: name), types[attribute] != ValueTypes.Mark.none else {
                continue
            }
            guard let value = ValueText(attribute, of: itemClass).value(of: text, type: types[attribute]) else {
                return nil
            }
            let record = ItemSchema.schema(of: itemClass)[attribute]
            let isFilled = record?.roles.contains(.primaryKey) == true && record?.roles.contains(.required) == false
            if isFilled && types[attribute] == nil && record?.kind.emptyValue.matchKey == value.matchKey { continue }
            attributes[attribute] = value
        }
        let reference = PersistentReference(itemClass: itemClass, uuid: uuid)
        self.init(reference: reference, attributes: attributes, secrets: [:])
    }

    private static let bookkeeping: Set<String> = [
        SecretSchema.schemaName, SecretSchema.className, SecretSchema.identifierName, SecretSchema.typesName,
        SecretSchema.largeName,
    ]

    /// Whether an attribute of the key that nothing fills in on add is there and empty.
    private func isEmptyKey(_ attribute: ItemAttribute, _ value: AttributeValue) -> Bool {
        guard let row = ItemSchema.schema(of: itemClass)[attribute], row.roles.contains(.primaryKey) else {
            return false
        }
        return !row.roles.contains(.required) && row.kind.emptyValue.matchKey == value.matchKey
    }
}
