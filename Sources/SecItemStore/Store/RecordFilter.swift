/// The part of a query that every store can evaluate: a class and equalities.
///
/// A record matches when all of it holds. Whatever else a query says (dates, hosts, issuers) the engine applies to
/// what a store returns.
public struct RecordFilter: Sendable {
    /// The class of the records (never ``ItemClass/identity``).
    public let itemClass: ItemClass
    /// The one item meant, when a persistent reference was given.
    public let reference: PersistentReference?
    /// The values that attributes must have; for an attribute of the primary key, absent counts as empty.
    public let attributes: [ItemAttribute: AttributeValue]
    /// The access groups to look in, or nil for all of them.
    public let accessGroups: [String]?

    public init(
        itemClass: ItemClass,
        reference: PersistentReference? = nil,
        attributes: [ItemAttribute: AttributeValue] = [:],
        accessGroups: [String]? = nil
    ) {
        self.itemClass = itemClass
        self.reference = reference
        self.attributes = attributes
        self.accessGroups = accessGroups
    }

    /// Whether the record matches. Needs the record's attributes.
    public func matches(_ record: ItemRecord) -> Bool {
        guard record.itemClass == itemClass, reference == nil || record.reference == reference else { return false }
        return isInAccessGroups(record) && attributes.allSatisfy { matches(record, $0.key, $0.value) }
    }

    private func isInAccessGroups(_ record: ItemRecord) -> Bool {
        guard let accessGroups else { return true }
        let own = (record.attributes[.accessGroup] ?? .string("")).matchKey
        return accessGroups.contains { AttributeValue.string($0).matchKey == own }
    }

    private func matches(_ record: ItemRecord, _ attribute: ItemAttribute, _ wanted: AttributeValue) -> Bool {
        if let own = record.attributes[attribute] { return own.matchKey == wanted.matchKey }
        guard let row = ItemSchema.schema(of: itemClass)[attribute], row.roles.contains(.primaryKey) else {
            return false
        }
        return row.kind.emptyValue.matchKey == wanted.matchKey
    }
}

/// Which parts of a record a look-up needs.
public struct RecordParts: OptionSet, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The attributes.
    public static let attributes = RecordParts(rawValue: 1 << 0)
    /// The secrets.
    public static let secrets = RecordParts(rawValue: 1 << 1)
}

/// What a store may do when it needs the person at the machine.
public enum Interaction: Sendable {
    /// Ask, where there is someone to ask.
    case allowed
    /// Do not ask: throw ``StoreError/Code/locked``.
    case forbidden
    /// Do not ask: leave out the records that would need it.
    case skipped
}
