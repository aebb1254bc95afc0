// SPDX-License-Identifier: Apache-2.0

import CLibsecret
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
        let content = Digest.sha256(([path] + parts).joined(separator: "\0"))
        return UUID(bytes: ForeignReference.mark(of: path) + content.prefix(12))
    }
}

/// The references of other programs' items: a UUID made of digests, of the kind that says so (version 8).
enum ForeignReference {
    /// The first four bytes: of the path alone, so that the item of a reference is found without reading all.
    static func mark(of path: String) -> [UInt8] {
        Array(Digest.sha256(path).prefix(4))
    }

    /// Whether a reference may be one of another program's item.
    static func isForeign(_ uuid: UUID) -> Bool {
        uuid.uuid.6 >> 4 == 8
    }

    /// Whether a reference may be that of the item at that path.
    static func isOf(_ uuid: UUID, path: String) -> Bool {
        let (first, second, third, fourth) = (uuid.uuid.0, uuid.uuid.1, uuid.uuid.2, uuid.uuid.3)
        return [first, second, third, fourth] == mark(of: path)
    }
}

private enum Digest {
    static func sha256(_ text: String) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 32)
        var length = bytes.count
        let checksum = glib.g_checksum_new(SECITEM_G_CHECKSUM_SHA256)
        defer { glib.g_checksum_free(checksum) }
        let content = Array(text.utf8)
        glib.g_checksum_update(checksum, content, content.count)
        glib.g_checksum_get_digest(checksum, &bytes, &length)
        return bytes
    }
}

extension UUID {
    /// Source: RFC 9562, version 8.
    fileprivate init(bytes: [UInt8]) {
        let b = bytes
        self.init(
            uuid: (
                b[0], b[1], b[2], b[3], b[4], b[5], b[6] & 0x0f | 0x80, b[7], b[8] & 0x3f | 0x80, b[9], b[10], b[11],
                b[12], b[13], b[14], b[15]
            )
        )
    }
}
