// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import SecItemStore

/// What lets one machine join a fleet: a token, and a row of the database that only the token opens.
///
/// The row has the device key, sealed with a key that is derived from the token. So a token is as secret as the key
/// itself: together with a copy of the row it opens everything, whatever the time of its end says. That time is obeyed by
/// programs, not enforced by mathematics.
package struct Invitation: Sendable {
    /// The number of the row, which reveals nothing of the token.
    package let id: [UInt8]
    private let seed: Secret

    /// A new invitation with a random token.
    ///
    /// - Throws: ``StoreError/Code/unavailable`` if there is no memory.
    package init() throws(StoreError) {
        try self.init(seed: .randomKey())
    }

    private init(seed: Secret) {
        self.seed = seed
        id = seed.derived("secitem/1 number of an invitation")
            .withUnsafeBytes { Array($0.prefix(16)) }
    }

    // MARK: Token: a word, then 32 random bytes and 4 of their digest, in base64url

    private static let word = "secitem-"
    private static let checkByteCount = 4
    private static let characterCount = (Secret.keyByteCount + checkByteCount) / 3 * 4

    /// The invitation of a token, with or without white space around it.
    ///
    /// - Throws: ``StoreError/Code/unrepresentable`` if it is no token, or was mistyped.
    package init(token: Secret) throws(StoreError) {
        let seed = token.withUnsafeBytes { bytes -> Secret? in
            let isText: (UInt8) -> Bool = { $0 > 0x20 }
            guard let first = bytes.firstIndex(where: isText), let last = bytes.lastIndex(where: isText),
                bytes[first...last].starts(with: Self.word.utf8)
            else { return nil }
            // Characters of base64 for the decoder. It has no padding, because 36 bytes need none.
            var characters = Data(bytes[first...last].dropFirst(Self.word.utf8.count))
            defer { characters.wipe() }
            for index in characters.indices {
                if characters[index] == UInt8(ascii: "-") { characters[index] = UInt8(ascii: "+") }
                if characters[index] == UInt8(ascii: "_") { characters[index] = UInt8(ascii: "/") }
            }
            guard characters.count == Self.characterCount else { return nil }
            // Never copied to another variable: it would be the copy that is wiped.
            var content = Data(base64Encoded: characters)
            defer { content?.wipe() }
            return content.flatMap(Self.seed(in:))
        }
        guard let seed else { throw StoreError(.unrepresentable, "this is not the token of an invitation") }
        self.init(seed: seed)
    }

    /// The random bytes of a token, or nil if it was mistyped.
    private static func seed(in content: Data) -> Secret? {
        guard content.count == Secret.keyByteCount + checkByteCount,
            content.suffix(checkByteCount).elementsEqual(check(content.prefix(Secret.keyByteCount)))
        else { return nil }
        return Secret(content.prefix(Secret.keyByteCount))
    }

    /// The token, as a person passes it on.
    package var token: Secret {
        var bytes = seed.data()
        defer { bytes.wipe() }
        bytes.append(contentsOf: Self.check(bytes))
        var text = bytes.base64EncodedData()
        defer { text.wipe() }
        for index in text.indices {
            if text[index] == UInt8(ascii: "+") { text[index] = UInt8(ascii: "-") }
            if text[index] == UInt8(ascii: "/") { text[index] = UInt8(ascii: "_") }
        }
        let word = Array(Self.word.utf8)
        return Secret(count: word.count + text.count) { target in
            target.copyBytes(from: word)
            UnsafeMutableRawBufferPointer(rebasing: target[word.count...]).copyBytes(from: text)
        }
    }

    private static func check(_ seed: some DataProtocol) -> [UInt8] {
        var digest = SHA256()
        digest.update(data: Array("secitem/1 token".utf8))
        digest.update(data: seed)
        return digest.finalize().withUnsafeBytes { Array($0.prefix(checkByteCount)) }
    }

    // MARK: Row

    /// What a row gives to the machine that has the token.
    package struct Content: Sendable {
        /// The device key of the database.
        package let deviceKey: DeviceKey
        /// The name that the machine is to have; empty if it chooses one itself.
        package let name: String
        /// When the invitation ends, in seconds since 1970.
        package let expires: Int64
        /// Who has made it, if that was recorded.
        package let inviter: FleetInviter?
    }

    /// The row of the invitation.
    ///
    /// - Parameters:
    ///   - name: The name that the machine is to have; empty if it chooses one itself.
    ///   - now: The time, in seconds since 1970.
    ///   - expires: When the invitation ends, in seconds since 1970.
    ///   - inviter: Who makes it.
    ///   - deviceKey: The device key of the database.
    /// - Throws: ``StoreError/Code/io`` if sealing fails.
    package func row(
        name: String, now: Int64, expires: Int64, inviter: FleetInviter, _ deviceKey: DeviceKey
    ) throws(StoreError) -> MemberRow {
        let key = deviceKey.file
        let bytes = Array(name.utf8)
        let content = try Secret.make(
            count: 8 + key.count + bytes.count
        ) { (target) throws(StoreError) in
            target.storeBytes(of: expires.bigEndian, toByteOffset: 0, as: Int64.self)
            key.withUnsafeBytes {
                UnsafeMutableRawBufferPointer(rebasing: target[8..<8 + $0.count]).copyMemory(from: $0)
            }
            UnsafeMutableRawBufferPointer(rebasing: target[(8 + key.count)...]).copyBytes(from: bytes)
        }
        let box = try SealedBytes(sealing: content, context: context, with: wrapping)
        return try MemberRow(
            .invitation, id, sealed: box.nonce + box.ciphertext,
            MemberRow.Details(
                name: name, since: now, expires: expires, inviter: inviter,
                voucher: Secret(copying: UnsafeRawBufferPointer(start: nil, count: 0))),
            deviceKey)
    }

    /// What the row has for the holder of the token.
    ///
    /// - Throws: ``StoreError/Code/corrupt`` if the row is another invitation's, or damaged.
    package func content(of row: MemberRow) throws(StoreError) -> Content {
        let opened = SealedBytes.open(row.sealed, context: context, with: wrapping)
        let keyEnd = 8 + DeviceKey.fileByteCount
        let parts = opened?.withUnsafeBytes { bytes -> (expires: Int64, key: Secret, name: String)? in
            guard bytes.count >= keyEnd else { return nil }
            return (
                Int64(bigEndian: bytes.loadUnaligned(as: Int64.self)),
                Secret(copying: UnsafeRawBufferPointer(rebasing: bytes[8..<keyEnd])),
                String(decoding: bytes[keyEnd...], as: UTF8.self)
            )
        }
        guard row.kind == .invitation, row.id == id, let parts = parts ?? nil else {
            throw StoreError(.corrupt, "the invitation in the database is damaged")
        }
        let deviceKey = try DeviceKey(file: parts.key, path: "the device key of the invitation")
        // The members' seal too, so that a row which members do not know is not used.
        guard let details = row.opened(deviceKey) else {
            throw StoreError(.corrupt, "the invitation in the database is damaged")
        }
        return Content(
            deviceKey: deviceKey, name: parts.name, expires: parts.expires, inviter: details.inviter)
    }

    private var context: Transcript {
        var transcript = Transcript("secitem/1 device key for an invitation")
        transcript.append(id)
        return transcript
    }

    private var wrapping: Secret { seed.derived("secitem/1 key of an invitation") }
}
