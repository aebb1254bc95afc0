// SPDX-License-Identifier: Apache-2.0

/// Which records a query means: a class, equalities, and at most one further condition.
///
/// A record matches when all of it holds (``matches(_:)``). A store may find the records by indexes of its own, as long as
/// it comes to the same result.
public struct RecordFilter: Sendable {
    /// The class of the records (never ``ItemClass/identity``).
    public let itemClass: ItemClass
    /// The one item meant, when a persistent reference was given.
    public let reference: PersistentReference?
    /// The values that attributes must have; for an attribute of the primary key, absent counts as empty.
    public let attributes: [ItemAttribute: AttributeValue]
    /// The access groups to look in, or nil for all of them.
    public let accessGroups: [String]?
    /// What else must hold, or nil. No index helps with it: evaluate it on each record that otherwise matches.
    public let condition: RecordCondition?

    public init(
        itemClass: ItemClass,
        reference: PersistentReference? = nil,
        attributes: [ItemAttribute: AttributeValue] = [:],
        accessGroups: [String]? = nil,
        condition: RecordCondition? = nil
    ) {
        self.itemClass = itemClass
        self.reference = reference
        self.attributes = attributes
        self.accessGroups = accessGroups
        self.condition = condition
    }

    /// Whether the record matches.
    ///
    /// Needs the record's attributes, and its secrets when the ``condition`` looks at them.
    public func matches(_ record: ItemRecord) -> Bool {
        matchesIgnoringCondition(record) && condition?.holds(for: record) ?? true
    }

    /// Whether the record matches as far as its class, reference, groups and attributes go. Needs its attributes.
    public func matchesIgnoringCondition(_ record: ItemRecord) -> Bool {
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

/// A condition on a record that is no equality of attributes: a digest, a host, a secret.
///
/// The engine makes it and the store evaluates it. In an update or delete the store evaluates it in the same transaction
/// as the change, so that a record that no longer meets it is not touched.
public struct RecordCondition: Sendable {
    /// What of a record the condition looks at.
    public let parts: RecordParts
    private let body: @Sendable (ItemRecord) -> Bool

    /// A condition that looks at those parts of a record.
    public init(on parts: RecordParts, _ body: @escaping @Sendable (ItemRecord) -> Bool) {
        self.parts = parts
        self.body = body
    }

    /// Whether the condition holds. Needs the ``parts`` of the record. One that looks at secrets never holds for a record whose
    /// secrets only an authentication opens.
    public func holds(for record: ItemRecord) -> Bool {
        if parts.contains(.secrets) && record.guardedSecrets != nil { return false }
        return body(record)
    }
}
