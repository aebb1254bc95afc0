// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim
import SecItemStore

extension ConformanceSuite {
    /// Sections 1 and 3 and the attribute tables: cases that the schema generates for every attribute of every class.
    static let attributeCases: [ConformanceCase] = ItemClass.stored.flatMap { itemClass in
        let rows = ItemSchema.schema(of: itemClass).rows
        return rows.flatMap { AttributeSubject(itemClass: itemClass, row: $0).cases } + [foreignAttributes(itemClass)]
    }

    /// 1.1: An attribute that only other classes have is refused.
    private static func foreignAttributes(_ itemClass: ItemClass) -> ConformanceCase {
        ConformanceCase("attribute_\(itemClass.rawValue)_ofOtherClasses_isNoSuchAttr", rules: "1.1") { keychain in
            let own = ItemSchema.schema(of: itemClass)
            let all = ItemClass.stored.flatMap { ItemSchema.schema(of: $0).rows }
            for row in all where own[row.attribute] == nil {
                let dictionary = [kSecClass: itemClass.rawValue, row.attribute.code as NSString: "x"] as CFDictionary
                try keychain.expectEach(errSecNoSuchAttr, of: dictionary, row.attribute.code)
                try expect(
                    keychain.update(
                        [kSecClass: itemClass.rawValue] as CFDictionary, [row.attribute.code: "x"] as CFDictionary),
                    errSecNoSuchAttr, "setting \(row.attribute.code):")
            }
        }
    }
}

/// One attribute of one class, and the cases about it.
private struct AttributeSubject: Sendable {
    let itemClass: ItemClass
    let row: ItemSchema.Row

    private var key: NSString { row.attribute.code as NSString }
    private var code: String { row.attribute.code }
    private var name: String { "attribute_\(itemClass.rawValue)_\(code)" }
    /// A dictionary that has only the class.
    private var item: CFDictionary { [kSecClass: itemClass.rawValue] as CFDictionary }
    /// A query that finds the item whether or not it is synchronized.
    private var query: CFDictionary { item.with(kSecAttrSynchronizable, kSecAttrSynchronizableAny) }
    private var isSettable: Bool { row.roles.contains(.settable) }

    var cases: [ConformanceCase] {
        switch row.attribute {
        // It has no value of its own: see `ProtectionCases` and `ConstraintCases`.
        case .accessControl: []
        case .appClipItem: [refusedCase(errSecParam, updateStatus: errSecParam)]
        case .sharingGroup: [refusedCase(errSecMissingEntitlement, updateStatus: errSecParam)]
        case .accessGroup: [keptCase, keyCase]
        case .tombstone: [tombstoneCase, wrongTypeCase]
        case _ where row.roles.contains(.secret): [secretCase, wrongTypeCase]
        case _ where isSettable: [keptCase, keyCase, wrongTypeCase]
        default: [droppedCase, wrongTypeCase]
        }
    }

    // MARK: Cases

    /// An add sets the attribute, results have it as the table says, and look-ups and updates can use it.
    private var keptCase: ConformanceCase {
        ConformanceCase("\(name)_isKept", rules: "1.15", "3.17", "5.5", "8.1") { keychain in
            let (first, second) = samples
            var result: CFTypeRef?
            try expect(keychain.add(item.with(key, first).with(kSecReturnAttributes, true), &result))
            let added = try expectValue(result as? [String: Any], "attributes")
            try expect(same(added[code], row.roles.contains(.addResult) ? first : nil), "add returned \(added)")
            try expectFound(first, not: second, keychain)
            try expect(keychain.update(lookup(first), [key: second] as CFDictionary), errSecSuccess, "update:")
            try expectFound(second, not: first, keychain)
        }
    }

    private func expectFound(_ value: Any, not other: Any, _ keychain: ConformanceKeychain) throws {
        let query = lookup(value)
        let found = try keychain.dictionary(query.with(kSecReturnAttributes, true))
        try expect(same(found[code], row.roles.contains(.copyResult) ? value : nil), "look-up returned \(found)")
        try expectNothing(of: lookup(other), keychain)
    }

    /// Expects that a query with another value finds no item, in every call.
    private func expectNothing(of query: CFDictionary, _ keychain: ConformanceKeychain) throws {
        try keychain.expectEach(
            errSecItemNotFound, from: [.copyMatching, .update, .delete], of: query, "by another value:")
    }

    /// Items can differ in the attribute alone if it is part of the primary key, and otherwise they cannot.
    private var keyCase: ConformanceCase {
        let isKey = row.roles.contains(.primaryKey)
        return ConformanceCase(
            "\(name)_\(isKey ? "makesItemsDistinct" : "makesNoItemsDistinct")", rules: "3.1", "3.2"
        ) { keychain in
            let (first, second) = samples
            try expect(keychain.add(item.with(key, first)))
            try expect(keychain.add(item.with(key, first)), errSecDuplicateItem, "the same value:")
            try expect(
                keychain.add(item.with(key, second)), isKey ? errSecSuccess : errSecDuplicateItem, "another value:")
        }
    }

