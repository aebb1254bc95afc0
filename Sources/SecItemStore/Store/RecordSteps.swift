/// One step of an update: which records, and what becomes of them.
public struct RecordUpdate: Sendable {
    /// The records to change.
    public let filter: RecordFilter
    /// What the change does to each of them.
    public let changes: RecordChanges

    public init(_ filter: RecordFilter, applying changes: RecordChanges) {
        self.filter = filter
        self.changes = changes
    }
}

/// One step of a deletion: which records go.
public struct RecordDeletion: Sendable {
    /// The records to delete.
    public let filter: RecordFilter
    /// The records stay when this matches a record that no step of the deletion means: a key stays while another
    /// certificate is of it. Nil where nothing keeps them.
    public let unless: RecordFilter?

    public init(_ filter: RecordFilter, unless: RecordFilter? = nil) {
        self.filter = filter
        self.unless = unless
    }
}

extension KeychainStore {
    /// Makes the changes in all records that match, or in none: an update of one step.
    ///
    /// - Returns: How many records matched.
    public func update(
        matching filter: RecordFilter, applying changes: RecordChanges, interaction: Interaction
    ) throws(StoreError) -> Int {
        try update([RecordUpdate(filter, applying: changes)], interaction: interaction)
    }

    /// Deletes all records that match, or none: a deletion of one step.
    ///
    /// - Returns: How many records matched.
    public func delete(matching filter: RecordFilter, interaction: Interaction) throws(StoreError) -> Int {
        try delete([RecordDeletion(filter)], interaction: interaction)
    }
}
