// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import CLibpq
    import SecItemStore

    /// The answer to one statement, with columns in PostgreSQL's binary format.
    ///
    /// A row or column that does not exist reads as NULL, so that a server with other tables cannot end the process.
    package struct PostgreSQLRows: Sendable {
        private var bytes: [UInt8] = []
        /// The end of each cell in `bytes`, row by row; a NULL has the end of the cell before it, as a complement.
        private var ends: [Int] = []
        private var columnCount = 0
        package private(set) var count = 0
        /// The number of rows that the statement inserted, changed or deleted; for a look-up, the number of rows.
        package internal(set) var affected = 0

        /// Whether the server said `COMMIT`. To a `COMMIT` after an error it says `ROLLBACK`, which is no error to it.
        var isCommitted = false

        init() {}

        // MARK: Filling

        /// Copies the rows of a result.
        ///
        /// - Parameter budget: The number of bytes that may still be copied; it shrinks.
        /// - Returns: Whether the budget was enough and all rows have the same columns.
        mutating func append(_ result: OpaquePointer, budget: inout Int) -> Bool {
            let columns = Int(PQnfields(result))
            if count == 0 { columnCount = columns }
            guard columns == columnCount else { return false }
            for row in 0..<PQntuples(result) {
                // What a cell costs beside its bytes.
                budget -= 16 + 8 * columns
                for column in 0..<Int32(columns) {
                    let size = Int(PQgetlength(result, row, column))
                    budget -= size
                    guard budget >= 0 else { return false }
                    if PQgetisnull(result, row, column) != 0 {
                        ends.append(~bytes.count)
                    } else {
                        bytes.append(
                            contentsOf: UnsafeRawBufferPointer(start: PQgetvalue(result, row, column), count: size))
                        ends.append(bytes.count)
                    }
                }
                count += 1
            }
            return budget >= 0
        }

        // MARK: Reading

        private func range(_ row: Int, _ column: Int) -> Range<Int>? {
            guard row >= 0, row < count, column >= 0, column < columnCount else { return nil }
            let index = row * columnCount + column
            let end = ends[index]
            guard end >= 0 else { return nil }
            let start = index == 0 ? 0 : ends[index - 1]
            return (start < 0 ? ~start : start)..<end
        }

        /// Whether the cell is NULL.
        package func isNull(_ row: Int, _ column: Int) -> Bool { range(row, column) == nil }

        /// The bytes of the cell; none for NULL.
        package func bytes(_ row: Int, _ column: Int) -> [UInt8] {
            range(row, column).map { Array(bytes[$0]) } ?? []
        }

        /// Gives `body` the bytes of the cell during the call; none for NULL.
        package func withBytes<Result, Failure: Error>(
            _ row: Int, _ column: Int, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
        ) throws(Failure) -> Result {
            let range = range(row, column) ?? 0..<0
            // A closure of the standard library's method cannot throw a type of its own.
            let outcome: Swift.Result<Result, Failure> = bytes.withUnsafeBytes { all in
                do throws(Failure) {
                    return .success(try body(UnsafeRawBufferPointer(rebasing: all[range])))
                } catch {
                    return .failure(error)
                }
            }
            return try outcome.get()
        }

        /// Gives `body` a function from a column to its bytes in that row, during the call; none for NULL.
        package func withCells<Result, Failure: Error>(
            _ row: Int, _ body: ((Int) -> UnsafeRawBufferPointer) throws(Failure) -> Result
        ) throws(Failure) -> Result {
            let outcome: Swift.Result<Result, Failure> = bytes.withUnsafeBytes { all in
                do throws(Failure) {
                    return .success(try body { UnsafeRawBufferPointer(rebasing: all[range(row, $0) ?? 0..<0]) })
                } catch {
                    return .failure(error)
                }
            }
            return try outcome.get()
        }

        /// The text of the cell; empty for NULL. What is not UTF-8 is replaced.
        package func text(_ row: Int, _ column: Int) -> String {
            withBytes(row, column) { String(decoding: $0, as: UTF8.self) }
        }

        /// The number in a cell of type `smallint`, `integer` or `bigint`.
        ///
        /// - Throws: ``StoreError/Code/corrupt`` for NULL and for another size.
        package func integer(_ row: Int, _ column: Int) throws(StoreError) -> Int64 {
            let bytes = bytes(row, column)
            guard [2, 4, 8].contains(bytes.count) else { throw Self.unexpected("number") }
            let isNegative = bytes[0] & 0x80 != 0
            return bytes.reduce(isNegative ? -1 : 0) { $0 << 8 | Int64($1) }
        }

        /// The value of a cell of type `boolean`.
        ///
        /// - Throws: ``StoreError/Code/corrupt`` for NULL and for another size.
        package func boolean(_ row: Int, _ column: Int) throws(StoreError) -> Bool {
            let bytes = bytes(row, column)
            guard bytes.count == 1 else { throw Self.unexpected("boolean") }
            return bytes[0] != 0
        }

        private static func unexpected(_ type: String) -> StoreError {
            StoreError(.corrupt, "PostgreSQL: a column is no \(type), as it should be")
        }
    }
#endif
