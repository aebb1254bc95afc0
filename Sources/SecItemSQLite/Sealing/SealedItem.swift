// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import SecItemStore

/// An item as a row holds it, but for the row's number and the code that covers it.
struct SealedItem {
    /// What becomes of the secrets column.
    enum Secrets {
        case none
        case sealed(SealedBytes)
        /// What is there stays, under this nonce.
        case kept(nonce: [UInt8])
    }

    let storeID: [UInt8]
    let reference: PersistentReference
    let accessible: Accessible
    let index: ItemIndex
    let attributes: SealedBytes
    let secrets: Secrets
    private let metadata: MetadataKeys

    var domain: KeyDomain { KeyDomain(accessible) }

    /// Seals a record.
    ///
    /// - Parameter keptSecrets: The nonce of secrets that stay as they are (empty when there are none), or nil to seal
    ///   the record's.
    /// - Throws: ``StoreError/Code/locked`` when a key is not at hand.
    init(_ record: ItemRecord, keys: KeySet, storeID: [UInt8], keptSecrets: [UInt8]? = nil) throws(StoreError) {
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
        if let keptSecrets {
            secrets = keptSecrets.isEmpty ? .none : .kept(nonce: keptSecrets)
        } else if record.secrets.isEmpty {
            secrets = .none
        } else {
            guard let key = keys.secretKey(for: accessible) else { throw .locked }
            secrets = try .sealed(
                SealedBytes(sealing: ValueCoding.encode(record.secrets), context: context.forSecrets, with: key)
            )
        }
        self.storeID = storeID
        self.metadata = metadata
        self.accessible = accessible
        reference = record.reference
    }

    /// The nonces of attributes and secrets: they name the two sealings, and their number says whether there are secrets.
    var nonces: [UInt8] {
        switch secrets {
        case .none: attributes.nonce
        case .sealed(let secrets): attributes.nonce + secrets.nonce
        case .kept(let nonce): attributes.nonce + nonce
        }
    }

    /// What vouches for the row that gets this number.
    func code(id: Int64) throws(StoreError) -> Blind {
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
    static let locked = StoreError(.locked, "the store is locked")
    /// Nothing but what is always accessible can be seen.
    static let lockedBeforeFirstUnlock = StoreError(
        .locked, "the store has not been unlocked since the machine started")
}
