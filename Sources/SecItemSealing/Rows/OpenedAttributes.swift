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
    // If two threads decode them at once, one result is kept.
    private let read = AtomicLazyReference<Values>()

    /// Nil if the bytes are not attributes. They are checked here, so that reading them never fails.
    init?(_ opened: SealedBytes.Opened) {
        guard opened.withUnsafeBytes(ValueCoding.areAttributes) else { return nil }
        self.opened = opened
    }

    func mayContain(_ attribute: ItemAttribute) -> Bool {
        // A value may contain the code too. Then the caller decodes the values in vain.
        opened.withUnsafeBytes { bytes in
            var last: UInt32 = 0
            for byte in bytes {
                last = last << 8 | UInt32(byte)
                if last == attribute.fourCharCode { return true }
            }
            return false
        }
    }

    var values: [ItemAttribute: AttributeValue] {
        if let read = read.load() { return read.values }
        let values = opened.withUnsafeBytes(ValueCoding.decodeAttributes) ?? [:]
        return read.storeIfNil(Values(values)).values
    }
}
