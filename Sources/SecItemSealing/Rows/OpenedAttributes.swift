// SPDX-License-Identifier: Apache-2.0

import SecItemStore
import Synchronization

/// The opened attributes of a row. They are decoded when something first reads them.
final class OpenedAttributes: UnreadAttributes {
    private final class Values: Sendable {
        let values: [ItemAttribute: AttributeValue]

        init(_ values: [ItemAttribute: AttributeValue]) {
            self.values = values
        }
    }

    private let opened: SealedBytes.Opened
    private let codes: [UInt32]
    // If two threads decode them at once, one result is kept.
    private let read = AtomicLazyReference<Values>()

    /// Nil if the bytes are not attributes. They are checked here, so that reading them never fails.
    init?(_ opened: SealedBytes.Opened) {
        guard let codes = opened.withUnsafeBytes(ValueCoding.attributeCodes) else { return nil }
        self.opened = opened
        self.codes = codes
    }

    func mayContain(_ attribute: ItemAttribute) -> Bool { codes.contains(attribute.fourCharCode) }

    var values: [ItemAttribute: AttributeValue] {
        if let read = read.load() { return read.values }
        let values = opened.withUnsafeBytes(ValueCoding.decodeAttributes) ?? [:]
        return read.storeIfNil(Values(values)).values
    }
}
