// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// Walks a whole dictionary once and hands each key to the parser of its family.
///
/// What the four calls share; what each makes of it stands in `ItemQuery`, `NewItem` and `ItemChanges`.
struct RequestParser {
    let itemClass: ItemClass
    let reference: PersistentReferenceValue?
    let live: LiveValue?
    private(set) var attributes: AttributeParser
    private(set) var match: MatchParser
    private(set) var returned = ReturnParser()
    private(set) var use = UseParser()
    /// Whether a four-letter attribute was named, "any" for synchronizable apart; a live object names several.
    private(set) var namesAttributes = false

    /// What the dictionary is for.
    enum Purpose {
        /// A new item. What would choose among items says nothing of it, and is dropped as on the Mac.
        case newItem
        /// A query for items to look up.
        case lookUp
        /// A query for items to change or delete. What is to be returned is dropped, as on the Mac.
        case change
    }

    init(_ dictionary: CallerDictionary, for purpose: Purpose) throws(KeychainError) {
        let found = try ClassParser(dictionary)
        itemClass = found.itemClass
        reference = found.reference
        live = found.live
        namesAttributes = live != nil
        attributes = AttributeParser(itemClass)
        match = MatchParser(itemClass, isForChange: purpose == .change)
        try Self.checkKeyCount(dictionary, itemClass)
        for (key, value) in dictionary.entries {
            if case .missing = value { throw .param("a value is NULL") }
            try add(KeyFamily(key), key.name, value, purpose)
        }
    }

    private mutating func add(
        _ family: KeyFamily, _ name: CallerText, _ value: CallerValue, _ purpose: Purpose
    ) throws(KeychainError) {
        switch family {
        case .attribute(let attribute): try addAttribute(attribute, value)
        case .match where purpose == .newItem: break
        case .match: try match.add(name, value)
        case .returned where purpose == .change && ReturnParser.knows(name): break
        case .returned: try returned.add(name, value)
        case .use: try use.add(name, value)
        case .value: try addValue(name, value)
        case .itemClass, .ignored: break
        }
    }

    private mutating func addAttribute(_ attribute: ItemAttribute, _ value: CallerValue) throws(KeychainError) {
        try attributes.add(attribute, value)
        let isAnySynchronizable = attribute == .synchronizable && attributes.synchronizable == .any
        namesAttributes = namesAttributes || !isAnySynchronizable
    }

    private mutating func addValue(_ name: CallerText, _ value: CallerValue) throws(KeychainError) {
        switch name {
        case .kSecValueData: try attributes.addValueData(value)
        case .kSecValuePersistentRef, .kSecValueRef: break
        default: throw .param("a kSecValue key is unknown")
        }
    }

    /// Apple's keychain reserves a table of 128 entries: the class's attributes, and whatever else was named.
    private static func checkKeyCount(_ dictionary: CallerDictionary, _ itemClass: ItemClass) throws(KeychainError) {
        let halves: [ItemClass] = itemClass == .identity ? [.certificate, .key] : [itemClass]
        let attributeCount = halves.reduce(0) { count, half in
            count + ItemSchema.schema(of: half).rows.count + unlistedRowCount
        }
        let room = greatestKeyCount - attributeCount
        guard dictionary.entries.count > room else { return }
        let schema = ItemSchema.schema(of: itemClass)
        let others = dictionary.entries.filter { entry in
            !unlistedRows.contains(entry.key.name)
                && ItemAttribute(code: entry.key.name.string).flatMap { schema[$0] } == nil
        }
        guard others.count <= room else { throw .param("too many keys") }
    }

    private static let greatestKeyCount = 128
    /// What Apple counts among a class's attributes and our table does not list: the row number, the sealed column, a
    /// digest of the primary key, and what a reference is made of.
    private static let unlistedRowCount = 4 + unlistedRows.count
    /// Two more that a caller's key may be.
    private static let unlistedRows: [CallerText] = [.kSecValueData, useTombstones]
    /// A key that Apple's headers do not declare.
    private static let useTombstones: CallerText = "u_Tomb"
}

extension CallerDictionary.Key {
    /// The text of the key, empty when it is not text.
    var name: CallerText {
        if case .string(let name) = self { name } else { "" }
    }
}
