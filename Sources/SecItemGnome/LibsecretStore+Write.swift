// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

extension LibsecretStore {
    // MARK: Insert

    package func insert(_ record: ItemRecord, interaction: Interaction) throws(StoreError) {
        try requireOneSecret(record.secrets)
        try record.requireSize()
        let plan = CreationPlan(of: record, attributes: record.ownAttributes())
        _ = try carryOut(interaction) { _ in plan }
    }

    /// Apple's internet passwords can have further secrets beside the password. On the Secret Service they would have
    /// to be attributes, which others can read.
    private func requireOneSecret(_ secrets: [ItemAttribute: Secret]) throws(StoreError) {
        if let other = secrets.keys.first(where: { $0 != .valueData }) {
            throw StoreError(
                .unsupported, "the Secret Service stores one secret for each item, and cannot store \(other) too")
        }
    }

    // MARK: Update

    package func update(_ updates: [RecordUpdate], interaction: Interaction) throws(StoreError) -> Int {
        for update in updates { try requireOneSecret(update.changes.secrets) }
        return try carryOut(interaction) { try ChangePlan(updates, $0) }.steps.count
    }

    // MARK: Delete

    package func delete(_ deletions: [RecordDeletion], interaction: Interaction) throws(StoreError) -> Int {
        try carryOut(interaction) { try DeletionPlan(deletions, $0) }.steps.count
    }
}
