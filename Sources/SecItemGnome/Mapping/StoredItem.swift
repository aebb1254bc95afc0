// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// One item of the Secret Service: its path, its attributes, and its record. Never a secret.
struct StoredItem: Sendable {
    /// The item's path on the bus, valid until the service restarts.
    let path: String
    /// Its attributes on the service.
    let attributes: [String: String]
    /// Its record as a keychain item.
    let record: ItemRecord
    let isForeign: Bool

    /// An item of this library, from its attributes alone. Nil for another program's item, or if it cannot be read.
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

    /// Whether the secret is fetched separately.
    var isLarge: Bool { attributes[SecretSchema.largeName] != nil }

    /// Whether the item has a secret, even an empty one.
    var hasSecret: Bool {
        isForeign || ValueTypes(attributes[SecretSchema.typesName] ?? "")[.valueData] != ValueTypes.Mark.none
    }

    /// The number with which gnome-keyring and KWallet count items in the order of their creation.
    private var number: Int? { path.split(separator: "/").last.flatMap { Int($0) } }

    /// Oldest first. Items of the same moment are in the order of the service's numbers.
    static func isOlder(_ first: StoredItem, _ second: StoredItem) -> Bool {
        if first.isForeign != second.isForeign { return second.isForeign }
        let dates = [first, second].map { $0.record.attributes[.creationDate]?.date ?? .distantPast }
        if dates[0] != dates[1] { return dates[0] < dates[1] }
        return (first.number ?? .max, first.path) < (second.number ?? .max, second.path)
    }
}

/// Converts between the attributes of a record and those of the Secret Service.
extension ItemRecord {
    /// Larger secrets are fetched one by one, because a very large answer crashes a service.
    static let largeSecret = 16 * 1024

    /// The attributes of the record on the service. They always include the class, the schema and the whole primary
    /// key, so that a request that names other values does not replace this item.
    func ownAttributes() -> [String: String] {
        let schema = SecretSchema.schema(of: itemClass)
        var types = ValueTypes()
        var result: [String: String] = [
            SecretSchema.schemaName: schema.name,
            SecretSchema.className: itemClass.rawValue,
            SecretSchema.identifierName: reference.uuid.uuidString.lowercased(),
        ]
        for (attribute, value) in attributes {
            let text = ValueText(attribute, of: itemClass)
            result[schema.name(of: attribute)] = text.text(of: value)
            types[attribute] = text.mark(of: value) ?? (isEmptyKey(attribute, value) ? .given : nil)
        }
        for row in ItemSchema.schema(of: itemClass).primaryKeyRows where attributes[row.attribute] == nil {
            let text = ValueText(row.attribute, of: itemClass)
            result[schema.name(of: row.attribute)] = text.text(of: row.kind.emptyValue)
            if row.roles.contains(.required) { types[row.attribute] = ValueTypes.Mark.none }
        }
        if let secret = secrets[.valueData] {
            if secret.writtenCount > Self.largeSecret { result[SecretSchema.largeName] = "1" }
            if secret.needsEncoding { result[SecretSchema.encodingName] = "base64" }
        } else {
            types[.valueData] = ValueTypes.Mark.none
        }
        result[SecretSchema.typesName] = types.text
        return result
    }

    /// The record of these attributes, or nil if another program wrote them or they are damaged.
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
        SecretSchema.largeName, SecretSchema.encodingName,
    ]

    /// Whether the attribute belongs to the primary key, is not filled on add, and has an empty value.
    private func isEmptyKey(_ attribute: ItemAttribute, _ value: AttributeValue) -> Bool {
        guard let row = ItemSchema.schema(of: itemClass)[attribute], row.roles.contains(.primaryKey) else {
            return false
        }
        return !row.roles.contains(.required) && row.kind.emptyValue.matchKey == value.matchKey
    }
}
