// SPDX-License-Identifier: Apache-2.0

import FXKeychain
import Foundation
import KCMutableDictionary
import KeychainCoding
import Lockbox
import Security

/// Items of a megabyte that use one long value thousands of times. Reading them takes memory in proportion to
/// their size.
enum Bombs {
    private static let users = 12_000
    private static let length = 500_000

    static func check() throws {
        for marker in [0x4F, 0x5F, 0x6F] as [UInt8] {
            let units = marker == 0x6F ? length / 2 : length
            try read(list(marker: marker, count: units, users: users))
        }
        let value = Data(repeating: 0x41, count: length)
        for (name, field, inner) in [
            ("NSMutableData", "NS.data", PropertyList.data(value)), ("NSData", "NS.data", .data(value)),
            ("NSMutableString", "NS.bytes", .data(value)), ("NSString", "NS.bytes", .data(value)),
            ("NSIndexPath", "NSIndexPathData", .data(value)), ("NSURL", "NS.relative", .text(text)),
            ("NSLocale", "NS.identifier", .text(text)), ("NSTimeZone", "NS.name", .text(text)),
            ("NSRegularExpression", "NSPattern", .text(text)), ("NSAttributedString", "NSString", .text(text)),
        ] as [(String, String, PropertyList)] {
            try read(archive(name, ExactText(field), inner))
        }
        try add(setThatTakesLongToCompare(), service: "com.example.bombs.key")
        guard Lockbox(keyPrefix: "com.example.bombs").unarchiveObject(forKey: "key") == nil else {
            throw Broken(description: "a set that takes long to compare")
        }
    }

    /// An archive of a set whose members have the same hash in Foundation. The cost of comparing the last member with
    /// the others exceeds the range of `Int`.
    private static func setThatTakesLongToCompare() -> Data {
        let accents = String(repeating: "\u{301}", count: 7_100_000)
        func classNamed(_ name: String) -> PropertyList {
            .dictionary(["$classname": .text(name), "$classes": .array([.text(name), .text("NSObject")])])
        }
        func list(_ elements: [PropertyList], class index: Int = 3) -> PropertyList {
            .dictionary(["$class": .reference(index), "NS.objects": .array(elements)])
        }
        let members = Array(repeating: PropertyList.reference(4), count: 900) + [.reference(5)]
        let objects: [PropertyList] = [
            .text("$null"), list(members, class: 2), classNamed("NSSet"), classNamed("NSArray"),
            list([.reference(8)]), list([.reference(6)]), list(Array(repeating: .reference(7), count: 247_000)),
            .text(accents), .integer(1),
        ]
        return PropertyList.dictionary([
            "$version": .integer(100_000), "$archiver": .text("NSKeyedArchiver"), "$objects": .array(objects),
            "$top": .dictionary(["key": .reference(1), "root": .reference(1)]),
        ]).binary
    }

    private static let text = String(repeating: "a", count: length)

    private static func read(_ data: Data) throws {
        for service in ["com.example.bombs.key", "com.example.wrapper-probe.__KCMutableDictionary__.bombs"] {
            try add(data, service: service)
        }
        _ = FXKeychain(service: "com.example.bombs.key", accessGroup: nil).object(forKey: "")
        _ = Lockbox(keyPrefix: "com.example.bombs").unarchiveObject(forKey: "key")
        let dictionary = KCMutableDictionary.dictionary(withName: "bombs")
        _ = dictionary.allValues
        dictionary.forget()
    }

    private static func add(_ data: Data, service: String) throws {
        SecItemDelete([kSecClass: kSecClassGenericPassword, kSecAttrService: service] as CFDictionary)
        let item: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrAccount: "", kSecAttrService: service, kSecValueData: data,
        ]
        let status = SecItemAdd(item as CFDictionary, nil)
        guard status == errSecSuccess else { throw Broken(description: "add: \(status) for \(data.count) bytes") }
    }

    /// A list with many objects at one offset.
    private static func list(marker: UInt8, count: Int, users: Int) -> Data {
        func number(_ value: Int, _ size: Int) -> [UInt8] {
            (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        }
        var bytes = Array("bplist00".utf8)
        let place = bytes.count
        bytes += [marker, 0x12] + number(count, 4)
        bytes += [UInt8](repeating: 0x41, count: marker == 0x6F ? 2 * count : count)
        let top = bytes.count
        bytes += [0xAF, 0x12] + number(users, 4)
        for user in 0..<users { bytes += number(user + 1, 4) }
        let table = bytes.count
        for offset in [top] + Array(repeating: place, count: users) { bytes += number(offset, 4) }
        bytes += [0, 0, 0, 0, 0, 0, 4, 4] + number(users + 1, 8) + number(0, 8) + number(table, 8)
        return Data(bytes)
    }

    /// An archive of an array of objects that all refer to one value.
    private static func archive(_ name: String, _ field: ExactText, _ value: PropertyList) -> Data {
        func classNamed(_ name: String) -> PropertyList {
            .dictionary(["$classname": .text(name), "$classes": .array([.text(name), .text("NSObject")])])
        }
        let user = PropertyList.dictionary([
            "$class": .reference(3), field: .reference(4), "NSIndexPathLength": .integer(Int64(length)),
        ])
        let array = PropertyList.dictionary([
            "$class": .reference(2), "NS.objects": .array((0..<users).map { .reference(5 + $0) }),
        ])
        let objects = [.text("$null"), array, classNamed("NSArray"), classNamed(name), value]
        return PropertyList.dictionary([
            "$version": .integer(100_000), "$archiver": .text("NSKeyedArchiver"),
            "$objects": .array(objects + Array(repeating: user, count: users)),
            "$top": .dictionary(["key": .reference(1), "root": .reference(1)]),
        ]).binary
    }
}
