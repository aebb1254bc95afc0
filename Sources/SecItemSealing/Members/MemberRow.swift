// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// A row of a fleet's table of members: a machine, or an invitation that nobody has used yet.
package struct MemberRow: Sendable {
    package enum Kind: String, Sendable {
        /// A machine with a ``MemberKey``.
        case member
        /// An ``Invitation``.
        case invitation
    }

    package let kind: Kind
    /// A member's public key, or an invitation's number.
    package let id: [UInt8]
    /// The device key, sealed to the member or with the invitation's token.
    package let sealed: [UInt8]
    /// ``Details``, sealed with the device key. This also authenticates the whole row.
    package let details: [UInt8]

    /// A row from a database. It is not authenticated yet.
    package init(kind: Kind, id: [UInt8], sealed: [UInt8], details: [UInt8]) {
        self.kind = kind
        self.id = id
        self.sealed = sealed
        self.details = details
    }

    /// What members know about a row.
    package struct Details: Sendable {
        /// The name of the machine.
        package let name: String
        /// When the row was first made, in seconds since 1970.
        package let since: Int64
        /// When an invitation ends, in seconds since 1970; 0 for a member.
        package let expires: Int64
        /// Who has made the invitation, or made the one with which the member joined; nil if nobody, or if that was not
        /// recorded.
        package let inviter: FleetInviter?
        /// A member's voucher (``MemberKey``); empty for an invitation.
        package let voucher: Secret

        package init(
            name: String, since: Int64, expires: Int64 = 0, inviter: FleetInviter? = nil, voucher: Secret
        ) {
            self.name = name
            self.since = since
            self.expires = expires
            self.inviter = inviter
            self.voucher = voucher
        }
    }

    // MARK: Making

    /// The row of a member.
    ///
    /// - Throws: ``StoreError/Code/corrupt`` if `id` is no public key.
    package init(member id: [UInt8], _ details: Details, _ deviceKey: DeviceKey) throws(StoreError) {
        let sealed = try MemberKey.sealed(deviceKey, to: id, voucher: details.voucher)
        try self.init(.member, id, sealed: sealed, details, deviceKey)
    }

    /// The row of a kind whose device key is sealed already.
    init(
        _ kind: Kind, _ id: [UInt8], sealed: [UInt8], _ details: Details, _ deviceKey: DeviceKey
    ) throws(StoreError) {
        let box = try SealedBytes(
            sealing: Self.encoded(details), context: Self.context(kind, id, sealed, deviceKey),
            with: deviceKey.keyOfMembers())
        self.init(kind: kind, id: id, sealed: sealed, details: box.nonce + box.ciphertext)
    }

    /// The details; nil if nobody with that device key wrote the row like this.
    package func opened(_ deviceKey: DeviceKey) -> Details? {
        let opened = SealedBytes.open(
            details, context: Self.context(kind, id, sealed, deviceKey), with: deviceKey.keyOfMembers())
        return opened?.withUnsafeBytes(Self.decoded)
    }

    private static func context(
        _ kind: Kind, _ id: [UInt8], _ sealed: [UInt8], _ deviceKey: DeviceKey
    ) -> Transcript {
        var transcript = Transcript("secitem/1 row of a member")
        transcript.append(deviceKey.id)
        transcript.append(kind.rawValue)
        transcript.append(id)
        transcript.append(sealed)
        return transcript
    }

    // MARK: Bytes: a version, two numbers, the length of the voucher, the voucher, the name
    // With an inviter, the version is another one, and before the name are the length of its name, its fingerprint and its name.

    private static let version: UInt8 = 1
    private static let versionWithInviter: UInt8 = 2
    private static let headByteCount = 18
    private static let fingerprintByteCount = 16
    /// A name of more bytes would not fit into the length.
    private static let greatestNameByteCount = 255

    private static func encoded(_ details: Details) throws(StoreError) -> Secret {
        var bytes: [UInt8] = []
        if let inviter = details.inviter {
            let name = inviter.name.utf8.prefix(greatestNameByteCount)
            bytes = [UInt8(name.count)] + Array(inviter.fingerprint.utf8) + Array(name)
        }
        bytes += Array(details.name.utf8)
        let voucher = details.voucher
        return try Secret.make(
            count: headByteCount + voucher.count + bytes.count
        ) { (target) throws(StoreError) in
            target[0] = details.inviter == nil ? version : versionWithInviter
            target.storeBytes(of: details.since.bigEndian, toByteOffset: 1, as: Int64.self)
            target.storeBytes(of: details.expires.bigEndian, toByteOffset: 9, as: Int64.self)
            target[17] = UInt8(truncatingIfNeeded: voucher.count)
            voucher.withUnsafeBytes {
                UnsafeMutableRawBufferPointer(rebasing: target[headByteCount...].prefix($0.count)).copyMemory(from: $0)
            }
            UnsafeMutableRawBufferPointer(rebasing: target[(headByteCount + voucher.count)...]).copyBytes(from: bytes)
        }
    }

    private static func decoded(_ bytes: UnsafeRawBufferPointer) -> Details? {
        guard bytes.count >= headByteCount, bytes[0] == version || bytes[0] == versionWithInviter,
            bytes.count >= headByteCount + Int(bytes[17])
        else { return nil }
        let voucherEnd = headByteCount + Int(bytes[17])
        var nameStart = voucherEnd
        var inviter: FleetInviter?
        if bytes[0] == versionWithInviter {
            let inviterStart = voucherEnd + 1 + fingerprintByteCount
            guard bytes.count >= inviterStart, bytes.count >= inviterStart + Int(bytes[voucherEnd]) else { return nil }
            nameStart = inviterStart + Int(bytes[voucherEnd])
            inviter = FleetInviter(
                name: String(decoding: bytes[inviterStart..<nameStart], as: UTF8.self),
                fingerprint: String(decoding: bytes[(voucherEnd + 1)..<inviterStart], as: UTF8.self))
        }
        return Details(
            name: String(decoding: bytes[nameStart...], as: UTF8.self),
            since: Int64(bigEndian: bytes.loadUnaligned(fromByteOffset: 1, as: Int64.self)),
            expires: Int64(bigEndian: bytes.loadUnaligned(fromByteOffset: 9, as: Int64.self)), inviter: inviter,
            voucher: Secret(copying: UnsafeRawBufferPointer(rebasing: bytes[headByteCount..<voucherEnd])))
    }

    // MARK: Fingerprints

    /// Sixteen hexadecimal digits that stand for the row: the beginning of the digest of its number.
    package var fingerprint: String { id.checksum.hexadecimal }
}
