// SPDX-License-Identifier: Apache-2.0

import SecItemStore

/// A few computed blinds, kept so that look-ups need not compute them again.
///
/// Neither a value that is looked up nor its blind is a secret: the blind is in the file. The blinds are kept as long
/// as their keys.
final class KnownBlinds: @unchecked Sendable {
    struct Term: Equatable {
        let value: MatchKey
        let attribute: ItemAttribute
        let itemClass: ItemClass
    }

    private static let greatestCount = 12
    /// A longer value is not the name of a group, and is not kept.
    private static let greatestByteCount = 256

    // Only taken in an operation, for which a fork waits.
    private let lock = ForkableLock()
    // Guarded by `lock`. Few: they are compared one by one.
    private var blinds: [(term: Term, blind: Blind)] = []
    private var oldest = 0

    subscript(term: Term) -> Blind? {
        get {
            lock.withLock { blinds.first { $0.term == term }?.blind }
        }
        set {
            guard let newValue, term.value.bytes.count <= Self.greatestByteCount else { return }
            lock.withLock {
                if blinds.contains(where: { $0.term == term }) { return }
                if blinds.count < Self.greatestCount { return blinds.append((term, newValue)) }
                blinds[oldest] = (term, newValue)
                oldest = (oldest + 1) % Self.greatestCount
            }
        }
    }
}
