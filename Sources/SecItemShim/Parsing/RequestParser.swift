// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// Reads a whole dictionary once and passes each key to the parser of its family.
///
/// The four calls share this. `ItemQuery`, `NewItem` and `ItemChanges` interpret the result.
struct RequestParser {
    let itemClass: ItemClass
    let reference: PersistentReferenceValue?
    let live: LiveValue?
    private(set) var attributes: AttributeParser
    private(set) var match: MatchParser
    private(set) var returned = ReturnParser()
    private(set) var use = UseParser()
    /// Whether the dictionary names an attribute, other than "any" for synchronizable. A live object names several.
    private(set) var namesAttributes = false

    /// The call to which the dictionary belongs.
    enum Call {
        /// A new item. Keys that select among items are dropped, as on the Mac.
        case newItem
        /// A query for items to look up.
        case lookUp
        /// A query for items to change or delete. Keys that say what to return are dropped, as on the Mac.
        case change
    }

    init(_ dictionary: CallerDictionary, for call: Call) throws(KeychainError) {
        let found = try ClassParser(dictionary)
        itemClass = found.itemClass
        reference = found.reference
        live = found.live
        namesAttributes = live != nil
        attributes = AttributeParser(itemClass)
        match = MatchParser(itemClass, isForChange: call == .change)
        try Self.checkKeyCount(dictionary, itemClass)
        for (key, value) in dictionary.entries {
            try add(KeyFamily(key), key.name, value, call)
        }
    }

    private mutating func add(
        _ family: KeyFamily, _ name: CallerText, _ value: CallerValue, _ call: Call
    ) throws(KeychainError) {
        switch family {
        case .attribute(let attribute): try addAttribute(attribute, value)
        case .match where call == .newItem: break
        case .match: try match.add(name, value)
        case .returned where call == .change && ReturnParser.knows(name): break
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

    /// Apple's keychain has a table of 128 entries for the class's attributes and all other keys.
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
    /// Entries that Apple counts among a class's attributes and our table does not list: the row number, the sealed
    /// column, a digest of the primary key, and the parts of a reference.
    private static let unlistedRowCount = 4 + unlistedRows.count
    /// Two more entries, which a caller's key may name.
    private static let unlistedRows: [CallerText] = [.kSecValueData, UseParser.useTombstones]
}

extension CallerDictionary.Key {
    /// The text of the key, empty when it is not text.
    var name: CallerText {
        if case .string(let name) = self { name } else { "" }
    }
}
