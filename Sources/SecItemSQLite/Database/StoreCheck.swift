// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDBSQLite
import SecItemSealing
import SecItemStore

/// Finds damage that a look-up would not notice.
enum StoreCheck {
    /// Files up to this size are checked whenever they are opened, which takes a few milliseconds.
    static let limitForOpening = 1 << 20

    /// Checks a file without writing anything. The caller holds the setup lock.
    ///
    /// - Returns: The result.
    static func inspect(_ path: String) throws(StoreError) -> Finding {
        let hasLog = { access(path + "-wal", F_OK) == 0 }
        // Without a log nobody is writing, and SQLite can be told to create no files.
        guard !hasLog(), let immutable = StoreConnection.immutablePath(path) else {
            return try inspect(ReadOnlyConnection(path), hasLog: true)
        }
        do throws(StoreError) {
            return try inspect(ReadOnlyConnection(immutable), hasLog: false)
        } catch {
            // Somebody began to write after all, and the read data may mix the old and the new state.
            guard hasLog() else { throw error }
            return try inspect(ReadOnlyConnection(path), hasLog: true)
        }
    }

    /// A file without damage.
    struct Finding {
        /// Its header, not authenticated yet.
        let header: StoreHeader
        let format: Int64
        /// The connection that checked it, which cannot write. Nil if it was opened as a file that nobody else writes.
        let connection: ReadOnlyConnection?
    }

    private static func inspect(_ database: ReadOnlyConnection, hasLog: Bool) throws(StoreError) -> Finding {
        do {
            return try database.inTransaction {
                // Checked before SQLite reads them.
                try checkStart(database, hasLog: hasLog)
                let format = try StoreFormat.check(database)
                let header = try StoreHeader.read(database)
                guard header.fits(format) else {
                    throw StoreError(.corrupt, "the store's keys are not those of its format")
                }
                let pages = try PreparedQuery.number(database, "PRAGMA page_count")
                let pageSize = try PreparedQuery.number(database, "PRAGMA page_size")
                if pages.multipliedReportingOverflow(by: pageSize).partialValue <= limitForOpening {
                    try check(database)
                }
                return Finding(header: header, format: format, connection: hasLog ? database : nil)
            }
        } catch {
            throw StoreError(database: error)
        }
    }

    /// Checks the first bytes for values that SQLite would accept without a check.
    ///
    /// It reads through SQLite's own descriptor. Closing another descriptor of the file would release the locks that
    /// connections of this process hold on it.
    private static func checkStart(_ database: any StatementSource, hasLog: Bool) throws(StoreError) {
        var file: UnsafeMutablePointer<sqlite3_file>?
        var start = [UInt8](repeating: 0, count: 20)
        var size: Int64 = 0
        guard sqlite3_file_control(database.sqliteConnection, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK,
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
    static func check(_ database: any StatementSource) throws {
        // With PreparedQuery instead of GRDB, because a damaged file can return anything.
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
    private static func lookupsInTable(_ database: any StatementSource) throws -> [Lookup] {
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
    private static func lookupsInRows(_ database: any StatementSource) throws -> [Lookup] {
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
