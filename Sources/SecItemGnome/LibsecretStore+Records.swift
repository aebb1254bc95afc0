// SPDX-License-Identifier: Apache-2.0

import SecItemStore

extension LibsecretStore {
    package func records(
        matching filter: RecordFilter, parts: RecordParts, limit: Int?, interaction: Interaction
    ) throws(StoreError) -> [ItemRecord] {
        if limit == 0 { return [] }
        return try reading(interaction) { operation in
            // What is looked up again and again is one item's secret.
            let isPlain = limit == 1 && parts.contains(.secrets) && filter.condition == nil
            let key = isPlain ? ItemMemory.LookupKey(SearchPlan(filter).own) : nil
            if let key, let record = try operation.repeated(key, parts) { return [record] }
            let generation = operation.session.memory.generation
            let findings = try operation.find(filter, for: .reading(parts, limit: limit))
            if let key, let item = findings.items.first {
                operation.session.memory.remember(item, answering: key, asOf: generation)
            }
            return findings.items.map { $0.record(findings.secrets[$0.path], parts) }
        }
    }
}

extension Operation {
    /// The answer to a look-up that was made before, if nothing has changed since: its item is known, and the service is
    /// asked for the secret alone. Nil when the look-up must be made in full.
    fileprivate func repeated(_ key: ItemMemory.LookupKey, _ parts: RecordParts) throws -> ItemRecord? {
        guard let (item, generation) = session.memory.item(answering: key) else { return nil }
        let secrets = try? session.secrets(of: [item])
        // The answer came after the signals of all earlier changes.
        guard let secret = secrets?[item.path], session.memory.generation == generation else { return nil }
        return item.record(secret, parts)
    }
}

extension StoredItem {
    /// The parts of the record that were asked for.
    func record(_ secret: Secret?, _ parts: RecordParts) -> ItemRecord {
        var record = record
        if !parts.contains(.attributes) { record.attributes = [:] }
        if parts.contains(.secrets) && hasSecret { record.secrets[.valueData] = secret }
        return record
    }
}
