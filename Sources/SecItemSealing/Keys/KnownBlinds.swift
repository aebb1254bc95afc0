// SPDX-License-Identifier: Apache-2.0

import SecItemStore

/// A few computed blinds, kept so that look-ups need not compute them again.
///
/// Neither a value that is looked up nor its blind is a secret: the blind is in the file. The blinds are kept as long
/// as their keys.
final class KnownBlinds<Value: Equatable & Sendable>: Sendable {
    private struct Known: Sendable {
        let value: Value
        let code: UInt32
        let itemClass: ItemClass
        let blind: Blind
    }

    private struct Content: Sendable {
        // Few: they are compared one by one.
        var blinds: [Known] = []
        var oldest = 0
    }

    private static var greatestCount: Int { 12 }

    private let content = LockedValue(Content())

    /// The blind of a value in the slot of that code, which `make` computes if it is not known.
    func blind(
        _ value: Value, code: UInt32, in itemClass: ItemClass, _ make: () throws(StoreError) -> Blind
    ) throws(StoreError) -> Blind {
        let known = content.withLock { content -> Blind? in
            for known in content.blinds
            where known.code == code && known.itemClass == itemClass && known.value == value {
                return known.blind
            }
            return nil
        }
        if let known { return known }
        let new = Known(value: value, code: code, itemClass: itemClass, blind: try make())
        content.withLock { content in
            if content.blinds.count < Self.greatestCount { return content.blinds.append(new) }
            content.blinds[content.oldest] = new
            content.oldest = (content.oldest + 1) % Self.greatestCount
        }
        return new.blind
    }
}
