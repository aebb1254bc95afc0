// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation

/// The content of a baseline's row. It is as long as the keychain's, and random where the keychain's is.
struct Bytes {
    let reference = Bytes.random(16)
    let primaryKey = Bytes.random(16)
    let slots = Bytes.random(120)
    let nonces = Bytes.random(24)
    let code = Bytes.random(16)
    let attributes = Bytes.random(272)
    let secrets: Data
    /// All items have the same service, label and group. Each item has its own account and natural key.
    let lookups: [Data]

    /// The value by which a look-up by service and account searches.
    var naturalKey: Data { lookups[4] }

    init(number: Int, sealing secret: Data) throws {
        secrets = try Self.sealed(secret)
        lookups = Self.shared + [Self.digest("account \(number)"), Self.naturalKey(number)]
    }

    struct Failure: Error {}

    static func sealed(_ secret: Data) throws -> Data {
        guard let sealed = try AES.GCM.seal(secret, using: key).combined else { throw Failure() }
        return sealed
    }

    static let key = SymmetricKey(size: .bits256)
    private static let shared = [digest("service"), digest("label"), digest("group")]

    static func naturalKey(_ number: Int) -> Data { digest("natural key \(number)") }
    static let service = shared[0]

    private static func digest(_ text: String) -> Data {
        Data(SHA256.hash(data: Data(text.utf8)).prefix(16))
    }

    private static func random(_ count: Int) -> Data {
        var generator = SystemRandomNumberGenerator()
        return Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }
}

/// The tables of the keychain's file (docs/file-format.md), and the keychain's statements.
enum Statements {
    static let tables = """
        CREATE TABLE item (
            id INTEGER NOT NULL PRIMARY KEY,
            class TEXT NOT NULL,
            reference BLOB NOT NULL UNIQUE,
            accessible TEXT NOT NULL,
            primary_key BLOB NOT NULL UNIQUE,
            slots BLOB NOT NULL,
            nonces BLOB NOT NULL,
            code BLOB NOT NULL,
            attributes BLOB NOT NULL,
            secrets BLOB
        );
        CREATE TABLE lookup (
            blind BLOB NOT NULL,
            item INTEGER NOT NULL,
            PRIMARY KEY (blind, item)
        ) WITHOUT ROWID;
        """
    static let last = "SELECT max(id) FROM item"
    static let twin = "SELECT 1 FROM item WHERE primary_key = ?1"
    static let insert = """
        INSERT INTO item (class, reference, accessible, primary_key, slots, nonces, code, attributes, secrets, id)
        VALUES ('genp', ?1, 'ak', ?2, ?3, ?4, ?5, ?6, ?7, ?8)
        """
    static let insertLookup = "INSERT OR IGNORE INTO lookup (blind, item) VALUES (?1, ?2)"
    static let find = arms("NULL, i.secrets")
    static let findWhole = arms("i.attributes, i.secrets")
    static let update = "UPDATE item SET nonces = ?1, code = ?2, attributes = ?3, secrets = ?4 WHERE id = ?5"
    static let delete = "DELETE FROM item WHERE id = ?1"
    static let deleteLookup = "DELETE FROM lookup WHERE blind = ?1 AND item = ?2"

    private static func arms(_ sealed: String) -> String {
        let columns =
            "l.item, i.id, i.class, i.reference, i.accessible, i.primary_key, i.slots, i.nonces, i.code, \(sealed)"
        let arms = [1, 2].map { number in
            "SELECT \(columns) FROM lookup AS l LEFT JOIN item AS i ON i.id = l.item WHERE l.blind = ?\(number)"
        }
        return arms.joined(separator: " UNION ALL ") + " ORDER BY 1"
    }
}
