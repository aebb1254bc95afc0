// SPDX-License-Identifier: Apache-2.0

import SecItemStore

/// The items that match a filter.
struct Findings {
    var items: [StoredItem] = []
    /// The secrets that were read with the items, by path.
    var secrets: [String: Secret] = [:]
}

/// The purpose of a search, which decides which items match and what must be readable.
enum SearchPurpose {
    /// A look-up of these parts, of at most that many items.
    case reading(RecordParts, limit: Int?)
    /// A change, for which everything must be unlocked.
    case writing

    var limit: Int? {
        if case .reading(_, let limit) = self { limit } else { nil }
    }

    var withoutLimit: SearchPurpose {
        if case .reading(let parts, _) = self { .reading(parts, limit: nil) } else { self }
    }

    var needsSecrets: Bool {
        if case .reading(let parts, _) = self { parts.contains(.secrets) } else { false }
    }

    /// Whether a locked item is useful if its attributes can be read.
    var acceptsLocked: Bool {
        if case .reading(let parts, _) = self { !parts.contains(.secrets) } else { false }
    }

    var isWriting: Bool {
        if case .writing = self { true } else { false }
    }
}

extension Operation {
    /// Finds the items that match the filter: this library's, oldest first, then other programs'.
    ///
    /// - Throws: ``Need/unlocking(_:)`` if items are locked and `interaction` does not say to skip them.
    func find(_ filter: RecordFilter, for purpose: SearchPurpose) throws -> Findings {
        guard let condition = filter.condition else { return try findIgnoringCondition(filter, for: purpose) }
        // The service cannot evaluate the condition, so all other matches are read and evaluated here.
        var findings = try findIgnoringCondition(filter, for: purpose.withoutLimit)
        if condition.parts.contains(.secrets) { try fetchSecrets(of: &findings) }
        let secrets = findings.secrets
        findings.items.removeAll { !condition.holds(for: $0.record(secrets[$0.path], condition.parts)) }
        findings.items = Array(findings.items.prefix(purpose.limit ?? .max))
        return findings
    }

    private func findIgnoringCondition(_ filter: RecordFilter, for purpose: SearchPurpose) throws -> Findings {
        do {
            try requireSearchable()
        } catch Need.unlocking where interaction == .skipped {
            return Findings()
        }
        let plan = SearchPlan(filter)
        let narrow = try narrowHits(of: plan)
        var findings = try findOwn(filter, in: narrow ?? session.search(plan.own), for: purpose)
        findings.items.sort(by: StoredItem.isOlder)
        let wanted = purpose.limit ?? .max
        if findings.items.count < wanted {
            let known = Set(findings.items.map(\.path))
            let foreign = try findForeign(filter, plan, in: narrow, for: purpose, except: known)
            findings.items += foreign.sorted(by: StoredItem.isOlder)
        }
        findings.items = Array(findings.items.prefix(wanted))
        if purpose.needsSecrets { try fetchSecrets(of: &findings) }
        return findings
    }

    /// The results of the search with few terms; nil if that is not sufficient.
    private func narrowHits(of plan: SearchPlan) throws -> ServiceSession.Hits? {
        guard let narrow = plan.narrow else { return nil }
        let hits = try session.search([narrow])
        // The attributes of locked items may not be readable. Then the service has to compare them all.
        return hits.locked.isEmpty ? hits : nil
    }

    // MARK: Ours

    /// That many items are read before it is known whether all of them match.
    private static let handful = 2

    private func findOwn(
        _ filter: RecordFilter, in hits: ServiceSession.Hits, for purpose: SearchPurpose
    ) throws -> Findings {
        let isHandful = hits.unlocked.count <= Self.handful && purpose.needsSecrets
        var reading = try session.readOwn(hits.unlocked, secretsOf: isHandful ? hits.unlocked : [])
        var items = reading.items.filter { filter.matchesIgnoringCondition($0.record) }
        let damaged = reading.unreadable
        if !hits.locked.isEmpty && items.count < purpose.limit ?? .max && interaction != .skipped {
            let locked = purpose.acceptsLocked ? try session.readOwn(hits.locked) : nil
            guard let locked, locked.unreadable.isEmpty else { throw Need.unlocking(hits.locked) }
            items += locked.items.filter { filter.matchesIgnoringCondition($0.record) }
        }
        reading.items = items
        if items.isEmpty && !damaged.isEmpty { throw StoreError(.corrupt, "the attributes of an item are damaged") }
        return Findings(items: items, secrets: reading.secrets)
    }

    // MARK: Others'

    private func findForeign(
        _ filter: RecordFilter, _ plan: SearchPlan, in narrow: ServiceSession.Hits?, for purpose: SearchPurpose,
        except known: Set<String>
    ) throws -> [StoredItem] {
        let hits: ServiceSession.Hits
        if let reference = filter.reference, reference.isOfAnotherProgram {
            hits = try foreignHits(for: reference)
        } else if let search = plan.foreign, !purpose.isWriting || plan.namesForeignOwner {
            hits = try narrow ?? session.search([search])
        } else {
            return []
        }
        let group = filter.accessGroups?.first ?? ""
        let paths = hits.unlocked.filter { !known.contains($0) }
        var items = try session.readAny(paths, as: filter.itemClass, in: group).items
        let locked = hits.locked.filter { !known.contains($0) }
        if !locked.isEmpty && interaction != .skipped && items.count < purpose.limit ?? .max {
            let reading = try session.readAny(locked, as: filter.itemClass, in: group)
            let meant = reading.items.filter { $0.isForeign && filter.matchesIgnoringCondition($0.record) }
            if !reading.unreadable.isEmpty || !(meant.isEmpty || purpose.acceptsLocked) {
                throw Need.unlocking(meant.map(\.path) + reading.unreadable)
            }
            items += meant
        }
        return items.filter { $0.isForeign && filter.matchesIgnoringCondition($0.record) }
    }

    /// The items whose path fits a reference that an earlier look-up made for another program's item.
    private func foreignHits(for reference: PersistentReference) throws -> ServiceSession.Hits {
        var hits = try session.search([[:]])
        if !session.provider.findsAllWithEmptySearch, let collection = try session.defaultCollection() {
            hits.unlocked = try session.property("Items", of: "Collection", at: collection, type: "ao").strings
        }
        hits.unlocked.removeAll { !ForeignReference.isOf(reference.uuid, path: $0) }
        hits.locked.removeAll { !ForeignReference.isOf(reference.uuid, path: $0) }
        return hits
    }

    // MARK: Secrets

    private func fetchSecrets(of findings: inout Findings) throws {
        let missing = findings.items.filter { findings.secrets[$0.path] == nil }
        if missing.isEmpty { return }
        findings.secrets.merge(try session.secrets(of: missing)) { first, _ in first }
        let without = findings.items.filter { findings.secrets[$0.path] == nil }
        if without.isEmpty { return }
        // Locked since the search, or deleted.
        let locked = without.filter { (try? session.isLocked("Item", at: $0.path)) == true }
        if !locked.isEmpty && interaction != .skipped { throw Need.unlocking(locked.map(\.path)) }
        let gone = Set(without.map(\.path))
        findings.items.removeAll { gone.contains($0.path) }
    }

    /// The secrets that an undo needs. Items that were deleted meanwhile are left out.
    func secretsForUndoing(of items: [StoredItem]) throws -> [String: Secret] {
        let secrets = try session.secrets(of: items)
        let locked = items.filter { secrets[$0.path] == nil && (try? session.isLocked("Item", at: $0.path)) == true }
        if !locked.isEmpty { throw Need.unlocking(locked.map(\.path)) }
        return secrets
    }
}
