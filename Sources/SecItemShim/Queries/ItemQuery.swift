// SPDX-License-Identifier: Apache-2.0

import SecItemStore

/// What a caller asked for, checked and typed: the form in which the engine knows a query.
package struct ItemQuery {
    let itemClass: ItemClass
    let reference: PersistentReference?
    /// Whether the query has a reference that is well formed and of no item: one of the old form.
    let namesNoItem: Bool
    let attributes: [ItemAttribute: AttributeValue]
    let synchronizable: SynchronizableScope
    let rules: MatchRules
    let limit: MatchLimit
    let kinds: ResultShape.Kinds
    let asking: Asking
    /// Whether one identity is named, by an object or a persistent reference.
    let namesIdentity: Bool

    /// The access group that the caller named.
    var accessGroup: String? { attributes[.accessGroup]?.string }

    var shape: ResultShape { ResultShape(kinds: kinds, isArray: !limit.isSingle) }

    var interaction: Interaction { asking.interaction }
}

/// Which items a query means as to `kSecAttrSynchronizable`.
enum SynchronizableScope {
    case localOnly
    case synchronizedOnly
    case any
}

/// What a query says of items beyond equalities of their attributes.
struct MatchRules {
    /// The host that an item's server must be, or be the parent domain of.
    var host: String?
    /// The digest that an item must have.
    var digest: MatchKey?
    /// Secrets beside the data that an item must have.
    var secrets: [ItemAttribute: Secret] = [:]
    /// The items of which it must be one; nil for any.
    var items: ItemList?
    /// What a certificate must be like.
    var certificate = CertificateRules()

    /// Whether something is said that only a certificate can satisfy, and of an identity its certificate.
    var concernCertificates: Bool { items != nil || !certificate.isEmpty }
}

/// An item to add, checked and typed, before defaults.
package struct NewItem {
    let itemClass: ItemClass
    let attributes: [ItemAttribute: AttributeValue]
    let secrets: [ItemAttribute: Secret]
    /// The conditions beyond the protection class; nil for none.
    let constraints: AccessConstraints.Flags?
    let kinds: ResultShape.Kinds
    let asking: Asking

    var interaction: Interaction { asking.interaction }
    var shape: ResultShape { ResultShape(kinds: kinds, isArray: false) }
}

/// What one add stores, checked and typed, before defaults.
enum Addition {
    case item(NewItem)
    /// An identity: both, or the half that is not there yet.
    case identity(certificate: NewItem, key: NewItem)

    var interaction: Interaction { first.interaction }
    var shape: ResultShape { first.shape }

    /// The one that says what both have in common.
    private var first: NewItem {
        switch self {
        case .item(let item), .identity(let item, _): item
        }
    }
}

/// What an update sets, checked and typed.
package struct ItemChanges {
    let attributes: [ItemAttribute: AttributeValue]
    let secrets: [ItemAttribute: Secret]
    let constraints: ConstraintChange

    /// What becomes of the conditions of an item.
    enum ConstraintChange {
        /// They stay.
        case kept
        /// There are none: the item is protected by its class alone.
        case removed
        case set(AccessConstraints.Flags)
    }
}

extension ItemSchema {
    /// Whether a caller's value of that attribute is stored. Any other value is dropped without a word.
    func keepsValue(of attribute: ItemAttribute) -> Bool {
        self[attribute]?.roles.contains(.settable) == true
    }
}
