// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Foundation
    import SecItemSealing
    import SecItemStore

    /// The sealed rows of one keychain in the tables `item` and `lookup`.
    struct PostgreSQLItems: SealedRows {
        /// Runs a statement that changes nothing.
        let read: (PostgreSQLCommand) throws(StoreError) -> PostgreSQLRows
        /// The number of the keychain in the table `store`.
        let store: Int64

        /// The greatest number of bytes in one answer.
        let answerBytes: Int

        /// The number of rows in one answer when all rows are read. Together with the bytes of an answer, it bounds the
        /// memory that a large keychain needs.
        private static let pageSize: Int64 = 1_000
        /// The bytes of a page, except that each page has a row.
        private var pageBytes: Int64 { Int64(answerBytes / 16) }
        /// The bytes of a row that still fits into an answer. A greater one was not written by this library, and is damaged.
        private var rowBytes: Int64 { Int64(answerBytes - answerBytes / 8) }

        func forEachRow(_ source: RowSource, _ columns: RowColumns, _ body: (StoredRow) throws -> Bool) throws {
            switch source {
            case .number(let number):
                _ = try visit(.init(ItemStatements.ofNumber(columns), .integer(store), .integer(number)), body)
            case .reference(let uuid):
                _ = try visit(.init(ItemStatements.ofReference(columns), .integer(store), .bytes(uuid.bytes)), body)
            case .listed(let blinds):
                let list = PostgreSQLValue.bytesList(blinds.map(\.bytes))
                _ = try visit(.init(ItemStatements.listed(columns), .integer(store), list), body)
            case .all:
                var last = Int64.min
                while let next = try visit(
                    .init(
                        ItemStatements.page(columns), .integer(store), .integer(last), .integer(Self.pageSize),
                        .integer(pageBytes), .integer(rowBytes)),
                    after: last, body)
                {
                    last = next
                }
            }
        }

        /// Calls `body` with each row of the answer, until it returns false.
        ///
        /// The numbers in an answer rise, unless the server deceives or the tables are damaged. This is checked, so that
        /// no item is found twice.
        ///
        /// - Parameter first: All numbers are greater.
        /// - Returns: The number of the last row; nil without rows, or if `body` returned false.
        private func visit(
            _ command: PostgreSQLCommand, after first: Int64 = .min, _ body: (StoredRow) throws -> Bool
        ) throws -> Int64? {
            let rows = try read(command)
            var last: Int64?
            var previous = first
            for index in 0..<rows.count {
                let number = try rows.integer(index, 0)
                let isMissing = rows.isNull(index, 1)
                let id = isMissing ? 0 : try rows.integer(index, 1)
                // The row's own number is the one that its code covers.
                guard number > previous, isMissing || id == number else {
                    throw StoreError(.corrupt, "PostgreSQL: the server repeats rows, or mixes them up")
                }
                previous = number
                let goesOn = try rows.withCells(index) { (cell: (Int) -> UnsafeRawBufferPointer) throws -> Bool in
                    try body(
                        StoredRow(
                            wantedID: number, id: id, isMissing: isMissing, itemClass: cell(2), reference: cell(3),
                            accessible: cell(4), primaryKey: cell(5), slots: cell(6), nonces: cell(7), code: cell(8),
                            attributes: cell(9), secrets: cell(10)))
                }
                guard goesOn else { return nil }
                last = number
            }
            return last
        }

        /// Throws if the keychain is not in the database any more. A look-up that has found nothing asks for this.
        ///
        /// - Throws: ``PostgreSQLFailure/Kind/missingKeychain``; the errors of the database.
        func requireKeychain() throws(StoreError) {
            if try read(.init(ItemStatements.hasKeychain, .integer(store))).count == 0 { throw .missingKeychain }
        }

        func hasRow(primaryKey: Blind) throws -> Bool {
            try read(.init(ItemStatements.hasPrimaryKey, .integer(store), .bytes(primaryKey.bytes))).count > 0
        }

        func count(of blind: Blind, atMost limit: Int) throws -> Int {
            let command = PostgreSQLCommand(
                ItemStatements.count, .integer(store), .bytes(blind.bytes), .integer(Int64(limit)))
            return Int(clamping: try read(command).integer(0, 0))
        }

        func hasProtectedRows(of itemClass: ItemClass) throws -> Bool {
            try read(.init(ItemStatements.hasProtected, .integer(store), .text(itemClass.rawValue))).count > 0
        }
    }

    extension PostgreSQLItems {
        /// The rows of the keychain with that number, in a transaction.
        init(_ store: Int64, in transaction: PostgreSQLTransaction) {
            self.init(
                read: { (command) throws(StoreError) in try transaction.run(command) }, store: store,
                answerBytes: transaction.limits.answerBytes)
        }
    }

    extension Blind {
        /// The bytes, for a statement.
        var bytes: [UInt8] { withUnsafeBytes { Array($0) } }
    }

    extension UUID {
        /// The bytes, for a statement.
        var bytes: [UInt8] { Swift.withUnsafeBytes(of: uuid) { Array($0) } }
    }
#endif
