// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore
import Testing

@testable import SecItemGnome

/// Values that are stored as text in the Secret Service are read back exactly.
@Suite struct ValueTextTests {
    /// A small generator with a seed, so that a failure can be repeated.
    private struct Generator: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ state >> 29
        }
    }

    private static let pieces = [
        "secitem.text:", "secitem.base64:", "secitem.number:", "secitem.real:", "secitem.date:", "secitem.", "secitem:",
        "\u{301}", "\u{300}\u{301}", "5", "-0", "+5", "007", "1.5", "AAAA", "AA==", "", " ", "\0", "\r\n", "\n",
        "\u{7F}",
        "\u{FEFF}", "\u{FFFE}", "\u{200D}", "\u{1F468}\u{200D}\u{1F469}", "e\u{301}", "é", "https", "htps", "http",
        "basic", "K", "\u{212A}", "\u{1100}\u{1161}", "\u{10FFFF}", "nan", "inf", "0x10", "a=b", ";",
    ]

    private static func text(_ generator: inout Generator) -> String {
        (0..<Int.random(in: 0...4, using: &generator)).map { _ -> String in
            if Int.random(in: 0...2, using: &generator) > 0 { return pieces.randomElement(using: &generator) ?? "" }
            return Unicode.Scalar(UInt32.random(in: 0...0x10FFFF, using: &generator)).map { String($0) } ?? ""
        }.joined()
    }

    private static let notFinite = [
        Double.infinity, -.infinity, .nan, -.nan, Double(nan: 5, signaling: false), Double(nan: 5, signaling: true),
    ]

    private static func value(_ generator: inout Generator) -> AttributeValue {
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
        let seed =
            ProcessInfo.processInfo.environment["SECITEM_SEED"].flatMap(UInt64.init) ?? UInt64.random(in: 0...99_999)
        print("SECITEM_SEED=\(seed)")
        var generator = Generator(state: seed)
        for row in ItemSchema.schema(of: itemClass).rows {
            let attribute = row.attribute
            let text = ValueText(attribute, of: itemClass)
            var known: [String: MatchKey] = [:]
            for _ in 0..<400 {
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
        var generator = Generator(state: 7)
        for _ in 0..<300 {
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
