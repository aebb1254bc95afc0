// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim
import SecItemStore

extension ConformanceSuite {
    /// Random texts in every attribute that accepts text. The texts are the same in each run unless `SECITEM_SEED` sets
    /// the first seed. A slow store runs only the first of the two seeds.
    static let randomTextCases: [ConformanceCase] = ItemClass.stored.flatMap { itemClass in
        RandomRounds.usually(2).map { number in
            let seed = (RandomSeed.wanted ?? 1) &+ UInt64(number)
            /// 1.15, 1.18, 1.19: Texts are returned with the same code points, and find their item.
            return ConformanceCase(
                "randomTexts_\(itemClass.rawValue)_seed\(seed)_comeBackAndFind", rules: "1.15", "1.18", "1.19",
                needs: RandomRounds.usually(1).contains(number) ? [] : .speed
            ) { keychain in
                var run = RandomTextRun(keychain: keychain, itemClass: itemClass, seed: seed)
                for round in 0..<3 { try run.addChangeAndDelete(round) }
            }
        }
    }
}

/// Items of one class, each with random texts in all its attributes.
private struct RandomTextRun {
    private let keychain: ConformanceKeychain
    private let item: CFDictionary
    private let rows: [ItemSchema.Row]
    private let seed: UInt64
    private var random: SeededGenerator

    init(keychain: ConformanceKeychain, itemClass: ItemClass, seed: UInt64) {
        self.keychain = keychain
        self.seed = seed
        item = [kSecClass: itemClass.rawValue] as CFDictionary
        random = SeededGenerator(seed: seed)
        rows = ItemSchema.schema(of: itemClass).rows.filter { row in
            [.string, .blob, .data, .number].contains(row.kind) && row.roles.contains([.settable, .copyResult])
                && !row.roles.contains(.secret) && !Self.withOtherRules.contains(row.attribute)
        }
    }

    /// Attributes that accept only certain values.
    private static let withOtherRules: [ItemAttribute] = [
        .accessGroup, .accessible, .appClipItem, .issuer, .multiUser, .sharingGroup, .synchronizable, .tombstone,
    ]

    mutating func addChangeAndDelete(_ round: Int) throws {
        do {
            let (first, second) = (texts(), texts())
            try expect(keychain.add(item.withTexts(first)))
            try expectFound(first)
            try expect(
                keychain.update(item.withTexts(first), ([:] as CFDictionary).withTexts(second)), errSecSuccess,
                "update:")
            try expectFound(second)
            try expect(keychain.delete(item.withTexts(second)), errSecSuccess, "delete:")
            try expect(keychain.copyMatching(item), errSecItemNotFound)
        } catch let failure as ConformanceFailure {
            throw ConformanceFailure(
                description: "seed \(seed), round \(round): \(failure.description)", file: failure.file,
                line: failure.line)
        }
    }

    private func expectFound(_ texts: [String: String]) throws {
        let shown = try keychain.dictionary(item.with(kSecReturnAttributes, true))
        for row in rows {
            let code = row.attribute.code
            let text = try expectValue(texts[code], "a text")
            let points = text.unicodeScalars.map { String($0.value, radix: 16) }.joined(separator: " ")
            try expect(isSame(shown[code], text, row.kind), "\(code) [\(points)] came back different")
            try expect(
                keychain.copyMatching(item.withTexts([code: text])), errSecSuccess, "look-up by \(code) [\(points)]:")
        }
    }

    /// Whether the value is the stored form of a text in an attribute of this kind.
    private func isSame(_ value: Any?, _ text: String, _ kind: AttributeKind) -> Bool {
        switch kind {
        case .data: return value as? Data == Data(text.utf8)
        case .number:
            if let number = Int32(text), "\(number)".utf8.elementsEqual(text.utf8) {
                return value as? String == nil && value as? Int == Int(number)
            }
        default: break
        }
        return (value as? String).map { $0.utf8.elementsEqual(text.utf8) } ?? false
    }

    // MARK: Texts

    private mutating func texts() -> [String: String] {
        var texts: [String: String] = [:]
        for row in rows { texts[row.attribute.code] = text() }
        return texts
    }

    private mutating func text() -> String {
        var text = ""
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            if Bool.random(using: &random) {
                text += Self.pieces[Int.random(in: 0..<Self.pieces.count, using: &random)]
            } else if let scalar = Unicode.Scalar(UInt32.random(in: 0...0x10FFFF, using: &random)) {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    /// Texts that a store could misread: its own markers, numbers, characters that combine with the one before, and
    /// characters that end a text or a line.
    private static let pieces = [
        "secitem.text:", "secitem.base64:", "secitem.number:", "secitem.real:", "secitem.date:", "secitem:",
        "\u{301}", "\u{300}\u{301}", "\u{200D}", "\u{FE0F}", "5", "-7", "-0", "007", "1.5", "2147483648", "AA==", "\0",
        "\r\n", "\n", " ", "\u{7F}", "\u{FEFF}", "\u{FFFE}", "\u{85}", "e\u{301}", "é", "https", "htps", "dflt", "=",
        ";",
    ]
}

extension CFDictionary {
    fileprivate func withTexts(_ texts: [String: String]) -> CFDictionary {
        texts.reduce(self) { $0.with($1.key as NSString, $1.value) }
    }
}
