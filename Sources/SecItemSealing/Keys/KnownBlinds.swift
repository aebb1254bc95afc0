// SPDX-License-Identifier: Apache-2.0

import SecItemStore

/// A few computed blinds, kept so that look-ups need not compute them again.
///
/// Neither a value that is looked up nor its blind is a secret: the blind is in the file. The blinds are kept as long
/// as their keys.
final class KnownBlinds: Sendable {
    struct Term: Equatable, Sendable {
        let value: MatchKey
        let attribute: ItemAttribute
        let itemClass: ItemClass
    }

    private static let greatestCount = 12
    /// A longer value is not the name of a group, and is not kept.
    private static let greatestByteCount = 256

    private struct Known: Sendable {
        // Few: they are compared one by one.
        var blinds: [(term: Term, blind: Blind)] = []
        var oldest = 0
    }

    private let known = LockedValue(Known())

    subscript(term: Term) -> Blind? {
        get {
            known.withLock { $0.blinds.first { $0.term == term }?.blind }
        }
        set {
            guard let newValue, term.value.bytes.count <= Self.greatestByteCount else { return }
            known.withLock { known in
                if known.blinds.contains(where: { $0.term == term }) { return }
                if known.blinds.count < Self.greatestCount { return known.blinds.append((term, newValue)) }
                known.blinds[known.oldest] = (term, newValue)
                known.oldest = (known.oldest + 1) % Self.greatestCount
            }
        }
    }
}
