// SPDX-License-Identifier: Apache-2.0

import SecItemStore

/// What a change has done so far, so that it can be undone.
struct Undo {
    private enum Step {
        case delete([ItemRecord], from: any KeychainStore)
        case insert([ItemRecord], into: any KeychainStore)
        case restore([ItemRecord], changedBy: RecordChanges, in: any KeychainStore)
    }

    private var steps: [Step] = []

    /// Undoes an insert. What somebody has changed since then stays.
    mutating func delete(_ records: [ItemRecord], from store: any KeychainStore) {
        steps.append(.delete(records, from: store))
    }

    /// Undoes a deletion.
    mutating func insert(_ records: [ItemRecord], into store: any KeychainStore) {
        steps.append(.insert(records, into: store))
    }

    /// Undoes an update.
    ///
    /// - Parameter records: The records as they were. All have what the changes replace.
    mutating func restore(_ records: [ItemRecord], changedBy changes: RecordChanges, in store: any KeychainStore) {
        steps.append(.restore(records, changedBy: changes, in: store))
    }

    /// Undoes everything, the last change first. A failure is logged, and the rest is still undone.
    func run() {
        for step in steps.reversed() {
            do throws(StoreError) {
                try undo(step)
            } catch {
                SynchronizingStore.logger().error(
                    "A change could be made in one of two stores only, and could not be undone there: look at the items",
                    metadata: ["reason": "\(error.message)"])
            }
        }
    }

    private func undo(_ step: Step) throws(StoreError) {
        switch step {
        case .delete(let records, let store):
            for record in records {
                _ = try store.delete(matching: RecordFilter(sinceStored: record), interaction: .forbidden)
            }
        case .insert(let records, let store): try store.insert(records, interaction: .forbidden)
        case .restore(let records, let changes, let store):
            _ = try store.update(records.map { Self.restoration(of: $0, changes) }, interaction: .forbidden)
        }
    }

    /// Gives the record what it had. Its modification date becomes a later one than before.
    private static func restoration(of record: ItemRecord, _ changes: RecordChanges) -> RecordUpdate {
        let touched = Set(changes.attributes.keys).union(changes.removedAttributes)
        var before = record.attributes.filter { touched.contains($0.key) }
        // An attribute of the primary key cannot be removed, and an empty one equals none.
        for row in ItemSchema.schema(of: record.itemClass).primaryKeyRows
        where touched.contains(row.attribute) && before[row.attribute] == nil {
            before[row.attribute] = row.kind.emptyValue
        }
        return RecordUpdate(
            RecordFilter(itemClass: record.itemClass, reference: record.reference),
            applying: RecordChanges(
                attributes: before, secrets: record.secrets.filter { changes.secrets[$0.key] != nil },
                removing: touched.subtracting(before.keys)))
    }
}
