// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemConformance
import SecItemStore
import Testing

@testable import SecItemGnome

/// Values that are stored as text in the Secret Service are read back exactly.
@Suite struct ValueTextTests {
    private static let pieces = [
        "secitem.text:", "secitem.base64:", "secitem.number:", "secitem.real:", "secitem.date:", "secitem.", "secitem:",
        "\u{301}", "\u{300}\u{301}", "5", "-0", "+5", "007", "1.5", "AAAA", "AA==", "", " ", "\0", "\r\n", "\n",
        "\u{7F}",
        "\u{FEFF}", "\u{FFFE}", "\u{200D}", "\u{1F468}\u{200D}\u{1F469}", "e\u{301}", "é", "https", "htps", "http",
        "basic", "K", "\u{212A}", "\u{1100}\u{1161}", "\u{10FFFF}", "nan", "inf", "0x10", "a=b", ";",
    ]

    private static func text(_ generator: inout SeededGenerator) -> String {
        (0..<Int.random(in: 0...4, using: &generator)).map { _ -> String in
            if Int.random(in: 0...2, using: &generator) > 0 { return pieces.randomElement(using: &generator) ?? "" }
            return Unicode.Scalar(UInt32.random(in: 0...0x10FFFF, using: &generator)).map { String($0) } ?? ""
        }.joined()
    }

    private static let notFinite = [
        Double.infinity, -.infinity, .nan, -.nan, Double(nan: 5, signaling: false), Double(nan: 5, signaling: true),
    ]

    private static func value(_ generator: inout SeededGenerator) -> AttributeValue {
        switch Int.random(in: 0...8, using: &generator) {
        case 0: .integer(Int64.random(in: .min ... .max, using: &generator))
        case 1: .integer(Int64.random(in: -2...2, using: &generator))
        case 2: .real(Double(Int64.random(in: -9...9, using: &generator)) / 4)
        case 7: .real(notFinite.randomElement(using: &generator) ?? .infinity)
        case 8:
            .date(Date(timeIntervalSinceReferenceDate: notFinite.randomElement(using: &generator) ?? .infinity))
        case 3: .date(Date(timeIntervalSinceReferenceDate: Double.random(in: -1e9...1e9, using: &generator)))
        case 4: .data(Data((0..<3).map { _ in UInt8.random(in: .min ... .max, using: &generator) }))
        case 5: .data(Data(text(&generator).utf8))
        default: .string(text(&generator))
        }
    }

    @Test(arguments: ItemClass.stored)
    func everyAttribute_ofEveryClass_comesBack(itemClass: ItemClass) {
        var generator = SeededGenerator()
        for row in ItemSchema.schema(of: itemClass).rows {
            let attribute = row.attribute
            let text = ValueText(attribute, of: itemClass)
            var known: [String: MatchKey] = [:]
            for _ in RandomRounds.usually(200) {
                let value = Self.value(&generator)
                let written = text.text(of: value)
                let mark = text.mark(of: value)
                let read = text.value(of: written, type: mark)
                let comment = Comment("\(attribute) \(value.shown) as \(written)")
                #expect(read?.shown == value.shown, comment)
                #expect(read?.matchKey == value.matchKey, comment)
                // Different values must not have the same text, because a search would then find both.
                let bytes = Data(written.utf8).base64EncodedString()
                #expect(known[bytes] == nil || known[bytes] == value.matchKey, comment)
                known[bytes] = value.matchKey
            }
        }
    }

    @Test(arguments: ItemClass.stored)
    func everyRecord_comesBackFromItsAttributes(itemClass: ItemClass) {
        var generator = SeededGenerator()
        for _ in RandomRounds.usually(150) {
            var attributes: [ItemAttribute: AttributeValue] = [:]
            for row in ItemSchema.schema(of: itemClass).rows
            where !row.roles.contains(.secret) && Bool.random(using: &generator) {
                attributes[row.attribute] = Self.value(&generator)
            }
            for row in ItemSchema.schema(of: itemClass).requiredRows where attributes[row.attribute] == nil {
                attributes[row.attribute] = row.kind.emptyValue
            }
            let record = ItemRecord(
                reference: PersistentReference(itemClass: itemClass), attributes: attributes, secrets: [:])
            let read = ItemRecord(ownAttributes: record.ownAttributes())
            #expect(read?.reference == record.reference)
            #expect(Set(read?.attributes.keys ?? [:].keys) == Set(attributes.keys))
            for (attribute, value) in attributes {
                #expect(read?.attributes[attribute]?.shown == value.shown, "\(attribute)")
            }
        }
    }
}

extension AttributeValue {
    /// Foundation cannot print a date that is not finite.
    fileprivate var shown: String {
        if case .date(let date) = self { "date \(date.timeIntervalSinceReferenceDate)" } else { "\(self)" }
    }
}
