// SPDX-License-Identifier: Apache-2.0

import SecItemStore

extension RecordFilter {
    /// The filter with one more condition.
    func meeting(_ more: RecordCondition) -> RecordFilter {
        RecordFilter(
            itemClass: itemClass, reference: reference, attributes: attributes, accessGroups: accessGroups,
            condition: condition.map { $0.and(more) } ?? more)
    }
}

extension RecordCondition {
    /// The condition that both conditions hold.
    func and(_ other: RecordCondition) -> RecordCondition {
        RecordCondition(on: parts.union(other.parts)) { holds(for: $0) && other.holds(for: $0) }
    }
}
