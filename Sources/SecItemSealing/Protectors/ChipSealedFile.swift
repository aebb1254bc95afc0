// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// A small file that only this machine's chip opens: a key file, encrypted with a key that the chip has sealed.
///
/// Copies of the file are useless on another machine. On this one, they work for users who may use the chip.
package enum ChipSealedFile {
    // "SICHP", the version in the last byte; then the number of bytes that the chip has sealed, these, a nonce, the encrypted
    // content and a checksum.
    private static let magic: [UInt8] = [0x53, 0x49, 0x43, 0x48, 0x50, 0, 0]
    private static let version: UInt8 = 1
    private static let keyStart = 10
    private static let checksumByteCount = 8
    /// What is read of a file (``SecretFile``).
    private static let greatestByteCount = 4096

    /// Whether a file with those bytes is meant to be a sealed one, however damaged.
    package static func isSealed(_ file: Secret) -> Bool {
        file.withUnsafeBytes { $0.starts(with: magic) }
    }

    /// A file with that content.
    ///
    /// The chip has opened what it has sealed before this returns.
    ///
    /// - Throws: The errors of the chip.
    package static func sealing(_ content: Secret, with seal: ChipSeal) throws(StoreError) -> Secret {
        let sealedKey = try seal.newSealedKey()
        let box = try SealedBytes(
            sealing: content, context: context(sealedKey), with: fileKey(seal.key(sealed: sealedKey)))
        let head = magic + [version, UInt8(truncatingIfNeeded: sealedKey.count >> 8), UInt8(sealedKey.count & 0xff)]
        var bytes = head + sealedKey + box.nonce + Array(box.ciphertext)
        bytes += bytes.checksum
        guard sealedKey.count <= greatestByteCount, bytes.count <= greatestByteCount else {
            throw StoreError(.unavailable, "what the TPM has sealed is too long for a key file")
        }
        return Secret(bytes)
    }

    /// The content of a file.
    ///
    /// - Throws: ``StoreError/Code/corrupt`` if the file is damaged, without asking the chip; ``StoreError/Code/unavailable``
    ///   if it has a newer format; the errors of the chip.
    package static func content(of file: Secret, path: String, with seal: ChipSeal) throws(StoreError) -> Secret {
        let damaged = StoreError(.corrupt, "\(path) is not a key file that a TPM has sealed, or is damaged")
        let bytes = file.withUnsafeBytes { Array($0) }
        let end = bytes.count - checksumByteCount
        guard end >= keyStart, bytes.starts(with: magic), bytes[..<end].checksum == Array(bytes[end...]) else {
            throw damaged
        }
        guard bytes[magic.count] == version else {
            throw StoreError(
                .unavailable, "\(path) has format \(bytes[magic.count]), newer than this program knows")
        }
        let nonceStart = keyStart + Int(bytes[keyStart - 2]) << 8 + Int(bytes[keyStart - 1])
        let textStart = nonceStart + SealedBytes.nonceByteCount
        guard textStart <= end else { throw damaged }
        let sealedKey = Array(bytes[keyStart..<nonceStart])
        let key = try fileKey(seal.key(sealed: sealedKey))
        let opened = SealedBytes.open(Array(bytes[nonceStart..<end]), context: context(sealedKey), with: key)
        guard let opened else { throw damaged }
        return opened.withUnsafeBytes { Secret(copying: $0) }
    }

    private static func fileKey(_ key: Secret) -> Secret {
        key.derived("secitem/1 chip wrap key file")
    }

    private static func context(_ sealedKey: [UInt8]) -> Transcript {
        var transcript = Transcript("secitem/1 key file sealed by a chip")
        transcript.append(number: Int64(version))
        transcript.append(sealedKey)
        return transcript
    }
}
