// SPDX-License-Identifier: Apache-2.0

import SecItemStore

/// Copies of rows, to be looked through while SQLite goes on to the next ones, perhaps by another thread.
///
/// Filled by one thread, then looked through by one thread, then read by the one that filled it: what hands it over sees to
/// that (``OpeningThread``).
final class RowBatch: @unchecked Sendable {
    /// What a batch holds at most, unless it is one row.
    private static let byteCount = 64 << 10
    private static let rowCount = 64

    private var bytes: UnsafeMutableRawBufferPointer
    private var usedByteCount = 0
    private var rows: [StoredRow] = []
    /// What was found of the rows, or why nothing may be found.
    private(set) var result: Result<[RowSearch.Found], any Error> = .success([])
    private(set) var damage = DamageReport()

    /// A batch with room for that row.
    init(startingWith row: StoredRow) {
        bytes = .allocate(byteCount: max(Self.byteCount, row.byteCount), alignment: 16)
        rows.reserveCapacity(Self.rowCount)
        append(row)
    }

    deinit {
        bytes.deallocate()
    }

    /// Looks through the rows. The copies go, unless one of them is needed once more.
    func look(with search: RowSearch) {
        var search = search
        search.damage = DamageReport()
        result = Result { try rows.compactMap { try search.found(nil, $0) } }
        damage = search.damage
        if case .success(let found) = result, found.contains(where: \.isDoubtful) { return }
        bytes.deallocate()
        bytes = UnsafeMutableRawBufferPointer(start: nil, count: 0)
        rows = []
    }

    /// Copies the row; false where there is no room for it.
    func add(_ row: StoredRow) -> Bool {
        guard rows.count < Self.rowCount, row.byteCount <= bytes.count - usedByteCount else { return false }
        append(row)
        return true
    }

    private func append(_ row: StoredRow) {
        rows.append(
            row.copied { column in
                let copy = UnsafeMutableRawBufferPointer(rebasing: bytes[usedByteCount..<usedByteCount + column.count])
                copy.copyMemory(from: column)
                usedByteCount += column.count
                return UnsafeRawBufferPointer(copy)
            })
    }
}
