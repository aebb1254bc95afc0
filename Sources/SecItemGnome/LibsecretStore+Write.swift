import Foundation
import SecItemStore

extension LibsecretStore {
    /// Runs what writes while no other thread or program with this store writes: again after unlocking what it needs,
    /// and again with a new session when the service was lost.
    ///
    /// `body` may be run several times and must know what it did before. Questions are asked outside the lock.
    func writing<Result: Sendable>(
        _ interaction: Interaction, _ body: (ServiceSession) throws -> Result
    ) throws(StoreError) -> Result {
        var unlocks = 0
        return try withSession { session in
            while true {
                do {
                    return try writeLock.withLock { try body(session) }
                } catch let need as NeedsUnlock where unlocks < 2 {
                    unlocks += 1
                    try unlock(need.paths, session, interaction)
                } catch is NeedsUnlock {
                    throw StoreError(.locked, "the collection is locked again")
                }
            }
        }
    }

    // MARK: Insert

    package func insert(_ record: ItemRecord, interaction: Interaction) throws(StoreError) {
        try requireOneSecret(record.secrets)
        let attributes = try record.ownAttributes()
        let conflicts = try SearchPlan.conflicts(with: record)
        let secret = record.secrets[.valueData] ?? Secret(count: 0) { _ in }
        var mayBeThere = false
        try writing(interaction) { session in
            try requireSearchable(session)
            if mayBeThere, try isComplete(record.reference, secret, session, interaction) { return }
            try requireNoOther(record, conflicts, session)
            let collection = try collection(session, interaction)
            mayBeThere = true
            try create(record, attributes, secret, in: collection, session, interaction)
        }
    }

    /// Whether an insert that lost its service had made the item: the service may have died before it said so.
    ///
    /// KWallet makes an item and then finds that it cannot decrypt the secret: such an item is deleted here.
    private func isComplete(
        _ reference: PersistentReference, _ secret: Secret, _ session: ServiceSession, _ interaction: Interaction
    ) throws -> Bool {
        let hits = try hits(of: reference, session)
        if !hits.locked.isEmpty { return true }
        let secrets = try session.secrets(at: hits.unlocked)
        if secrets.values.contains(where: { $0.isSame(as: secret) }) { return true }
        for path in secrets.keys { try confirm(session.delete(path), session, interaction) }
        return false
    }

    private func create(
        _ record: ItemRecord, _ attributes: [String: String], _ secret: Secret, in collection: String,
        _ session: ServiceSession, _ interaction: Interaction
    ) throws {
        func create(in collection: String) throws {
            let prompt = try session.create(attributes, label: record.displayedLabel, secret: secret, in: collection)
            try confirm(prompt, session, interaction)
        }
        do {
            try create(in: collection)
        } catch let failure as BusFailure where failure.kind == .locked {
            throw NeedsUnlock(paths: [collection])
        } catch let failure as BusFailure where failure.kind == .noObject {
            // The collection was deleted: there may be another default one by now.
            session.forgetCollection()
            try create(in: self.collection(session, interaction))
        }
    }

    /// - Throws: `StoreError` with `.duplicate` when an item has the record's primary key, except those left out.
    private func requireNoOther(
        _ record: ItemRecord, _ search: [String: String], except own: Set<String> = [], _ session: ServiceSession
    ) throws {
        let hits = try session.search([search])
        let paths = (hits.unlocked + hits.locked).filter { !own.contains($0) }
        if paths.isEmpty { return }
        let group = record.attributes[.accessGroup]?.string ?? ""
        let reading = try session.readAny(paths, as: record.itemClass, in: group)
        let key = record.primaryKey
        if reading.items.contains(where: { $0.record.itemClass == record.itemClass && $0.record.primaryKey == key }) {
            throw StoreError(.duplicate, "an item with this primary key exists")
        }
        if !reading.unreadable.isEmpty { throw NeedsUnlock(paths: reading.unreadable) }
    }

    /// The secrets that Apple's internet passwords have beside the password would have to be attributes here, which
    /// others can read.
    private func requireOneSecret(_ secrets: [ItemAttribute: Secret]) throws(StoreError) {
        if let other = secrets.keys.first(where: { $0 != .valueData }) {
            throw StoreError(.unsupported, "the Secret Service keeps one secret an item, and \(other) is another")
        }
        if let secret = secrets[.valueData], secret.count > Self.largestSecret {
            throw StoreError(.tooLarge, "a secret of \(secret.count) bytes")
        }
    }

    /// gnome-keyring dies of secrets of 64 MiB.
    private static let largestSecret = 16 * 1024 * 1024

    /// Where the item of that reference is now.
    func paths(of reference: PersistentReference, _ session: ServiceSession) throws -> [String] {
        let hits = try hits(of: reference, session)
        return hits.unlocked + hits.locked
    }

    private func hits(of reference: PersistentReference, _ session: ServiceSession) throws -> ServiceSession.Hits {
        try session.search([[SecretSchema.identifierName: reference.uuid.uuidString.lowercased()]])
    }

    /// Where an item that was found before is now; nil when it is gone.
    func path(of item: StoredItem, foundBy known: ServiceSession, _ session: ServiceSession) throws -> String? {
        if known === session { return item.path }
        // gnome-keyring keeps the paths of items over a restart.
        if item.isForeign { return item.path }
        return try paths(of: item.record.reference, session).first
    }

    // MARK: Update

    package func update(
        matching filter: RecordFilter, applying changes: RecordChanges, interaction: Interaction
    ) throws(StoreError) -> Int {
        try requireOneSecret(changes.secrets)
        var plan: ChangePlan?
        return try writing(interaction) { session in
            let work = try plan ?? ChangePlan(updating: filter, changes, self, session, interaction)
            plan = work
            try requireDistinct(work, session)
            try work.perform(self, session, interaction)
            return work.steps.count
        }
    }

    /// - Throws: `StoreError` with `.duplicate` when two items would have the same primary key.
    private func requireDistinct(_ plan: ChangePlan, _ session: ServiceSession) throws {
        let changed = plan.steps.filter { $0.changesKey && !$0.isBegun }
        if changed.isEmpty { return }
        if Set(plan.steps.map { $0.target.primaryKey }).count < plan.steps.count {
            throw StoreError(.duplicate, "two items would have the same primary key")
        }
        let own = Set(plan.steps.map(\.item.path))
        try requireSearchable(session)
        for step in changed {
            try requireNoOther(step.target, SearchPlan.conflicts(with: step.target), except: own, session)
        }
    }

    // MARK: Delete

    package func delete(matching filter: RecordFilter, interaction: Interaction) throws(StoreError) -> Int {
        var plan: DeletionPlan?
        return try writing(interaction) { session in
            let work = try plan ?? DeletionPlan(deleting: filter, self, session, interaction)
            plan = work
            try work.perform(self, session, interaction)
            return work.steps.count
        }
    }
}
