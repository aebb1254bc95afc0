// SPDX-License-Identifier: Apache-2.0

/// A place where items live.
///
/// What a store promises, and the conformance suite (`SecItemConformance`) checks:
/// - the primary key is unique, across threads and processes;
/// - an update or delete happens wholly or not at all, however many steps and records it has;
/// - a filter is evaluated on the records as they are when they are changed, its condition included;
/// - what was reported stored survives the death of the process;
/// - a locked store says ``StoreError/Code/locked``, it never seems empty;
/// - any thread may call any method at any time.
///
/// A store knows nothing of access rights, defaults, limits of a query or result shapes: the engine above has applied
/// them. It never sees ``ItemClass/identity``.
public protocol KeychainStore: Sendable {
    /// What kind of store this is and where it keeps its items, in words for a person. Never a secret.
    var summary: String { get }

    /// Whether a passphrase protects what is stored, so that items "when passcode set" may live here.
    var isPassphraseProtected: Bool { get }

    /// Stores a new record.
    ///
    /// - Throws: ``StoreError/Code/duplicate`` when a record with that primary key is there; then nothing has changed.
    func insert(_ record: ItemRecord, interaction: Interaction) throws(StoreError)

    /// Stores all of the new records, or none.
    ///
    /// A store that does not have it gets one that stores them one after another, and deletes them again when one fails.
    ///
    /// - Throws: ``StoreError/Code/duplicate`` when a record with the primary key of one of them is there.
    func insert(_ records: [ItemRecord], interaction: Interaction) throws(StoreError)

    /// The records that match, oldest first.
    ///
    /// - Parameters:
    ///   - filter: Which records.
    ///   - parts: What must be in the records returned; a store may leave out the rest.
    ///   - limit: The greatest number of records wanted, or nil for all.
    ///   - interaction: What to do about records that are locked.
    /// - Throws: ``StoreError/Code/locked`` when a matching record's part is locked and `interaction` says neither to
    ///   ask nor to skip; ``StoreError/Code/corrupt`` when nothing but damaged records matched.
    func records(
        matching filter: RecordFilter, parts: RecordParts, limit: Int?, interaction: Interaction
    ) throws(StoreError) -> [ItemRecord]

    /// Makes the changes of all steps, or none.
    ///
    /// Every filter is evaluated before the first change. No record is meant by two steps.
    ///
    /// - Returns: How many records were changed; 0 when any of the steps matched no record, and then nothing has changed.
    /// - Throws: ``StoreError/Code/duplicate`` when two records would have the same primary key;
    ///   ``StoreError/Code/tooMany`` when a step matches more records than it may (``RecordStep/requireCount(_:)``).
    func update(_ steps: [RecordUpdate], interaction: Interaction) throws(StoreError) -> Int

    /// Deletes the records of all steps, or none.
    ///
    /// Every filter is evaluated before the first record is deleted. No record is meant by two steps.
    ///
    /// - Returns: How many records were deleted; 0 when any of the steps matched no record, and then nothing has changed.
    /// - Throws: ``StoreError/Code/tooMany`` when a step matches more records than it may (``RecordStep/requireCount(_:)``).
    func delete(_ steps: [RecordDeletion], interaction: Interaction) throws(StoreError) -> Int
}

/// A store that a person or program can lock and unlock by itself.
public protocol LockableStore: KeychainStore {
    /// Whether secrets of "when unlocked" items are out of reach.
    var isLocked: Bool { get }

    /// Forgets the keys of "when unlocked" items.
    func lock() throws(StoreError)

    /// Gets the keys back.
    ///
    /// - Parameter passphrase: The passphrase, or nil to take it from where the store was told to look.
    /// - Throws: ``StoreError/Code/authenticationFailed`` when the passphrase is wrong, ``StoreError/Code/unavailable`` when
    ///   one is given and the store has none. The store stays locked.
    func unlock(passphrase: Secret?) throws(StoreError)
}

/// A store that a passphrase may protect.
package protocol PassphraseStore: LockableStore {
    /// Gives the store a passphrase, another one, or none.
    ///
    /// - Parameters:
    ///   - passphrase: The new one, or nil for none.
    ///   - current: The passphrase until now, or nil to take it from where the store was told to look.
    /// - Throws: ``StoreError/Code/authenticationFailed`` when `current` is wrong or `passphrase` is empty.
    func setPassphrase(_ passphrase: Secret?, current: Secret?) throws(StoreError)
}
