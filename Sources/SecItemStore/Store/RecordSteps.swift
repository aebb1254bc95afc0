// SPDX-License-Identifier: Apache-2.0

/// One step of an update: the records to change, and the changes.
public struct RecordUpdate: Sendable {
    /// The records to change.
    public let filter: RecordFilter
    /// What the change does to each of them.
    public let changes: RecordChanges
    /// The greatest number of records that the filter may match, or nil for any number. If more match, the whole update
    /// throws ``StoreError/Code/tooMany`` and changes nothing.
    public let greatestCount: Int?

    public init(_ filter: RecordFilter, applying changes: RecordChanges, atMost greatestCount: Int? = nil) {
        self.filter = filter
        self.changes = changes
        self.greatestCount = greatestCount
    }
}

/// One step of a deletion: the records to delete.
public struct RecordDeletion: Sendable {
    /// The records to delete.
    public let filter: RecordFilter
    /// If this filter matches a record that no step of the deletion selects, the records of this step are not deleted.
    /// For example, a key stays while another certificate belongs to it. Nil if nothing keeps the records.
    public let unless: RecordFilter?
    /// The greatest number of records that the filter may match, or nil for any number. If more match, the whole
    /// deletion throws ``StoreError/Code/tooMany`` and deletes nothing.
    public let greatestCount: Int?

    public init(_ filter: RecordFilter, unless: RecordFilter? = nil, atMost greatestCount: Int? = nil) {
        self.filter = filter
        self.unless = unless
        self.greatestCount = greatestCount
    }
}

/// One step of a change: the records that it selects, and how many of them there may be.
public protocol RecordStep: Sendable {
    /// Selects the records of the step.
    var filter: RecordFilter { get }
    /// The greatest number of records that the filter may match, or nil for any number.
    var greatestCount: Int? { get }
}

extension RecordStep {
    /// Checks the number of matching records. A store calls this in the same transaction as the change.
    ///
    /// - Throws: ``StoreError/Code/tooMany`` if `count` is greater than ``greatestCount``.
    public func requireCount(_ count: Int) throws(StoreError) {
        guard let greatestCount, count > greatestCount else { return }
        throw StoreError(.tooMany, "\(count) items match, and the caller set a limit of \(greatestCount)")
    }
}

extension RecordUpdate: RecordStep {}
extension RecordDeletion: RecordStep {}

extension KeychainStore {
    /// Changes all records that match, or none: an update with one step.
    ///
    /// - Returns: How many records matched.
    public func update(
        matching filter: RecordFilter, applying changes: RecordChanges, interaction: Interaction
    ) throws(StoreError) -> Int {
        try update([RecordUpdate(filter, applying: changes)], interaction: interaction)
    }

    /// Deletes all records that match, or none: a deletion with one step.
    ///
    /// - Returns: How many records matched.
    public func delete(matching filter: RecordFilter, interaction: Interaction) throws(StoreError) -> Int {
        try delete([RecordDeletion(filter)], interaction: interaction)
    }
}
