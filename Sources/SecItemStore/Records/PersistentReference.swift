// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A name for one stored item that outlives changes of its attributes and is never another item's.
///
/// As bytes it is the four letters of the item's class followed by the sixteen bytes of a random UUID.
/// Source: `kSecValuePersistentRef` in Apple's *SecItem.h*; the layout is that of the data protection keychain.
public struct PersistentReference: Hashable, Sendable {
    /// The class of the item.
    public let itemClass: ItemClass
    /// The item's own random number.
    public let uuid: UUID

    /// A reference to the item of that class with that random number.
    public init(itemClass: ItemClass, uuid: UUID) {
        self.itemClass = itemClass
        self.uuid = uuid
    }

    /// A new reference, for an item of that class that is about to be made.
    public init(itemClass: ItemClass) {
        self.init(itemClass: itemClass, uuid: RandomBytes.uuid())
    }

    /// Reads ``data``. Nil for bytes that are not those of a reference.
    package init?(_ data: Data) {
        guard data.count == 20, let itemClass = ItemClass(rawValue: String(decoding: data.prefix(4), as: UTF8.self))
        else {
            return nil
        }
        let uuid = data.dropFirst(4).withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) }
        self.init(itemClass: itemClass, uuid: UUID(uuid: uuid))
    }

    /// The reference as a client holds it: twenty bytes.
    public var data: Data {
        var data = Data(itemClass.rawValue.utf8)
        withUnsafeBytes(of: uuid.uuid) { data.append(contentsOf: $0) }
        return data
    }
}
