// SPDX-License-Identifier: Apache-2.0

/// A store that can be looked through as a whole, as it is at one moment.
package protocol SurveyableStore: KeychainStore {
    /// Calls `visit` with each item there is, of all classes and access groups, oldest first.
    ///
    /// What others change meanwhile is not seen: all items are as they were when the survey began. Unlike a look-up, it tells
    /// of damaged items too. What `visit` throws ends it.
    ///
    /// - Parameters:
    ///   - interaction: What to do about items that are locked.
    ///   - visit: Takes an item. It must not use the store.
    /// - Throws: ``StoreError/Code/locked`` before the first visit, when items are locked and `interaction` does not say to
    ///   skip them; ``StoreError/Code/corrupt`` when the store itself is damaged.
    func survey(
        interaction: Interaction, _ visit: (SurveyedItem) throws(StoreError) -> Void
    ) throws(StoreError)
}

/// What a survey finds in the place of one item.
package enum SurveyedItem: Sendable {
    /// The whole item.
    case item(ItemRecord)
    /// An item of which something is locked, with its reference where that can be read. Only where locked items are skipped.
    case locked(PersistentReference?)
    /// An item in order whose secrets only an authentication opens (``GuardedStore``): with its attributes and
    /// ``ItemRecord/guardedSecrets``, and without secrets.
    case guarded(ItemRecord)
    /// An item that cannot be read.
    case damaged(DamagedItem)
}

/// An item that a store has and cannot read.
package struct DamagedItem: Sendable, Equatable {
    /// Where the store has it, in words that follow "the item".
    package let place: String
    /// The reference as it stands there, which may be damaged too; nil where it makes no sense.
    package let reference: PersistentReference?
    /// What is wrong, in words that follow "the item". Never a secret.
    package let damage: String

    package init(place: String, reference: PersistentReference?, damage: String) {
        self.place = place
        self.reference = reference
        self.damage = damage
    }
}
