// SPDX-License-Identifier: Apache-2.0

/// A store in the memory of the process. It is the reference implementation of a store, and useful for tests of
/// clients.
///
/// It can be locked, and told to fail (``failNext(_:)``). A child process gets a copy.
public final class InMemoryStore: LockableStore {
    fileprivate struct State {
        var records: [ItemRecord] = []
        var primaryKeys: [PrimaryKey: PersistentReference] = [:]
        var isLocked = false
        var nextFailures: [StoreError] = []
    }

    private let state = LockedValue(State())

    private let passphrase: Secret?

    public var isPassphraseProtected: Bool { passphrase != nil }

    /// Makes an empty store, which is unlocked.
    ///
    /// - Parameter passphrase: The passphrase that protects it. With nil, the store has no passphrase, but can still be
    ///   locked.
    public init(passphrase: Secret? = nil) {
        self.passphrase = passphrase
    }

    public var summary: String { "in memory" }

    /// Makes the next store operation throw `error` and change nothing. Repeated calls form a queue.
    public func failNext(_ error: StoreError) {
        state.withLock { $0.nextFailures.append(error) }
    }

    // MARK: Lock

    public var isLocked: Bool {
        state.withLock { $0.isLocked }
    }

    public func lock() {
        state.withLock { $0.isLocked = true }
    }

    /// Unlocks the store.
    ///
    /// - Parameter passphrase: The passphrase, or nil for the one given to the initialiser.
    /// - Throws: ``StoreError/Code/authenticationFailed`` if it is a different one; ``StoreError/Code/unavailable`` if
    ///   the store has none. The store then stays as it was.
    public func unlock(passphrase: Secret? = nil) throws(StoreError) {
        if let passphrase { try require(passphrase) }
        state.withLock { $0.isLocked = false }
    }

    private func require(_ given: Secret) throws(StoreError) {
        guard let own = passphrase else {
            throw StoreError(.unavailable, "a passphrase was given, but this store has none")
        }
        let isSame = own.withUnsafeBytes { own in given.withUnsafeBytes { own.elementsEqual($0) } }
        guard isSame, !own.withUnsafeBytes(\.isEmpty) else {
            throw StoreError(.authenticationFailed, "the passphrase is wrong")
        }
    }

    // MARK: Records

    public func insert(_ record: ItemRecord, interaction: Interaction) throws(StoreError) {
        try insert([record], interaction: interaction)
    }

    public func insert(_ records: [ItemRecord], interaction: Interaction) throws(StoreError) {
        try withState { (state) throws(StoreError) in
            var keys: [PrimaryKey: PersistentReference] = [:]
            for record in records {
                try state.requireUnlocked(for: record.accessible)
                let key = record.primaryKey
                guard state.primaryKeys[key] == nil, keys.updateValue(record.reference, forKey: key) == nil else {
                    throw StoreError(.duplicate, "an item with this primary key exists")
                }
            }
            state.primaryKeys.merge(keys) { $1 }
            state.records += records
        }
    }

    public func records(
        matching filter: RecordFilter, parts: RecordParts, limit: Int?, interaction: Interaction
    ) throws(StoreError) -> [ItemRecord] {
        try withState { (state) throws(StoreError) in
            var found: [ItemRecord] = []
            for record in state.records where found.count < limit ?? .max {
                guard try state.matches(record, filter, skippingLocked: interaction == .skipped) else { continue }
                if parts.contains(.secrets) && state.isOutOfReach(record) {
                    if interaction == .skipped { continue }
                    throw StoreError(.locked, "the store is locked")
                }
                found.append(record)
            }
            return found
        }
    }

    public func update(_ steps: [RecordUpdate], interaction: Interaction) throws(StoreError) -> Int {
        try withState { (state) throws(StoreError) in
            let matches = try state.matches(of: steps)
            if matches.contains(where: \.isEmpty) { return 0 }
            var next = state
            for (step, indices) in zip(steps, matches) {
                for index in indices {
                    let record = state.records[index]
                    let changed = try record.applying(step.changes)
                    if !step.changes.secrets.isEmpty || changed.accessible != record.accessible {
                        try state.requireUnlocked(for: record.accessible)
                        try state.requireUnlocked(for: changed.accessible)
                    }
                    next.records[index] = changed
                }
            }
            try next.reindex()
            state = next
            return matches.reduce(0) { $0 + $1.count }
        }
    }

    public func delete(_ steps: [RecordDeletion], interaction: Interaction) throws(StoreError) -> Int {
        try withState { (state) throws(StoreError) in
            let matches = try state.matches(of: steps)
            if matches.contains(where: \.isEmpty) { return 0 }
            let meant = Set(matches.joined())
            var deleted: Set<Int> = []
            for (step, indices) in zip(steps, matches) {
                if let unless = step.unless, try !state.indices(matching: unless).allSatisfy(meant.contains) {
                    continue
                }
                deleted.formUnion(indices)
            }
            state.records = state.records.indices.filter { !deleted.contains($0) }.map { state.records[$0] }
            try state.reindex()
            return deleted.count
        }
    }

    private func withState<Result>(_ body: (inout State) throws(StoreError) -> Result) throws(StoreError) -> Result {
        try state.withLock { (state) throws(StoreError) in
            if !state.nextFailures.isEmpty { throw state.nextFailures.removeFirst() }
            return try body(&state)
        }
    }
}

extension InMemoryStore.State {
    fileprivate func requireUnlocked(for accessible: Accessible) throws(StoreError) {
        if isLocked && accessible.needsUnlockedStore { throw StoreError(.locked, "the store is locked") }
    }

    /// Whether the record's secrets cannot be read now.
    fileprivate func isOutOfReach(_ record: ItemRecord) -> Bool {
        isLocked && record.accessible.needsUnlockedStore
    }

    /// Whether a record matches. A condition on locked secrets cannot be evaluated.
    ///
    /// - Throws: ``StoreError/Code/locked`` in that case, unless locked records are to be skipped.
    fileprivate func matches(
        _ record: ItemRecord, _ filter: RecordFilter, skippingLocked: Bool = false
    ) throws(StoreError) -> Bool {
        guard filter.matchesIgnoringCondition(record) else { return false }
        guard let condition = filter.condition else { return true }
        if condition.parts.contains(.secrets) && isOutOfReach(record) {
            if skippingLocked { return false }
            throw StoreError(.locked, "the store is locked")
        }
        return condition.holds(for: record)
    }

    fileprivate func indices(matching filter: RecordFilter) throws(StoreError) -> [Int] {
        var result: [Int] = []
        for index in records.indices where try matches(records[index], filter) { result.append(index) }
        return result
    }

    /// The indices of the records that each step selects.
    ///
    /// - Throws: ``StoreError/Code/tooMany`` if a step selects more records than it may.
    fileprivate func matches(of steps: [some RecordStep]) throws(StoreError) -> [[Int]] {
        try steps.map { (step) throws(StoreError) in
            let indices = try indices(matching: step.filter)
            try step.requireCount(indices.count)
            return indices
        }
    }

    fileprivate mutating func reindex() throws(StoreError) {
        primaryKeys.removeAll(keepingCapacity: true)
        for record in records where primaryKeys.updateValue(record.reference, forKey: record.primaryKey) != nil {
            throw StoreError(.duplicate, "two items would have the same primary key")
        }
    }
}
