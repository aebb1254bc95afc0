// SPDX-License-Identifier: Apache-2.0

/// Selects records by a class, by equal attributes, and by at most one further condition.
///
/// A record matches if all of these hold (``matches(_:)``). A store may use indexes to find the records, if the result
/// is the same.
public struct RecordFilter: Sendable {
    /// The class of the records (never ``ItemClass/identity``).
    public let itemClass: ItemClass
    /// The reference of the one record to select, if a persistent reference was given.
    public let reference: PersistentReference?
    /// The values that attributes must have. For an attribute of the primary key, an absent value equals an empty one.
    public let attributes: [ItemAttribute: AttributeValue]
    /// The access groups to search, or nil for all.
    public let accessGroups: [String]?
    /// A further condition, or nil. Indexes cannot evaluate it, so evaluate it on each record that matches otherwise.
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
    /// The record must have its attributes, and its secrets if the ``condition`` reads them.
    public func matches(_ record: ItemRecord) -> Bool {
        matchesIgnoringCondition(record) && condition?.holds(for: record) ?? true
    }

    /// Whether the class, reference, groups and attributes of the record match. The record must have its attributes.
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

    /// Selects only that record, and only while it still matches the filter with these additional attributes.
    package func narrowed(to record: ItemRecord, with more: [ItemAttribute: AttributeValue] = [:]) -> RecordFilter {
        RecordFilter(
            itemClass: itemClass, reference: record.reference, attributes: attributes.merging(more) { $1 },
            accessGroups: accessGroups, condition: condition)
    }

    /// Selects only the records that also meet that condition.
    package func meeting(_ more: RecordCondition) -> RecordFilter {
        RecordFilter(
            itemClass: itemClass, reference: reference, attributes: attributes, accessGroups: accessGroups,
            condition: condition.map { $0.and(more) } ?? more)
    }
}

/// A condition on a record that does not compare attributes for equality: on a digest, a host or a secret.
///
/// The engine creates it and the store evaluates it. In an update or delete, the store evaluates it in the same
/// transaction as the change, so a record that no longer meets it stays untouched.
public struct RecordCondition: Sendable {
    /// The parts of a record that the condition reads.
    public let parts: RecordParts
    private let body: @Sendable (ItemRecord) -> Bool

    /// Makes a condition that reads these parts of a record.
    public init(on parts: RecordParts, _ body: @escaping @Sendable (ItemRecord) -> Bool) {
        self.parts = parts
        self.body = body
    }

    /// Whether the condition holds. The record must have its ``parts``. A condition on secrets never holds for a record
    /// whose secrets only an authentication opens.
    public func holds(for record: ItemRecord) -> Bool {
        if parts.contains(.secrets) && record.guardedSecrets != nil { return false }
        return body(record)
    }

    /// The condition that both conditions hold.
    package func and(_ other: RecordCondition) -> RecordCondition {
        RecordCondition(on: parts.union(other.parts)) { holds(for: $0) && other.holds(for: $0) }
    }
}
