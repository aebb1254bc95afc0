// SPDX-License-Identifier: Apache-2.0

/// How large an item may be: the same in every store, so that what one takes can be moved to any other.
///
/// The engine refuses what is larger before it asks a store. What an update would make too large is refused where the
/// changes meet the record (``applying(_:)``).
extension ItemRecord {
    /// The most bytes that one attribute may have: 1 MiB. Text is counted in UTF-8.
    public static let greatestAttributeSize = 1 << 20
    /// The most bytes that all attributes together may have: 8 MiB.
    public static let greatestSizeOfAttributes = 8 << 20
    /// The most bytes that the data of an item may have: 16 MiB. gnome-keyring dies of 64 MiB.
    public static let greatestSecretSize = 16 << 20

    /// - Throws: ``StoreError/Code/tooLarge`` when the attributes or a secret are larger than any store takes.
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
