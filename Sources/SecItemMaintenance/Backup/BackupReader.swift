// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemSQLite
import SecItemSealing
import SecItemStore

/// Reads the items of a backup one after another. It trusts only content that the passphrase authenticates.
final class BackupReader {
    /// Whether the backup includes items that must not leave this device.
    let isForThisDevice: Bool
    /// How many items were left out. Known at the end.
    private(set) var leftOut = 0
    private(set) var count = 0
    private let file: Int32
    private let header: BackupHeader
    private var chunks: ChunkReader
    private var isAtEnd = false

    /// - Parameters:
    ///   - file: The open file, at its beginning. The caller closes it.
    ///   - keyFile: Where the device key is; nil for the user's file.
    /// - Throws: As ``BackupHeader/init(reading:passphrase:_:)``.
    init(_ file: Int32, passphrase: Secret, _ keyFile: BackupKeyFile?) throws(StoreError) {
        self.file = file
        header = try BackupHeader(reading: BackupHeader.bytes(of: file), passphrase: passphrase, keyFile)
        isForThisDevice = header.isForThisDevice
        chunks = ChunkReader(file, key: header.key)
    }

    /// Goes back to the first item.
    func rewind() throws(StoreError) {
        let start = off_t(header.bytes.count)
        guard lseek(file, start, SEEK_SET) == start else {
            throw PlainFile.failure("the backup cannot be read twice")
        }
        chunks = ChunkReader(file, key: header.key)
        (count, leftOut, isAtEnd) = (0, 0, false)
    }

    /// The next item; nil at the end, if the backup is complete.
    ///
    /// - Throws: ``StoreError/Code/corrupt`` if something is not as it was written.
    func next() throws(StoreError) -> ItemRecord? {
        if isAtEnd { return nil }
        switch try chunks.readNumber(UInt8.self) {
        case BackupWriter.itemMark: return try item()
        case BackupWriter.endMark: try end()
        default: throw ChunkReader.damage
        }
        return nil
    }

    private func item() throws(StoreError) -> ItemRecord {
        let code = String(decoding: try chunks.read(4), as: UTF8.self)
        guard let itemClass = ItemClass(rawValue: code), itemClass != .identity else { throw ChunkReader.damage }
        let uuid = UUID(uuid: try chunks.read(16).withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) })
        let attributes = try content(atMost: Self.greatestSize(of: .attributes), ValueCoding.decodeAttributes)
        let secrets = try content(atMost: Self.greatestSize(of: .secrets), ValueCoding.decodeSecrets)
        let record = ItemRecord(
            reference: PersistentReference(itemClass: itemClass, uuid: uuid), attributes: attributes, secrets: secrets)
        try record.requireSize()
        count += 1
        return record
    }

    private func end() throws(StoreError) {
        let count = try chunks.readNumber(UInt64.self), leftOut = try chunks.readNumber(UInt64.self)
        guard count == UInt64(self.count), let leftOut = Int(exactly: leftOut) else { throw ChunkReader.damage }
        try chunks.requireEnd()
        self.leftOut = leftOut
        isAtEnd = true
    }

    private func content<Value>(
        atMost greatest: Int, _ decode: (UnsafeRawBufferPointer) -> Value?
    ) throws(StoreError) -> Value {
        let count = Int(try chunks.readNumber(UInt32.self))
        guard count <= greatest else { throw ChunkReader.damage }
        let buffer = try WipedBuffer(count: count)
        try chunks.read(into: buffer.bytes)
        guard let value = decode(UnsafeRawBufferPointer(buffer.bytes)) else { throw ChunkReader.damage }
        return value
    }

    /// The size of the largest item, including the overhead of its encoding.
    private static func greatestSize(of part: RecordParts) -> Int {
        let between = 64 << 10
        guard part == .secrets else { return ItemRecord.greatestSizeOfAttributes + between }
        let counts = ItemClass.stored.map { itemClass in
            ItemSchema.schema(of: itemClass).rows.filter { $0.roles.contains(.secret) }.count
        }
        return (1 + (counts.max() ?? 0)) * ItemRecord.greatestSecretSize + between
    }
}
