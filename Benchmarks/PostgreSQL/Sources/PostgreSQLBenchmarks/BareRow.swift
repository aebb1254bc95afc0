// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A row as the keychain stores it, with new random bytes in place of what has to be unique.
struct BareRow {
    /// The columns of the table `item`, in the order of the statement.
    let values: [[UInt8]]
    let lookups: [[UInt8]]

    /// A row that is as large as the one that the keychain has stored last.
    ///
    /// - Parameters:
    ///   - source: The number of the keychain.
    ///   - store: The number of the keychain for the new row.
    init(like source: Int64, in store: Int64, _ database: BareDatabase) throws {
        let columns = ["reference", "primary_key", "claim", "slots", "nonces", "code", "attributes", "secrets"]
        let cells = columns.map { "encode(\($0), 'hex')" }.joined(separator: ", ")
        let row = try database.ask(
            "SELECT class, accessible, id, \(cells) FROM secitem.item WHERE store = \(source) ORDER BY id DESC LIMIT 1")[
                0]
        let shared = try database.ask(
            """
            SELECT encode(blind, 'hex'), (SELECT count(*) > 1 FROM secitem.lookup AS o
                WHERE o.store = l.store AND o.blind = l.blind)
            FROM secitem.lookup AS l WHERE store = \(source) AND item = \(row[2])
            """)
        lookups = shared.map { $0[1] == "t" ? Self.bytes($0[0]) : Self.random($0[0].count / 2) }
        let id = Int64.random(in: 1...Int64.max)
        values =
            [store.bytes, id.bytes, Array(row[0].utf8), Self.random(16), Array(row[1].utf8)]
            + [Self.random(row[4].count / 2), Self.random(row[5].count / 2)] + row[6...].map(Self.bytes)
    }

    private static func random(_ count: Int) -> [UInt8] { (0..<count).map { _ in .random(in: 0...255) } }

    static func bytes(_ digits: String) -> [UInt8] {
        let digits = Array(digits)
        return stride(from: 0, to: digits.count - 1, by: 2).compactMap { UInt8(String(digits[$0...$0 + 1]), radix: 16) }
    }
}
