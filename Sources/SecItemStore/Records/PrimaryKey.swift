// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Identifies an item within its class: no two items of one class have the same primary key.
///
/// An absent attribute equals an empty one, and text equals data with the same bytes.
public struct PrimaryKey: Hashable, Sendable {
    /// The code of the class, then the ``MatchKey`` of each key attribute in the order of the schema, each preceded by
    /// its length. Two keys are equal exactly if these bytes are equal, so a store may keep a digest of them in a
    /// unique index.
    public let bytes: [UInt8]

    /// The primary key of an item of that class with these attributes.
    public init(itemClass: ItemClass, attributes: [ItemAttribute: AttributeValue]) {
        var bytes = Array(itemClass.rawValue.utf8)
        for row in ItemSchema.schema(of: itemClass).primaryKeyRows {
            let value = (attributes[row.attribute] ?? row.kind.emptyValue).matchKey.bytes
            withUnsafeBytes(of: UInt32(truncatingIfNeeded: value.count).bigEndian) { bytes.append(contentsOf: $0) }
            bytes.append(contentsOf: value)
        }
        self.bytes = bytes
    }
}

extension RecordFilter {
    /// Selects the record that has the primary key of this one.
    package init(primaryKeyOf record: ItemRecord) {
        var key: [ItemAttribute: AttributeValue] = [:]
        for row in ItemSchema.schema(of: record.itemClass).primaryKeyRows {
            key[row.attribute] = record.attributes[row.attribute] ?? row.kind.emptyValue
        }
        self.init(itemClass: record.itemClass, attributes: key)
    }
}
