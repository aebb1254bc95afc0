// SPDX-License-Identifier: Apache-2.0

import FXKeychain
import Foundation
import KCMutableDictionary
import Lockbox
import SecItemConformance
import Security

/// Random values that a program can hold, passed to the wrappers. None ends the process, and each value that was
/// reported as stored is read back.
enum RandomObjects {
    static func check(_ rounds: Int, _ generator: inout SeededGenerator) throws {
        let keychain = FXKeychain(service: "com.example.random", accessGroup: nil)
        let box: Lockbox = Lockbox(keyPrefix: "com.example.random")
        for round in 0..<rounds {
            FXKeychain.usesNSCoding = round.isMultiple(of: 2)
            let object = object(depth: 0, &generator)
            try check(keychain, object, round)
            if let coding = object as? any NSSecureCoding { try check(box, coding, round) }
            try checkDictionary(object, round)
        }
    }

    static func check(_ keychain: FXKeychain, _ object: Any, _ round: Int) throws {
        if keychain.setObject(object, forKey: "key") {
            guard keychain.object(forKey: "key") != nil else {
                throw Broken(description: "FXKeychain lost a \(type(of: object)) in round \(round)")
            }
        } else if keychain.lastStatus != errSecParam {
            throw Broken(description: "FXKeychain: \(keychain.lastStatus) in round \(round)")
        }
    }

    static func check(_ box: Lockbox, _ object: any NSSecureCoding, _ round: Int) throws {
        if box.archiveObject(object, forKey: "key") {
            guard box.unarchiveObject(forKey: "key") != nil else {
                throw Broken(description: "Lockbox lost a \(type(of: object)) in round \(round)")
            }
        } else if box.lastStatus != errSecParam {
            throw Broken(description: "Lockbox: \(box.lastStatus) in round \(round)")
        }
    }

    static func checkDictionary(_ object: Any, _ round: Int) throws {
        let dictionary = KCMutableDictionary.dictionary(withName: "random")
        dictionary["key"] = object
        if dictionary.lastError == nil {
            dictionary.forget()
            let again = KCMutableDictionary.dictionary(withName: "random")
            guard again["key"] != nil else {
                throw Broken(description: "KCMutableDictionary lost a \(type(of: object)) in round \(round)")
            }
            again.removeAllObjects()
        } else if dictionary.lastError?.code != .notPropertyList {
            throw Broken(
                description: "KCMutableDictionary: \(String(describing: dictionary.lastError)), round \(round)")
        }
    }

    // MARK: Values

    static func object(depth: Int, _ generator: inout SeededGenerator) -> Any {
        switch Int.random(in: 0..<10, using: &generator) {
        case 0..<3 where depth < 5: collection(depth: depth, &generator)
        case 3: number(&generator)
        case 4: text(&generator)
        case 5: data(&generator)
        case 6: odd(depth: depth, &generator)
        default: value(depth: depth, &generator)
        }
    }

    private static func objects(depth: Int, _ generator: inout SeededGenerator) -> [Any] {
        (0..<Int.random(in: 0..<6, using: &generator)).map { _ in object(depth: depth + 1, &generator) }
    }

    private static func collection(depth: Int, _ generator: inout SeededGenerator) -> Any {
        let objects = objects(depth: depth, &generator)
        // Foundation ends the process if it needs the hash of a decimal number.
        let texts = (0..<3).map { _ in text(&generator) as NSString }
        switch Int.random(in: 0..<9, using: &generator) {
        case 0: return objects
        case 1: return NSArray(array: objects)
        case 2: return NSMutableArray(array: objects)
        case 3: return Dictionary(objects.enumerated().map { ("\($0)", $1) }, uniquingKeysWith: { $1 })
        case 4:
            let dictionary = NSMutableDictionary()
            for object in objects { dictionary[text(&generator)] = object }
            return dictionary
        case 5: return NSDictionary(objects: objects, forKeys: objects.indices.map { NSNumber(value: $0) })
        case 6: return NSSet(array: texts)
        case 7: return NSOrderedSet(array: texts)
        default: return NSCountedSet(array: texts)
        }
    }

    static func number(_ generator: inout SeededGenerator) -> Any {
        let bits = generator.next()
        let double = Double(bitPattern: bits)
        let all: [Any] = [
            bits, Int64(bitPattern: bits), Int8(truncatingIfNeeded: bits), UInt8(truncatingIfNeeded: bits),
            Int16(truncatingIfNeeded: bits), UInt32(truncatingIfNeeded: bits), bits % 2 == 0, double, Float(1.5),
            CGFloat(double), UInt64.max, Int64.min, Double.nan, -Double.infinity, NSNumber(value: bits),
            Decimal(string: "\(bits)") ?? 0, Decimal(sign: .minus, exponent: -20, significand: 77), Decimal.nan,
            NSDecimalNumber(mantissa: bits, exponent: 3, isNegative: true), Decimal.greatestFiniteMagnitude,
        ]
        return all.randomElement(using: &generator) ?? 0
    }

