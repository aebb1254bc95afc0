// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// One row of `item` in SQLite's memory, valid until the next step. Nothing is copied, and nothing is trusted yet.
struct StoredRow {
    /// The columns to read, of the two sealed ones.
    static func columns(_ attributes: Bool, _ secrets: Bool) -> String {
        "i.id, i.class, i.reference, i.accessible, i.primary_key, i.slots, i.nonces, i.code, "
            + (attributes ? "i.attributes" : "NULL") + (secrets ? ", i.secrets" : ", NULL")
    }

    /// The number under which the row was searched: that in the `lookup` table, or the row's own.
    let wantedID: Int64
    let id: Int64
    let itemClass: UnsafeRawBufferPointer
    let reference: UnsafeRawBufferPointer
    let accessible: UnsafeRawBufferPointer
    let primaryKey: UnsafeRawBufferPointer
    let slots: UnsafeRawBufferPointer
    let nonces: UnsafeRawBufferPointer
    let code: UnsafeRawBufferPointer
    let attributes: UnsafeRawBufferPointer
    let secrets: UnsafeRawBufferPointer
    /// Whether `lookup` names a row that does not exist.
    let isMissing: Bool

    /// The row under a query whose columns are a number and then ``columns(_:_:)``.
    init(_ query: PreparedQuery) {
        wantedID = query.integer(0)
        isMissing = query.isNull(1)
        id = query.integer(1)
        itemClass = query.bytes(2)
        reference = query.bytes(3)
        accessible = query.bytes(4)
        primaryKey = query.bytes(5)
        slots = query.bytes(6)
        nonces = query.bytes(7)
        code = query.bytes(8)
        attributes = query.bytes(9)
        secrets = query.bytes(10)
    }

    private init(_ row: StoredRow, _ copied: (UnsafeRawBufferPointer) -> UnsafeRawBufferPointer) {
        wantedID = row.wantedID
        isMissing = row.isMissing
        id = row.id
        itemClass = copied(row.itemClass)
        reference = copied(row.reference)
        accessible = copied(row.accessible)
        primaryKey = copied(row.primaryKey)
        slots = copied(row.slots)
        nonces = copied(row.nonces)
        code = copied(row.code)
        attributes = copied(row.attributes)
        secrets = copied(row.secrets)
    }

    /// The row with each column copied by `copied`, valid as long as the copies.
    func copied(_ copied: (UnsafeRawBufferPointer) -> UnsafeRawBufferPointer) -> StoredRow {
        StoredRow(self, copied)
    }

    /// How many bytes its columns have.
    var byteCount: Int {
        itemClass.count + reference.count + accessible.count + primaryKey.count + slots.count + nonces.count
            + code.count + attributes.count + secrets.count
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
    var header: RowHeader? { RowHeader(self) }
}

/// The unsealed columns of a row, in their types. They are not authenticated yet.
struct RowHeader {
    let id: Int64
    let reference: PersistentReference
    let accessible: Accessible
    let primaryKey: Blind
    /// How the constraints of the item are stored; nil if it has none.
    let mark: ConstraintMark?
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

    var domain: KeyDomain { KeyDomain(accessible) }

    func context(storeID: [UInt8]) -> RowContext {
        RowContext(storeID: storeID, reference: reference, accessible: accessible)
    }

    /// Whether a holder of the key wrote the row like this.
    func isAuthentic(_ row: StoredRow, keys: MetadataKeys, storeID: [UInt8]) -> Bool {
        let transcript = context(storeID: storeID)
            .forRow(id: id, primaryKey: primaryKey, slots: row.slots, nonces: row.nonces)
        let expected = try? keys.rowCode(transcript)
        return expected?.isEqualInConstantTime(to: code) ?? false
    }
}

extension ItemClass {
    /// The class of that name, as rows have it.
    init?(_ bytes: UnsafeRawBufferPointer) {
        let name = packed(bytes)
        guard let found = Self.byPackedName.first(where: { $0.name == name })?.value else { return nil }
        self = found
    }

    private static let byPackedName = stored.map { (name: packed($0.rawValue.utf8), value: $0) }
}

extension Accessible {
    fileprivate init?(_ bytes: UnsafeRawBufferPointer) {
        let name = packed(bytes)
        guard let found = Self.byPackedName.first(where: { $0.name == name })?.value else { return nil }
        self = found
    }

    /// The classes of stored items.
    private static let byPackedName = allCases.filter { KeyName(sealingSecretsOf: $0) != nil }
        .map { (name: packed($0.rawValue.utf8), value: $0) }
}

/// A short text as a unique number, and 0 for a longer one. Each row needs two of them.
private func packed(_ text: some Collection<UInt8>) -> UInt64 {
    text.count > 7 ? 0 : text.reduce(1) { $0 << 8 | UInt64($1) }
}
