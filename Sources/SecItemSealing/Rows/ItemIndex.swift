// SPDX-License-Identifier: Apache-2.0

import SecItemStore

/// The properties of an item that can be compared without opening it: one slot for each attribute that can decide a
/// look-up.
///
/// A slot is a code (four bytes) and a blind (sixteen). The row's authentication code covers the slots, so a look-up
/// that finds an item through the `lookup` table can trust them.
package struct ItemIndex {
    static let slotByteCount = 4 + Blind.byteCount

    /// Combinations of attributes that clients use together in look-ups. They keep the cost independent of the number
    /// of items that share one of the attributes. They are part of the format, so new ones are only appended, in a
    /// new format.
    static func naturalKeys(of itemClass: ItemClass) -> [[ItemAttribute]] {
        switch itemClass {
        case .genericPassword: ofGenericPasswords
        case .internetPassword: ofInternetPasswords
        case .certificate: ofCertificates
        case .key, .identity: []
        }
    }

    // Created once, because each look-up needs them.
    private static let ofGenericPasswords: [[ItemAttribute]] = [[.service, .account]]
    private static let ofInternetPasswords: [[ItemAttribute]] = [[.server, .account]]
    private static let ofCertificates: [[ItemAttribute]] = [[.issuer, .serialNumber]]

    /// The code of a natural key's slot: smaller than every four-letter code.
    static func code(ofNaturalKey index: Int) -> UInt32 {
        UInt32(index + 1)
    }

    /// Whether the slot is in the `lookup` table too.
    static func isLookup(code: UInt32, in schema: ItemSchema) -> Bool {
        code < 1 << 24 || schema.indexedCodes.contains(code)
    }

    // Created once, because each look-up needs them.
    private static let emptyBytes = AttributeValue.string("").matchKey
    private static let zero = AttributeValue.integer(0).matchKey

    private static func emptyKey(_ kind: AttributeKind) -> MatchKey {
        switch kind {
        case .string, .blob, .data, .uuid, .sha1: emptyBytes
        case .number: zero
        case .date: kind.emptyValue.matchKey
        }
    }

    /// Whether a slot for that value is omitted. An absent attribute of the primary key counts as empty.
    static func isLeftOut(_ value: MatchKey, of row: ItemSchema.Row) -> Bool {
        row.roles.contains(.primaryKey) && value == emptyKey(row.kind)
    }

    // MARK: Of one item

    /// The slots, one after the other, by rising code.
    package let slots: [UInt8]
    /// The blinds for the `lookup` table.
    package let lookups: [Blind]
    package let primaryKey: Blind

    init(itemClass: ItemClass, attributes: [ItemAttribute: AttributeValue], keys: MetadataKeys) throws(StoreError) {
        let schema = ItemSchema.schema(of: itemClass)
        var entries: [(code: UInt32, blind: Blind)] = []
        for row in schema.rows where row.isDecisive {
            guard let value = attributes[row.attribute]?.matchKey, !Self.isLeftOut(value, of: row) else { continue }
            entries.append((row.attribute.fourCharCode, try keys.blind(value, of: row.attribute, in: itemClass)))
        }
        for (index, names) in Self.naturalKeys(of: itemClass).enumerated() {
            let values = names.map { attributes[$0]?.matchKey ?? Self.empty($0, in: schema) }
            guard zip(names, values).contains(where: { $1 != Self.empty($0, in: schema) }) else { continue }
            entries.append((Self.code(ofNaturalKey: index), try keys.blind(values, ofNaturalKey: index, in: itemClass)))
        }
        entries.sort { $0.code < $1.code }
        var slots: [UInt8] = []
        slots.reserveCapacity(entries.count * Self.slotByteCount)
        for entry in entries {
            withUnsafeBytes(of: entry.code.bigEndian) { slots.append(contentsOf: $0) }
            entry.blind.withUnsafeBytes { slots.append(contentsOf: $0) }
        }
        self.slots = slots
        lookups = entries.filter { Self.isLookup(code: $0.code, in: schema) }.map(\.blind)
        primaryKey = try keys.blind(PrimaryKey(itemClass: itemClass, attributes: attributes))
    }

    private static func empty(_ attribute: ItemAttribute, in schema: ItemSchema) -> MatchKey {
        emptyKey(schema[attribute]?.kind ?? .blob)
    }

    // MARK: In a row

    /// The blind in the slot of that code, or nil when there is none.
    static func blind(of code: UInt32, in slots: UnsafeRawBufferPointer) -> Blind? {
        var offset = 0
        while offset + slotByteCount <= slots.count {
            let found = UInt32(bigEndian: slots.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
            if found == code { return Blind(prefixOf: UnsafeRawBufferPointer(rebasing: slots[(offset + 4)...])) }
            offset += slotByteCount
        }
        return nil
    }

    /// The blinds that the `lookup` table must have for these slots.
    package static func lookups(in slots: UnsafeRawBufferPointer, itemClass: ItemClass) -> [Blind] {
        let schema = ItemSchema.schema(of: itemClass)
        var result: [Blind] = []
        var offset = 0
        while offset + slotByteCount <= slots.count {
            let code = UInt32(bigEndian: slots.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
            if isLookup(code: code, in: schema),
                let blind = Blind(prefixOf: UnsafeRawBufferPointer(rebasing: slots[(offset + 4)...]))
            {
                result.append(blind)
            }
            offset += slotByteCount
        }
        return result
    }
}

extension MetadataKeys {
    func blind(_ value: MatchKey, of attribute: ItemAttribute, in itemClass: ItemClass) throws(StoreError) -> Blind {
        var transcript = Transcript("secitem/1 attribute")
        transcript.append(itemClass.rawValue)
        transcript.append(word: attribute.fourCharCode)
        transcript.append(value.bytes)
        return try blind(transcript)
    }

    func blind(_ values: [MatchKey], ofNaturalKey index: Int, in itemClass: ItemClass) throws(StoreError) -> Blind {
        var transcript = Transcript("secitem/1 natural key")
        transcript.append(itemClass.rawValue)
        transcript.append(word: ItemIndex.code(ofNaturalKey: index))
        for value in values { transcript.append(value.bytes) }
        return try blind(transcript)
    }

    package func blind(_ primaryKey: PrimaryKey) throws(StoreError) -> Blind {
        var transcript = Transcript("secitem/1 primary key")
        transcript.append(primaryKey.bytes)
        return try blind(transcript)
    }
}
