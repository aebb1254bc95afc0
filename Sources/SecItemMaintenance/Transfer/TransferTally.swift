// SPDX-License-Identifier: Apache-2.0

import SecItemStore

/// What became of items on their way into a store.
package struct TransferTally: Sendable, Equatable {
    /// Items that were not there.
    package var added = 0
    /// Items that were there already, with the same content.
    package var same = 0
    /// Items that were there with another content, which is replaced.
    package var replaced = 0
    /// Items that are there with another content, which stays.
    package var different = 0
    /// Items that the store cannot hold, or must not.
    package var refused = 0
    /// Of those that were added, how many got another persistent reference: their own is another item's there.
    package var renamed = 0
    /// Why items were refused, each reason once, and which the first was.
    package var refusals: [Refusal] = []

    package struct Refusal: Sendable, Equatable {
        package let reference: PersistentReference
        package let reason: String
    }

    package init() {}

    /// How many items there were.
    package var count: Int { added + same + replaced + different + refused }
    /// Whether each of them is in the store now.
    package var isComplete: Bool { different == 0 && refused == 0 }

    mutating func refuse(_ record: ItemRecord, _ error: StoreError) {
        refused += 1
        if refusals.count < 20, !refusals.contains(where: { $0.reason == error.message }) {
            refusals.append(Refusal(reference: record.reference, reason: error.message))
        }
    }
}
