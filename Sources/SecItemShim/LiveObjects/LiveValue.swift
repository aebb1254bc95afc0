// SPDX-License-Identifier: Apache-2.0

import SecItemStore

/// What `kSecValueRef` holds: an object that stands for one item, or an identity, which stands for two.
enum LiveValue {
    case item(LiveObject)
    case identity(certificate: LiveObject, key: LiveObject)

    /// - Throws: `errSecParam` for what is no live object.
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

    /// Whether the machine's chip has the key.
    var isOfChip: Bool {
        switch self {
        case .item(let object): object.isOfChip
        case .identity(_, let key): key.isOfChip
        }
    }

    /// What an item must have to be one of the object; of an identity, each half what its class has.
    var identity: [ItemAttribute: AttributeValue] {
        switch self {
        case .item(let object): object.identity
        case .identity(let certificate, let key): certificate.identity.merging(key.identity) { own, _ in own }
        }
    }
}
