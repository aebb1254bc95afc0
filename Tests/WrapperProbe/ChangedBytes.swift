// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainCoding
import SecItemConformance

/// Bytes that were truncated, spliced, or changed by flipped bits or a replaced value, and random bytes.
enum ChangedBytes {
    static func changed(_ data: Data, _ others: [Data], _ generator: inout SeededGenerator) -> Data {
        guard !data.isEmpty else { return data }
        switch generator.next() % 10 {
        case 0: return data.dropLast(Int.random(in: 1...data.count, using: &generator))
        case 1:
            let other = others.randomElement(using: &generator) ?? data
            return data.prefix(Int.random(in: 0...data.count, using: &generator)) + other.suffix(64)
        case 2: return meaningless(&generator)
        case 3, 4, 5: return replaced(data, &generator) ?? flipped(data, &generator)
        default: return flipped(data, &generator)
        }
    }

    private static func meaningless(_ generator: inout SeededGenerator) -> Data {
        let bytes = Data((0..<Int.random(in: 0..<200, using: &generator)).map { _ in byte(&generator) })
        return generator.next() % 2 == 0 ? Data("bplist00".utf8) + bytes : bytes
    }

    private static func flipped(_ data: Data, _ generator: inout SeededGenerator) -> Data {
        var bytes = Array(data)
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
            // Most of the references for a reader are at the end.
            let isLate = generator.next() % 2 == 0
            let first = isLate ? max(0, bytes.count - 120) : 0
            let place = Int.random(in: first..<bytes.count, using: &generator)
            switch generator.next() % 4 {
            case 0: bytes[place] = byte(&generator)
            case 1: bytes[place] = Array("0123456789<>/&;\"[]{}-.e".utf8).randomElement(using: &generator) ?? 0
            default: bytes[place] ^= 1 << UInt8(generator.next() % 8)
            }
        }
        return Data(bytes)
    }

    private static func byte(_ generator: inout SeededGenerator) -> UInt8 { .random(in: 0...255, using: &generator) }

    /// The list in the bytes with one to three replaced values, which flipped bits rarely produce.
    private static func replaced(_ data: Data, _ generator: inout SeededGenerator) -> Data? {
        guard var list = try? PropertyList(data: data) else { return nil }
        for _ in 0..<Int.random(in: 1...3, using: &generator) { list = ChangedList.changed(list, &generator) }
        return list.binary
    }
}

/// A list in which one value is replaced, removed or moved.
enum ChangedList {
    static func changed(_ list: PropertyList, _ generator: inout SeededGenerator) -> PropertyList {
        switch list {
        case .array(let values) where !values.isEmpty && generator.next() % 8 != 0:
            return .array(changed(values, &generator))
        case .dictionary(let entries) where !entries.isEmpty && generator.next() % 8 != 0:
            return .dictionary(changed(entries, &generator))
        default: return value(list, &generator)
        }
    }

    private static func changed(_ values: [PropertyList], _ generator: inout SeededGenerator) -> [PropertyList] {
        var values = values
        let place = Int.random(in: values.indices, using: &generator)
        switch generator.next() % 12 {
        case 0: values.remove(at: place)
        case 1: values.append(values[place])
        case 2: values.swapAt(place, Int.random(in: values.indices, using: &generator))
        default: values[place] = changed(values[place], &generator)
        }
        return values
    }

    private static func changed(
        _ entries: [ExactText: PropertyList], _ generator: inout SeededGenerator
    ) -> [ExactText: PropertyList] {
        var entries = entries
        // Sorted, because the order of a dictionary differs in each process.
        let keys = entries.keys.sorted()
        guard let key = keys.randomElement(using: &generator), let value = entries[key] else { return entries }
        switch generator.next() % 12 {
        case 0: entries[key] = nil
        case 1: entries[ExactText(RandomObjects.text(&generator))] = value
        case 2: entries[key] = keys.randomElement(using: &generator).flatMap { entries[$0] }
        default: entries[key] = changed(value, &generator)
        }
        return entries
    }

    /// A value at the limit of what a reader expects, usually of the same type.
    private static func value(_ old: PropertyList, _ generator: inout SeededGenerator) -> PropertyList {
        let all = generator.next() % 4 == 0 ? ofAnyKind(&generator) : ofTheKind(of: old, &generator)
        return all.randomElement(using: &generator) ?? .boolean(false)
    }

