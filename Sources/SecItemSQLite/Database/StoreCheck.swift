// SPDX-License-Identifier: Apache-2.0

import SecItemSealing
import SecItemStore

/// Finds damage: in the header when a store is opened, and in the whole file when somebody asks.
enum StoreCheck {
    static let isNoDatabase = StoreError(.corrupt, "the file is not a database, or is damaged")

    /// Checks what a program relies on, and reads the header, which is not authenticated yet. The caller holds the setup
    /// lock.
    ///
    /// - Parameter size: The bytes of the file; nil if there is a log, from which an unfinished last page is restored.
    static func header(_ database: Database, size: Int?) throws(StoreError) -> StoreHeader {
        do {
            return try database.inTransaction(forWriting: false) {
                try StoreFormat.check(database)
                if let size, try !Int64(size).isMultiple(of: database.number("PRAGMA page_size")) {
                    throw StoreError(.corrupt, "the file ends in the middle of a page")
                }
                let mode = try PreparedQuery(database, "PRAGMA journal_mode")
                defer { mode.finish() }
                // A medium that is read as one that nobody changes has no log, whatever the header says.
                guard try database.believesUnchanged || (mode.step() && mode.text(0) == "wal") else {
                    throw StoreError(.corrupt, "the file does not have the journal mode of a keychain")
                }
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

    /// Checks the whole database.
    ///
    /// - Throws: ``StoreError/Code/corrupt`` if a page is damaged, or `lookup` does not match the rows.
    static func check(_ database: Database) throws {
        let query = try PreparedQuery(database, "PRAGMA integrity_check(1)")
        defer { query.finish() }
        guard try query.step(), query.text(0) == "ok" else {
            throw StoreError(.corrupt, "pages of the file are damaged")
        }
        var missing = try lookups(database)
        let table = try PreparedQuery(database, "SELECT blind, item FROM lookup")
        defer { table.finish() }
        while try table.step() {
            let bytes = table.bytes(0)
            guard bytes.count == Blind.byteCount, let blind = Blind(prefixOf: bytes),
                missing.remove(Lookup(blind: blind, item: table.integer(1))) != nil
            else { throw mismatch }
        }
        guard missing.isEmpty else { throw mismatch }
    }

    private static let mismatch = StoreError(.corrupt, "the look-up table does not match the items")

    /// An entry of the look-up table.
    private struct Lookup: Hashable {
        let blind: Blind
        let item: Int64
    }

    /// The entries that the table should have.
    private static func lookups(_ database: Database) throws -> Set<Lookup> {
        let query = try PreparedQuery(database, "SELECT id, class, slots FROM item")
        defer { query.finish() }
        var result: Set<Lookup> = []
        while try query.step() {
            guard let itemClass = ItemClass(query.bytes(1)) else {
                throw StoreError(.corrupt, "an item's class is damaged")
            }
            let item = query.integer(0)
            for blind in ItemIndex.lookups(in: query.bytes(2), itemClass: itemClass) {
                result.insert(Lookup(blind: blind, item: item))
            }
        }
        return result
    }
}
