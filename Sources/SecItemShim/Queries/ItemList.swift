// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// The items of `kSecMatchItemList`: an item that a query means has to be one of them.
struct ItemList: Sendable {
    /// The items that were named by persistent references. An identity's is its certificate's.
    private var references: Set<PersistentReference> = []
    /// What the items must have that were named by objects.
    private var objects: [(itemClass: ItemClass, identity: [ItemAttribute: AttributeValue])] = []

    /// Adds the item of a persistent reference.
    mutating func add(_ reference: PersistentReference) {
        let itemClass = reference.itemClass == .identity ? .certificate : reference.itemClass
        references.insert(PersistentReference(itemClass: itemClass, uuid: reference.uuid))
    }

    /// Adds the items of an object; an identity's is its certificate, with the key that it has.
    mutating func add(_ live: LiveValue) {
        switch live {
        case .item(let object): objects.append((object.itemClass, object.identity))
        case .identity(let certificate, let key):
            var identity = certificate.identity
            identity[.publicKeyHash] = key.identity[.applicationLabel]
            objects.append((.certificate, identity))
        }
    }

    /// The reference of the only item in the list, nil where more or none can be in it or one was named by an object.
    var onlyReference: PersistentReference? {
        references.count == 1 && objects.isEmpty ? references.first : nil
    }

    /// Whether the record is in the list. Needs the attributes.
    func contains(_ record: ItemRecord) -> Bool {
        references.contains(record.reference)
            || objects.contains { object in
                RecordFilter(itemClass: object.itemClass, attributes: object.identity).matches(record)
            }
    }
}
