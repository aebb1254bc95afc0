// SPDX-License-Identifier: Apache-2.0

import CBareLibpq
import Foundation

/// The statements of the keychain on its own tables, through libpq alone, prepared, and with the same round trips.
final class BareDatabase {
    struct Failure: Error {
        let message: String
    }

    private let connection: OpaquePointer

    init(_ connectionString: String) throws {
        connection = PQconnectdb(connectionString)
        guard PQstatus(connection) == CONNECTION_OK else { throw failure }
        // As the keychain does: otherwise the server plans a look-up again each time.
        try ask("SET plan_cache_mode = force_generic_plan")
        for (name, sql) in [
            ("find", Self.rows("NULL::bytea")), ("all", Self.rows("i.attributes")), ("add", Self.insert),
        ] {
            let result = PQprepare(connection, name, sql, 0, nil)
            defer { PQclear(result) }
            guard PQresultStatus(result) == PGRES_COMMAND_OK else { throw failure }
        }
        let result = PQprepare(connection, "notify", "SELECT pg_catalog.pg_notify($1, $2)", 0, nil)
        PQclear(result)
    }

    deinit { PQfinish(connection) }

    private var failure: Failure { Failure(message: String(cString: PQerrorMessage(connection))) }

    private static func rows(_ attributes: String) -> String {
        """
        SELECT l.item, i.id, i.class, i.reference, i.accessible, i.primary_key, i.slots, i.nonces, i.code, \(attributes),
            i.secrets
        FROM secitem.lookup AS l LEFT JOIN secitem.item AS i ON i.store = l.store AND i.id = l.item
        WHERE l.store = $1 AND l.blind = ANY ($2::bytea[]) ORDER BY 1
        """
    }

    private static let insert = """
        WITH new AS (
            INSERT INTO secitem.item (store, id, class, reference, accessible, primary_key, claim, slots, nonces, code,
                attributes, secrets)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
        )
        INSERT INTO secitem.lookup (store, blind, item) SELECT $1, blind, $2 FROM unnest($13::bytea[]) AS blind
        """

    // MARK: The same as the keychain

    /// The number of rows that are listed for a blind.
    func find(_ store: Int64, _ blind: [UInt8], all: Bool = false) throws -> Int {
        let result = try withValues([store.bytes, Self.list([blind])]) { count, values, lengths, formats in
            PQexecPrepared(connection, all ? "all" : "find", count, values, lengths, formats, 1)
        }
        defer { PQclear(result) }
        guard PQresultStatus(result) == PGRES_TUPLES_OK else { throw failure }
        let count = PQntuples(result)
        // Each value is read, as anybody does who wants it.
        var sum = 0
        for row in 0..<count {
            for column in 0..<PQnfields(result) { sum &+= Int(PQgetlength(result, row, column)) }
        }
        guard sum > 0 else { throw Failure(message: "nothing was found") }
        return Int(count)
    }

    /// Stores a row, in one flight.
    func add(_ row: BareRow) throws {
        let values = row.values + [Self.list(row.lookups)]
        guard PQenterPipelineMode(connection) == 1 else { throw failure }
        defer { PQexitPipelineMode(connection) }
        PQsendQueryParams(connection, "BEGIN ISOLATION LEVEL SERIALIZABLE", 0, nil, nil, nil, nil, 1)
        _ = try withValues(values) { count, values, lengths, formats in
            PQsendQueryPrepared(connection, "add", count, values, lengths, formats, 1)
        }
        _ = try withValues([Array("channel".utf8), Array("sender".utf8)]) { count, values, lengths, formats in
            PQsendQueryPrepared(connection, "notify", count, values, lengths, formats, 1)
        }
        PQsendQueryParams(connection, "COMMIT", 0, nil, nil, nil, nil, 1)
        guard PQpipelineSync(connection) == 1 else { throw failure }
        var isEnd = false
        while !isEnd {
            guard let result = PQgetResult(connection) else { continue }
            defer { PQclear(result) }
            switch PQresultStatus(result) {
            case PGRES_COMMAND_OK, PGRES_TUPLES_OK: break
            case PGRES_PIPELINE_SYNC: isEnd = true
            default: throw failure
            }
        }
    }

    // MARK: What is measured about

    /// The cells of an answer as text.
    @discardableResult
    func ask(_ sql: String) throws -> [[String]] {
        let result = PQexec(connection, sql)
        defer { PQclear(result) }
        switch PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK: break
        default: throw failure
        }
        return (0..<PQntuples(result)).map { row in
            (0..<PQnfields(result)).map { String(cString: PQgetvalue(result, row, $0)) }
        }
    }

    private func withValues<Result>(
        _ values: [[UInt8]],
        _ body: (Int32, UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<Int32>, UnsafePointer<Int32>) -> Result
    ) throws -> Result {
        let copies = values.map { value in
            let copy = UnsafeMutablePointer<CChar>.allocate(capacity: max(1, value.count))
            for (index, byte) in value.enumerated() { copy[index] = CChar(bitPattern: byte) }
            return copy
        }
        defer { for copy in copies { copy.deallocate() } }
        let pointers: [UnsafePointer<CChar>?] = copies.map { UnsafePointer($0) }
        return body(Int32(values.count), pointers, values.map { Int32($0.count) }, values.map { _ in 1 })
    }

    /// A `bytea[]` in PostgreSQL's binary format.
    private static func list(_ elements: [[UInt8]]) -> [UInt8] {
        let head: [Int32] = [1, 0, 17, Int32(elements.count), 1]
        return head.flatMap(\.bytes) + elements.flatMap { Int32($0.count).bytes + $0 }
    }
}

extension FixedWidthInteger {
    /// The bytes, most significant first.
    var bytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}
