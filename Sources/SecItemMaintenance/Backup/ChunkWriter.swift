// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import SecItemStore

/// The format of a backup's chunks, which readers and writers share.
///
/// A chunk is a word (four bytes, most significant first), the ciphertext and AES-GCM's tag of sixteen bytes. The word
/// contains the number of the chunk's bytes, and its highest bit marks the last chunk. All chunks except the last have
/// 64 KiB. The nonce contains that bit and the chunk's number, so chunks cannot be reordered, left out or cut off.
enum BackupChunk {
    static let byteCount = 64 << 10
    static let tagByteCount = 16
    static let lastMark: UInt32 = 1 << 31

    static func nonce(_ number: UInt64, isLast: Bool) throws -> AES.GCM.Nonce {
        let counter = withUnsafeBytes(of: number.bigEndian) { Array($0) }
        return try AES.GCM.Nonce(data: [isLast ? 1 : 0, 0, 0, 0] + counter)
    }

    static func word(count: Int, isLast: Bool) -> [UInt8] {
        let word = UInt32(truncatingIfNeeded: count) | (isLast ? lastMark : 0)
        return withUnsafeBytes(of: word.bigEndian) { Array($0) }
    }
}

/// Seals a stream of bytes in chunks and writes them to a file.
final class ChunkWriter {
    private let file: Int32
    private let key: SymmetricKey
    private let buffer: WipedBuffer
    private var filled = 0
    private var number: UInt64 = 0

    /// - Parameter file: The open file. The caller closes it.
    init(_ file: Int32, key: SymmetricKey) throws(StoreError) {
        self.file = file
        self.key = key
        buffer = try WipedBuffer(count: BackupChunk.byteCount)
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(StoreError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            // A full chunk waits, because it may be the last.
            if filled == buffer.bytes.count { try flush(isLast: false) }
            let part = rest.prefix(buffer.bytes.count - filled)
            UnsafeMutableRawBufferPointer(rebasing: buffer.bytes[filled...])
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: part))
            filled += part.count
            rest = rest.dropFirst(part.count)
        }
    }

    func write(_ bytes: some Sequence<UInt8>) throws(StoreError) {
        try write(Secret(Array(bytes)))
    }

    func write(_ secret: Secret) throws(StoreError) {
        try secret.withUnsafeBytes { (bytes) throws(StoreError) in try write(bytes) }
    }

    func finish() throws(StoreError) { try flush(isLast: true) }

    private func flush(isLast: Bool) throws(StoreError) {
        let word = BackupChunk.word(count: filled, isLast: isLast)
        let sealed: [UInt8]
        do {
            let box = try AES.GCM.seal(
                UnsafeRawBufferPointer(rebasing: buffer.bytes[..<filled]), using: key,
                nonce: BackupChunk.nonce(number, isLast: isLast), authenticating: word)
            sealed = word + box.ciphertext + box.tag
        } catch {
            throw StoreError(.io, "sealing failed", underlying: error)
        }
        try PlainFile.write(sealed, to: file)
        number += 1
        filled = 0
    }
}
