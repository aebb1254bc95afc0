// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import SecItemSealing
import SecItemStore

/// The first bytes of a backup. They contain what is needed to derive its keys, and to tell a wrong passphrase from a
/// damaged file.
///
/// | bytes | what |
/// | --- | --- |
/// | 0–7 | `SecItem` and a zero byte |
/// | 8 | the format's version, 1 |
/// | 9–11 | the scrypt cost: log₂ N, r, p |
/// | 12 | bit 0: the backup includes items that must not leave this device |
/// | 13–15 | zeros |
/// | 16–47 | scrypt's salt |
/// | 48–63 | a code of the bytes before it, under a key derived from the passphrase |
/// | 64–71 | the beginning of the SHA-256 digest of the bytes before it |
struct BackupHeader {
    static let byteCount = 72
    private static let magic = Array("SecItem\0".utf8)
    private static let version: UInt8 = 1

    /// Whether the file begins as a backup does.
    static func begins(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: magic.count)
        return read(descriptor, &bytes, bytes.count) == bytes.count && bytes == magic
    }

    private static let saltRange = 16..<48
    private static let codedCount = 48
    private static let checkedCount = 64

    /// The header as it stands in the file.
    let bytes: [UInt8]
    /// Seals the chunks.
    let key: SymmetricKey
    /// Whether the backup includes items that must not leave this device.
    var isForThisDevice: Bool { bytes[12] & 1 != 0 }

    /// The header of a new backup, with a new salt.
    init(passphrase: Secret, isForThisDevice: Bool, cost: ScryptCost) throws(StoreError) {
        var bytes = Self.magic + [Self.version, cost.logarithmOfRounds, cost.blockSize, cost.parallelism]
        bytes += [isForThisDevice ? 1 : 0, 0, 0, 0] + RandomBytes.bytes(Self.saltRange.count)
        let keys = try BackupKeys(coded: bytes, passphrase: passphrase, cost: cost)
        bytes += keys.code
        bytes += SHA256.hash(data: bytes).prefix(8)
        self.bytes = bytes
        key = keys.sealing
    }

    /// The header of an existing backup.
    ///
    /// - Throws: ``StoreError/Code/corrupt`` if the file is not a backup, or is damaged;
    ///   ``StoreError/Code/unavailable`` if it has a newer version; ``StoreError/Code/authenticationFailed`` if the
    ///   passphrase is wrong.
    init(reading bytes: [UInt8], passphrase: Secret) throws(StoreError) {
        let cost = try Self.cost(of: bytes)
        let coded = Array(bytes[..<Self.codedCount])
        let keys = try BackupKeys(coded: coded, passphrase: passphrase, cost: cost)
        guard keys.isCode(bytes[Self.codedCount..<Self.checkedCount]) else {
            throw StoreError(.authenticationFailed, "the passphrase is wrong")
        }
        self.bytes = bytes
        key = keys.sealing
    }

    /// What the passphrase costs in the backup with this header.
    ///
    /// - Throws: As ``init(reading:passphrase:)`` for what is wrong with any passphrase.
    static func cost(of bytes: [UInt8]) throws(StoreError) -> ScryptCost {
        guard bytes.count == Self.byteCount, bytes.starts(with: Self.magic) else {
            throw StoreError(.corrupt, "the file is not a keychain's backup")
        }
        guard SHA256.hash(data: bytes[..<Self.checkedCount]).prefix(8).elementsEqual(bytes[Self.checkedCount...]) else {
            throw StoreError(.corrupt, "the backup's header is damaged")
        }
        guard bytes[8] == Self.version else {
            throw StoreError(.unavailable, "the backup has format \(bytes[8]), which this program does not know")
        }
        guard bytes[12] <= 1, bytes[13..<16].allSatisfy({ $0 == 0 }),
            let cost = ScryptCost(logarithmOfRounds: bytes[9], blockSize: bytes[10], parallelism: bytes[11]),
            cost.isFitForReading
        else { throw StoreError(.corrupt, "the backup's header is invalid") }
        return cost
    }

    fileprivate static var salt: Range<Int> { saltRange }
}

/// The keys of one backup, derived from its passphrase and its header.
private struct BackupKeys {
    let sealing: SymmetricKey
    private let coding: SymmetricKey
    private let coded: [UInt8]

    init(coded: [UInt8], passphrase: Secret, cost: ScryptCost) throws(StoreError) {
        let stretched = try passphrase.stretchedPassphrase(salt: coded[BackupHeader.salt], cost)
        let base = stretched.withUnsafeBytes { SymmetricKey(data: $0) }
        let digest = Array(SHA256.hash(data: coded))
        func derived(_ purpose: String) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: base, salt: digest, info: Array("secitem/backup/1 \(purpose)".utf8),
                outputByteCount: 32)
        }
        sealing = derived("chunks")
        coding = derived("header")
        self.coded = coded
    }

    private var authentication: HMAC<SHA256>.MAC { HMAC<SHA256>.authenticationCode(for: coded, using: coding) }

    var code: [UInt8] { Array(authentication.prefix(16)) }

    /// Whether this is the right code. The comparison takes constant time.
    func isCode(_ other: ArraySlice<UInt8>) -> Bool {
        let own = code
        guard own.count == other.count else { return false }
        return zip(own, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
