import Foundation
import SecItemStore

/// Walks a whole dictionary once and hands each key to the parser of its family.
///
/// What the four calls share; what each makes of it stands in `ItemQuery`, `NewItem` and `ItemChanges`.
struct RequestParser {
    let itemClass: ItemClass
    let reference: PersistentReferenceValue?
    let live: LiveObject?
    private(set) var attributes: AttributeParser
    private(set) var match: MatchParser
    private(set) var returned = ReturnParser()
    private(set) var use = UseParser()
    /// Whether a four-letter attribute was named, "any" for synchronizable apart; a live object names several.
    private(set) var namesAttributes = false

    /// What the callers of a verb may write without any effect, as on the Mac.
    struct Leniency: OptionSet {
        let rawValue: UInt8

        static let matchKeys = Leniency(rawValue: 1 << 0)
        static let returnKeys = Leniency(rawValue: 1 << 1)
    }

    init(_ dictionary: CallerDictionary, ignoring leniency: Leniency) throws(KeychainError) {
        let found = try ClassParser(dictionary)
        itemClass = found.itemClass
        reference = found.reference
        live = found.live
        namesAttributes = live != nil
        attributes = AttributeParser(itemClass)
        match = MatchParser(itemClass)
        try Self.checkKeyCount(dictionary, itemClass)
        for (key, value) in dictionary.entries {
            if case .missing = value { throw .param("a value is NULL") }
            try add(KeyFamily(key), key.name, value, ignoring: leniency)
        }
    }

    private mutating func add(
        _ family: KeyFamily, _ name: String, _ value: CallerValue, ignoring leniency: Leniency
    ) throws(KeychainError) {
        switch family {
        case .attribute(let attribute): try addAttribute(attribute, value)
        case .match where leniency.contains(.matchKeys): break
        case .match: try match.add(name, value)
        case .returned where leniency.contains(.returnKeys) && ReturnParser.knows(name): break
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

    private mutating func addValue(_ name: String, _ value: CallerValue) throws(KeychainError) {
        switch name {
        case "v_Data": try attributes.addValueData(value)
        case "v_PersistentRef", "v_Ref": break
        default: throw .param("an unknown kSecValue key")
        }
    }

    /// Apple's keychain reserves a table of 128 entries: the class's attributes, and whatever else was named.
    private static func checkKeyCount(_ dictionary: CallerDictionary, _ itemClass: ItemClass) throws(KeychainError) {
        let schema = ItemSchema.schema(of: itemClass)
        guard dictionary.entries.count > greatestKeyCount - schema.rows.count - unlistedRowCount else { return }
        let others = dictionary.entries.filter { entry in
            ItemAttribute(code: entry.key.name).flatMap { schema[$0] } == nil
        }
        guard schema.rows.count + unlistedRowCount + others.count <= greatestKeyCount else {
            throw .param("too many keys")
        }
    }

    private static let greatestKeyCount = 128
    /// The row number, the sealed column and the like, which Apple counts and our table does not list.
    private static let unlistedRowCount = 7
}

extension CallerDictionary.Key {
    /// The text of the key, empty when it is not text.
    var name: String {
        if case .string(let name) = self { name } else { "" }
    }
}
