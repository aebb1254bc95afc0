// SPDX-License-Identifier: Apache-2.0

import SecItemStore

/// What a change has done so far, so that it can be undone.
struct Undo {
    private enum Step {
        case delete(ItemRecord, from: any KeychainStore)
        case insert([ItemRecord], into: any KeychainStore)
        case restore(ItemRecord, changedBy: RecordChanges, in: any KeychainStore)
    }

    private var steps: [Step] = []

    /// Undoes an insert. What somebody has changed since then stays.
    mutating func delete(_ records: [ItemRecord], from store: any KeychainStore) {
        steps += records.map { .delete($0, from: store) }
    }

    /// Undoes a deletion. What has taken the place of a record since then stays.
    mutating func insert(_ records: [ItemRecord], into store: any KeychainStore) {
        steps.append(.insert(records, into: store))
    }

    /// Undoes an update. What somebody has changed or deleted since then stays.
    ///
    /// - Parameter record: The record as it was just before the update, with what the changes replace.
    mutating func restore(_ record: ItemRecord, changedBy changes: RecordChanges, in store: any KeychainStore) {
        steps.append(.restore(record, changedBy: changes, in: store))
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
        case .delete(let record, let store):
            _ = try store.delete(matching: RecordFilter(sinceStored: record), interaction: .forbidden)
        case .insert(let records, let store): try putBack(records, into: store)
        case .restore(let record, let changes, let store):
            _ = try store.update([Self.restoration(of: record, changes)], interaction: .forbidden)
        }
    }

    /// Inserts all of them, or if somebody has stored one of them meanwhile, all others.
    ///
    /// - Throws: The first error. Each of the others was still tried.
    private func putBack(_ records: [ItemRecord], into store: any KeychainStore) throws(StoreError) {
        do throws(StoreError) {
            try store.insert(records, interaction: .forbidden)
        } catch {
            guard error.code == .duplicate else { throw error }
            if records.count == 1 {
                SynchronizingStore.logger().notice(
                    "When a change was undone, an item was not put back: an equal one took its place meanwhile, and stays"
                )
                return
            }
            var failure: StoreError?
            for record in records {
                do throws(StoreError) { try putBack([record], into: store) } catch { failure = failure ?? error }
            }
            if let failure { throw failure }
        }
    }

    /// Gives the record what it had. Its modification date becomes a later one than before.
    private static func restoration(
        of record: ItemRecord, _ changes: RecordChanges
    ) throws(StoreError) -> RecordUpdate {
        let touched = Set(changes.attributes.keys).union(changes.removedAttributes)
        var before = record.attributes.filter { touched.contains($0.key) }
        // An attribute of the primary key cannot be removed, and an empty one equals none.
        for row in ItemSchema.schema(of: record.itemClass).primaryKeyRows
        where touched.contains(row.attribute) && before[row.attribute] == nil {
            before[row.attribute] = row.kind.emptyValue
        }
        return RecordUpdate(
            RecordFilter(sinceStored: try record.applying(changes)),
            applying: RecordChanges(
                attributes: before, secrets: record.secrets.filter { changes.secrets[$0.key] != nil },
                removing: touched.subtracting(before.keys)))
    }
}
