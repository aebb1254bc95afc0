// SPDX-License-Identifier: Apache-2.0

import SecItemStore

extension RowSearch {
    /// The records of all rows that are meant, oldest first.
    ///
    /// Where there are many, a second thread looks through them, while this one reads them and helps.
    mutating func records(_ database: any StatementSource) throws -> [ItemRecord] {
        var records: [ItemRecord] = []
        guard limit == .max, reader.plan.filter.condition == nil else {
            try run(database) { records.append($0.record) }
            return records
        }
        var batches: [RowBatch] = []
        var thread: OpeningThread?
        // Whatever fails: nobody is to look at keys and rows when this is over.
        defer { thread?.finish() }
        var rowCount = 0
        try SQLiteStore.forEachRow(
            database, reader, attributes: !read.isEmpty, secrets: read.contains(.secrets)
        ) { row in
            rowCount += 1
            if rowCount <= Self.aloneCount {
                if let found = try found(database, row) { records.append(found.record) }
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
        batches.last?.look(with: self)
        thread?.finish()
        thread = nil
        for batch in batches { try take(batch, database, &records) }
        try end(database, count: records.count)
        return records
    }

    /// So many rows are looked through where they lie before the others are copied: a thread costs as much as some.
    private static let aloneCount = 64

    private mutating func openingThread() throws -> OpeningThread {
        try reader.prepare()
        return OpeningThread(self)
    }

    /// Adds what a batch has found, in its turn. Only this thread can tell what is forged.
    private mutating func take(_ batch: RowBatch, _ database: any StatementSource, _ records: inout [ItemRecord]) throws
    {
        damage.add(batch.damage)
        for found in try batch.result.get() {
            if try found.isDoubtful && isForged(database, found) { continue }
            records.append(found.record)
        }
    }
}
