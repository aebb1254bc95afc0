// SPDX-License-Identifier: Apache-2.0

import SecItemStore

/// A caller's query, checked and typed, as the engine uses it.
package struct ItemQuery {
    let itemClass: ItemClass
    let reference: PersistentReference?
    /// Whether the query has a well-formed reference that can name no item: one in the old form.
    let namesNoItem: Bool
    let attributes: [ItemAttribute: AttributeValue]
    let synchronizable: SynchronizableScope
    let rules: MatchRules
    let limit: MatchLimit
    let kinds: ResultShape.Kinds
    let asking: Asking
    /// Whether the query names one identity, by an object or a persistent reference.
    let namesIdentity: Bool
    /// Whether a delete leaves tombstones.
    let leavesTombstones: Bool

    var accessGroup: String? { attributes[.accessGroup]?.string }

    var shape: ResultShape { ResultShape(kinds: kinds, isArray: !limit.isSingle) }

    var interaction: Interaction { asking.interaction }
}

/// The values of `kSecAttrSynchronizable` that a query matches.
enum SynchronizableScope {
    case localOnly
    case synchronizedOnly
    case any
}

/// Conditions of a query beyond equal attributes.
struct MatchRules {
    /// The host: an item's server must be this host or one of its subdomains.
    var host: String?
    /// The digest that an item must have.
    var digest: MatchKey?
    /// Secrets beside the data that an item must have.
    var secrets: [ItemAttribute: Secret] = [:]
    /// The items that may match; nil for all.
    var items: ItemList?
    var certificate = CertificateRules()

    /// Whether a rule applies to certificates only, and for an identity to its certificate.
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

/// The item or items of one add, checked and typed, before defaults.
enum Addition {
    case item(NewItem)
    /// An identity. Both halves are added, or the one that does not exist yet.
    case identity(certificate: NewItem, key: NewItem)

    var interaction: Interaction { first.interaction }
    var shape: ResultShape { first.shape }

    /// The half that determines what both have in common.
    private var first: NewItem {
        switch self {
        case .item(let item), .identity(let item, _): item
        }
    }
}

/// The changes of an update, checked and typed.
package struct ItemChanges {
    let attributes: [ItemAttribute: AttributeValue]
    let secrets: [ItemAttribute: Secret]
    let constraints: ConstraintChange

    /// What happens to an item's conditions.
    enum ConstraintChange: Equatable {
        /// They stay as they are.
        case kept
        /// They are removed: only the protection class remains.
        case removed
        case set(AccessConstraints.Flags)
    }
}

extension ItemSchema {
    /// Whether a caller's value of that attribute is stored. Other values are silently dropped.
    func keepsValue(of attribute: ItemAttribute) -> Bool {
        self[attribute]?.roles.contains(.settable) == true
    }
}
