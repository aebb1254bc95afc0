// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// The sealed rows of a keychain, as a store fetches them. Searches and surveys read them through this protocol.
///
/// A store moves rows. It never interprets them, and nothing that it returns is trusted: ``RowReader`` checks each row.
package protocol SealedRows {
    /// Calls `body` with each row of the source, by rising number, until it returns false.
    ///
    /// - Parameters:
    ///   - source: The rows to fetch.
    ///   - columns: The sealed columns to fetch. The others are empty.
    ///   - body: Receives one row, which is valid only during the call.
    func forEachRow(_ source: RowSource, _ columns: RowColumns, _ body: (StoredRow) throws -> Bool) throws

    /// Whether there is a row whose primary key has that blind.
    func hasRow(primaryKey: Blind) throws -> Bool

    /// The number of rows that are listed under that blind; at most `limit` are counted.
    func count(of blind: Blind, atMost limit: Int) throws -> Int

    /// Whether there is a row of the class whose item is not always accessible.
    func hasProtectedRows(of itemClass: ItemClass) throws -> Bool
}

/// The rows that a store fetches.
package enum RowSource: Sendable {
    /// The row of that number.
    case number(Int64)
    /// The row of the item with that reference.
    case reference(UUID)
    /// The rows that are listed under any of the blinds. A row that is listed but missing is reported as such.
    case listed([Blind])
    /// All rows.
    case all
}

/// Which of the two sealed columns of a row to fetch.
package struct RowColumns: Sendable {
    /// Whether to fetch the sealed attributes.
    package let attributes: Bool
    /// Whether to fetch the sealed secrets.
    package let secrets: Bool

    /// Columns, each fetched or not.
    package init(attributes: Bool, secrets: Bool) {
        self.attributes = attributes
        self.secrets = secrets
    }

    /// The columns that have those parts of an item.
    init(_ parts: RecordParts) {
        // Secrets are never returned without their constraints, which are attributes.
        self.init(attributes: !parts.isEmpty, secrets: parts.contains(.secrets))
    }
}

extension SealedRows {
    /// Whether there are items of the class that cannot be read or told apart before the first unlock.
    package func hasHiddenItems(_ itemClass: ItemClass, _ keys: KeySet) throws -> Bool {
        try keys.metadata(.main) == nil && hasProtectedRows(of: itemClass)
    }
}
