// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What makes an item itself: no two items of one class have the same primary key.
///
/// An absent attribute counts as an empty one, and text and data with the same bytes are the same.
public struct PrimaryKey: Hashable, Sendable {
    /// The class's code, then each key attribute's ``MatchKey`` in the order of the schema, each with its length
    /// before it. Equal exactly when the keys are, so a store may keep a digest of it under a unique index.
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
