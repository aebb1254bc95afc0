import Foundation

/// One item as a store keeps it: values only, no behaviour of a keychain.
public struct ItemRecord: Sendable {
    /// The item's class (never ``ItemClass/identity``) and its lasting name.
    public let reference: PersistentReference
    /// Every attribute that is not a secret. Empty when a look-up did not ask for attributes.
    public var attributes: [ItemAttribute: AttributeValue]
    /// The secrets, the value data under ``ItemAttribute/valueData``. Empty when the item has none or a look-up did
    /// not ask for them.
    public var secrets: [ItemAttribute: Secret]

    public init(
        reference: PersistentReference,
        attributes: [ItemAttribute: AttributeValue],
        secrets: [ItemAttribute: Secret]
    ) {
        self.reference = reference
        self.attributes = attributes
        self.secrets = secrets
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
        var result = self
        result.attributes.merge(changes.attributes) { _, new in new }
        result.secrets.merge(changes.secrets) { _, new in new }
        let date = attributes[.modificationDate]?.date.map { max($0.younger, changes.modificationDate) }
        result.attributes[.modificationDate] = .date(date ?? changes.modificationDate)
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

/// What an update does to each record that it matches.
public struct RecordChanges: Sendable {
    /// The attributes to set.
    public let attributes: [ItemAttribute: AttributeValue]
    /// The secrets to set.
    public let secrets: [ItemAttribute: Secret]
    /// The time of the update.
    public let modificationDate: Date

    public init(
        attributes: [ItemAttribute: AttributeValue],
        secrets: [ItemAttribute: Secret],
        modificationDate: Date = Date()
    ) {
        self.attributes = attributes
        self.secrets = secrets
        self.modificationDate = modificationDate
    }
}
