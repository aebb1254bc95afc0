// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import SecItemStore

/// Seals the secrets of one item under the password that its access control demands (`applicationPassword`).
///
/// The key is scrypt's of the password and a salt of the item's own, which the item's constraints have with what it costs. A
/// store sees sealed secrets only, and seals these as it does any others. `docs/file-format.md` has the format.
package struct PasswordSeal: Sendable {
    package let derivation: AccessConstraints.PasswordDerivation
    private let key: Secret
    /// Tells a wrong password from damage.
    private let check: [UInt8]

    private static let version: UInt8 = 1
    private static let checkByteCount = 8
    fileprivate static let saltByteCount = 32
    private static let headerByteCount = 1 + checkByteCount

    /// Runs scrypt, which takes about a third of a second at the cost of new items, and longer while other threads run it.
    ///
    /// - Throws: ``SecItemStore/StoreError/Code/authenticationFailed`` if the password is empty;
    ///   ``SecItemStore/StoreError/Code/corrupt`` if the derivation was not made here, or would cost too much. In that case it
    ///   takes no memory.
    package init(
        _ password: Secret, _ derivation: AccessConstraints.PasswordDerivation
    ) throws(StoreError) {
        guard let cost = derivation.cost, derivation.isUsable else {
            throw StoreError(.corrupt, "how the key of an item's password is made is damaged")
        }
        // scrypt takes a password with zeros behind it for the same, and a long one for its digest: not so with its length.
        let length = withUnsafeBytes(of: UInt64(password.count).bigEndian) { Data($0) }
        let stretched = try password.stretched(
            salt: derivation.salt + length, cost, byteCount: Secret.keyByteCount + Self.checkByteCount)
        check = stretched.withUnsafeBytes { Array($0.dropFirst(Secret.keyByteCount)) }
        key = try stretched.withUnsafeBytes { (bytes) throws(StoreError) in
            try Secret.make(
                copying: UnsafeRawBufferPointer(rebasing: bytes.prefix(Secret.keyByteCount)))
        }
        self.derivation = derivation
    }

    /// How the key of a new item is made: with a salt that no other item has.
    package static func newDerivation(_ cost: ScryptCost) -> AccessConstraints.PasswordDerivation {
        AccessConstraints.PasswordDerivation(
            logarithmOfRounds: cost.logarithmOfRounds, blockSize: cost.blockSize, parallelism: cost.parallelism,
            salt: Data(RandomBytes.bytes(saltByteCount)))
    }

    /// The record with its secrets sealed.
    ///
    /// - Parameter record: A record with attributes, and with secrets that are not sealed.
    package func sealing(_ record: ItemRecord) throws(StoreError) -> ItemRecord {
        var sealed = record
        for (attribute, secret) in record.secrets {
            sealed.secrets[attribute] = try self.sealed(secret, Self.binding(attribute, of: record))
        }
        return sealed
    }

    /// The record with its secrets opened.
    ///
    /// - Parameter record: A record with attributes and sealed secrets.
    /// - Throws: ``SecItemStore/StoreError/Code/authenticationFailed`` when they were sealed under another password,
    ///   ``SecItemStore/StoreError/Code/corrupt`` when they are another item's or attribute's, the constraints were changed, or
    ///   they are damaged.
    package func opening(_ record: ItemRecord) throws(StoreError) -> ItemRecord {
        var opened = record
        for (attribute, secret) in record.secrets {
            opened.secrets[attribute] = try self.opened(secret, Self.binding(attribute, of: record))
        }
        return opened
    }

    /// What a secret is bound to: what does not change unless it is sealed anew. Every part but the last has one length.
    private static func binding(
        _ attribute: ItemAttribute, of record: ItemRecord
    ) throws(StoreError) -> Data {
        guard case .data(let constraints) = record.attributes[.accessControl] else {
            throw StoreError(.corrupt, "an item under a password has no constraints")
        }
        var binding = Data("secitem/1 secret under a password\0\(record.itemClass.rawValue)".utf8)
        withUnsafeBytes(of: record.reference.uuid.uuid) { binding.append(contentsOf: $0) }
        withUnsafeBytes(of: attribute.fourCharCode.bigEndian) { binding.append(contentsOf: $0) }
        return binding + constraints
    }

    private func sealed(_ secret: Secret, _ binding: Data) throws(StoreError) -> Secret {
        do {
            let box = try secret.withUnsafeBytes { secret in
                try AES.GCM.seal(secret, using: key.symmetricKey, authenticating: binding)
            }
            guard let combined = box.combined else { throw StoreError(.io, "sealing under a password failed") }
            return Secret(Data([Self.version]) + check + combined)
        } catch let error as StoreError {
            throw error
        } catch {
            throw StoreError(.io, "sealing under a password failed", underlying: error)
        }
    }

    /// Wipes what was opened where it was opened: a copy is all that is left.
    private func opened(_ sealed: Secret, _ binding: Data) throws(StoreError) -> Secret {
        let bytes = sealed.data()
        guard bytes.count >= Self.headerByteCount, bytes[0] == Self.version else { throw Self.damaged }
        guard check.isEqualInConstantTime(to: bytes[1..<Self.headerByteCount]) else {
            throw StoreError(.authenticationFailed, "the password of the item is wrong")
        }
        // Never copied to another variable: it would be the copy that is wiped.
        var plaintext: Data?
        defer { plaintext?.wipe() }
        if let box = try? AES.GCM.SealedBox(combined: bytes.dropFirst(Self.headerByteCount)) {
            plaintext = try? AES.GCM.open(box, using: key.symmetricKey, authenticating: binding)
        }
        guard let secret = plaintext.map({ Secret($0) }) else { throw Self.damaged }
        return secret
    }

    private static let damaged = StoreError(.corrupt, "a secret under a password does not open")
}

extension AccessConstraints.PasswordDerivation {
    /// Whether it is one that a seal has made, and no key takes more than a stranger's file may cost.
    package var isUsable: Bool { cost?.isFitForReading == true && salt.count == PasswordSeal.saltByteCount }

    /// What scrypt costs with it; nil for a cost of no use.
    package var cost: ScryptCost? {
        ScryptCost(logarithmOfRounds: logarithmOfRounds, blockSize: blockSize, parallelism: parallelism)
    }
}
