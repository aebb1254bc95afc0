// SPDX-License-Identifier: Apache-2.0

import SecItemStore

/// Makes the sealed rows of new and changed records, with the keys of one operation.
package struct RowWriter {
    let keys: KeySet
    private let storeID: [UInt8]

    /// - Parameters:
    ///   - keys: The available keys.
    ///   - storeID: The store's own number.
    package init(keys: KeySet, storeID: [UInt8]) {
        self.keys = keys
        self.storeID = storeID
    }

    /// Checks that the key for secrets of that protection class is available.
    ///
    /// - Throws: ``StoreError/Code/locked`` if it is not.
    package func requireKey(for accessible: Accessible) throws(StoreError) {
        if KeyName(sealingSecretsOf: accessible) != nil && keys.secretKey(for: accessible) == nil { throw .locked }
    }

    /// The sealed row of a record.
    ///
    /// - Parameter guardSeal: Seals the secrets of a guarded record first; nil if no passphrase protects the store.
    /// - Throws: As ``SealedItem``'s initializer.
    package func sealed(_ record: ItemRecord, guardSeal: GuardSeal? = nil) throws(StoreError) -> SealedItem {
        try SealedItem(record, keys: keys, storeID: storeID, guardSeal: guardSeal)
    }

    // MARK: Changes

    /// What becomes of a row.
    package struct Change {
        package let record: ItemRecord
        package let item: SealedItem
        /// Whether the secrets column stays as it is.
        package let keepsSecrets: Bool
        /// The blinds under which the row is listed no longer.
        package let removedLookups: Set<Blind>
        /// The blinds under which the row is listed from now on.
        package let addedLookups: Set<Blind>
    }

    /// The parts of an item that must be read to change it. Secrets are read only if they may be sealed again.
    package static func partsToRead(for changes: RecordChanges) -> RecordParts {
        mayReseal(changes) ? [.attributes, .secrets] : .attributes
    }

    /// Whether the change may affect the secrets of an item.
    private static func mayReseal(_ changes: RecordChanges) -> Bool {
        !changes.secrets.isEmpty || changes.attributes[.accessible] != nil
            || changes.attributes[.accessControl] != nil || changes.removedAttributes.contains(.accessControl)
    }

    /// The row that a change makes of a matching one.
    ///
    /// - Parameters:
    ///   - match: The row, with the parts that ``partsToRead(for:)`` gives.
    ///   - changes: The changes.
    ///   - guardSeal: Gives what seals the secrets of the changed record first.
    /// - Throws: ``StoreError/Code/locked`` if a key is not available; the errors of `guardSeal`.
    package func change(
        _ match: RowMatch, _ changes: RecordChanges, guardSeal: (ItemRecord) throws -> GuardSeal?
    ) throws -> Change {
        var changed = try match.record.applying(changes)
        let hasOtherConstraints =
            changed.attributes[.accessControl]?.matchKey != match.record.attributes[.accessControl]?.matchKey
        let keepsSecrets =
            changes.secrets.isEmpty && changed.accessible == match.header.accessible && !hasOtherConstraints
        let item: SealedItem
        if keepsSecrets {
            let kept = SealedItem.KeptSecrets(nonce: match.secretsNonce, mark: match.header.mark)
            item = try SealedItem(changed, keys: keys, storeID: storeID, keptSecrets: kept)
        } else {
            // Secrets that were not read would be lost.
            guard Self.mayReseal(changes) else {
                throw StoreError(.io, "secrets that must be encrypted again were not read")
            }
            try requireKey(for: match.header.accessible)
            try requireKey(for: changed.accessible)
            changed.guardedSecrets = try Self.remaining(match.record, changes, hasOtherConstraints)
            item = try sealed(changed, guardSeal: guardSeal(changed))
        }
        let old = Set(match.lookups), new = Set(item.index.lookups)
        return Change(
            record: changed, item: item, keepsSecrets: keepsSecrets, removedLookups: old.subtracting(new),
            addedLookups: new.subtracting(old))
    }

    /// The guarded secrets that a change leaves as they are.
    ///
    /// - Throws: ``StoreError/Code/locked`` if the constraints change and not all secrets are given, because the
    ///   existing ones are bound to the old constraints.
    private static func remaining(
        _ record: ItemRecord, _ changes: RecordChanges, _ hasOtherConstraints: Bool
    ) throws(StoreError) -> GuardedSecrets? {
        guard let sealed = record.guardedSecrets?.sealed.filter({ changes.secrets[$0.key] == nil }) else { return nil }
        if hasOtherConstraints && !sealed.isEmpty {
            throw StoreError(.locked, "changing the constraints of these secrets needs an authentication")
        }
        return sealed.isEmpty ? nil : GuardedSecrets(sealed: sealed)
    }
}
