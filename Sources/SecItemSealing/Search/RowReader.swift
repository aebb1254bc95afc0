// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// Converts rows to records. It trusts only content that the keys authenticate.
package struct RowReader {
    let plan: LookupPlan
    let keys: KeySet
    let storeID: [UInt8]
    /// The blinds of the plan's probe.
    let probed: LookupPlan.ProbeBlinds
    // The expected slots, computed for the first row of each domain.
    private var mainExpectation: LookupPlan.Expectation?
    private var alwaysExpectation: LookupPlan.Expectation?

    /// - Parameters:
    ///   - plan: The rows, and what to check on them.
    ///   - keys: The available keys.
    ///   - storeID: The store's own number.
    package init(plan: LookupPlan, keys: KeySet, storeID: [UInt8]) throws(StoreError) {
        self.plan = plan
        self.keys = keys
        self.storeID = storeID
        probed = try plan.probeBlinds(keys)
    }

    /// The rows to fetch.
    var source: RowSource {
        switch plan.probe {
        case .reference(let uuid): .reference(uuid)
        case .everything: .all
        case .naturalKey, .attribute, .accessGroups: .listed(probed.all)
        }
    }

    private mutating func expectation(
        _ domain: KeyDomain, _ metadata: MetadataKeys
    ) throws(StoreError) -> LookupPlan.Expectation {
        if let known = domain == .main ? mainExpectation : alwaysExpectation { return known }
        let expectation = try plan.expectation(domain, metadata, probed: probed)
        switch domain {
        case .main: mainExpectation = expectation
        case .always: alwaysExpectation = expectation
        }
        return expectation
    }

    /// The result of examining a row without opening it.
    enum Verdict {
        /// The slots match; the rest of the filter, if there is any, needs the attributes.
        case candidate(RowHeader, MetadataKeys)
        case mismatch
        /// The row's metadata cannot be read before the first unlock.
        case hidden
        case damaged(RowDamage)
    }

    mutating func examine(_ row: StoredRow) throws(StoreError) -> Verdict {
        guard let header = row.header else {
            return .damaged(row.isMissing ? .isMissing : .columns)
        }
        guard let metadata = keys.metadata(header.domain) else {
            return header.reference.itemClass == plan.filter.itemClass ? .hidden : .mismatch
        }
        guard header.isAuthentic(row, keys: metadata, storeID: storeID) else {
            return .damaged(.code)
        }
        // Only now may the row be left out because of its content.
        guard header.reference.itemClass == plan.filter.itemClass else { return .mismatch }
        let expected = try expectation(header.domain, metadata)
        guard plan.isFoundRightly(row.slots, expected) else {
            return .damaged(.isListedWrongly)
        }
        return plan.matches(row.slots, expected) ? .candidate(header, metadata) : .mismatch
    }

    /// Whether the filter matches a row with a wrong code, by its unencrypted columns alone. That is enough to delete
    /// it at its owner's request.
    mutating func isMeant(_ row: StoredRow) throws(StoreError) -> Bool {
        guard plan.neededParts.isEmpty, let header = row.header, header.reference.itemClass == plan.filter.itemClass,
            let metadata = keys.metadata(header.domain)
        else { return false }
        let expected = try expectation(header.domain, metadata)
        return plan.isFoundRightly(row.slots, expected) && plan.matches(row.slots, expected)
    }

    /// The attributes of a row that ``examine(_:)`` accepted; nil if they do not open.
    func attributes(_ row: StoredRow, _ header: RowHeader, _ metadata: MetadataKeys) -> OpenedAttributes? {
        let context = header.context(storeID: storeID)
            .forAttributes(primaryKey: header.primaryKey, slots: row.slots)
        return SealedBytes.open(
            nonce: row.attributesNonce, ciphertext: row.attributes, context: context, with: metadata.attributes
        ).flatMap(OpenedAttributes.init)
    }

    /// The reason not to trust an item that is always accessible, as far as the keys of other items can tell; nil if
    /// there is none.
    ///
    /// Anyone who has both files can create such rows without the passphrase. The rows must match their look-up values,
    /// and none may replace a protected item.
    ///
    /// - Parameter opened: The row's attributes, or nil to read them here.
    func forgery(
        _ rows: any SealedRows, _ row: StoredRow, _ header: RowHeader, _ opened: OpenedAttributes?
    ) throws -> RowDamage? {
        guard header.domain == .always, let main = keys.metadata(.main), let always = keys.metadata(.always) else {
            return nil
        }
        guard let attributes = try (opened ?? readAttributes(rows, header, always))?.values else {
            return .attributes
        }
        let record = ItemRecord(reference: header.reference, attributes: attributes, secrets: [:])
        guard try Self.isIndexed(record, in: row, header, always) else { return .slots }
        return try rows.hasRow(primaryKey: main.blind(record.primaryKey)) ? .twin : nil
    }

    /// Whether the row's unsealed columns are those of the record's attributes.
    static func isIndexed(
        _ record: ItemRecord, in row: StoredRow, _ header: RowHeader, _ keys: MetadataKeys
    ) throws(StoreError) -> Bool {
        let index = try ItemIndex(itemClass: record.itemClass, attributes: record.attributes, keys: keys)
        return record.accessible == header.accessible && index.primaryKey == header.primaryKey
            && row.slots.elementsEqual(index.slots)
    }

    private func readAttributes(
        _ rows: any SealedRows, _ header: RowHeader, _ metadata: MetadataKeys
    ) throws -> OpenedAttributes? {
        var attributes: OpenedAttributes?
        try rows.forEachRow(.number(header.id), RowColumns(attributes: true, secrets: false)) { found in
            attributes = self.attributes(found, header, metadata)
            return false
        }
        return attributes
    }

    /// The secrets of a row.
    enum Secrets {
        case opened([ItemAttribute: Secret])
        /// Each is sealed to the guard key.
        case guarded(GuardedSecrets)
        case locked
        case damaged
    }

    func secrets(_ row: StoredRow, _ header: RowHeader) -> Secrets {
        guard let key = keys.secretKey(for: header.accessible) else { return .locked }
        // The code covers the nonces. If there is none, there never were secrets.
        if row.secretsNonce.isEmpty { return row.secrets.isEmpty ? .opened([:]) : .damaged }
        let context = header.context(storeID: storeID).forSecrets
        let opened = SealedBytes.open(
            nonce: row.secretsNonce, ciphertext: row.secrets, context: context, with: key)
        guard let opened else { return .damaged }
        if header.mark == .sealed { return opened.withUnsafeBytes(Self.guarded).map(Secrets.guarded) ?? .damaged }
        return opened.withUnsafeBytes(ValueCoding.decodeSecrets).map(Secrets.opened) ?? .damaged
    }

    /// The secrets sealed to the guard key, or nil if the bytes are not in that form.
    private static func guarded(_ bytes: UnsafeRawBufferPointer) -> GuardedSecrets? {
        guard let values = ValueCoding.decodeAttributes(bytes), !values.isEmpty else { return nil }
        var sealed: [ItemAttribute: Data] = [:]
        for (attribute, value) in values {
            guard case .data(let bytes) = value else { return nil }
            sealed[attribute] = bytes
        }
        return GuardedSecrets(sealed: sealed)
    }

    /// Whether a record's constraints agree with its row and can be read. The record must have its attributes.
    static func hasConstraints(_ record: ItemRecord, of header: RowHeader) -> Bool {
        do throws(StoreError) {
            let constraints = try record.constraints
            return (constraints != nil) == (header.mark != nil)
                && (header.mark != .sealed || constraints?.takePassphrase == true)
        } catch {
            return false
        }
    }
}
