import SecItemStore

/// The items that a filter means, as they were found.
struct Findings {
    var items: [StoredItem] = []
    /// The secrets that came along, by path.
    var secrets: [String: Secret] = [:]
}

/// What a look for items is for: it decides which items are meant and what must be readable.
enum Purpose {
    /// A look-up of those parts, of so many items at most.
    case reading(RecordParts, limit: Int?)
    /// A change, for which everything must be unlocked.
    case writing

    var limit: Int? {
        if case .reading(_, let limit) = self { limit } else { nil }
    }

    var needsSecrets: Bool {
        if case .reading(let parts, _) = self { parts.contains(.secrets) } else { false }
    }

    /// Whether an item is of use while it is locked, as long as its attributes can be read.
    var acceptsLocked: Bool {
        if case .reading(let parts, _) = self { !parts.contains(.secrets) } else { false }
    }

    var isWriting: Bool {
        if case .writing = self { true } else { false }
    }
}

extension LibsecretStore {
    /// Finds the items that the filter means: ours, oldest first, then other programs'.
    ///
    /// - Throws: ``NeedsUnlock`` when items are locked and `interaction` does not say to skip them.
    func find(
        _ filter: RecordFilter, for purpose: Purpose, _ session: ServiceSession, _ interaction: Interaction
    ) throws -> Findings {
        do {
            try requireSearchable(session)
        } catch is NeedsUnlock where interaction == .skipped {
            return Findings()
        }
        let plan = SearchPlan(filter)
        let narrow = try narrowHits(plan, session)
        var findings = try findOwn(
            filter, narrow ?? session.search(plan.own), for: purpose, session, interaction)
        findings.items.sort(by: StoredItem.isOlder)
        let wanted = purpose.limit ?? .max
        if findings.items.count < wanted {
            let known = Set(findings.items.map(\.path))
            let foreign = try findForeign(filter, plan, narrow, for: purpose, except: known, session, interaction)
            findings.items += foreign.sorted(by: StoredItem.isOlder)
        }
        findings.items = Array(findings.items.prefix(wanted))
        if purpose.needsSecrets { try fetchSecrets(of: &findings, session, interaction) }
        return findings
    }

    /// What the search with few terms finds, ours and others'; nil where it does not do.
    private func narrowHits(_ plan: SearchPlan, _ session: ServiceSession) throws -> ServiceSession.Hits? {
        guard let narrow = plan.narrow else { return nil }
        let hits = try session.search([narrow])
        // What is locked may not tell its attributes: then the service has to compare them all.
        return hits.locked.isEmpty ? hits : nil
    }

    // MARK: Ours

    /// So few items are read without knowing yet whether all of them are wanted.
    private static let handful = 2

    private func findOwn(
        _ filter: RecordFilter, _ hits: ServiceSession.Hits, for purpose: Purpose, _ session: ServiceSession,
        _ interaction: Interaction
    ) throws -> Findings {
        let isHandful = hits.unlocked.count <= Self.handful && purpose.needsSecrets
        var reading = try session.readOwn(hits.unlocked, secretsOf: isHandful ? hits.unlocked : [])
        var items = reading.items.filter { filter.matches($0.record) }
        let damaged = reading.unreadable
        if !hits.locked.isEmpty && items.count < purpose.limit ?? .max && interaction != .skipped {
            let locked = purpose.acceptsLocked ? try session.readOwn(hits.locked) : nil
            guard let locked, locked.unreadable.isEmpty else { throw NeedsUnlock(paths: hits.locked) }
            items += locked.items.filter { filter.matches($0.record) }
        }
        reading.items = items
        if items.isEmpty && !damaged.isEmpty { throw StoreError(.corrupt, "the attributes of an item are damaged") }
        return Findings(items: items, secrets: reading.secrets)
    }

    // MARK: Others'

    private func findForeign(
        _ filter: RecordFilter, _ plan: SearchPlan, _ narrow: ServiceSession.Hits?, for purpose: Purpose,
        except known: Set<String>, _ session: ServiceSession, _ interaction: Interaction
    ) throws -> [StoredItem] {
        let hits: ServiceSession.Hits
        if let reference = filter.reference, ForeignReference.isForeign(reference.uuid) {
            hits = try foreignHits(for: reference, session)
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
            let meant = reading.items.filter { $0.isForeign && filter.matches($0.record) }
            if !reading.unreadable.isEmpty || !(meant.isEmpty || purpose.acceptsLocked) {
                throw NeedsUnlock(paths: meant.map(\.path) + reading.unreadable)
            }
            items += meant
        }
        return items.filter { $0.isForeign && filter.matches($0.record) }
    }

    /// The items whose path fits a reference that an earlier look-up made up for another program's item.
    private func foreignHits(
        for reference: PersistentReference, _ session: ServiceSession
    ) throws -> ServiceSession.Hits {
        var hits = try session.search([[:]])
        if !session.provider.findsAllWithEmptySearch, let collection = try session.defaultCollection() {
            hits.unlocked = try session.property("Items", of: "Collection", at: collection).strings
        }
        hits.unlocked.removeAll { !ForeignReference.isOf(reference.uuid, path: $0) }
        hits.locked.removeAll { !ForeignReference.isOf(reference.uuid, path: $0) }
        return hits
    }

    // MARK: Secrets

    private func fetchSecrets(
        of findings: inout Findings, _ session: ServiceSession, _ interaction: Interaction
    ) throws {
        let missing = findings.items.filter { findings.secrets[$0.path] == nil }
        if missing.isEmpty { return }
        findings.secrets.merge(try session.secrets(of: missing)) { first, _ in first }
        let without = findings.items.filter { findings.secrets[$0.path] == nil }
        if without.isEmpty { return }
        // Locked since the search, or deleted.
        let locked = without.filter { (try? session.property("Locked", of: "Item", at: $0.path).boolean) == true }
        if !locked.isEmpty && interaction != .skipped { throw NeedsUnlock(paths: locked.map(\.path)) }
        let gone = Set(without.map(\.path))
        findings.items.removeAll { gone.contains($0.path) }
    }
}
