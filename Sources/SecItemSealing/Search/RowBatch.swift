// SPDX-License-Identifier: Apache-2.0

import SecItemStore

/// Copies of rows, which another thread may examine while the store fetches the next ones.
///
/// One thread fills the batch, then one thread examines it, then the first thread reads the result. ``OpeningThread``
/// ensures this order.
final class RowBatch: @unchecked Sendable {
    // The limits of a batch. A single row may be larger.
    private static let byteCount = 64 << 10
    private static let rowCount = 64

    private var bytes: UnsafeMutableRawBufferPointer
    private var usedByteCount = 0
    private var rows: [StoredRow] = []
    /// The matching rows, or the error that ends the search.
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

    /// Examines the rows. Then releases the copies, unless a doubtful row needs them for another check.
    func examine(with search: RowSearch) {
        var search = search
        search.damage = DamageReport()
        result = Result { try rows.compactMap { try search.found(nil, $0) } }
        damage = search.damage
        if case .success(let found) = result, found.contains(where: \.isDoubtful) { return }
        bytes.deallocate()
        bytes = UnsafeMutableRawBufferPointer(start: nil, count: 0)
        rows = []
    }

    /// Copies the row. Returns false if there is no room for it.
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
