import Synchronization

/// A store that lives as long as the process: the reference for what a store does, and the one to test clients with.
///
/// It can be locked like a real one, and told to fail (``failNext(_:)``).
public final class InMemoryStore: LockableStore {
    fileprivate struct State {
        var records: [ItemRecord] = []
        var primaryKeys: [PrimaryKey: PersistentReference] = [:]
        var isLocked = false
        var nextFailures: [StoreError] = []
    }

    private let state = Mutex(State())

    public let isPassphraseProtected: Bool

    public init(isPassphraseProtected: Bool = false) {
        self.isPassphraseProtected = isPassphraseProtected
    }

    public var summary: String { "in memory" }

    /// Makes the next call of a store operation throw `error` and change nothing. Several calls queue up.
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

    public func unlock(passphrase: Secret? = nil) {
        state.withLock { $0.isLocked = false }
    }

    // MARK: Records

    public func insert(_ record: ItemRecord, interaction: Interaction) throws(StoreError) {
        try withState { (state) throws(StoreError) in
            try state.requireUnlocked(for: record.accessible)
            let key = record.primaryKey
            guard state.primaryKeys[key] == nil else {
                throw StoreError(.duplicate, "an item with this primary key exists")
            }
            state.primaryKeys[key] = record.reference
            state.records.append(record)
        }
    }

    public func records(
        matching filter: RecordFilter, parts: RecordParts, limit: Int?, interaction: Interaction
    ) throws(StoreError) -> [ItemRecord] {
        try withState { (state) throws(StoreError) in
            var found: [ItemRecord] = []
            for record in state.records where found.count < limit ?? .max && filter.matches(record) {
                let isOutOfReach = parts.contains(.secrets) && state.isLocked && record.accessible.needsUnlockedStore
                if isOutOfReach && interaction == .skipped { continue }
                if isOutOfReach { throw StoreError(.locked, "the store is locked") }
                found.append(record)
            }
            return found
        }
    }

    public func update(
        matching filter: RecordFilter, applying changes: RecordChanges, interaction: Interaction
    ) throws(StoreError) -> Int {
        try withState { (state) throws(StoreError) in
            var next = state
            var count = 0
            for (index, record) in state.records.enumerated() where filter.matches(record) {
                let changed = record.applying(changes)
                if !changes.secrets.isEmpty || changed.accessible != record.accessible {
                    try state.requireUnlocked(for: record.accessible)
                    try state.requireUnlocked(for: changed.accessible)
                }
                next.records[index] = changed
                count += 1
            }
            try next.reindex()
            state = next
            return count
        }
    }

    public func delete(matching filter: RecordFilter, interaction: Interaction) throws(StoreError) -> Int {
        try withState { (state) throws(StoreError) in
            let before = state.records.count
            state.records.removeAll { filter.matches($0) }
            try state.reindex()
            return before - state.records.count
        }
    }

    private func withState<Result: Sendable>(
        _ body: (inout sending State) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
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

    fileprivate mutating func reindex() throws(StoreError) {
        primaryKeys.removeAll(keepingCapacity: true)
        for record in records where primaryKeys.updateValue(record.reference, forKey: record.primaryKey) != nil {
            throw StoreError(.duplicate, "two items would have the same primary key")
        }
    }
}
