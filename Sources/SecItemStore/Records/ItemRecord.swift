// SPDX-License-Identifier: Apache-2.0

import Foundation

/// One item as a store keeps it: values only, no behaviour of a keychain.
public struct ItemRecord: Sendable {
    /// The item's class (never ``ItemClass/identity``) and its lasting name.
    public let reference: PersistentReference
    /// Every attribute that is not a secret. Empty when a look-up did not ask for attributes.
    public var attributes: [ItemAttribute: AttributeValue] {
        get {
            switch attributeStorage {
            case .values(let values): values
            case .unread(let attributes): attributes.values
            }
        }
        set { attributeStorage = .values(newValue) }
    }
    /// The secrets, the value data under ``ItemAttribute/valueData``. Empty when the item has none or a look-up did
    /// not ask for them.
    public var secrets: [ItemAttribute: Secret]
    /// What the store gives in place of secrets that only an authentication opens (``GuardedStore``); nil for all other
    /// records, and where a look-up did not ask for secrets.
    package var guardedSecrets: GuardedSecrets?

    public init(
        reference: PersistentReference,
        attributes: [ItemAttribute: AttributeValue],
        secrets: [ItemAttribute: Secret]
    ) {
        self.reference = reference
        attributeStorage = .values(attributes)
        self.secrets = secrets
    }

    /// A record whose attributes are read when somebody looks at them.
    package init(
        reference: PersistentReference, attributes: any UnreadAttributes, secrets: [ItemAttribute: Secret]
    ) {
        self.reference = reference
        attributeStorage = .unread(attributes)
        self.secrets = secrets
    }

    private enum AttributeStorage: Sendable {
        case values([ItemAttribute: AttributeValue])
        case unread(any UnreadAttributes)
    }

    private var attributeStorage: AttributeStorage

    /// Whether the record has that attribute, for who does not look at the others.
    package func has(_ attribute: ItemAttribute) -> Bool {
        switch attributeStorage {
        case .values(let values): values[attribute] != nil
        case .unread(let attributes): attributes.mayContain(attribute) && attributes.values[attribute] != nil
        }
    }

    /// The item's class.
    public var itemClass: ItemClass { reference.itemClass }

    /// The item's primary key.
    public var primaryKey: PrimaryKey { PrimaryKey(itemClass: itemClass, attributes: attributes) }

    /// When the item's secrets can be read.
    public var accessible: Accessible {
        attributes[.accessible]?.string.flatMap(Accessible.init) ?? ItemSchema.schema(of: itemClass).defaultAccessible
    }

    /// The record with the changes made.
    ///
    /// The modification date becomes the change's, or just after the old one where the clock went backwards: each
    /// change makes an item strictly younger.
    ///
    /// - Throws: ``StoreError/Code/tooLarge`` when the record would be larger than any store takes.
    public func applying(_ changes: RecordChanges) throws(StoreError) -> ItemRecord {
        var attributes = attributes
        let date = attributes[.modificationDate]?.date.map { max($0.younger, changes.modificationDate) }
        for attribute in changes.removedAttributes { attributes[attribute] = nil }
        attributes.merge(changes.attributes) { _, new in new }
        attributes[.modificationDate] = .date(date ?? changes.modificationDate)
        var result = self
        result.attributes = attributes
        result.secrets.merge(changes.secrets) { _, new in new }
        try result.requireSize()
        return result
    }
}

extension Date {
    /// A microsecond later, or the next date there is where dates are so far away that they lie further apart.
    fileprivate var younger: Date {
        let seconds = timeIntervalSinceReferenceDate
        return Date(timeIntervalSinceReferenceDate: max(seconds + 0.000_001, seconds.nextUp))
    }
}

/// Attributes that a store has found in order and that nobody has looked at yet.
///
/// Of a thousand records that a look-up gives, few are looked at as a whole: what makes values of their bytes is put off.
package protocol UnreadAttributes: AnyObject, Sendable {
    /// The attributes. Read once; any thread may ask.
    var values: [ItemAttribute: AttributeValue] { get }

    /// Whether an attribute may be among them. It is told without making values of them, and false is certain.
    func mayContain(_ attribute: ItemAttribute) -> Bool
}

/// What an update does to each record that it matches.
public struct RecordChanges: Sendable {
    /// The attributes to set.
    public let attributes: [ItemAttribute: AttributeValue]
    /// The secrets to set.
    public let secrets: [ItemAttribute: Secret]
    /// The attributes to remove, before those above are set. An attribute of the primary key is never one.
    package let removedAttributes: Set<ItemAttribute>
    /// The time of the update.
    public let modificationDate: Date

    public init(
        attributes: [ItemAttribute: AttributeValue],
        secrets: [ItemAttribute: Secret],
        modificationDate: Date = Date()
    ) {
        self.init(attributes: attributes, secrets: secrets, removing: [], modificationDate: modificationDate)
    }

    package init(
        attributes: [ItemAttribute: AttributeValue],
        secrets: [ItemAttribute: Secret],
        removing removedAttributes: Set<ItemAttribute>,
        modificationDate: Date = Date()
    ) {
        self.attributes = attributes
        self.secrets = secrets
        self.removedAttributes = removedAttributes
        self.modificationDate = modificationDate
    }
}
