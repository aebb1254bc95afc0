// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim
import SecItemStore

/// A query as the model reads it. The model works out its meaning from the records of a store, without the engine.
struct MeaningQuery {
    /// The class, which may be `identity`.
    var itemClass: ItemClass
    /// The attributes that the query names, except access group, synchronizable and digest.
    var attributes: [ItemAttribute: AttributeValue] = [:]
    var group: String?
    /// Nil if the query does not name the attribute.
    var synchronizable: Synchronizable?
    var reference: PersistentReference?
    var digest: Data?
    var host: String?
    /// The attributes that the live object in the query stands for.
    var ofObject: [ItemAttribute: AttributeValue] = [:]

    /// Whether an object or a reference names one identity.
    var namesIdentity: Bool { itemClass == .identity && (reference != nil || !ofObject.isEmpty) }

    enum Synchronizable {
        case yes, no, any
    }

    /// Whether the query means a record with this digest.
    ///
    /// - Parameter attributes: The attributes of the query that apply to this record: all of them, except in a query
    ///   for identities.
    func means(
        _ record: ItemRecord, digest ownDigest: () throws -> Data?, groups: [String],
        attributes: [ItemAttribute: AttributeValue], ignoringSynchronizable: Bool = false
    ) rethrows -> Bool {
        guard groups.contains(record.text(.accessGroup)), group == nil || record.text(.accessGroup) == group else {
            return false
        }
        if !ignoringSynchronizable {
            let isSynchronized = record.attributes[.synchronizable]?.integer == 1
            switch synchronizable {
            case .yes where !isSynchronized, .no where isSynchronized: return false
            case nil where isSynchronized && reference == nil: return false
            default: break
            }
        }
        if attributes[.tombstone] == nil, record.attributes[.tombstone]?.integer != 0 { return false }
        let schema = ItemSchema.schema(of: record.itemClass)
        for (attribute, value) in attributes.merging(
            ofObject.filter { schema[$0.key] != nil }, uniquingKeysWith: { $1 })
        where !record.has(value, as: attribute) { return false }
        if let host {
            guard let server = record.attributes[.server]?.string else { return false }
            guard server == host || server.hasSuffix("." + host) else { return false }
        }
        if let digest, try ownDigest() != digest { return false }
        return true
    }
}

extension ItemRecord {
    fileprivate func text(_ attribute: ItemAttribute) -> String { attributes[attribute]?.string ?? "" }

    /// Whether the attribute has that value. An absent attribute of the primary key has its empty value.
    fileprivate func has(_ value: AttributeValue, as attribute: ItemAttribute) -> Bool {
        if let secret = secrets[attribute] { return value.modelBytes == AttributeValue.data(secret.data()).modelBytes }
        return modelValue(of: attribute) == value.modelBytes
    }

    /// The bytes by which the model compares the value of an attribute; nil for an absent attribute outside the primary
    /// key.
    func modelValue(of attribute: ItemAttribute) -> [UInt8]? {
        if let own = attributes[attribute] { return own.modelBytes }
        let row = ItemSchema.schema(of: itemClass)[attribute]
        guard let row, row.roles.contains(.primaryKey) else { return nil }
        return row.kind.emptyValue.modelBytes
    }

    /// Whether an update would allow the export of a key that could not be exported before it.
    func isFreed(bySetting changes: [ItemAttribute: AttributeValue]) -> Bool {
        func isKept(_ attributes: [ItemAttribute: AttributeValue]) -> Bool {
            attributes[.isExtractable].map { $0.integer.map { $0 == 0 } ?? true } ?? false
                || attributes[.isSensitive].map { $0.integer.map { $0 != 0 } ?? true } ?? false
        }
        return itemClass == .key && isKept(attributes) && !isKept(attributes.merging(changes) { $1 })
    }

    /// The values that no two items of the class share.
    var modelKey: [[UInt8]?] {
        ItemSchema.schema(of: itemClass).primaryKeyRows.map { modelValue(of: $0.attribute) }
    }

