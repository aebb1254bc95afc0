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

    /// A reference to an item of that class. With no `uuid`, a new one for an item about to be made.
    public init(itemClass: ItemClass, uuid: UUID = UUID()) {
        self.itemClass = itemClass
        self.uuid = uuid
    }

    /// The reference as a client holds it: twenty bytes.
    public var data: Data {
        var data = Data(itemClass.rawValue.utf8)
        withUnsafeBytes(of: uuid.uuid) { data.append(contentsOf: $0) }
        return data
    }
}
