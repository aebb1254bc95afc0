// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A keychain with some items, and a second one in the same tables for the rows that libpq adds alone.
struct Place {
    private let size: Int
    private let database: BareDatabase
    private let connection: String
    private let name: String
    private let keyFile: String
    /// The numbers of the keychains in the table `store`.
    private let store, other: Int64
    /// A blind that lists one item alone, for each item.
    private let single: [[UInt8]]
    /// A blind that lists all.
    private let common: [UInt8]

    init(_ database: BareDatabase, _ connection: String, _ keyFile: String, size: Int, name: String? = nil) throws {
        let name = name ?? String(size)
        let keychain = Keychain(connection, name: name, keyFile: keyFile)
        for number in 0..<size { try keychain.add("account \(number)") }
        (self.size, self.database, self.connection, self.name, self.keyFile) = (
            size, database, connection, name, keyFile
        )
        // The numbers of keychains grow with time.
        let store = Int64(try database.ask("SELECT max(id) FROM secitem.store")[0][0]) ?? 0
        (self.store, other) = (store, store + 1)
        try database.ask(
            """
            INSERT INTO secitem.store (id, name, uuid, device_key, code) OVERRIDING SYSTEM VALUE
            SELECT \(other), sha256(name), substr(sha256(uuid), 1, 16), device_key, code FROM secitem.store WHERE id = \(store)
            """)
        func blinds(_ count: Int) throws -> [[UInt8]] {
            try database.ask(
                """
                SELECT min(blind) FROM (SELECT encode(blind, 'hex') AS blind, min(item) AS item FROM secitem.lookup
                    WHERE store = \(store) GROUP BY blind HAVING count(*) = \(count)) AS l GROUP BY item
                """
            ).map { BareRow.bytes($0[0]) }
        }
        (single, common) = (try blinds(1), try blinds(size)[0])
        guard single.count == size else { throw BareDatabase.Failure(message: "the items cannot be told apart") }
        try database.ask("VACUUM ANALYZE secitem.item, secitem.lookup")
    }

    /// Makes this the keychain that the calls use.
    private func open() -> Keychain { Keychain(connection, name: name, keyFile: keyFile) }

    // MARK: Measuring

    func measure() throws -> [String] {
        let keychain = open()
        var rows = [try measureFind(size)]
        let all = try Comparison(
            rounds: 31,
            { guard try database.find(store, common, all: true) == size else { throw missing } },
            { guard try keychain.findAll() == size else { throw missing } })
        rows.append(all.row("find all, attributes and data | \(size)"))
        let added = try (0..<500).map { _ in try BareRow(like: store, in: other, database) }
        var turns = (0, 0)
        let add = try Comparison(
            rounds: 400, after: 100,
            {
                turns.0 += 1
                try database.add(added[turns.0 - 1])
            },
            {
                turns.1 += 1
                try keychain.add("added \(turns.1)")
            })
        rows.append(add.row("add | \(size)"))
        return rows
    }

    private var missing: BareDatabase.Failure { .init(message: "items are missing") }

    /// - Parameter count: The number of items, for the row's name.
    func measureFind(_ count: Int) throws -> String {
        let keychain = open()
        var turns = (0, 0)
        let find = try Comparison(
            rounds: 101, repeating: 20,
            {
                turns.0 += 1
                _ = try database.find(store, single[(turns.0 &* 7_919) % size])
            },
            {
                turns.1 += 1
                try keychain.find("account \((turns.1 &* 7_919) % size)")
            })
        return find.row("find one secret | \(count)")
    }

    /// How much more it costs to find one secret among many items than among few.
    static func growth(_ small: Place, _ large: Place, _ rows: Int) throws -> String {
        var samples: (small: [Double], large: [Double]) = ([], [])
        for _ in 0..<15 {
            let first = try small.open().timeOfFind(small.size), second = try large.open().timeOfFind(large.size)
            samples.small.append(first)
            samples.large.append(second)
        }
        let ratio = samples.large.sorted()[7] / samples.small.sorted()[7]
        return
            "Finding one secret among \(rows) items costs \(String(format: "%.2f", ratio)) times what it costs among 10."
    }

    // MARK: A large table

    /// Adds rows until there are so many. They have random bytes of the same length as the keychain's own, which no look-up
    /// of the measured items reads.
    func fill(to count: Int) throws {
        try database.ask(
            """
            CREATE FUNCTION pg_temp.bytes(n bigint, salt text, length int) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
                SELECT substr(sha512((salt || n)::bytea) || sha512((salt || n || 'x')::bytea)
                    || sha512((salt || n || 'y')::bytea) || sha512((salt || n || 'z')::bytea), 1, length)
            $$
            """)
        let chunk = 50_000
        for start in stride(from: size, to: count, by: chunk) {
            let numbers = "generate_series(\(start + 1)::bigint, \(min(start + chunk, count))::bigint) AS n"
            try database.ask(
                """
                INSERT INTO secitem.item SELECT i.store, n, i.class, pg_temp.bytes(n, 'r', 16), i.accessible,
                    pg_temp.bytes(n, 'p', length(i.primary_key)), pg_temp.bytes(n, 'c', length(i.claim)), i.slots, i.nonces,
                    i.code, i.attributes, i.secrets
                FROM (SELECT * FROM secitem.item WHERE store = \(store) ORDER BY id DESC LIMIT 1) AS i, \(numbers)
                """)
            try database.ask(
                """
                INSERT INTO secitem.lookup SELECT \(store), CASE WHEN l.count > 1 THEN l.blind
                    ELSE pg_temp.bytes(n, l.number::text, length(l.blind)) END, n
                FROM (SELECT blind, row_number() OVER () AS number, (SELECT count(*) FROM secitem.lookup AS o
                        WHERE o.store = k.store AND o.blind = k.blind AND o.item > 1000000000) AS count
                    FROM secitem.lookup AS k WHERE store = \(store)
                        AND item = (SELECT max(id) FROM secitem.item WHERE store = \(store))) AS l, \(numbers)
                """)
        }
        try database.ask("VACUUM ANALYZE secitem.item, secitem.lookup")
    }
}

extension Keychain {
    /// Microseconds of a look-up, after some that are not measured.
    fileprivate func timeOfFind(_ size: Int) throws -> Double {
        for number in 0..<50 { try find("account \(number % size)") }
        let clock = ContinuousClock()
        let start = clock.now
        for number in 0..<200 { try find("account \(number % size)") }
        let (seconds, attoseconds) = (clock.now - start).components
        return (Double(seconds) * 1e6 + Double(attoseconds) / 1e12) / 200
    }
}
