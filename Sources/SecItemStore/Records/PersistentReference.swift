// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A permanent identifier of one stored item. It stays the same when attributes change, and never identifies another
/// item.
///
/// Its bytes are the four letters of the item's class, followed by the sixteen bytes of a random UUID.
/// Source: `kSecValuePersistentRef` in Apple's *SecItem.h*; the layout is that of the data protection keychain.
public struct PersistentReference: Hashable, Sendable {
    /// The class of the item.
    public let itemClass: ItemClass
    /// The random number of the item.
    public let uuid: UUID

    /// Makes a reference from the class and the random number of an item.
    public init(itemClass: ItemClass, uuid: UUID) {
        self.itemClass = itemClass
        self.uuid = uuid
    }

    /// Makes a new reference for a new item of that class.
    public init(itemClass: ItemClass) {
        self.init(itemClass: itemClass, uuid: RandomBytes.uuid())
    }

    /// Reads the bytes of ``data``. Nil if they are not a reference.
    package init?(_ data: Data) {
        guard data.count == 20, let itemClass = ItemClass(rawValue: String(decoding: data.prefix(4), as: UTF8.self))
        else {
            return nil
        }
        let uuid = data.dropFirst(4).withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) }
        self.init(itemClass: itemClass, uuid: UUID(uuid: uuid))
    }

    /// Whether a store made it from what it read of another program's item (a UUID of version 8, RFC 9562). Those of this
    /// library's own items are random.
    package var isOfAnotherProgram: Bool { uuid.uuid.6 >> 4 == 8 }

    /// The reference in the form that clients get: twenty bytes.
    public var data: Data {
        var data = Data(itemClass.rawValue.utf8)
        withUnsafeBytes(of: uuid.uuid) { data.append(contentsOf: $0) }
        return data
    }
}
