// SPDX-License-Identifier: Apache-2.0

/// A store that can read all its items as of one moment.
package protocol SurveyableStore: KeychainStore {
    /// Calls `visit` with each item, of all classes and access groups, oldest first.
    ///
    /// All items are as they were when the survey began, even if others change them meanwhile. Unlike a look-up, a
    /// survey also reports damaged items. An error that `visit` throws ends the survey.
    ///
    /// - Parameters:
    ///   - interaction: What to do about locked items.
    ///   - visit: Receives one item. It must not use the store.
    /// - Throws: ``StoreError/Code/locked`` before the first visit, if items are locked and `interaction` is not
    ///   ``Interaction/skipped``; ``StoreError/Code/corrupt`` if the store itself is damaged.
    func survey(
        interaction: Interaction, _ visit: (SurveyedItem) throws(StoreError) -> Void
    ) throws(StoreError)
}

package enum SurveyedItem: Sendable {
    /// A whole item.
    case item(ItemRecord)
    /// An item that is locked at least in part, with its reference if that can be read. Only in surveys that skip
    /// locked items.
    case locked(PersistentReference?)
    /// An undamaged item whose secrets only an authentication opens (``GuardedStore``). It has attributes and
    /// ``ItemRecord/guardedSecrets``, and no secrets.
    case guarded(ItemRecord)
    /// An item that cannot be read.
    case damaged(DamagedItem)
}

/// An item that the store holds but cannot read.
package struct DamagedItem: Sendable, Equatable {
    /// Where the item is in the store, in words that follow "the item".
    package let place: String
    /// The stored reference, which may be damaged too; nil if it is not a valid reference.
    package let reference: PersistentReference?
    /// What is wrong, in words that follow "the item". Never a secret.
    package let damage: String

    package init(place: String, reference: PersistentReference?, damage: String) {
        self.place = place
        self.reference = reference
        self.damage = damage
    }
}
