// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemSealing
import SecItemStore

/// The rows of `item`, and the `lookup` table that lists them.
extension Database: SealedRows {
    package func forEachRow(_ source: RowSource, _ columns: RowColumns, _ body: (StoredRow) throws -> Bool) throws {
        let query = try PreparedQuery(self, RowStatement.sql(source, columns))
        defer { query.finish() }
        switch source {
        case .number(let number): try query.bind(number, at: 1)
        case .reference(let uuid):
            try withUnsafeBytes(of: uuid.uuid) { try query.bind(copying: Array($0), at: 1) }
        case .listed(let blinds):
            for (index, blind) in blinds.enumerated() { try query.bind(blind, at: Int32(index + 1)) }
        case .all: break
        }
        while try query.step() {
            guard try body(StoredRow(query)) else { return }
        }
    }

    package func hasRow(primaryKey: Blind) throws -> Bool {
        let query = try PreparedQuery(self, "SELECT 1 FROM item WHERE primary_key = ?1")
        defer { query.finish() }
        try query.bind(primaryKey, at: 1)
        return try query.step()
    }

    package func count(of blind: Blind, atMost limit: Int) throws -> Int {
        let query = try PreparedQuery(
            self, "SELECT count(*) FROM (SELECT 1 FROM lookup WHERE blind = ?1 LIMIT ?2)")
        defer { query.finish() }
        try query.bind(blind, at: 1)
        try query.bind(Int64(limit), at: 2)
        return try query.step() ? Int(query.integer(0)) : 0
    }

    package func hasProtectedRows(of itemClass: ItemClass) throws -> Bool {
        let query = try PreparedQuery(
            self, "SELECT 1 FROM item WHERE class = ?1 AND accessible NOT IN ('dk', 'dku') LIMIT 1")
        defer { query.finish() }
        try query.bind(itemClass.rawValue, at: 1)
        return try query.step()
    }
}

extension StoredRow {
    /// The columns that ``init(_:)`` expects after the number.
    static func columns(_ columns: RowColumns) -> String {
        "i.id, i.class, i.reference, i.accessible, i.primary_key, i.slots, i.nonces, i.code, "
            + (columns.attributes ? "i.attributes" : "NULL") + (columns.secrets ? ", i.secrets" : ", NULL")
    }

    /// The row under a query whose columns are a number and then ``columns(_:)``.
    init(_ query: PreparedQuery) {
        self.init(
            wantedID: query.integer(0), id: query.integer(1), isMissing: query.isNull(1), itemClass: query.bytes(2),
            reference: query.bytes(3), accessible: query.bytes(4), primaryKey: query.bytes(5), slots: query.bytes(6),
            nonces: query.bytes(7), code: query.bytes(8), attributes: query.bytes(9), secrets: query.bytes(10))
    }
}

/// The statements that fetch rows: a number and the row's columns, in the order of numbers.
enum RowStatement {
    static func sql(_ source: RowSource, _ columns: RowColumns) -> String {
        switch source {
        case .number: return "SELECT i.id, \(StoredRow.columns(columns)) FROM item AS i WHERE i.id = ?1"
        case .reference: return "SELECT i.id, \(StoredRow.columns(columns)) FROM item AS i WHERE i.reference = ?1"
        case .all: return "SELECT i.id, \(StoredRow.columns(columns)) FROM item AS i ORDER BY i.id"
        case .listed(let blinds):
            let index = (blinds.count - 1) * 4 + (columns.attributes ? 2 : 0) + (columns.secrets ? 1 : 0)
            guard lookups.indices.contains(index) else { return lookup(columns, armCount: blinds.count) }
            return lookups[index]
        }
    }

    /// The statements for one and two arms, with and without each sealed column. They are built once.
    private static let lookups: [String] = {
        var statements: [String] = []
        for armCount in 1...2 {
            for columns in 0..<4 {
                statements.append(
                    lookup(
                        RowColumns(attributes: columns & 2 != 0, secrets: columns & 1 != 0), armCount: armCount))
            }
        }
        return statements
    }()

    private static func lookup(_ columns: RowColumns, armCount: Int) -> String {
        // LEFT JOIN reveals missing rows. Each blind has an arm in the right order, so SQLite merges them without
        // sorting.
        var statement = ""
        for number in 1...max(armCount, 1) {
            if number > 1 { statement += " UNION ALL " }
            statement += "SELECT l.item, " + StoredRow.columns(columns)
            statement += " FROM lookup AS l LEFT JOIN item AS i ON i.id = l.item WHERE l.blind = ?" + String(number)
        }
        return statement + " ORDER BY 1"
    }
}
