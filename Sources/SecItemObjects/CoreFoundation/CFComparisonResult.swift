// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The order of two objects.
public enum CFComparisonResult: CFIndex, Sendable {
    /// The first object comes before the second.
    case compareLessThan = -1
    /// The objects are equal.
    case compareEqualTo = 0
    /// The first object comes after the second.
    case compareGreaterThan = 1

    init(_ result: ComparisonResult) {
        switch result {
        case .orderedAscending: self = .compareLessThan
        case .orderedSame: self = .compareEqualTo
        case .orderedDescending: self = .compareGreaterThan
        }
    }
}
