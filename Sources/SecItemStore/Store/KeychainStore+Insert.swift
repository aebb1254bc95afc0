// SPDX-License-Identifier: Apache-2.0

import Logging

extension KeychainStore {
    /// Stores the records one after another. If one fails, it deletes the earlier ones again. They stay if the process
    /// ends in between, or if they cannot be deleted.
    public func insert(_ records: [ItemRecord], interaction: Interaction) throws(StoreError) {
        var inserted: [ItemRecord] = []
        for record in records {
            do throws(StoreError) {
                try insert(record, interaction: interaction)
                inserted.append(record)
            } catch {
                for record in inserted { takeBack(record, interaction) }
                throw error
            }
        }
    }

    /// Deletes the record that was just stored, and nothing else.
    private func takeBack(_ record: ItemRecord, _ interaction: Interaction) {
        let filter = RecordFilter(itemClass: record.itemClass, reference: record.reference)
        do throws(StoreError) {
            _ = try delete(matching: filter, interaction: interaction)
        } catch {
            Logger(keychain: "secitem.store").error(
                "An item that was stored before another one that belongs to it could not be is still there",
                metadata: ["reason": "\(error.message)"])
        }
    }
}
