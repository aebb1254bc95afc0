// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import SecItemStore

/// The key pair of one machine of a fleet. Its file takes the place of the file with the device key, which is sealed to
/// this key in the database.
///
/// **Secrecy.** The device key is sealed with HPKE (RFC 9180: X25519, HKDF-SHA256, ChaCha20-Poly1305). Only the private
/// key in the file opens it. Machines that are no members any more know other secrets of the fleet, but not this one.
///
/// **Origin.** Everybody can seal something to a public key. So the seal also needs the voucher, a random number that
/// only members know: the file has it, and each member's row has it under the device key. Whoever has only the database
/// cannot make a machine accept a device key of another origin.
package struct MemberKey: Sendable {
    package static let idByteCount = 32

    /// The public key, which is also the member's number.
    package let id: [UInt8]
    private let privateKey: Secret
    /// See the type's description.
    package let voucher: Secret

    /// A new random key pair and voucher.
    ///
    /// - Throws: ``StoreError/Code/unavailable`` if there is no memory.
    package init() throws(StoreError) {
        try self.init(privateKey: .randomKey(), voucher: .randomKey())
    }

    private init(privateKey: Secret, voucher: Secret) throws(StoreError) {
        self.privateKey = privateKey
        self.voucher = voucher
        do {
            id = try Array(Self.key(privateKey).publicKey.rawRepresentation)
        } catch {
            throw StoreError(.io, "making a key pair failed", underlying: error)
        }
    }

    // MARK: Sealing

    private static var suite: HPKE.Ciphersuite { .Curve25519_SHA256_ChachaPoly }
    private static let encapsulatedByteCount = 32
    private static var voucherName: Data { Data("secitem/1 member voucher".utf8) }

    /// A device key, sealed to the member of that number.
    ///
    /// - Parameters:
    ///   - deviceKey: The device key.
    ///   - id: The member's public key.
    ///   - voucher: The member's voucher.
    /// - Returns: What only the member's ``deviceKey(sealed:)`` opens.
    /// - Throws: ``StoreError/Code/corrupt`` if `id` is no public key.
    package static func sealed(
        _ deviceKey: DeviceKey, to id: [UInt8], voucher: Secret
    ) throws(StoreError) -> [UInt8] {
        let content = deviceKey.file
        do {
            var sender = try HPKE.Sender(
                recipientKey: Curve25519.KeyAgreement.PublicKey(rawRepresentation: id), ciphersuite: suite,
                info: info(id), presharedKey: voucher.withUnsafeBytes { SymmetricKey(data: $0) },
                presharedKeyIdentifier: voucherName)
            // As contiguous bytes of a secret: `Data` would be a copy that nobody wipes.
            let sealed = try content.withUnsafeBytes { try sender.seal($0, authenticating: [UInt8]()) }
            return Array(sender.encapsulatedKey + sealed)
        } catch {
            throw StoreError(.corrupt, "a member's public key is damaged", underlying: error)
        }
    }

    /// The device key that was sealed to this member.
    ///
    /// - Throws: ``StoreError/Code/corrupt`` if the bytes were sealed to another key, by somebody without the voucher, or
    ///   are damaged.
    package func deviceKey(sealed: [UInt8]) throws(StoreError) -> DeviceKey {
        // Never copied to another variable: it would be the copy that is wiped.
        var content = Data()
        defer { content.wipe() }
        do {
            var recipient = try HPKE.Recipient(
                privateKey: Self.key(privateKey), ciphersuite: Self.suite, info: Self.info(id),
                encapsulatedKey: Data(sealed.prefix(Self.encapsulatedByteCount)),
                presharedKey: voucher.withUnsafeBytes { SymmetricKey(data: $0) },
                presharedKeyIdentifier: Self.voucherName)
            content = try recipient.open(
                sealed.dropFirst(Self.encapsulatedByteCount), authenticating: [UInt8]())
        } catch {
            throw StoreError(.corrupt, "this machine's row in the table of members is damaged, or another's")
        }
        return try DeviceKey(file: Secret(content), path: "the device key of this machine's row")
    }

    private static func info(_ id: [UInt8]) -> Data {
        var transcript = Transcript("secitem/1 device key for a member")
        transcript.append(id)
        return Data(transcript.bytes)
    }

    private static func key(_ secret: Secret) throws -> Curve25519.KeyAgreement.PrivateKey {
        try secret.withUnsafeBytes { try Curve25519.KeyAgreement.PrivateKey(rawRepresentation: $0) }
    }

    // MARK: File

    // "SIMEM", the version in the last byte; then the private key, the voucher and a checksum.
    private static let magic: [UInt8] = [0x53, 0x49, 0x4d, 0x45, 0x4d, 0, 0]
    private static let version: UInt8 = 1
    private static let checkedByteCount = 8 + 2 * Secret.keyByteCount
    private static let fileByteCount = checkedByteCount + 8

    /// Whether a file with that content is meant to be a member's, however damaged.
    package static func isMember(file: Secret) -> Bool {
        file.withUnsafeBytes { $0.starts(with: magic) }
    }

    /// The key pair in a member's file.
    ///
    /// - Throws: ``StoreError/Code/corrupt`` if the file is something else or damaged, ``StoreError/Code/unavailable`` if
    ///   it has a newer format.
    package init(file: Secret, path: String) throws(StoreError) {
        let parts = file.withUnsafeBytes { bytes -> (key: Secret, voucher: Secret, version: UInt8)? in
            guard bytes.count == Self.fileByteCount, bytes.starts(with: Self.magic),
                UnsafeRawBufferPointer(rebasing: bytes[..<Self.checkedByteCount]).checksum
                    .elementsEqual(bytes[Self.checkedByteCount...])
            else { return nil }
            return (
                Secret(copying: UnsafeRawBufferPointer(rebasing: bytes[8..<40])),
                Secret(copying: UnsafeRawBufferPointer(rebasing: bytes[40..<72])), bytes[7]
            )
        }
        guard let parts else { throw StoreError(.corrupt, "\(path) is not a member's key file, or is damaged") }
        guard parts.version == Self.version else {
            throw StoreError(.unavailable, "\(path) has format \(parts.version), newer than this program knows")
        }
        try self.init(privateKey: parts.key, voucher: parts.voucher)
    }

    /// The key pair as a member's file holds it.
    package var file: Secret {
        Secret(count: Self.fileByteCount) { target in
            target.copyBytes(from: Self.magic + [Self.version])
            for (start, secret) in [(8, privateKey), (40, voucher)] {
                secret.withUnsafeBytes {
                    UnsafeMutableRawBufferPointer(rebasing: target[start..<start + 32]).copyMemory(from: $0)
                }
            }
            let checksum = UnsafeRawBufferPointer(rebasing: target[..<Self.checkedByteCount]).checksum
            UnsafeMutableRawBufferPointer(rebasing: target[Self.checkedByteCount...]).copyBytes(from: checksum)
        }
    }
}
