// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import SecItemStore

/// An item as a row holds it, but for the row's number and the code that covers it.
package struct SealedItem {
    /// What becomes of the secrets column.
    package enum Secrets {
        case none
        case sealed(SealedBytes)
        /// What is there stays, under this nonce.
        case kept(nonce: [UInt8])
    }

    /// The secrets of a row that stay as they are.
    struct KeptSecrets {
        /// Empty where there are none.
        let nonce: [UInt8]
        let mark: ConstraintMark?
    }

    let storeID: [UInt8]
    /// The item's reference.
    package let reference: PersistentReference
    /// When the item can be used.
    package let accessible: Accessible
    /// What can be compared without opening the item.
    package let index: ItemIndex
    /// The sealed attributes.
    package let attributes: SealedBytes
    /// The sealed secrets, or what becomes of those that are there.
    package let secrets: Secrets
    let mark: ConstraintMark?
    private let metadata: MetadataKeys

    /// The metadata keys that the item needs.
    package var domain: KeyDomain { KeyDomain(accessible) }

    /// Seals a record.
    ///
    /// - Parameters:
    ///   - keptSecrets: Secrets that stay as they are, or nil to seal the record's.
    ///   - guardSeal: What seals the secrets of a guarded record first; nil where no passphrase protects the store.
    /// - Throws: ``StoreError/Code/locked`` when a key is not at hand; ``StoreError/Code/corrupt`` when the record's
    ///   constraints cannot be read.
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

    /// What is sealed as the row's secrets; nil without any.
    private static func plaintext(
        _ record: ItemRecord, _ seal: GuardSeal?, _ storeID: [UInt8]
    ) throws(StoreError) -> Secret? {
        guard let seal else {
            // What only an authentication opens is sealed to a guard key, or not stored.
            if record.guardedSecrets != nil { throw StoreError(.corrupt, "guarded secrets have no guard key") }
            return record.secrets.isEmpty ? nil : try ValueCoding.encode(record.secrets)
        }
        var sealed = record.guardedSecrets?.sealed ?? [:]
        for (attribute, secret) in record.secrets {
            sealed[attribute] = try seal.sealed(secret, as: attribute, of: record, storeID: storeID)
        }
        return try ValueCoding.encode(sealed.mapValues(AttributeValue.data))
    }

    /// The nonces of attributes and secrets: they name the two sealings, and their number says whether there are secrets.
    /// Behind them the mark of an item with constraints.
    package var nonces: [UInt8] {
        let mark = mark.map { [$0.rawValue] } ?? []
        return switch secrets {
        case .none: attributes.nonce + mark
        case .sealed(let secrets): attributes.nonce + secrets.nonce + mark
        case .kept(let nonce): attributes.nonce + nonce + mark
        }
    }

    /// What vouches for the row that gets this number.
    package func code(id: Int64) throws(StoreError) -> Blind {
        let context = RowContext(storeID: storeID, reference: reference, accessible: accessible)
        return try metadata.rowCode(
            context.forRow(id: id, primaryKey: index.primaryKey, slots: index.slots, nonces: nonces)
        )
    }
}

/// What a row's three bindings have in common: whose row it is.
struct RowContext {
    let storeID: [UInt8]
    let reference: PersistentReference
    let accessible: Accessible

    /// What the row's code covers: every column that is not sealed, and the sealed ones through their nonces.
    func forRow(id: Int64, primaryKey: Blind, slots: some Sequence<UInt8>, nonces: some Sequence<UInt8>) -> Transcript {
        var transcript = start("secitem/1 row")
        transcript.append(number: id)
        transcript.append(primaryKey)
        transcript.append(sequence: slots)
        transcript.append(sequence: nonces)
        return transcript
    }

    /// What attributes are bound to: all that does not change without them.
    func forAttributes(primaryKey: Blind, slots: some Sequence<UInt8>) -> Transcript {
        var transcript = start("secitem/1 attributes of")
        transcript.append(primaryKey)
        transcript.append(sequence: slots)
        return transcript
    }

    /// What secrets are bound to: less, for attributes may change while the secrets are locked.
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

extension StoreError {
    /// The keys of "when unlocked" items are not at hand.
    package static let locked = StoreError(.locked, "the store is locked")
    /// Nothing but what is always accessible can be seen.
    package static let lockedBeforeFirstUnlock = StoreError(
        .locked, "the store has not been unlocked since the machine started")
}
