// SPDX-License-Identifier: Apache-2.0

import SecItemStore

extension SynchronizingStore {
    package func records(
        matching filter: RecordFilter, parts: RecordParts, limit: Int?, interaction: Interaction
    ) throws(StoreError) -> [ItemRecord] {
        guard let sharedFilter = filter.inSharedPlace else {
            return try local.records(matching: filter, parts: parts, limit: limit, interaction: interaction)
        }
        // The creation date, which both lists are merged by, is an attribute.
        let parts = parts.union(.attributes)
        // If all matches of one place are damaged, the other one's count.
        var damage: StoreError?
        func find(_ store: any KeychainStore, _ filter: RecordFilter) throws(StoreError) -> [ItemRecord] {
            do throws(StoreError) {
                return try store.records(matching: filter, parts: parts, limit: limit, interaction: interaction)
            } catch {
                guard error.code == .corrupt else { throw error }
                damage = damage ?? error
                return []
            }
        }
        var own = try find(local, filter), others = try find(remote, sharedFilter)
        if let damage, own.isEmpty, others.isEmpty { throw damage }
        removeRemains(&own, &others)
        return Array(Self.merge(own, others).prefix(limit ?? .max))
    }

    /// Leaves out what an interrupted move has left behind: of two records with one reference, the one that changed last
    /// counts.
    private func removeRemains(_ own: inout [ItemRecord], _ others: inout [ItemRecord]) {
        if own.isEmpty || others.isEmpty { return }
        let changes = Dictionary(
            own.map { ($0.reference, $0.attributes[.modificationDate]?.date) }, uniquingKeysWith: { first, _ in first })
        var remains: Set<PersistentReference> = []
        others.removeAll { record in
            guard let date = changes[record.reference] else { return false }
            let isNewer = (record.attributes[.modificationDate]?.date ?? .distantPast) > (date ?? .distantPast)
            if isNewer { remains.insert(record.reference) }
            return !isNewer
        }
        if !remains.isEmpty { own.removeAll { remains.contains($0.reference) } }
    }

    /// Merges two lists by creation date. The order within each list stays, because a caller may have set the dates.
    private static func merge(_ own: [ItemRecord], _ others: [ItemRecord]) -> [ItemRecord] {
        if own.isEmpty { return others }
        if others.isEmpty { return own }
        var result: [ItemRecord] = []
        result.reserveCapacity(own.count + others.count)
        var rest = others[...]
        for record in own {
            let date = record.attributes[.creationDate]?.date ?? .distantPast
            while let next = rest.first, (next.attributes[.creationDate]?.date ?? .distantPast) < date {
                result.append(next)
                rest.removeFirst()
            }
            result.append(record)
        }
        return result + rest
    }
}
