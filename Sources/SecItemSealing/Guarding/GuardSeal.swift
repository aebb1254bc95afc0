// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import SecItemStore

/// Seals secrets to the public half of a store's guard key, so that code which adds items cannot open them afterwards.
///
/// It uses HPKE (RFC 9180) with X25519, HKDF-SHA256 and AES-256-GCM. The result is the encapsulated key, followed by
/// ciphertext and tag.
package struct GuardSeal {
    static let publicKeyByteCount = 32

    package let publicKey: [UInt8]

    private static let ciphersuite = HPKE.Ciphersuite(
        kem: .Curve25519_HKDF_SHA256, kdf: .HKDF_SHA256, aead: .AES_GCM_256)

    /// The context of a secret: everything that does not change unless the secret is given again.
    private static func binding(
        _ attribute: ItemAttribute, of record: ItemRecord, storeID: [UInt8]
    ) throws(StoreError) -> Data {
        guard case .data(let constraints) = record.attributes[.accessControl] else {
            throw StoreError(.corrupt, "a guarded item has no constraints")
        }
        var transcript = Transcript("secitem/1 guarded secret of")
        transcript.append(storeID)
        transcript.append(record.itemClass.rawValue)
        withUnsafeBytes(of: record.reference.uuid.uuid) { transcript.append($0) }
        transcript.append(sequence: constraints)
        transcript.append(word: attribute.fourCharCode)
        return Data(transcript.bytes)
    }

    package func sealed(
        _ secret: Secret, as attribute: ItemAttribute, of record: ItemRecord, storeID: [UInt8]
    ) throws(StoreError) -> Data {
        let binding = try Self.binding(attribute, of: record, storeID: storeID)
        // The zeros at the end hide even its exact length.
        let plaintext = try ValueCoding.encode([attribute: secret])
        do {
            let key = try Curve25519.KeyAgreement.PublicKey(rawRepresentation: publicKey)
            var sender = try HPKE.Sender(recipientKey: key, ciphersuite: Self.ciphersuite, info: binding)
            let ciphertext = try plaintext.withUnsafeBytes { try sender.seal($0) }
            return sender.encapsulatedKey + ciphertext
        } catch {
            throw StoreError(.io, "sealing to the guard key failed", underlying: error)
        }
    }

    /// Opens a sealed secret.
    ///
    /// - Throws: ``StoreError/Code/corrupt`` if it is damaged, or belongs to another record or attribute.
    package static func opened(
        _ sealed: Data, as attribute: ItemAttribute, of record: ItemRecord, storeID: [UInt8], with key: Secret
    ) throws(StoreError) -> Secret {
        let binding = try binding(attribute, of: record, storeID: storeID)
        // Never copied to another variable: it would be the copy that is wiped.
        var plaintext = try? open(sealed, binding, key)
        defer { plaintext?.wipe() }
        let secrets = plaintext?.withUnsafeBytes(ValueCoding.decodeSecrets) ?? nil
        guard let secrets, secrets.count == 1, let secret = secrets[attribute] else { throw damaged }
        return secret
    }

    private static func open(_ sealed: Data, _ binding: Data, _ key: Secret) throws -> Data {
        let key = try key.withUnsafeBytes { try Curve25519.KeyAgreement.PrivateKey(rawRepresentation: $0) }
        var recipient = try HPKE.Recipient(
            privateKey: key, ciphersuite: ciphersuite, info: binding,
            encapsulatedKey: Data(sealed.prefix(publicKeyByteCount)))
        return try recipient.open(Data(sealed.dropFirst(publicKeyByteCount)))
    }

    private static let damaged = StoreError(.corrupt, "a guarded secret does not open")
}

extension GuardedSecrets {
    /// Opens all of them.
    ///
    /// - Throws: ``StoreError/Code/corrupt`` if one does not open.
    package func opened(of record: ItemRecord, storeID: [UInt8], with key: Secret) throws(StoreError) -> [ItemAttribute:
        Secret]
    {
        var secrets: [ItemAttribute: Secret] = [:]
        for (attribute, sealed) in sealed {
            secrets[attribute] = try GuardSeal.opened(sealed, as: attribute, of: record, storeID: storeID, with: key)
        }
        return secrets
    }
}