    static func text(_ generator: inout SeededGenerator) -> String {
        let all = [
            "", "a", "$null", "$class", "bplist00", "tëxt", "🗝️ and \u{0} and \u{FEFF}", "<plist>", "\u{10FFFF}",
            String(repeating: "long ", count: 70), "CF$UID", "$archiver", "\(generator.next())",
        ]
        return all.randomElement(using: &generator) ?? ""
    }

    private static func data(_ generator: inout SeededGenerator) -> Any {
        let count = Int.random(in: 0..<40, using: &generator)
        let data = Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) })
        return generator.next() % 2 == 0 ? data : NSMutableData(data: data)
    }

    private static func value(depth: Int, _ generator: inout SeededGenerator) -> Any {
        let bits = generator.next()
        let seconds = Double(bits % 4_000_000_000)
        let all: [Any] = [
            Date(timeIntervalSince1970: seconds), NSDate(timeIntervalSinceReferenceDate: .nan), NSNull(), UUID(),
            URL(string: "https://example.com/\(bits)") ?? NSNull(), NSURL(fileURLWithPath: "/tmp"),
            NSURL(string: "x", relativeTo: URL(string: "https://example.com/")) ?? NSNull(),
            DateComponents(calendar: .init(identifier: .gregorian), year: 2020, day: Int(bits % 40)),
            NSDateComponents(),
            TimeZone(secondsFromGMT: 3600) ?? NSNull(), TimeZone.current, Locale(identifier: "de_AT"),
            Locale(identifier: text(&generator)), Calendar(identifier: .hebrew), IndexSet(integersIn: 3..<9),
            IndexSet([1, 5, Int(bits % 1000)]), NSMutableIndexSet(), IndexPath(indexes: [1, 2, 3]), IndexPath(),
            NSAttributedString(string: text(&generator)), attributed(depth: depth, &generator),
            NSError(
                domain: "d", code: Int(truncatingIfNeeded: bits), userInfo: ["k": object(depth: depth + 1, &generator)]),
            CocoaError(.fileNoSuchFile), NSRange(location: 3, length: 4), CGPoint(x: 1, y: seconds), CGRect.infinite,
            NSValue(size: CGSize(width: 1, height: -2)), DateInterval(start: Date(), duration: seconds),
            (try? NSRegularExpression(pattern: "[a-z]+")) ?? NSNull(), NSMutableString(string: text(&generator)),
        ]
        return all.randomElement(using: &generator) ?? 0
    }

    private static func attributed(depth: Int, _ generator: inout SeededGenerator) -> NSAttributedString {
        let text = NSMutableAttributedString(string: "an attributed text")
        let key = NSAttributedString.Key(rawValue: "key")
        // Foundation ends the process for an attribute that contains itself, so only simple attributes are tried.
        text.addAttribute(key, value: number(&generator), range: NSRange(location: 3, length: 5))
        text.addAttribute(key, value: self.text(&generator), range: NSRange(location: 10, length: 2))
        return text
    }

    /// Unusual values, which some program will store all the same.
    private static func odd(depth: Int, _ generator: inout SeededGenerator) -> Any {
        struct Structure { let number = 1 }
        enum Enumeration: Error { case one }
        let circle = Circles.all.randomElement(using: &generator)?.make() ?? NSNull()
        let deep = (0..<300).reduce(NSArray()) { nested, _ in NSArray(object: nested) }
        let wide = (0..<40).reduce(NSArray()) { nested, _ in NSArray(objects: nested, nested) }
        let settings = KCMutableDictionary.dictionary(withName: "odd")
        settings["a"] = "b"
        let all: [Any] = [
            Structure(), Enumeration.one, Optional<Int>.none as Any, Optional(3) as Any, (1, "a"), Int.self, { 1 },
            circle, [circle], deep, wide, NSObject(), CharacterSet.letters, NSCharacterSet.alphanumerics,
            Measurement(value: 1, unit: UnitLength.meters),
            Badge(number: 3), [Badge(number: 3)], ["badge": Badge(number: 4)] as NSDictionary, CarelessBadge(),
            Badge.hidden(number: 5), Outer.InnerBadge(number: 6),
            GoldenBadge(number: 7), FailingBadge(), UnkeyedBadge(),
            BadgeOfBadges(generator.next()), MaskedBadge(object(depth: depth + 1, &generator)), EndlessBadge(number: 1),
            DisguisedBadge(1, as: GoldenBadge.self), DisguisedBadge(1, as: NSArray.self), RebornBadge(number: 1),
            BadgeList(), DisguisedList(), ParentBadge(ChildBadge(number: 2)),
            Substring("text"), Character("c"), settings, NSPredicate(value: true), Data([1]).base64EncodedString(),
            NSNotification(name: Notification.Name("n"), object: nil), Thread.current, FileHandle.nullDevice,
            PersonNameComponents(), Set([1, 2]), AnyHashable("a"), Float80(1), 1..<5,
        ]
        return all.randomElement(using: &generator) ?? 0
    }
}