    /// Whether two records are the same, apart from the attributes in `except`.
    func isSame(as other: ItemRecord, except ignored: Set<ItemAttribute> = []) -> Bool {
        let names = Set(attributes.keys).union(other.attributes.keys).subtracting(ignored)
        return names.allSatisfy { modelValue(of: $0) == other.modelValue(of: $0) }
            && secrets.mapValues { $0.data() } == other.secrets.mapValues { $0.data() }
    }
}

extension AttributeValue {
    /// Text and data with the same bytes are equal. All other values of different types differ.
    fileprivate var modelBytes: [UInt8] {
        switch self {
        case .string(let text): [0] + Array(text.utf8)
        case .data(let data): [0] + Array(data)
        case .integer(let number): [1] + Array("\(number)".utf8)
        case .real(let number): [2] + Array("\(number)".utf8)
        case .date(let date): [3] + Array("\(date.timeIntervalSinceReferenceDate)".utf8)
        }
    }

    /// The value as a client gives it.
    var object: Any {
        switch self {
        case .string(let text): text
        case .data(let data): data
        case .integer(let number): Int(number)
        case .real(let number): number
        case .date(let date): date
        }
    }
}

/// Makes random items, queries and changes with any attribute of any class. There are so few values that items share
/// them.
struct RandomMeanings {
    var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    static let groups = ["group.one", "group.two"]
    static let foreignGroup = "group.three"

    /// Attributes that the random tests set separately, and attributes that no client may name.
    private static let special: Set<ItemAttribute> = [
        .accessGroup, .synchronizable, .sha1, .appClipItem, .sharingGroup, .tombstone, .multiUser, .uuid,
        .accessControl, .creationDate, .modificationDate,
    ]

    private func attributes(of itemClass: ItemClass) -> [ItemSchema.Row] {
        ItemSchema.schema(of: itemClass).rows.filter { !Self.special.contains($0.attribute) }
    }

    /// The attributes that distinguish most queries. They are picked more often than the others.
    private static let usual: [ItemAttribute] = [
        .label, .label, .account, .service, .server, .publicKeyHash, .applicationLabel, .keyClass, .isPrivate,
    ]

    mutating func row(of itemClass: ItemClass) -> ItemSchema.Row? {
        let rows = attributes(of: itemClass)
        let usual = rows.filter { Self.usual.contains($0.attribute) }
        return random.pick(random.chance(50) && !usual.isEmpty ? usual : rows)
    }

    mutating func value(of row: ItemSchema.Row) -> AttributeValue {
        switch (row.attribute, row.kind) {
        case (.accessible, _): .string(random.pick(["ak", "ck", "dk", "aku"]))
        case (.server, _): .string(random.pick(["example.org", "mail.example.org", "badexample.org"]))
        case (.isPrivate, _), (.keyClass, _): .integer(random.pick([0, 1, 1]))
        case (.publicKeyHash, _), (.applicationLabel, _): .data(Data([random.pick([1, 2, 3])]))
        case (_, .string): .string(random.pick(["one", "two"]))
        case (_, .blob): random.pick([.string("a"), .string("b"), .data(Data("a".utf8)), .integer(1)])
        case (_, .data), (_, .uuid): .data(Data([random.pick([1, 2, 3])]))
        case (_, .sha1): .data(Data(count: 20))
        case (_, .number): .integer(random.pick([0, 1, 443]))
        case (_, .date): .date(Date(timeIntervalSinceReferenceDate: random.pick([0, 1_000])))
        }
    }

    mutating func attributes(of itemClass: ItemClass, count: ClosedRange<Int>) -> [ItemAttribute: AttributeValue] {
        var result: [ItemAttribute: AttributeValue] = [:]
        for _ in 0..<Int.random(in: count, using: &random) {
            if let row = row(of: itemClass) { result[row.attribute] = value(of: row) }
        }
        return result
    }
}
