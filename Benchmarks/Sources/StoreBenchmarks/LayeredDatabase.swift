// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import GRDB

/// Baseline (b): the same through GRDB's pool, with cached statements. Each secret is sealed or opened with AES-GCM.
final class LayeredDatabase {
    private let pool: DatabasePool

    init(path: String) throws {
        var configuration = Configuration()
        configuration.busyMode = .timeout(10)
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA secure_delete = ON") }
        pool = try DatabasePool(path: path, configuration: configuration)
        try pool.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA synchronous = FULL")
            if try !database.tableExists("item") { try database.execute(sql: Statements.tables) }
        }
    }

    func add(_ bytes: Bytes, _ secret: Data) throws {
        let sealed = try Bytes.sealed(secret)
        try pool.write { try add($0, bytes, sealed) }
    }

    func addMany(_ all: some Sequence<Bytes>) throws {
        try pool.write { database in
            for bytes in all { try add(database, bytes, bytes.secrets) }
        }
    }

    private func add(_ database: Database, _ bytes: Bytes, _ sealed: Data) throws {
        let last = try Int64.fetchOne(database.cachedStatement(sql: Statements.last)) ?? 0
        _ = try Int64.fetchOne(database.cachedStatement(sql: Statements.twin), arguments: [bytes.reference])
        try database.cachedStatement(sql: Statements.insert).execute(arguments: [
            bytes.reference, bytes.primaryKey, bytes.slots, bytes.nonces, bytes.code, bytes.attributes, sealed,
            last + 1,
        ])
        let lookup = try database.cachedStatement(sql: Statements.insertLookup)
        for blind in bytes.lookups { try lookup.execute(arguments: [blind, last + 1]) }
    }

    @discardableResult
    func find(_ number: Int) throws -> Data {
        let sealed = try pool.read { database in
            try Row.fetchOne(
                database.cachedStatement(sql: Statements.find),
                arguments: [Bytes.naturalKey(number), Bytes.naturalKey(-1)])?[10] as Data?
        }
        return try open(sealed ?? Data())
    }

    private func open(_ sealed: Data) throws -> Data {
        try AES.GCM.open(AES.GCM.SealedBox(combined: sealed), using: Bytes.key)
    }

    func findAll() throws -> Int {
        let rows = try pool.read { database in
            try Row.fetchAll(
                database.cachedStatement(sql: Statements.findWhole), arguments: [Bytes.service, Bytes.naturalKey(-1)])
        }
        return try rows.map { try ($0[9] as Data, open($0[10])) }.count
    }

    func update(_ number: Int, _ bytes: Bytes, _ secret: Data) throws {
        let sealed = try Bytes.sealed(secret)
        try pool.write { database in
            let id = try id(database, number)
            try database.cachedStatement(sql: Statements.update)
                .execute(arguments: [bytes.nonces, bytes.code, bytes.attributes, sealed, id])
        }
    }

    func delete(_ number: Int, _ bytes: Bytes) throws {
        try pool.write { database in
            let id = try id(database, number)
            try database.cachedStatement(sql: Statements.delete).execute(arguments: [id])
            let lookup = try database.cachedStatement(sql: Statements.deleteLookup)
            for blind in bytes.lookups { try lookup.execute(arguments: [blind, id]) }
        }
    }

    private func id(_ database: Database, _ number: Int) throws -> Int64 {
        let row = try Row.fetchOne(
            database.cachedStatement(sql: Statements.find),
            arguments: [Bytes.naturalKey(number), Bytes.naturalKey(-1)])
        guard let row else { throw Bytes.Failure() }
        return row[0]
    }
}
