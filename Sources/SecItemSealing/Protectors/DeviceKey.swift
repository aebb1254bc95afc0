// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import SecItemStore

/// The random key in the file beside the database. It ties the two files together and protects items that are always
/// accessible. In a store without a passphrase, it protects everything.
package struct DeviceKey: Sendable {
    package static let idByteCount = 16

    /// The key's identifier. The database contains it, so that the file of another store is not mistaken for a damaged
    /// one.
    package let id: [UInt8]
    private let key: Secret

    /// A new random key.
    package init() throws(StoreError) {
        id = RandomBytes.bytes(Self.idByteCount)
        key = try .randomKey()
    }

    /// The keys that a store derives from this one.
    package func keys(ofStore storeID: [UInt8]) -> DeviceKeys {
        DeviceKeys(
            wrapping: key.derived("secitem/1 device wrap", salt: storeID),
            wrappingRoot: key.derived("secitem/1 device wrap root", salt: storeID),
            binding: key.derived("secitem/1 device bind root", salt: storeID),
            authenticating: key.derived("secitem/1 device code", salt: storeID)
        )
    }

    /// What stands for a keychain's name where others can read it. Without this key, nobody can guess the name from it,
    /// or see that keychains with other device keys have the same name.
    package func blind(ofKeychain name: String) throws(StoreError) -> Blind {
        var transcript = Transcript("secitem/1 keychain name")
        transcript.append(name)
        return try Blind(
            authenticating: transcript, with: key.derived("secitem/1 device keychain name"))
    }

    /// The half of a backup's key that only this device has.
    package func keyOfBackup(salt: [UInt8]) -> Secret {
        key.derived("secitem/backup/1 device", salt: salt)
    }

    /// Seals what members know about each other.
    func keyOfMembers() -> Secret {
        key.derived("secitem/1 device members")
    }

    // MARK: File

    // "SIKEY", the version in the last byte; then the identifier, the key and a checksum.
    private static let magic: [UInt8] = [0x53, 0x49, 0x4b, 0x45, 0x59, 0, 0]
    private static let version: UInt8 = 1
    private static let checkedByteCount = 8 + idByteCount + 32
    static let fileByteCount = checkedByteCount + 8

    package init(file: Secret, path: String) throws(StoreError) {
        let parts = file.withUnsafeBytes { bytes -> (id: [UInt8], key: Secret, version: UInt8)? in
            guard bytes.count == Self.fileByteCount, bytes.starts(with: Self.magic),
                UnsafeRawBufferPointer(rebasing: bytes[..<Self.checkedByteCount]).checksum
                    .elementsEqual(bytes[Self.checkedByteCount...])
            else { return nil }
            return (Array(bytes[8..<24]), Secret(copying: UnsafeRawBufferPointer(rebasing: bytes[24..<56])), bytes[7])
        }
        guard let parts else { throw StoreError(.corrupt, "\(path) is not a key file, or is damaged") }
        guard parts.version == Self.version else {
            throw StoreError(.unavailable, "\(path) has format \(parts.version), newer than this program knows")
        }
        id = parts.id
        key = parts.key
    }

    package var file: Secret {
        Secret(count: Self.fileByteCount) { target in
            target.copyBytes(from: Self.magic + [Self.version] + id)
            key.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: target[24..<56]).copyMemory(from: $0) }
            let checksum = UnsafeRawBufferPointer(rebasing: target[..<Self.checkedByteCount]).checksum
            UnsafeMutableRawBufferPointer(rebasing: target[Self.checkedByteCount...]).copyBytes(from: checksum)
        }
    }
}

/// The keys that one store derives from the device key.
package struct DeviceKeys: Sendable {
    /// Wraps the keys of what is always accessible.
    package let wrapping: Secret
    /// Wraps the root key of a store without a passphrase.
    let wrappingRoot: Secret
    /// One half of the key that wraps the root key of a store with further protection.
    let binding: Secret
    /// Authenticates the header and the key table.
    package let authenticating: Secret

    /// A key for which both the device key and `other` are needed.
    package func bound(to other: Secret, _ purpose: String) throws(StoreError) -> Secret {
        // Both have 32 bytes, so no other pair gives the same 64.
        let both = try Secret.make(count: 64) { (target) throws(StoreError) in
            other.withUnsafeBytes { target.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0.prefix(32))) }
            binding.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: target[32...]).copyMemory(from: $0) }
        }
        return both.derived(purpose)
    }
}

extension DataProtocol {
    /// The beginning of the digest, which shows damage.
    var checksum: [UInt8] { SHA256.hash(data: self).withUnsafeBytes { Array($0.prefix(8)) } }
}
