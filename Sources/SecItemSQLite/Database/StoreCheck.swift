// SPDX-License-Identifier: Apache-2.0

import CLibsqlite3
import Foundation
import SecItemSealing
import SecItemStore

/// Finds damage: in the head of the file when a store is opened, and in all of it when somebody asks.
enum StoreCheck {
    /// Checks what a program relies on, and reads the header, which is not authenticated yet. The caller holds the setup
    /// lock.
    ///
    /// - Parameters:
    ///   - database: A connection that has read nothing yet.
    ///   - hasLog: Whether there is a log with commits.
    static func header(_ database: Database, hasLog: Bool) throws(StoreError) -> StoreHeader {
        do {
            return try database.inTransaction(forWriting: false) {
                // Checked before SQLite reads them.
                try checkStart(database, hasLog: hasLog)
                try StoreFormat.check(database)
                let header = try StoreHeader.read(database)
                guard header.keys[.guardKey] == nil || header.rootMethod.takesPassphrase else {
                    throw StoreError(.corrupt, "the store has a guard key, but no passphrase")
                }
                return header
            }
        } catch {
            throw StoreError(database: error)
        }
    }

    /// Checks the first bytes for values that SQLite would accept without a check.
    ///
    /// It reads through SQLite's own descriptor. Closing another descriptor of the file would release the locks that
    /// connections of this process hold on it.
    private static func checkStart(_ database: Database, hasLog: Bool) throws(StoreError) {
        var file: UnsafeMutablePointer<sqlite3_file>?
        var start = [UInt8](repeating: 0, count: 20)
        var size: Int64 = 0
        guard sqlite3_file_control(database.connection, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK,
            let methods = file?.pointee.pMethods?.pointee,
            methods.xRead?(file, &start, Int32(start.count), 0) == SQLITE_OK,
            methods.xFileSize?(file, &size) == SQLITE_OK, start.starts(with: "SQLite format 3\0".utf8)
        else { throw StoreError(.corrupt, "the file is not a database, or is damaged") }
        // "WAL" twice: with another mode, the content of the log would be ignored.
        guard start[18] == 2, start[19] == 2 else {
            throw StoreError(.corrupt, "the file does not have the journal mode of a keychain")
        }
        // 1 stands for 65536. With a log, an unfinished last page is restored from it.
        let pageSize = Int64(start[16]) << 8 | Int64(start[17])
        guard pageSize > 0, hasLog || size.isMultiple(of: pageSize == 1 ? 65_536 : pageSize) else {
            throw StoreError(.corrupt, "the file ends in the middle of a page")
        }
    }

    /// Checks the whole database.
    ///
    /// - Throws: ``StoreError/Code/corrupt`` if a page is damaged, or `lookup` does not match the rows.
    static func check(_ database: Database) throws {
        let query = try PreparedQuery(database, "PRAGMA integrity_check(1)")
        defer { query.finish() }
        guard try query.step(), query.text(0) == "ok" else {
            throw StoreError(.corrupt, "pages of the file are damaged")
        }
        guard try lookupsInTable(database) == lookupsInRows(database) else {
            throw StoreError(.corrupt, "the look-up table does not match the items")
        }
    }

    /// An entry of the look-up table, ordered as the table is.
    private struct Lookup: Comparable {
        let blind: Blind
        let item: Int64

        static func < (left: Lookup, right: Lookup) -> Bool {
            if left.blind != right.blind { return left.blind.isOrdered(before: right.blind) }
            return left.item < right.item
        }
    }

    /// The entries of the table, each once, in order.
    private static func lookupsInTable(_ database: Database) throws -> [Lookup] {
        let query = try PreparedQuery(database, "SELECT blind, item FROM lookup")
        defer { query.finish() }
        var result: [Lookup] = []
        while try query.step() {
            let bytes = query.bytes(0)
            guard bytes.count == Blind.byteCount, let blind = Blind(prefixOf: bytes) else {
                throw StoreError(.corrupt, "the look-up table is damaged")
            }
            result.append(Lookup(blind: blind, item: query.integer(1)))
        }
        return ordered(result)
    }

    /// The entries that the table should have, each once, in order.
    private static func lookupsInRows(_ database: Database) throws -> [Lookup] {
        let query = try PreparedQuery(database, "SELECT id, class, slots FROM item")
        defer { query.finish() }
        var result: [Lookup] = []
        while try query.step() {
            guard let itemClass = ItemClass(query.bytes(1)) else {
                throw StoreError(.corrupt, "an item's class is damaged")
            }
            let item = query.integer(0)
            ItemIndex.forEachLookup(in: query.bytes(2), itemClass: itemClass) { blind in
                result.append(Lookup(blind: blind, item: item))
            }
        }
        return ordered(result)
    }

    private static func ordered(_ lookups: [Lookup]) -> [Lookup] {
        var result = lookups
        // The table returns its entries in order.
        if !zip(result, result.dropFirst()).allSatisfy({ $0 < $1 }) {
            result.sort()
            var last: Lookup?
            result.removeAll { lookup in
                defer { last = lookup }
                return lookup == last
            }
        }
        return result
    }
}
