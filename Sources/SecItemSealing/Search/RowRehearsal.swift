// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// Seals an item that nobody sees, then finds, opens and changes its row, all in memory.
///
/// Swift creates many types when code runs for the first time, and the child of a fork in the middle of that waits for
/// ever. See ``FirstUse``.
package enum RowRehearsal {
    private static let storeID = [UInt8](repeating: 0, count: 16)

    /// Runs it. An error is ignored: the operation that follows meets it again and reports it.
    package static func run() {
        try? rehearse()
    }

    private static func rehearse() throws {
        let writer = RowWriter(keys: try randomKeys(), storeID: storeID)
        let account = [ItemAttribute.account: AttributeValue.string("rehearsal")]
        let record = ItemRecord(
            reference: PersistentReference(itemClass: .genericPassword), attributes: account,
            secrets: [.valueData: Secret(Data("data".utf8))])
        let row = try OneRow(writer.sealed(record))
        let plan = LookupPlan(RecordFilter(itemClass: .genericPassword, attributes: account))
        // A plan that compares attributes, and one of a natural key.
        for other in [ItemAttribute.label, .service] {
            let both = account.merging([other: .string("rehearsal")]) { $1 }
            _ = LookupPlan(RecordFilter(itemClass: .genericPassword, attributes: both, accessGroups: ["rehearsal"]))
        }
        var search = RowSearch(
            reader: try RowReader(plan: plan.refined(row, writer.keys), keys: writer.keys, storeID: storeID),
            parts: [.attributes, .secrets], purpose: .lookUp(skipsLocked: false))
        for record in try search.records(row) {
            _ = record.attributes[.account]
            _ = record.secrets[.valueData]?.data()
        }
        var damage = DamageReport()
        let matches = try RowMatch.all(
            plan, in: row, keys: writer.keys, storeID: storeID, reading: [.attributes, .secrets], for: .change, &damage)
        let changes = RecordChanges(attributes: account, secrets: record.secrets)
        for match in matches { _ = try writer.change(match, changes) { _ in nil } }
    }

    private static func randomKeys() throws(StoreError) -> KeySet {
        var keys = KeyTable<Secret>()
        for name in KeyName.required where name != .root { keys[name] = try .randomKey() }
        guard let set = try KeySet(keys) else { throw .locked }
        return set
    }
}

/// The only row of a keychain.
private struct OneRow: SealedRows {
    private let item: SealedItem
    private let code: Blind
    private let number: Int64 = 1

    init(_ item: SealedItem) throws(StoreError) {
        self.item = item
        code = try item.code(id: number)
    }

    func forEachRow(_ source: RowSource, _ columns: RowColumns, _ body: (StoredRow) throws -> Bool) throws {
        let reference = withUnsafeBytes(of: item.reference.uuid.uuid) { Array($0) }
        let attributes = [UInt8](item.attributes.ciphertext)
        var secrets: [UInt8] = []
        if case .sealed(let sealed) = item.secrets { secrets = [UInt8](sealed.ciphertext) }
        let columns: [[UInt8]] = [
            Array(item.reference.itemClass.rawValue.utf8), reference, Array(item.accessible.rawValue.utf8),
            item.index.primaryKey.withUnsafeBytes { Array($0) }, Array(item.index.slots), item.nonces,
            code.withUnsafeBytes { Array($0) }, attributes, secrets,
        ]
        // One buffer, so that each column stays where it is during the call.
        let bytes = Array(columns.joined())
        try bytes.withUnsafeBytes { bytes in
            var start = 0
            let fields = columns.map { column in
                defer { start += column.count }
                return UnsafeRawBufferPointer(rebasing: bytes[start..<start + column.count])
            }
            _ = try body(
                StoredRow(
                    wantedID: number, id: number, isMissing: false, itemClass: fields[0], reference: fields[1],
                    accessible: fields[2], primaryKey: fields[3], slots: fields[4], nonces: fields[5],
                    code: fields[6], attributes: fields[7], secrets: fields[8]))
        }
    }

    func hasRow(primaryKey: Blind) throws -> Bool { false }

    func count(of blind: Blind, atMost limit: Int) throws -> Int { 1 }

    func hasProtectedRows(of itemClass: ItemClass) throws -> Bool { true }
}
