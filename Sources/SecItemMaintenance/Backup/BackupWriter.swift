// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemSQLite
import SecItemSealing
import SecItemStore

/// Writes items into a backup.
///
/// The chunks contain, for each item: a 1, the code of its class, the sixteen bytes of its reference, and twice a
/// length of four bytes with the embedded store's encoding of the attributes and of the secrets. At the end are a 0,
/// the number of items and the number of items left out, eight bytes each.
struct BackupWriter {
    static let itemMark: UInt8 = 1
    static let endMark: UInt8 = 0

    private let chunks: ChunkWriter
    private(set) var count: UInt64 = 0

    init(_ file: Int32, _ header: BackupHeader) throws(StoreError) {
        try PlainFile.write(header.bytes, to: file)
        chunks = try ChunkWriter(file, key: header.key)
    }

    mutating func write(_ record: ItemRecord) throws(StoreError) {
        try chunks.write([Self.itemMark] + record.itemClass.rawValue.utf8)
        try chunks.write(withUnsafeBytes(of: record.reference.uuid.uuid) { Array($0) })
        for content in [try ValueCoding.encode(record.attributes), try ValueCoding.encode(record.secrets)] {
            try write(number: UInt32(content.count))
            try chunks.write(content)
        }
        count += 1
    }

    /// Writes the end.
    ///
    /// - Parameter leftOut: How many items were left out: those that must not leave this device, and those that need a
    ///   proof.
    func finish(leftOut: Int) throws(StoreError) {
        try chunks.write([Self.endMark])
        try write(number: count)
        try write(number: UInt64(leftOut))
        try chunks.finish()
    }

    private func write(number: some FixedWidthInteger) throws(StoreError) {
        try chunks.write(withUnsafeBytes(of: number.bigEndian) { Array($0) })
    }
}
