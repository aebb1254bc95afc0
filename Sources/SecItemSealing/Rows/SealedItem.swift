// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// The sealed row of an item, without the row's number and without the code that covers it.
package struct SealedItem {
    /// The new content of the secrets column.
    package enum Secrets {
        /// Empty: the item has no secrets.
        case none
        case sealed(SealedBytes)
        /// The column stays as it is. This is its nonce.
        case kept(nonce: [UInt8])
    }

    /// The secrets of a row that stay as they are.
    struct KeptSecrets {
        /// Empty if there are none.
        let nonce: [UInt8]
        let mark: ConstraintMark?
    }

    let storeID: [UInt8]
    package let reference: PersistentReference
    /// When the item can be used.
    package let accessible: Accessible
    /// The slots and blinds, which are compared without opening the item.
    package let index: ItemIndex
    package let attributes: SealedBytes
    /// The new content of the secrets column.
    package let secrets: Secrets
    let mark: ConstraintMark?
    private let metadata: MetadataKeys

    /// The metadata keys that the item needs.
    package var domain: KeyDomain { KeyDomain(accessible) }

    /// Seals a record.
    ///
    /// - Parameters:
    ///   - keptSecrets: Secrets that stay as they are, or nil to seal the record's.
    ///   - guardSeal: Seals the secrets of a guarded record first; nil if no passphrase protects the store.
    /// - Throws: ``StoreError/Code/locked`` if a key is not available; ``StoreError/Code/corrupt`` if the record's
    ///   constraints cannot be read; ``StoreError/Code/unrepresentable`` if no store holds items of its protection class.
    init(
        _ record: ItemRecord, keys: KeySet, storeID: [UInt8], keptSecrets: KeptSecrets? = nil,
        guardSeal: GuardSeal? = nil
    ) throws(StoreError) {
        let accessible = record.accessible
        guard KeyName(sealingSecretsOf: accessible) != nil else {
            throw StoreError(.unrepresentable, "no item can be accessible \"\(accessible.rawValue)\"")
        }
        guard let metadata = keys.metadata(KeyDomain(accessible)) else { throw .lockedBeforeFirstUnlock }
        index = try ItemIndex(itemClass: record.itemClass, attributes: record.attributes, keys: metadata)
        let context = RowContext(storeID: storeID, reference: record.reference, accessible: accessible)
        attributes = try SealedBytes(
            sealing: ValueCoding.encode(record.attributes),
            context: context.forAttributes(primaryKey: index.primaryKey, slots: index.slots),
            with: metadata.attributes
        )
        let isToBeGuarded = try record.isToBeGuarded
        if let keptSecrets {
            secrets = keptSecrets.nonce.isEmpty ? .none : .kept(nonce: keptSecrets.nonce)
            mark = keptSecrets.mark
        } else if let plaintext = try Self.plaintext(record, isToBeGuarded ? guardSeal : nil, storeID) {
            guard let key = keys.secretKey(for: accessible) else { throw .locked }
            secrets = try .sealed(SealedBytes(sealing: plaintext, context: context.forSecrets, with: key))
            mark = !record.isConstrained ? nil : isToBeGuarded && guardSeal != nil ? .sealed : .rule
        } else {
            secrets = .none
            mark = record.isConstrained ? .rule : nil
        }
        self.storeID = storeID
        self.metadata = metadata
        self.accessible = accessible
        reference = record.reference
    }

    /// The bytes to seal as the row's secrets; nil if there are none.
    private static func plaintext(
        _ record: ItemRecord, _ seal: GuardSeal?, _ storeID: [UInt8]
    ) throws(StoreError) -> Secret? {
        guard let seal else {
            // Guarded secrets are only stored sealed to a guard key.
            if record.guardedSecrets != nil { throw StoreError(.corrupt, "guarded secrets have no guard key") }
            return record.secrets.isEmpty ? nil : try ValueCoding.encode(record.secrets)
        }
        var sealed = record.guardedSecrets?.sealed ?? [:]
        for (attribute, secret) in record.secrets {
            sealed[attribute] = try seal.sealed(secret, as: attribute, of: record, storeID: storeID)
        }
        return try ValueCoding.encode(sealed.mapValues(AttributeValue.data))
    }

    /// The nonce of the attributes, the nonce of the secrets if there are any, and the mark of an item with constraints.
    package var nonces: [UInt8] {
        let mark = mark.map { [$0.rawValue] } ?? []
        return switch secrets {
        case .none: attributes.nonce + mark
        case .sealed(let secrets): attributes.nonce + secrets.nonce + mark
        case .kept(let nonce): attributes.nonce + nonce + mark
        }
    }

    /// The authentication code of the row with that number.
    package func code(id: Int64) throws(StoreError) -> Blind {
        let context = RowContext(storeID: storeID, reference: reference, accessible: accessible)
        return try metadata.rowCode(
            context.forRow(id: id, primaryKey: index.primaryKey, slots: index.slots, nonces: nonces)
        )
    }
}

/// The parts that the three transcripts of a row have in common.
struct RowContext {
    let storeID: [UInt8]
    let reference: PersistentReference
    let accessible: Accessible

    /// The input of the row's code: every unsealed column, and the sealed ones through their nonces.
    func forRow(id: Int64, primaryKey: Blind, slots: some Sequence<UInt8>, nonces: some Sequence<UInt8>) -> Transcript {
        var transcript = start("secitem/1 row")
        transcript.append(number: id)
        transcript.append(primaryKey)
        transcript.append(sequence: slots)
        transcript.append(sequence: nonces)
        return transcript
    }

    /// The context of the attributes: everything that only changes together with them.
    func forAttributes(primaryKey: Blind, slots: some Sequence<UInt8>) -> Transcript {
        var transcript = start("secitem/1 attributes of")
        transcript.append(primaryKey)
        transcript.append(sequence: slots)
        return transcript
    }

    /// The context of the secrets. It has fewer parts, because attributes may change while the secrets are locked.
    var forSecrets: Transcript {
        start("secitem/1 secrets of")
    }

    private func start(_ purpose: StaticString) -> Transcript {
        var transcript = Transcript(purpose, capacity: 384)
        transcript.append(storeID)
        transcript.append(reference.itemClass.rawValue)
        withUnsafeBytes(of: reference.uuid.uuid) { transcript.append($0) }
        transcript.append(accessible.rawValue)
        return transcript
    }
}
