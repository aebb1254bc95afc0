// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import SecItemStore

/// Opens the chunks of a backup one after another, and gives their bytes as one stream.
final class ChunkReader {
    private let file: Int32
    private let key: SymmetricKey
    private var chunk = Data()
    private var position = 0
    private var number: UInt64 = 0
    private var wasLast = false

    /// - Parameter file: The open file, positioned after the header. The caller closes it.
    init(_ file: Int32, key: SymmetricKey) {
        self.file = file
        self.key = key
    }

    deinit {
        chunk.wipe()
    }

    /// Fills the memory with the next bytes.
    ///
    /// - Throws: ``StoreError/Code/corrupt`` if a chunk is not as it was written, or if chunks are missing.
    func read(into target: UnsafeMutableRawBufferPointer) throws(StoreError) {
        var filled = 0
        while filled < target.count {
            if position == chunk.count { try next() }
            let count = min(chunk.count - position, target.count - filled)
            let part = UnsafeMutableRawBufferPointer(rebasing: target[filled..<filled + count])
            chunk.withUnsafeBytes { bytes in
                part.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[position..<position + count]))
            }
            filled += count
            position += count
        }
    }

    /// The next bytes, which are no secret.
    func read(_ count: Int) throws(StoreError) -> [UInt8] {
        let buffer = try WipedBuffer(count: count)
        try read(into: buffer.bytes)
        return Array(buffer.bytes)
    }

    /// The next bytes as a number, most significant byte first.
    func readNumber<Number: FixedWidthInteger>(_ type: Number.Type) throws(StoreError) -> Number {
        try read(Number.bitWidth / 8).reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
    }

    /// Checks that nothing follows, neither in the last chunk nor after it.
    func requireEnd() throws(StoreError) {
        guard wasLast, position == chunk.count, try PlainFile.read(1, from: file).isEmpty else { throw Self.damage }
    }

    private func next() throws(StoreError) {
        if wasLast { throw Self.damage }
        let word = try PlainFile.read(4, from: file)
        guard word.count == 4 else { throw Self.damage }
        let value = word.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        let isLast = value & BackupChunk.lastMark != 0
        let count = Int(value & ~BackupChunk.lastMark)
        guard isLast ? count <= BackupChunk.byteCount : count == BackupChunk.byteCount else { throw Self.damage }
        let sealed = try PlainFile.read(count + BackupChunk.tagByteCount, from: file)
        guard sealed.count == count + BackupChunk.tagByteCount else { throw Self.damage }
        let opened: Data
        do {
            let box = try AES.GCM.SealedBox(
                nonce: BackupChunk.nonce(number, isLast: isLast), ciphertext: sealed[..<count], tag: sealed[count...])
            opened = try AES.GCM.open(box, using: key, authenticating: word)
        } catch {
            throw Self.damage
        }
        chunk.wipe()
        chunk = opened
        position = 0
        number += 1
        wasLast = isLast
    }

    static let damage = StoreError(.corrupt, "the backup is damaged or incomplete")
}
