// SPDX-License-Identifier: Apache-2.0

import SecItemStore

extension LibsecretStore {
    package func records(
        matching filter: RecordFilter, parts: RecordParts, limit: Int?, interaction: Interaction
    ) throws(StoreError) -> [ItemRecord] {
        if limit == 0 { return [] }
        return try reading(interaction) { operation in
            // The most frequent repeated look-up is for one item's secret.
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
    /// The answer to a repeated look-up, if nothing has changed since: the item is known, and only the secret is
    /// requested. Nil if the whole look-up is necessary.
    fileprivate func repeated(_ key: ItemMemory.LookupKey, _ parts: RecordParts) throws -> ItemRecord? {
        guard let (item, generation) = session.memory.item(answering: key) else { return nil }
        let secrets = try? session.secrets(of: [item])
        // The answer arrived after the signals of all earlier changes.
        guard let secret = secrets?[item.path], session.memory.generation == generation else { return nil }
        return item.record(secret, parts)
    }
}

extension StoredItem {
    /// The requested parts of the record.
    ///
    /// - Parameter secret: The secret as the service stores it.
    func record(_ secret: Secret?, _ parts: RecordParts) -> ItemRecord {
        var record = record
        if !parts.contains(.attributes) { record.attributes = [:] }
        if parts.contains(.secrets) && hasSecret { record.secrets[.valueData] = isForeign ? secret : secret?.read }
        return record
    }
}
