// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemConformance
import SecItemStore
import TestSupport
import Testing

@testable import SecItemSQLite
@testable import SecItemSealing

/// Every look-up plan finds the same rows as a scan of all rows.
@Suite struct PlanTests {
    private static let texts = ["", "a", "b", "c"]

    private func value(_ kind: Int, _ generator: inout SeededGenerator) -> AttributeValue {
        let text = Self.texts.randomElement(using: &generator) ?? ""
        return kind == 0 ? .data(Data(text.utf8)) : .string(text)
    }

    private func values(
        _ attributes: [ItemAttribute], _ generator: inout SeededGenerator
    ) -> [ItemAttribute: AttributeValue] {
        var result: [ItemAttribute: AttributeValue] = [:]
        for attribute in attributes where Bool.random(using: &generator) {
            result[attribute] = value(Int.random(in: 0..<4, using: &generator), &generator)
        }
        return result
    }

    /// Attributes that plans use, one without a slot, and other attributes of the class.
    private static let attributes: [ItemClass: [ItemAttribute]] = [
        .genericPassword: [.service, .account, .generic, .label, .alias, .comment],
        .internetPassword: [.server, .account, .path, .securityDomain, .label, .comment],
        .certificate: [.issuer, .serialNumber, .subject, .subjectKeyID, .publicKeyHash, .label],
        .key: [.applicationLabel, .applicationTag, .label, .alias],
    ]

    @Test func everyPlan_findsWhatAFullScanFinds() throws {
        var generator = SeededGenerator()
        let folder = try TemporaryFolder()
        let store = try openStore(folder.location)
        for _ in 0..<150 {
            guard let (itemClass, attributes) = Self.attributes.randomElement(using: &generator) else { continue }
            var record = ItemRecord(
                reference: PersistentReference(itemClass: itemClass), attributes: values(attributes, &generator),
                secrets: [:])
            record.attributes[.accessGroup] = .string(["", "g", "h"].randomElement(using: &generator) ?? "")
            record.attributes[.accessible] = .string(Bool.random(using: &generator) ? "ak" : "dk")
            try? store.insert(record)
        }
        var sizes: Set<Int> = []
        for _ in 0..<400 {
            guard let (itemClass, attributes) = Self.attributes.randomElement(using: &generator) else { continue }
            let groups = [nil, ["g"], ["g", "h"], ["", "g"], [], ["none"]].randomElement(using: &generator) ?? nil
            let filter = RecordFilter(
                itemClass: itemClass, attributes: values(attributes, &generator), accessGroups: groups)
            let plan = LookupPlan(filter)
            let wanted = try references(store, LookupPlan(plan, probe: .everything))
            sizes.insert(wanted.count)
            #expect(try store.find(filter, []).map(\.reference) == wanted, "\(filter)")
            #expect(try references(store, plan) == wanted, "\(plan.probe) of \(filter)")
            // A scan of all rows decides on the decrypted attributes alone.
            let all = try store.find(RecordFilter(itemClass: itemClass), .attributes)
            #expect(all.filter(filter.matches).map(\.reference) == wanted, "\(filter)")
        }
        // Filters that find nothing would prove nothing.
        #expect(sizes.count > 3, "\(sizes)")
    }

    private func references(_ store: SQLiteStore, _ plan: LookupPlan) throws -> [PersistentReference] {
        try store.perform(.allowed) { (keys, _, damage) throws(StoreError) in
            try store.connection.read { database in
                let reader = try RowReader(plan: plan, keys: keys, storeID: store.storeID)
                var search = RowSearch(reader: reader, parts: [], purpose: .lookUp(skipsLocked: false))
                var found: [PersistentReference] = []
                try search.run(database) { found.append($0.record.reference) }
                #expect(search.damage.isEmpty)
                return found
            }
        }
    }
}