    /// A value of the wrong type is refused in all four calls and in the changes of an update.
    private var wrongTypeCase: ConformanceCase {
        ConformanceCase("\(name)_wrongType_isParam", rules: "1.9", "8.13") { keychain in
            try expect(keychain.add(item))
            for value in wrongValues {
                try keychain.expectEach(errSecParam, of: item.with(key, value), "\(type(of: value))")
                let status: OSStatus = row.attribute == .multiUser ? errSecSuccess : errSecParam
                try expect(keychain.update(item, [key: value] as CFDictionary), status, "setting \(type(of: value)):")
            }
            try expect(keychain.copyMatching(item))
        }
    }

    /// A caller's value is silently dropped, because the keychain sets the attribute itself.
    private var droppedCase: ConformanceCase {
        ConformanceCase("\(name)_isNotTheCallers", rules: "3.4", "8.6") { keychain in
            let (first, _) = samples
            var result: CFTypeRef?
            try expect(keychain.add(item.with(key, first).with(kSecReturnAttributes, true), &result))
            let added = try expectValue(result as? [String: Any], "attributes")
            try expect(!same(added[code], first), "the caller's value was taken")
            let found = try keychain.dictionary(item.with(kSecReturnAttributes, true))
            try expect(!same(found[code], first), "the caller's value was stored")
            try expectEqual(found[code] != nil, row.roles.contains(.copyResult), "\(code) returned:")
            try expectNothing(of: item.with(key, first), keychain)
            try expect(keychain.add(item.with(key, first)), errSecDuplicateItem)
        }
    }

    /// A query with 0 finds live items, and a query with 1 does not.
    private var tombstoneCase: ConformanceCase {
        ConformanceCase("\(name)_isZeroInLiveItems", rules: "4.10", "5.5") { keychain in
            try expect(keychain.add(item.with(key, 0)))
            try expect(keychain.add(item), errSecDuplicateItem)
            try expectEqual(
                keychain.dictionary(item.with(key, 0).with(kSecReturnAttributes, true))[code] as? Int, 0)
            try expectNothing(of: item.with(key, 1), keychain)
        }
    }

    /// The attribute is encrypted together with the data, and returned only with it.
    private var secretCase: ConformanceCase {
        ConformanceCase("\(name)_isReturnedWithDataOnly", rules: "3.17", "5.5", needs: .manySecrets) { keychain in
            let (first, second) = samples
            try expect(keychain.add(item.with(key, first)))
            for value in [first, second] {
                if same(value, second) { try expect(keychain.update(item, [key: second] as CFDictionary)) }
                let query = item.with(kSecReturnAttributes, true)
                try expect(try keychain.dictionary(query)[code] == nil, "returned without the data")
                try expect(same(try keychain.dictionary(query.with(kSecReturnData, true))[code], value), "not returned")
                try expectNothing(of: item.with(key, same(value, first) ? second : first), keychain)
            }
            try expect(keychain.add(item.with(key, second)), errSecDuplicateItem)
        }
    }

    /// No caller may name the attribute.
    private func refusedCase(_ status: OSStatus, updateStatus: OSStatus) -> ConformanceCase {
        ConformanceCase("\(name)_isRefused", rules: "1.13", "1.14") { keychain in
            try expect(keychain.add(item))
            try keychain.expectEach(status, of: item.with(key, samples.0))
            try expect(keychain.update(item, [key: samples.0] as CFDictionary), updateStatus)
        }
    }

    // MARK: Values

    /// Looks the item up by a value of the attribute.
    private func lookup(_ value: Any) -> CFDictionary {
        row.attribute == .synchronizable ? item.with(key, value) : query.with(key, value)
    }

    /// Two different values that the attribute takes.
    private var samples: (Any, Any) {
        switch (row.attribute, row.kind) {
        case (.accessible, _): ("cku", "dku")
        case (.tombstone, _), (.synchronizable, _): (0, 1)
        case (_, .string), (_, .blob): ("first é", "second")
        case (_, .data): (Data([0xFF, 0, 1]), Data([0xFF, 0, 2]))
        case (_, .number): (7, -8)
        case (_, .date): (Date(timeIntervalSince1970: 1_000_000.25), Date(timeIntervalSince1970: 2_000_000))
        case (_, .uuid): (Data(repeating: 1, count: 16), Data(repeating: 2, count: 16))
        case (_, .sha1): (Data(repeating: 1, count: 20), Data(repeating: 2, count: 20))
        }
    }

    /// Values that the attribute does not take.
    private var wrongValues: [Any] {
        let always: [Any] = [NSArray(), ["a": 1] as NSDictionary, NSObject()]
        return switch row.kind {
        case .string: always + [NSNull(), 1, 1.5, true, Date()]
        case .blob: always + [NSNull(), true, Date(), NSUUID()]
        case .data: always + [NSNull(), true, Date(), NSUUID()]
        case .number where row.attribute == .synchronizable: always + [NSNull(), Data([1]), Date(), NSUUID()]
        case .number: always + [NSNull(), Data([1]), Date(), NSUUID()]
        case .date: always + [NSNull(), "now", 1, 1.5, true, Data()]
        case .uuid: always + ["text", 1, true, Date(), Data(count: 15)]
        case .sha1: always + [NSNull(), "12345678901234567890", 1, true, Date(), Data(count: 19)]
        }
    }

    private func same(_ value: Any?, _ expected: Any?) -> Bool {
        switch (value, expected) {
        case (nil, nil): true
        case (let value?, let expected?): CFEqual(value as AnyObject, expected as AnyObject)
        default: false
        }
    }
}
