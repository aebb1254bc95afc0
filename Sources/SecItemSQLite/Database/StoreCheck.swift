import Foundation
import GRDB
import SecItemStore

/// Looks for damage that a look-up would not notice by itself.
enum StoreCheck {
    /// Files up to this size are looked through whenever they are opened; it takes a few milliseconds.
    static let limitForOpening = 1 << 20

    /// Looks at a file without writing to it.
    ///
    /// - Returns: The header, not yet vouched for, and the format.
    static func inspect(_ path: String) throws(StoreError) -> (StoreHeader, format: Int64) {
        let queue = try StoreConnection.openReadOnly(path)
        do {
            return try queue.read { database in
                let format = try StoreFormat.check(database)
                let header = try StoreHeader.read(database)
                let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
                let pageSize = try Int.fetchOne(database, sql: "PRAGMA page_size") ?? 0
                if pages.multipliedReportingOverflow(by: pageSize).partialValue <= limitForOpening {
                    try check(database)
                }
                return (header, format)
            }
        } catch {
            throw StoreError(database: error)
        }
    }

    /// Looks through the whole database.
    ///
    /// - Throws: ``StoreError/Code/corrupt`` when a page is damaged, or `lookup` does not have what the rows say.
    static func check(_ database: Database) throws {
        // A query of its own, not GRDB's: a damaged file gives whatever it likes.
        let query = try PreparedQuery(database, "PRAGMA integrity_check(1)")
        defer { query.finish() }
        guard try query.step(), query.text(0) == "ok" else {
            throw StoreError(.corrupt, "pages of the file are damaged")
        }
        guard try lookupsInTable(database) == lookupsInRows(database) else {
            throw StoreError(.corrupt, "the look-up table does not fit the items")
        }
    }

    private struct Lookup: Hashable {
        let blind: Blind
        let item: Int64
    }

    private static func lookupsInTable(_ database: Database) throws -> Set<Lookup> {
        let query = try PreparedQuery(database, "SELECT blind, item FROM lookup")
        defer { query.finish() }
        var result: Set<Lookup> = []
        while try query.step() {
            guard query.bytes(0).count == Blind.byteCount, let blind = Blind(prefixOf: query.bytes(0)) else {
                throw StoreError(.corrupt, "the look-up table is damaged")
            }
            result.insert(Lookup(blind: blind, item: query.integer(1)))
        }
        return result
    }

    private static func lookupsInRows(_ database: Database) throws -> Set<Lookup> {
        let query = try PreparedQuery(database, "SELECT id, class, slots FROM item")
        defer { query.finish() }
        var result: Set<Lookup> = []
        while try query.step() {
            guard let itemClass = query.text(1).flatMap(ItemClass.init(rawValue:)) else {
                throw StoreError(.corrupt, "an item's class is damaged")
            }
            for blind in ItemIndex.lookups(in: query.bytes(2), itemClass: itemClass) {
                result.insert(Lookup(blind: blind, item: query.integer(0)))
            }
        }
        return result
    }
}
