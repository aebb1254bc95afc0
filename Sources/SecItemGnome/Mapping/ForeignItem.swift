// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemBus
import SecItemStore

/// An item of another program, with its attributes converted to this library's.
struct ForeignItem {
    let attributes: [String: String]
    let label: String
    let created: UInt64
    let modified: UInt64

    /// Reads the properties of an item, as `Properties.GetAll` returns them.
    init(properties: [String: Variant]) {
        attributes = properties["Attributes"]?.stringDictionary.withoutRemoved ?? [:]
        label = properties["Label"]?.string ?? ""
        created = properties["Created"]?.number ?? 0
        modified = properties["Modified"]?.number ?? 0
    }

    /// Whether the attributes belong to another program's item that class `itemClass` can represent.
    private func isOf(_ itemClass: ItemClass) -> Bool {
        guard attributes[SecretSchema.identifierName] == nil else { return false }
        let isNetworkPassword =
            attributes["server"] != nil
            || attributes[SecretSchema.schemaName] == SecretSchema.schema(of: .internetPassword).name
        return switch itemClass {
        case .internetPassword: isNetworkPassword
        case .genericPassword: !isNetworkPassword
        case .certificate, .key, .identity: false
        }
    }

    /// The item as a record of that class, in the caller's group; nil if it cannot be one.
    func record(path: String, as itemClass: ItemClass, in group: String) -> ItemRecord? {
        guard isOf(itemClass) else { return nil }
        let schema = SecretSchema.schema(of: itemClass)
        let itemSchema = ItemSchema.schema(of: itemClass)
        let types = ValueTypes(attributes[SecretSchema.typesName] ?? "")
        var result: [ItemAttribute: AttributeValue] = [:]
        for row in itemSchema.requiredRows { result[row.attribute] = row.kind.emptyValue }
        if !label.isEmpty { result[.label] = .string(label) }
        for (name, text) in attributes {
            guard let attribute = schema.attribute(named: name), itemSchema[attribute] != nil else { continue }
            let value = ValueText(attribute, of: itemClass).value(of: text, type: types[attribute])
            result[attribute] = value ?? .string(text)
        }
        result[.accessGroup] = .string(group)
        result[.accessible] = .string(itemSchema.defaultAccessible.rawValue)
        result[.creationDate] = .date(Date(timeIntervalSince1970: Double(created)))
        result[.modificationDate] = .date(Date(timeIntervalSince1970: Double(modified)))
        let reference = PersistentReference(itemClass: itemClass, uuid: reference(path: path))
        return ItemRecord(reference: reference, attributes: result, secrets: [:])
    }

    /// A UUID that stays the same as long as the item's path and attributes do.
    private func reference(path: String) -> UUID {
        // gnome-keyring adds the schema's name when it reads its file again.
        let kept = attributes.filter {
            $0.key != SecretSchema.schemaName && !$0.key.hasPrefix(SecretSchema.prefix)
                && !Provider.keePassXCFields.contains($0.key)
        }
        let parts = kept.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] }
        return ForeignReference.uuid(path: path, parts: parts)
    }
}
