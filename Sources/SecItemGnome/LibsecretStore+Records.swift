import SecItemStore

extension LibsecretStore {
    package func records(
        matching filter: RecordFilter, parts: RecordParts, limit: Int?, interaction: Interaction
    ) throws(StoreError) -> [ItemRecord] {
        if limit == 0 { return [] }
        return try withSession { session in
            if let record = try repeated(filter, parts, limit, session) { return [record] }
            let generation = session.memory.generation
            let purpose = Purpose.reading(parts, limit: limit)
            let findings = try unlocking(session, interaction) {
                try find(filter, for: purpose, session, interaction)
            }
            if limit == 1, parts.contains(.secrets), let item = findings.items.first {
                session.memory.remember(item, answering: lookupKey(filter), asOf: generation)
            }
            return findings.items.map { record(of: $0, findings.secrets[$0.path], parts) }
        }
    }

    /// The answer to a look-up that was made before, if nothing has changed: its item is known, and the service is asked
    /// for the secret alone. Nil when the look-up must be made in full.
    private func repeated(
        _ filter: RecordFilter, _ parts: RecordParts, _ limit: Int?, _ session: ServiceSession
    ) throws -> ItemRecord? {
        guard limit == 1, parts.contains(.secrets),
            let (item, generation) = session.memory.item(answering: lookupKey(filter))
        else { return nil }
        let secrets = try? session.secrets(of: [item])
        // The answer came after the signals of all earlier changes.
        guard let secret = secrets?[item.path], session.memory.generation == generation else { return nil }
        return record(of: item, secret, parts)
    }

    /// What tells one look-up from another.
    private func lookupKey(_ filter: RecordFilter) -> ItemMemory.LookupKey {
        let searches = SearchPlan(filter).own
        if searches.count == 1 { return searches[0] }
        return searches.enumerated().reduce(into: [:]) { key, search in
            for (name, text) in search.element { key["\(search.offset) \(name)"] = text }
        }
    }

    private func record(of item: StoredItem, _ secret: Secret?, _ parts: RecordParts) -> ItemRecord {
        var record = item.record
        if !parts.contains(.attributes) { record.attributes = [:] }
        if parts.contains(.secrets) && item.hasSecret { record.secrets[.valueData] = secret }
        return record
    }

    /// Runs `body`, once more after unlocking what it says it needs.
    func unlocking<Result>(
        _ session: ServiceSession, _ interaction: Interaction, _ body: () throws -> Result
    ) throws -> Result {
        do {
            return try body()
        } catch let need as NeedsUnlock {
            try unlock(need.paths, session, interaction)
            do {
                return try body()
            } catch is NeedsUnlock {
                throw StoreError(.locked, "the collection is locked again")
            }
        }
    }
}