    private static func ofTheKind(of old: PropertyList, _ generator: inout SeededGenerator) -> [PropertyList] {
        switch old {
        case .boolean, .integer, .unsigned: integers(&generator)
        case .real, .date: reals(&generator)
        case .data: data(&generator)
        case .text: texts(&generator)
        case .reference: references(&generator)
        case .array, .dictionary: ofAnyKind(&generator)
        }
    }

    private static func ofAnyKind(_ generator: inout SeededGenerator) -> [PropertyList] {
        integers(&generator) + reals(&generator) + data(&generator) + texts(&generator) + references(&generator)
            + [.boolean(true), .boolean(false), .array([]), .dictionary([:])]
    }

    private static func integers(_ generator: inout SeededGenerator) -> [PropertyList] {
        let near = Int64(generator.next() % 300)
        return [
            .integer(.max), .integer(.min), .integer(.max / 2 + 1), .integer(-1), .integer(0), .integer(1), .integer(2),
            .integer(near), .integer(near), .integer(Int64(Int32.max)), .unsigned(.max),
        ]
    }

    private static func reals(_ generator: inout SeededGenerator) -> [PropertyList] {
        let numbers = [.nan, .infinity, -.infinity, 1e300, -1e300, -0.0, 1e15, Double(bitPattern: generator.next())]
        return numbers.map { .real($0) } + numbers.map { .date($0) }
    }

    private static func data(_ generator: inout SeededGenerator) -> [PropertyList] {
        let count = generator.next() % 40
        let random = Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) })
        return [.data(Data()), .data(random), .data(random), .data(Data(repeating: 0xFF, count: 16))]
    }

    private static func texts(_ generator: inout SeededGenerator) -> [PropertyList] {
        let names = classNames.randomElement(using: &generator) ?? ""
        let odd = oddTexts.randomElement(using: &generator) ?? ""
        return [.text(names), .text(names), .text(odd), .text(odd), .text(RandomObjects.text(&generator))]
    }

    private static func references(_ generator: inout SeededGenerator) -> [PropertyList] {
        (0..<5).map { _ in .reference(Int(generator.next() % 40)) } + [.reference(0), .reference(1 << 31)]
    }

    private static let classNames = [
        "NSArray", "NSMutableArray", "NSDictionary", "NSMutableDictionary", "NSSet", "NSMutableSet", "NSOrderedSet",
        "NSMutableOrderedSet", "NSString", "NSMutableString", "NSData", "NSMutableData", "NSDate", "NSNumber",
        "NSDecimalNumber", "NSDecimalNumberPlaceholder", "NSNull", "NSURL", "NSUUID", "NSError", "NSAttributedString",
        "NSMutableAttributedString", "NSRegularExpression", "NSDateComponents", "NSTimeZone", "NSLocale", "NSCalendar",
        "NSDateInterval", "NSIndexSet", "NSMutableIndexSet", "NSIndexPath", "NSValue", "NSObject", "NSCoder", "NSTask",
        "NSPredicate", "NSExpression", "NSKeyedUnarchiver", "WrapperProbe.Badge", "WrapperProbe.FailingBadge",
        "WrapperProbe.UnkeyedBadge", "WrapperProbe.BadgeOfBadges", "WrapperProbe.CarelessBadge",
        "WrapperProbe.Circles", "Swift.Array", "Foundation.NSArray", "Lockbox.Lockbox", "_TtC10Foundation7NSArray",
        "_TtCO12WrapperProbe5Outer10InnerBadge", "_TtCO99999999999999999999Wrapper", "_TtCCCCCCCC", "_Tt", "$null",
    ]

    private static let oddTexts = [
        "Europe/Vienna", "../../../../etc/passwd", "/dev/zero", "/dev/stdin", "GMT+99999", "UTC\u{0}",
        String(repeating: "a", count: 5000), String(repeating: "(", count: 5000), "(a{1,999}){1,999}", "(?<=a*)", "[",
        "gregorian", "islamic-umalqura", "de_AT@calendar=hebrew;numbers=arab", "{1, 2}", "{{1, 2}, {3, nan}}", "%",
        "https://[::1", "file:///\u{0}", "1e400", "{{,}}", "NSLocalizedDescription", "NSUnderlyingError",
    ]
}
