// SPDX-License-Identifier: Apache-2.0

import SecItemStore

extension RowSearch {
    /// The records of all matching rows, oldest first.
    ///
    /// If there are many, a second thread examines them while this one reads them and helps.
    package mutating func records(_ rows: any SealedRows) throws -> [ItemRecord] {
        var records: [ItemRecord] = []
        guard limit == .max, reader.plan.filter.condition == nil else {
            try run(rows) { records.append($0.record) }
            return records
        }
        var batches: [RowBatch] = []
        var thread: OpeningThread?
        // Even after a failure, nobody may use the keys and rows when this is over.
        defer { thread?.finish() }
        var rowCount = 0
        try rows.forEachRow(reader.source, RowColumns(read)) { row in
            rowCount += 1
            if rowCount <= Self.aloneCount {
                if let found = try found(rows, row) { records.append(found.record) }
            } else if batches.last?.add(row) != true {
                if let full = batches.last {
                    let helper = try thread ?? openingThread()
                    thread = helper
                    helper.add(full)
                }
                batches.append(RowBatch(startingWith: row))
            }
            return true
        }
        batches.last?.examine(with: self)
        thread?.finish()
        thread = nil
        for batch in batches { try take(batch, rows, &records) }
        try end(rows, count: records.count)
        return records
    }

    /// The number of rows to examine in place before rows are copied for a second thread. Starting a thread costs as
    /// much as some rows.
    private static let aloneCount = 64

    private mutating func openingThread() throws -> OpeningThread {
        try reader.prepare()
        return OpeningThread(self)
    }

    /// Adds the results of a batch, in order. Only this thread can detect forged rows.
    private mutating func take(_ batch: RowBatch, _ rows: any SealedRows, _ records: inout [ItemRecord]) throws {
        damage.add(batch.damage)
        for found in try batch.result.get() {
            if try found.isDoubtful && isForged(rows, found) { continue }
            records.append(found.record)
        }
    }
}
