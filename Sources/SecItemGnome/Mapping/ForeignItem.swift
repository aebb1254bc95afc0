// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemBus
import SecItemStore

/// An item that another program made: what its attributes say in ours.
struct ForeignItem {
    let attributes: [String: String]
    let label: String
    let created: UInt64
    let modified: UInt64

    /// Reads the properties of an item, as `Properties.GetAll` answers.
    init(properties: [String: Variant]) {
        attributes = properties["Attributes"]?.stringDictionary.withoutRemoved ?? [:]
        label = properties["Label"]?.string ?? ""
        created = properties["Created"]?.number ?? 0
        modified = properties["Modified"]?.number ?? 0
    }

    /// Whether an item with those attributes is one of another program's that class `itemClass` can stand for.
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

    /// The item as a record of that class, in the group of whoever asks; nil when it is none.
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

    /// A UUID that stays the item's as long as its place and its attributes do.
    private func reference(path: String) -> UUID {
        // The schema's name appears by itself when gnome-keyring reads its file again.
        let kept = attributes.filter {
            $0.key != SecretSchema.schemaName && !$0.key.hasPrefix(SecretSchema.prefix)
                && !Provider.keePassXCFields.contains($0.key)
        }
        let parts = kept.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] }
        return ForeignReference.uuid(path: path, parts: parts)
    }
}
