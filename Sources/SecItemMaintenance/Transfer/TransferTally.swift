// SPDX-License-Identifier: Apache-2.0

import SecItemStore

/// What happened to items during a transfer.
package struct TransferTally: Sendable, Equatable {
    /// Items that were added.
    package var added = 0
    /// Items that already existed with the same content.
    package var same = 0
    package var replaced = 0
    /// Items that exist with different content, and keep it.
    package var kept: [ItemName] = []
    /// How many these are.
    package var different: Int { kept.count }
    /// Items that the store cannot hold, or must not.
    package var refused = 0
    /// How many of the added items got a new persistent reference, because another item in the store has theirs.
    package var renamed = 0
    /// How many items were left out when the backup was made.
    package var leftOut = 0
    /// The reasons for refusals, each once, with the first item that was refused.
    package var refusals: [Refusal] = []

    package struct Refusal: Sendable, Equatable {
        package let reference: PersistentReference
        package let reason: String
    }

    /// How many items there were.
    package var count: Int { added + same + replaced + different + refused }
    /// Whether all of them are in the store now.
    package var isComplete: Bool { different == 0 && refused == 0 }

    mutating func refuse(_ record: ItemRecord, _ error: StoreError) {
        refused += 1
        if refusals.count < 20, !refusals.contains(where: { $0.reason == error.message }) {
            refusals.append(Refusal(reference: record.reference, reason: error.message))
        }
    }
}
