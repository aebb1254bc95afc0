// SPDX-License-Identifier: Apache-2.0

import SecItemStore
import Synchronization

/// Attributes of a row as they were opened, which become values when somebody looks at them.
final class OpenedAttributes: UnreadAttributes {
    private final class Values: Sendable {
        let values: [ItemAttribute: AttributeValue]

        init(_ values: [ItemAttribute: AttributeValue]) {
            self.values = values
        }
    }

    private let opened: SealedBytes.Opened
    // Without a lock: a fork may come at any moment. Two threads at once may both read them, and one of the two counts.
    private let read = AtomicLazyReference<Values>()

    /// Nil when the bytes are no attributes: that is told when they are opened, not when they are looked at.
    init?(_ opened: SealedBytes.Opened) {
        guard opened.withUnsafeBytes(ValueCoding.areAttributes) else { return nil }
        self.opened = opened
    }

    func mayContain(_ attribute: ItemAttribute) -> Bool {
        // The code may stand in a value too: then it costs looking at the values.
        opened.withUnsafeBytes { bytes in
            var last: UInt32 = 0
            for byte in bytes {
                last = last << 8 | UInt32(byte)
                if last == attribute.fourCharCode { return true }
            }
            return false
        }
    }

    package var values: [ItemAttribute: AttributeValue] {
        if let read = read.load() { return read.values }
        let values = opened.withUnsafeBytes(ValueCoding.decodeAttributes) ?? [:]
        return read.storeIfNil(Values(values)).values
    }
}
