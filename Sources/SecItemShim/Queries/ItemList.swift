// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// The items of `kSecMatchItemList`. A query matches only items in the list.
struct ItemList: Sendable {
    /// The items named by persistent references. An identity has the reference of its certificate.
    private var references: Set<PersistentReference> = []
    private var objects: [(itemClass: ItemClass, identity: [ItemAttribute: AttributeValue])] = []

    mutating func add(_ reference: PersistentReference) {
        let itemClass = reference.itemClass == .identity ? .certificate : reference.itemClass
        references.insert(PersistentReference(itemClass: itemClass, uuid: reference.uuid))
    }

    /// Adds the items of an object. An identity adds its certificate, together with its key.
    mutating func add(_ live: LiveValue) {
        switch live {
        case .item(let object): objects.append((object.itemClass, object.identity))
        case .identity(let certificate, let key):
            var identity = certificate.identity
            identity[.publicKeyHash] = key.identity[.applicationLabel]
            objects.append((.certificate, identity))
        }
    }

    /// The reference of the only item in the list. Nil if the list can have more items or none, or names one by an
    /// object.
    var onlyReference: PersistentReference? {
        references.count == 1 && objects.isEmpty ? references.first : nil
    }

    /// Whether the record is in the list. The record must have its attributes.
    func contains(_ record: ItemRecord) -> Bool {
        references.contains(record.reference)
            || objects.contains { object in
                RecordFilter(itemClass: object.itemClass, attributes: object.identity).matches(record)
            }
    }
}
