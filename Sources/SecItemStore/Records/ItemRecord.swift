// SPDX-License-Identifier: Apache-2.0

import Foundation

/// One item as a store keeps it: values, without the behaviour of a keychain.
public struct ItemRecord: Sendable {
    /// The item's class (never ``ItemClass/identity``) and its permanent identifier.
    public let reference: PersistentReference
    /// All attributes except the secret ones. Empty if a look-up did not ask for attributes.
    public var attributes: [ItemAttribute: AttributeValue] {
        get {
            switch attributeStorage {
            case .values(let values): values
            case .unread(let attributes): attributes.values
            }
        }
        set { attributeStorage = .values(newValue) }
    }
    /// The secrets; the item's data is under ``ItemAttribute/valueData``. Empty if the item has none, or if a look-up
    /// did not ask for them.
    public var secrets: [ItemAttribute: Secret]
    /// The sealed form of secrets that only an authentication opens (``GuardedStore``). Nil for all other records, and
    /// if a look-up did not ask for secrets.
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

    /// Makes a record whose attributes are decoded when they are first read.
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

    /// Whether the record has that attribute. Does not decode the others.
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

    /// The record after the changes.
    ///
    /// Its modification date is the time of the change. If the clock went backwards, the date is just after the old
    /// one, so that each change gives a later date.
    ///
    /// - Throws: ``StoreError/Code/tooLarge`` if the record would exceed the size limits.
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
    /// A microsecond later, or the next representable date if dates this far away are further apart.
    fileprivate var younger: Date {
        let seconds = timeIntervalSinceReferenceDate
        return Date(timeIntervalSinceReferenceDate: max(seconds + 0.000_001, seconds.nextUp))
    }
}

/// Attributes that a store has checked but not decoded yet.
///
/// A look-up may return a thousand records of which the caller reads few, so decoding waits until somebody reads the
/// attributes.
package protocol UnreadAttributes: AnyObject, Sendable {
    /// The attributes. They are decoded once; any thread may read them.
    var values: [ItemAttribute: AttributeValue] { get }

    /// Whether the attribute may be present. Does not decode the values. False is certain.
    func mayContain(_ attribute: ItemAttribute) -> Bool
}

/// The changes that an update makes to each matching record.
public struct RecordChanges: Sendable {
    /// The attributes to set.
    public let attributes: [ItemAttribute: AttributeValue]
    /// The secrets to set.
    public let secrets: [ItemAttribute: Secret]
    /// The attributes to remove, before those above are set. Never an attribute of the primary key.
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
