// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemConformance
import SecItemStore
import TestSupport
import Testing

@testable import SecItemSQLite
@testable import SecItemSealing

/// Parts of the file format that must not change without a new format.
@Suite struct FormatTests {
    /// The next version must find the rows of this one, so the set of attributes with slots is part of the format.
    @Test func slots_areThoseOfFormat1() {
        func slots(_ itemClass: ItemClass, _ isWanted: (UInt32, ItemSchema) -> Bool = { _, _ in true }) -> String {
            let schema = ItemSchema.schema(of: itemClass)
            return schema.rows.filter { $0.isDecisive && isWanted($0.attribute.fourCharCode, schema) }
                .map(\.attribute.code).sorted().joined(separator: " ")
        }
        #expect(slots(.genericPassword) == "acct agrp gena ggrp labl musr svce sync tkid tomb vwht")
        #expect(
            slots(.internetPassword)
                == "acct agrp alis atyp ggrp labl musr path port ptcl sdmn srvr sync tkid tomb vwht")
        #expect(
            slots(.certificate) == "agrp alis ctyp ggrp issr labl musr pkhh skid slnr subj sync tkid tomb vwht")
        #expect(
            slots(.key)
                == "agrp alis atag bsiz crtr edat esiz ggrp kcls klbl labl musr sdat sync tkid tomb type vwht")
        #expect(slots(.genericPassword, ItemIndex.isLookup) == "acct agrp gena ggrp labl svce tkid vwht")
        #expect(
            slots(.internetPassword, ItemIndex.isLookup)
                == "acct agrp alis atyp ggrp labl path port ptcl sdmn srvr tkid vwht")
        #expect(
            slots(.certificate, ItemIndex.isLookup)
                == "agrp alis ctyp ggrp issr labl pkhh skid slnr subj tkid vwht")
        #expect(
            slots(.key, ItemIndex.isLookup)
                == "agrp alis atag bsiz crtr edat esiz ggrp kcls klbl labl sdat tkid type vwht")
    }

    /// Cached blinds are those of the value, attribute and class, with any number of threads.
    @Test func keptBlinds_areThoseThatWouldBeWorkedOut() throws {
        let keys = try MetadataKeys(Secret.randomKey())
        var random = SeededGenerator()
        for _ in 0..<2_000 {
            let number = Int64.random(in: 0..<40, using: &random)
            let value = (number < 20 ? AttributeValue.integer(number) : .string("\(number)")).matchKey
            let attribute = try #require([ItemAttribute.synchronizable, .accessGroup].randomElement(using: &random))
            let itemClass = try #require(ItemClass.stored.randomElement(using: &random))
            #expect(
                try keys.lastingBlind(value, of: attribute, in: itemClass)
                    == keys.blind(value, of: attribute, in: itemClass))
        }
    }

    @Test func plan_serviceAndAccount_takesNaturalKey() {
        let plan = LookupPlan(.password(service: "service", account: "account", more: [.label: .string("label")]))
        guard case .naturalKey(0, _) = plan.probe else { return #expect(Bool(false), "\(plan.probe)") }
        #expect(plan.isDecidedBySlots)
    }

    @Test func plan_comment_isNotDecidedBySlots() {
        #expect(!LookupPlan(.password(service: "service", more: [.comment: .string("x")])).isDecidedBySlots)
    }

    @Test func plan_twoAttributes_takesTheRarer() throws {
        let folder = try TemporaryFolder()
        let store = try openStore(folder.location)
        for number in 0..<50 {
            try store.insert(
                .password(service: "\(number)", account: "\(number % 2)", more: [.generic: .string("\(number / 2)")]))
        }
        func probed(_ filter: RecordFilter) throws -> ItemAttribute? {
            let plan = LookupPlan(filter)
            return try store.perform(.allowed) { (keys, _, _) throws(StoreError) in
                try store.connection.read { database in
                    guard case .attribute(let attribute, _) = try plan.refined(database, keys).probe else { return nil }
                    return attribute
                }
            }
        }
        #expect(try probed(.password(account: "1", more: [.generic: .string("3")])) == .generic)
        #expect(try store.find(.password(account: "1", more: [.generic: .string("3")])).count == 1)
        #expect(try probed(.password(account: "1", groups: ["group"])) == .account)
    }
}
