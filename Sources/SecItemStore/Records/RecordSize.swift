// SPDX-License-Identifier: Apache-2.0

/// The size limits of an item. They are the same in every store, so that any item can move from one store to another.
///
/// The engine refuses a larger item before it calls the store. An update that would make an item too large is refused
/// when the changes are applied to the record (``applying(_:)``).
extension ItemRecord {
    /// The greatest size of one attribute: 1 MiB. Text is measured in UTF-8.
    public static let greatestAttributeSize = 1 << 20
    /// The greatest size of all attributes together: 8 MiB.
    public static let greatestSizeOfAttributes = 8 << 20
    /// The greatest size of an item's data: 16 MiB. gnome-keyring crashes with 64 MiB.
    public static let greatestSecretSize = 16 << 20

    /// - Throws: ``StoreError/Code/tooLarge`` if the attributes or a secret exceed the limits.
    package func requireSize() throws(StoreError) {
        var sum = 0
        for value in attributes.values {
            if value.size > Self.greatestAttributeSize { throw StoreError(.tooLarge, "an attribute is too large") }
            sum += value.size
        }
        if sum > Self.greatestSizeOfAttributes { throw StoreError(.tooLarge, "the attributes are too large") }
        for secret in secrets.values where secret.count > Self.greatestSecretSize {
            throw StoreError(.tooLarge, "a secret is too large")
        }
    }
}

extension AttributeValue {
    /// How many bytes the value has.
    fileprivate var size: Int {
        switch self {
        case .string(let text): text.utf8.count
        case .data(let data): data.count
        case .integer, .real, .date: 8
        }
    }
}
