// SPDX-License-Identifier: Apache-2.0

/// What is wrong with a row, in words that follow the row's name.
enum RowDamage: String {
    case isMissing = "is listed in the look-up table, but does not exist"
    case isListedWrongly = "is listed under a look-up value that it does not have"
    case columns = "has columns with invalid values"
    case code = "was changed by someone without the key"
    case attributes = "has attributes that do not open"
    case slots = "has attributes that differ from its look-up values"
    case constraints = "has constraints that cannot be read"
    case secrets = "has secrets that do not open"
    case twin = "has the primary key of a protected item"
}

/// The damage found during one operation. It is logged after the database is released.
package struct DamageReport {
    /// A line for the log for each damaged row.
    package private(set) var lines: [String] = []
    /// The limit keeps a file with many damaged rows from filling the log.
    private static let greatestCount = 20

    /// An empty report.
    package init() {}

    mutating func note(_ row: StoredRow, _ damage: RowDamage) {
        if lines.count < Self.greatestCount { lines.append("item \(row.wantedID) \(damage.rawValue)") }
    }

    /// Adds what another part of the operation found.
    package mutating func add(_ other: DamageReport) {
        lines.append(contentsOf: other.lines.prefix(Self.greatestCount - lines.count))
    }

    var isEmpty: Bool { lines.isEmpty }
}
