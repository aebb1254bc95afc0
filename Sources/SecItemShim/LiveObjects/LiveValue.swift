// SPDX-License-Identifier: Apache-2.0

import SecItemStore

/// The value of `kSecValueRef`: an object for one item, or an identity, which represents two.
enum LiveValue {
    case item(LiveObject)
    case identity(certificate: LiveObject, key: LiveObject)

    /// - Throws: `errSecParam` if the value is not a live object.
    init(_ value: CallerValue) throws(KeychainError) {
        guard case .object(let object) = value else { throw .param("kSecValueRef is not an item") }
        if let identity = object as? SecIdentity {
            self = .identity(certificate: LiveObject(identity.certificate), key: LiveObject(identity.privateKey))
        } else {
            self = .item(try LiveObject(object))
        }
    }

    var itemClass: ItemClass {
        switch self {
        case .item(let object): object.itemClass
        case .identity: .identity
        }
    }

    /// Whether the key is in the machine's chip.
    var isOfChip: Bool {
        switch self {
        case .item(let object): object.isOfChip
        case .identity(_, let key): key.isOfChip
        }
    }

    /// The attributes that identify the object's items. For an identity, each half has the attributes of its class.
    var identity: [ItemAttribute: AttributeValue] {
        switch self {
        case .item(let object): object.identity
        case .identity(let certificate, let key): certificate.identity.merging(key.identity) { own, _ in own }
        }
    }
}
