import SecItemStore

extension LibsecretStore {
    package func records(
        matching filter: RecordFilter, parts: RecordParts, limit: Int?, interaction: Interaction
    ) throws(StoreError) -> [ItemRecord] {
        if limit == 0 { return [] }
        return try withSession { session in
            // What is looked up again and again is one item's secret.
            let key = limit == 1 && parts.contains(.secrets) ? ItemMemory.LookupKey(SearchPlan(filter).own) : nil
            if let key, let record = try repeated(key, parts, session) { return [record] }
            let generation = session.memory.generation
            let purpose = Purpose.reading(parts, limit: limit)
            let findings = try unlocking(session, interaction) {
                try find(filter, for: purpose, session, interaction)
            }
            if let key, let item = findings.items.first {
                session.memory.remember(item, answering: key, asOf: generation)
            }
            return findings.items.map { record(of: $0, findings.secrets[$0.path], parts) }
        }
    }

    /// The answer to a look-up that was made before, if nothing has changed: its item is known, and the service is asked
    /// for the secret alone. Nil when the look-up must be made in full.
    private func repeated(
        _ key: ItemMemory.LookupKey, _ parts: RecordParts, _ session: ServiceSession
    ) throws -> ItemRecord? {
        guard let (item, generation) = session.memory.item(answering: key) else { return nil }
        let secrets = try? session.secrets(of: [item])
        // The answer came after the signals of all earlier changes.
        guard let secret = secrets?[item.path], session.memory.generation == generation else { return nil }
        return record(of: item, secret, parts)
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
