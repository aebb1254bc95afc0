// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore
import Testing

@testable import SecItemShim

/// The value of `kSecAttrSHA1` distinguishes items.
@Suite struct DigestTests {
    private static let date = Date(timeIntervalSinceReferenceDate: 0)

    private static func digest(
        _ attributes: [ItemAttribute: AttributeValue], _ secrets: [ItemAttribute: String] = [:]
    ) -> Data {
        ItemRecord(
            reference: PersistentReference(itemClass: .genericPassword), attributes: attributes,
            secrets: secrets.mapValues { Secret(Data($0.utf8)) }
        ).digest
    }

    /// If the same bytes belong to other attributes or to the secrets, the digest differs.
    @Test func sameBytes_dividedOtherwise_haveOtherDigests() {
        let text = "abcdef"
        let parts: [ItemAttribute] = [.account, .service, .label]
        var digests: [Data] = [], contents: Set<String> = []
        func digest(_ attributes: [ItemAttribute: AttributeValue], _ secrets: [ItemAttribute: String] = [:]) {
            digests.append(Self.digest(attributes, secrets))
            let texts = attributes.mapValues { "\($0)" }.merging(secrets) { $1 }
            contents.insert("\(secrets.keys.count) \(texts.map { "\($0)=\($1)" }.sorted())")
        }
        for first in 0...text.count {
            for second in first...text.count {
                let cuts = [0, first, second, text.count]
                let values = zip(cuts, cuts.dropFirst()).map { String(text.dropFirst($0).prefix($1 - $0)) }
                let all = Dictionary(uniqueKeysWithValues: zip(parts, values.map { AttributeValue.string($0) }))
                digest(all)
                for (attribute, value) in zip(parts, values) {
                    let others = all.filter { $0.key != attribute }
                    digest(others)
                    digest(others, [.valueData: value])
                    digest(others, [.valueData: value, .extraNotes: text])
                    digest(others, [.valueData: text, .extraNotes: value])
                }
            }
        }
        let distinct = Set(digests)
        #expect(distinct.count == contents.count && contents.count > 60)
        #expect(distinct.allSatisfy { $0.count == 20 })
    }

    /// The digest covers exactly the attributes that a look-up returns.
    @Test func attribute_counts_whenLookUpsReturnIt() {
        for itemClass in ItemClass.stored {
            let record = { (attributes: [ItemAttribute: AttributeValue]) in
                ItemRecord(
                    reference: PersistentReference(itemClass: itemClass), attributes: attributes, secrets: [:])
            }
            for row in ItemSchema.schema(of: itemClass).rows {
                let counts = record([row.attribute: .integer(7)]).digest != record([:]).digest
                #expect(counts == row.roles.contains(.copyResult), "\(itemClass) \(row.attribute)")
            }
        }
    }
}
