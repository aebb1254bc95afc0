// SPDX-License-Identifier: Apache-2.0

import Foundation

/// How the first of two objects stands to the second.
public enum CFComparisonResult: CFIndex, Sendable {
    /// It comes before it.
    case compareLessThan = -1
    /// They are the same.
    case compareEqualTo = 0
    /// It comes after it.
    case compareGreaterThan = 1

    init(_ result: ComparisonResult) {
        switch result {
        case .orderedAscending: self = .compareLessThan
        case .orderedSame: self = .compareEqualTo
        case .orderedDescending: self = .compareGreaterThan
        }
    }
}
