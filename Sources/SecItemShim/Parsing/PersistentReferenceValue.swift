// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// The parsed bytes of `kSecValuePersistentRef`.
enum PersistentReferenceValue {
    /// The four letters of a class and a UUID: the form that this keychain uses.
    case item(PersistentReference)
    /// The four letters of a class and a row number: the form of old Apple systems. It names no item here.
    case row(ItemClass)

    var itemClass: ItemClass {
        switch self {
        case .item(let reference): reference.itemClass
        case .row(let itemClass): itemClass
        }
    }

    /// The item, if the bytes can name one.
    var item: PersistentReference? {
        if case .item(let reference) = self { reference } else { nil }
    }

    init?(_ value: CallerValue) {
        guard case .data(let data) = value, data.length == 12 || data.length == 20 else { return nil }
        let bytes = data.copiedData
        if let reference = PersistentReference(bytes) {
            self = .item(reference)
        } else if bytes.count == 12,
            let itemClass = ItemClass(rawValue: String(decoding: bytes.prefix(4), as: UTF8.self))
        {
            self = .row(itemClass)
        } else {
            return nil
        }
    }
}
