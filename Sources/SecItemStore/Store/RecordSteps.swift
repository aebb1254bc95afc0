// SPDX-License-Identifier: Apache-2.0

/// One step of an update: which records, and what becomes of them.
public struct RecordUpdate: Sendable {
    /// The records to change.
    public let filter: RecordFilter
    /// What the change does to each of them.
    public let changes: RecordChanges
    /// How many records the step may mean, or nil for any number. When the filter matches more, nothing of the update is
    /// done: it throws ``StoreError/Code/tooMany``.
    public let greatestCount: Int?

    public init(_ filter: RecordFilter, applying changes: RecordChanges, atMost greatestCount: Int? = nil) {
        self.filter = filter
        self.changes = changes
        self.greatestCount = greatestCount
    }
}

/// One step of a deletion: which records go.
public struct RecordDeletion: Sendable {
    /// The records to delete.
    public let filter: RecordFilter
    /// The records stay when this matches a record that no step of the deletion means: a key stays while another
    /// certificate is of it. Nil where nothing keeps them.
    public let unless: RecordFilter?
    /// How many records the step may mean, or nil for any number. When the filter matches more, nothing is deleted: the
    /// deletion throws ``StoreError/Code/tooMany``.
    public let greatestCount: Int?

    public init(_ filter: RecordFilter, unless: RecordFilter? = nil, atMost greatestCount: Int? = nil) {
        self.filter = filter
        self.unless = unless
        self.greatestCount = greatestCount
    }
}

/// One step of a change: which records it means, and how many these may be.
public protocol RecordStep: Sendable {
    /// The records that the step means.
    var filter: RecordFilter { get }
    /// How many records the step may mean, or nil for any number.
    var greatestCount: Int? { get }
}

extension RecordStep {
    /// What a store calls with the number of records that match, in the transaction in which it changes them.
    ///
    /// - Throws: ``StoreError/Code/tooMany`` when these are more than the step may mean.
    public func requireCount(_ count: Int) throws(StoreError) {
        guard let greatestCount, count > greatestCount else { return }
        throw StoreError(.tooMany, "\(count) items match, and the caller set a limit of \(greatestCount)")
    }
}

extension RecordUpdate: RecordStep {}
extension RecordDeletion: RecordStep {}

extension KeychainStore {
    /// Makes the changes in all records that match: an update of one step, which keeps the promise of an update of several.
    ///
    /// - Returns: How many records matched.
    public func update(
        matching filter: RecordFilter, applying changes: RecordChanges, interaction: Interaction
    ) throws(StoreError) -> Int {
        try update([RecordUpdate(filter, applying: changes)], interaction: interaction)
    }

    /// Deletes all records that match: a deletion of one step, which keeps the promise of a deletion of several.
    ///
    /// - Returns: How many records matched.
    public func delete(matching filter: RecordFilter, interaction: Interaction) throws(StoreError) -> Int {
        try delete([RecordDeletion(filter)], interaction: interaction)
    }
}
