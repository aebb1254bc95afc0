// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// One row in the memory of the store's database, valid until the store fetches the next one. Nothing is copied, and
/// nothing is trusted yet.
package struct StoredRow {
    /// The number under which the row was searched: the number in the list of a blind, or the row's own.
    @usableFromInline let wantedID: Int64
    @usableFromInline let id: Int64
    @usableFromInline let itemClass: UnsafeRawBufferPointer
    @usableFromInline let reference: UnsafeRawBufferPointer
    @usableFromInline let accessible: UnsafeRawBufferPointer
    @usableFromInline let primaryKey: UnsafeRawBufferPointer
    @usableFromInline let slots: UnsafeRawBufferPointer
    @usableFromInline let nonces: UnsafeRawBufferPointer
    @usableFromInline let code: UnsafeRawBufferPointer
    @usableFromInline let attributes: UnsafeRawBufferPointer
    @usableFromInline let secrets: UnsafeRawBufferPointer
    /// Whether the list of a blind names a row that does not exist.
    @usableFromInline let isMissing: Bool

    /// A row from a store's database. A column that was not fetched, or is null, is empty.
    @inlinable
    package init(
        wantedID: Int64, id: Int64, isMissing: Bool, itemClass: UnsafeRawBufferPointer,
        reference: UnsafeRawBufferPointer, accessible: UnsafeRawBufferPointer, primaryKey: UnsafeRawBufferPointer,
        slots: UnsafeRawBufferPointer, nonces: UnsafeRawBufferPointer, code: UnsafeRawBufferPointer,
        attributes: UnsafeRawBufferPointer, secrets: UnsafeRawBufferPointer
    ) {
        self.wantedID = wantedID
        self.id = id
        self.isMissing = isMissing
        self.itemClass = itemClass
        self.reference = reference
        self.accessible = accessible
        self.primaryKey = primaryKey
        self.slots = slots
        self.nonces = nonces
        self.code = code
        self.attributes = attributes
        self.secrets = secrets
    }

    /// The nonce of the attributes.
    var attributesNonce: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: nonces.prefix(SealedBytes.nonceByteCount))
    }

    /// The nonce of the secrets; empty when there are none.
    var secretsNonce: UnsafeRawBufferPointer {
        let isThere = nonces.count >= 2 * SealedBytes.nonceByteCount
        let rest = nonces.dropFirst(SealedBytes.nonceByteCount)
        return UnsafeRawBufferPointer(rebasing: rest.prefix(isThere ? SealedBytes.nonceByteCount : 0))
    }

    /// The content of the unsealed columns, or nil if this library cannot have written it.
    package var header: RowHeader? { RowHeader(self) }
}

/// The unsealed columns of a row, in their types. They are not authenticated yet.
package struct RowHeader {
    /// The row's number.
    package let id: Int64
    /// The item's reference.
    package let reference: PersistentReference
    /// When the item can be used.
    package let accessible: Accessible
    /// The blind of the primary key.
    package let primaryKey: Blind
    /// How the constraints of the item are stored; nil if it has none.
    package let mark: ConstraintMark?
    private let code: Blind

    fileprivate init?(_ row: StoredRow) {
        guard !row.isMissing, let itemClass = ItemClass(row.itemClass), let accessible = Accessible(row.accessible),
            row.reference.count == 16, row.primaryKey.count == Blind.byteCount, row.code.count == Blind.byteCount,
            row.slots.count.isMultiple(of: ItemIndex.slotByteCount),
            let primaryKey = Blind(prefixOf: row.primaryKey), let code = Blind(prefixOf: row.code)
        else { return nil }
        switch row.nonces.count {
        case SealedBytes.nonceByteCount, 2 * SealedBytes.nonceByteCount: mark = nil
        case SealedBytes.nonceByteCount + 1, 2 * SealedBytes.nonceByteCount + 1:
            guard let mark = row.nonces.last.flatMap(ConstraintMark.init),
                mark == .rule || !row.secretsNonce.isEmpty
            else { return nil }
            self.mark = mark
        default: return nil
        }
        id = row.id
        let uuid = UUID(uuid: row.reference.loadUnaligned(as: uuid_t.self))
        reference = PersistentReference(itemClass: itemClass, uuid: uuid)
        self.accessible = accessible
        self.primaryKey = primaryKey
        self.code = code
    }

    /// The metadata keys that the row needs.
    package var domain: KeyDomain { KeyDomain(accessible) }

    func context(storeID: [UInt8]) -> RowContext {
        RowContext(storeID: storeID, reference: reference, accessible: accessible)
    }

    /// Whether a holder of the key wrote the row like this.
    package func isAuthentic(_ row: StoredRow, keys: MetadataKeys, storeID: [UInt8]) -> Bool {
        let transcript = context(storeID: storeID)
            .forRow(id: id, primaryKey: primaryKey, slots: row.slots, nonces: row.nonces)
        let expected = try? keys.rowCode(transcript)
        return expected?.isEqualInConstantTime(to: code) ?? false
    }
}

extension ItemClass {
    /// The class of that name, as rows have it.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        let name = packed(bytes)
        guard let found = Self.byPackedName.first(where: { $0.name == name })?.value else { return nil }
        self = found
    }

    fileprivate static let byPackedName = stored.map { (name: packed($0.rawValue.utf8), value: $0) }
}

extension Accessible {
    fileprivate init?(_ bytes: UnsafeRawBufferPointer) {
        let name = packed(bytes)
        guard let found = Self.byPackedName.first(where: { $0.name == name })?.value else { return nil }
        self = found
    }

    /// The classes of stored items.
    fileprivate static let byPackedName = allCases.filter { KeyName(sealingSecretsOf: $0) != nil }
        .map { (name: packed($0.rawValue.utf8), value: $0) }
}

/// A short text as a unique number, and 0 for a longer one. Each row needs two of them.
private func packed(_ text: some Collection<UInt8>) -> UInt64 {
    text.count > 7 ? 0 : text.reduce(1) { $0 << 8 | UInt64($1) }
}
