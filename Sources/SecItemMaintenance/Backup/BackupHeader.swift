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
/// | 12 | 3 if the backup includes items that must not leave this device, so that only this device can restore it; or 0 |
/// | 13–15 | zeros |
/// | 16–47 | scrypt's salt |
/// | 48–63 | a code of the bytes before it, under a key derived from the passphrase |
/// | 64–79 | only if byte 12 is 3: a code of the bytes before it, under a key derived from the passphrase and the device key |
/// | last 8 | the beginning of the SHA-256 digest of the bytes before it |
struct BackupHeader {
    /// The number of bytes of the part that every backup has.
    private static let leastByteCount = 72
    private static let magic = Array("SecItem\0".utf8)
    private static let version: UInt8 = 1
    private static let bound: UInt8 = 0b11

    /// The header of the open file, which is at its beginning.
    static func bytes(of file: Int32) throws(StoreError) -> [UInt8] {
        let bytes = try PlainFile.read(leastByteCount, from: file)
        guard bytes.count == leastByteCount, bytes.starts(with: magic), isBound(bytes) else { return bytes }
        return bytes + (try PlainFile.read(codeByteCount, from: file))
    }

    private static func isBound(_ bytes: [UInt8]) -> Bool { bytes[8] == version && bytes[12] == bound }

    /// Whether the file begins as a backup does.
    static func begins(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: magic.count)
        return read(descriptor, &bytes, bytes.count) == bytes.count && bytes == magic
    }

    fileprivate static let saltRange = 16..<48
    private static let codedCount = 48
    private static let codeByteCount = 16
    private static let digestByteCount = 8

    /// The header as it stands in the file.
    let bytes: [UInt8]
    /// Seals the chunks.
    let key: SymmetricKey
    /// Whether the backup includes items that must not leave this device.
    var isForThisDevice: Bool { bytes[12] == Self.bound }

    /// The header of a new backup, with a new salt.
    ///
    /// - Parameter device: The device key, if the backup includes items that must not leave this device.
    /// - Throws: ``StoreError/Code/unrepresentable`` if the passphrase is empty, or ends in a zero byte that would not count.
    init(passphrase: Secret, device: DeviceKey?, cost: ScryptCost) throws(StoreError) {
        try passphrase.requireFitAsPassphrase()
        var bytes = Self.magic + [Self.version, cost.logarithmOfRounds, cost.blockSize, cost.parallelism]
        bytes += [device == nil ? 0 : Self.bound, 0, 0, 0] + RandomBytes.bytes(Self.saltRange.count)
        let keys = try BackupKeys(coded: bytes, passphrase: passphrase, cost: cost)
        bytes += keys.code
        if let device {
            let bound = keys.bound(to: device)
            bytes += bound.code(of: bytes)
            key = bound.sealing
        } else {
            key = keys.sealing
        }
        bytes += SHA256.hash(data: bytes).prefix(Self.digestByteCount)
        self.bytes = bytes
    }

    /// The header of an existing backup.
    ///
    /// - Throws: ``StoreError/Code/corrupt`` if the file is not a backup, or is damaged;
    ///   ``StoreError/Code/unavailable`` if it has a newer version, or was made for another device;
    ///   ``StoreError/Code/authenticationFailed`` if the passphrase is wrong.
    init(reading bytes: [UInt8], passphrase: Secret, _ keyFile: BackupKeyFile?) throws(StoreError) {
        let cost = try Self.cost(of: bytes)
        let coded = Array(bytes[..<Self.codedCount]), codeEnd = Self.codedCount + Self.codeByteCount
        let keys = try BackupKeys(coded: coded, passphrase: passphrase, cost: cost)
        guard keys.code.isEqualInConstantTime(to: bytes[Self.codedCount..<codeEnd]) else {
            throw StoreError(.authenticationFailed, "the passphrase is wrong")
        }
        self.bytes = bytes
        guard Self.isBound(bytes) else {
            key = keys.sealing
            return
        }
        let keyFile = try BackupKeyFile.given(keyFile)
        var bound: BackupKeys.Bound?
        if let device = try keyFile.key() { bound = keys.bound(to: device) }
        guard let bound,
            bound.code(of: Array(bytes[..<codeEnd]))
                .isEqualInConstantTime(to: bytes[codeEnd...].prefix(Self.codeByteCount))
        else {
            throw StoreError(
                .unavailable,
                "the backup is for the device on which it was made: \(keyFile.path) "
                    + (bound == nil ? "does not exist here" : "has another key here"), underlying: FileFailure())
        }
        key = bound.sealing
    }

    /// What the passphrase costs in the backup with this header.
    ///
    /// - Throws: As ``init(reading:passphrase:)`` for what is wrong with any passphrase.
    static func cost(of bytes: [UInt8]) throws(StoreError) -> ScryptCost {
        guard !bytes.isEmpty else { throw StoreError(.corrupt, "the file is empty") }
        guard bytes.count >= Self.leastByteCount, bytes.starts(with: Self.magic) else {
            throw StoreError(.corrupt, "the file is not a keychain's backup")
        }
        let checked = bytes.dropLast(Self.digestByteCount), isBound = Self.isBound(bytes)
        guard bytes.count == Self.leastByteCount + (isBound ? Self.codeByteCount : 0),
            SHA256.hash(data: checked).prefix(Self.digestByteCount).elementsEqual(bytes[checked.endIndex...])
        else { throw StoreError(.corrupt, "the backup's header is damaged") }
        guard bytes[8] == Self.version else {
            throw StoreError(.unavailable, "the backup has format \(bytes[8]), which this program does not know")
        }
        guard bytes[12] == 0 || isBound, bytes[13..<16].allSatisfy({ $0 == 0 }),
            let cost = ScryptCost(logarithmOfRounds: bytes[9], blockSize: bytes[10], parallelism: bytes[11]),
            cost.isFitForReading
        else { throw StoreError(.corrupt, "the backup's header is invalid") }
        return cost
    }
}

/// The keys of one backup, derived from its passphrase and its header.
private struct BackupKeys {
    let sealing: SymmetricKey
    private let coding: SymmetricKey
    private let coded: [UInt8]
    private let base: SymmetricKey

    init(coded: [UInt8], passphrase: Secret, cost: ScryptCost) throws(StoreError) {
        let stretched = try passphrase.stretchedPassphrase(salt: coded[BackupHeader.saltRange], cost)
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
        self.base = base
    }

    var code: [UInt8] { Array(HMAC<SHA256>.authenticationCode(for: coded, using: coding).prefix(16)) }

    /// The keys for which both the passphrase and the device key are needed.
    func bound(to device: DeviceKey) -> Bound {
        let digest = Array(SHA256.hash(data: coded))
        let half = device.keyOfBackup(salt: digest)
        func derived(_ purpose: String) -> SymmetricKey {
            // Both have 32 bytes. Neither is enough alone.
            var both = HMAC<SHA256>(key: base)
            half.withUnsafeBytes { both.update(data: $0) }
            both.update(data: Array("secitem/backup/1 device \(purpose)".utf8))
            return both.finalize().withUnsafeBytes { SymmetricKey(data: $0) }
        }
        return Bound(sealing: derived("chunks"), coding: derived("code"))
    }

    struct Bound {
        let sealing: SymmetricKey
        let coding: SymmetricKey

        func code(of bytes: [UInt8]) -> [UInt8] {
            Array(HMAC<SHA256>.authenticationCode(for: bytes, using: coding).prefix(16))
        }
    }
}
