// SPDX-License-Identifier: Apache-2.0

/// A store of keychain items.
///
/// Every store makes these promises, which the conformance suite (`SecItemConformance`) checks:
/// - The primary key is unique, across threads and processes.
/// - An update or delete is done in full or not at all, however many steps and records it has.
/// - The store evaluates a filter, including its condition, on the records as they are at the time of the change.
/// - An item that was reported as stored survives the end of the process.
/// - A locked store throws ``StoreError/Code/locked``. It never seems empty.
/// - Any thread may call any method at any time.
///
/// A store does not handle access rights, defaults, the limits of a query or the shape of results: the engine above it
/// applies them. A store never receives ``ItemClass/identity``.
public protocol KeychainStore: Sendable {
    /// A description for people: the kind of store, and where it keeps its items. Never a secret.
    var summary: String { get }

    /// Whether a passphrase protects the stored items. Only then may the store hold "when passcode set" items.
    var isPassphraseProtected: Bool { get }

    /// Stores a new record.
    ///
    /// - Throws: ``StoreError/Code/duplicate`` if a record with that primary key exists. Then nothing has changed.
    func insert(_ record: ItemRecord, interaction: Interaction) throws(StoreError)

    /// Stores all of the new records, or none.
    ///
    /// The default implementation stores them one after another, and deletes them again if one fails.
    ///
    /// - Throws: ``StoreError/Code/duplicate`` if a record with the primary key of one of them exists.
    func insert(_ records: [ItemRecord], interaction: Interaction) throws(StoreError)

    /// Finds the records that match, oldest first.
    ///
    /// - Parameters:
    ///   - filter: Selects the records.
    ///   - parts: The parts that the returned records must have. A store may leave out the others.
    ///   - limit: The greatest number of records to return, or nil for all.
    ///   - interaction: What to do about locked records.
    /// - Throws: ``StoreError/Code/locked`` if a requested part of a matching record is locked and `interaction` is
    ///   ``Interaction/forbidden``; ``StoreError/Code/corrupt`` if all matching records are damaged.
    func records(
        matching filter: RecordFilter, parts: RecordParts, limit: Int?, interaction: Interaction
    ) throws(StoreError) -> [ItemRecord]

    /// Makes the changes of all steps, or none.
    ///
    /// The store evaluates every filter before the first change. No record matches two steps.
    ///
    /// - Returns: The number of changed records. It is 0, and nothing has changed, if any step matches no record.
    /// - Throws: ``StoreError/Code/duplicate`` if two records would have the same primary key;
    ///   ``StoreError/Code/tooMany`` if a step matches more records than it may change
    ///   (``RecordStep/requireCount(_:)``).
    func update(_ steps: [RecordUpdate], interaction: Interaction) throws(StoreError) -> Int

    /// Deletes the records of all steps, or none.
    ///
    /// The store evaluates every filter before it deletes the first record. No record matches two steps.
    ///
    /// - Returns: The number of deleted records. It is 0, and nothing has changed, if any step matches no record.
    /// - Throws: ``StoreError/Code/tooMany`` if a step matches more records than it may delete
    ///   (``RecordStep/requireCount(_:)``).
    func delete(_ steps: [RecordDeletion], interaction: Interaction) throws(StoreError) -> Int
}

/// A store that a person or program can lock and unlock separately.
public protocol LockableStore: KeychainStore {
    /// Whether the secrets of "when unlocked" items cannot be read now.
    var isLocked: Bool { get }

    /// Removes the keys of "when unlocked" items from memory.
    func lock() throws(StoreError)

    /// Unlocks the store.
    ///
    /// - Parameter passphrase: The passphrase, or nil to read it from the store's configured source.
    /// - Throws: ``StoreError/Code/authenticationFailed`` if the passphrase is wrong; ``StoreError/Code/unavailable``
    ///   if you give one and the store has none. The store then stays as it was.
    func unlock(passphrase: Secret?) throws(StoreError)
}

/// A store that a passphrase can protect.
package protocol PassphraseStore: LockableStore {
    /// Sets, changes or removes the passphrase.
    ///
    /// - Parameters:
    ///   - passphrase: The new passphrase, or nil for none.
    ///   - current: The current passphrase, or nil to read it from the store's configured source.
    /// - Throws: ``StoreError/Code/authenticationFailed`` if `current` is wrong; ``StoreError/Code/unrepresentable`` if
    ///   `passphrase` is empty.
    func setPassphrase(_ passphrase: Secret?, current: Secret?) throws(StoreError)
}
